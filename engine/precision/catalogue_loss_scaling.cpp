#include <fmt/format.h>

#include "engine/precision/catalogue_rules.h"
#include "engine/precision/dtypes.h"

namespace mantissa {
namespace {

using Mode = LossScaling::Mode;

bool scaled(const PrecisionFacts& f) {
  return scales_loss(f.preset);
}

bool scaled_and_clipped(const PrecisionFacts& f) {
  return scales_loss(f.preset) && f.preset.training.max_grad_norm > 0;
}

bool previews(const PrecisionFacts& f) {
  return f.preset.samples.wanted() && !f.preset.samples.prompts.empty();
}

bool several_groups(const PrecisionFacts& f) {
  return f.preset.training.parts.size() > 1;
}

bool clips(const PrecisionFacts& f) {
  return f.preset.training.max_grad_norm > 0;
}

MaybeConflict fp16_masters(const PrecisionFacts& f) {
  if (f.preset.precision.adapter != MasterType::fp16) {
    return {};
  }
  Preset fixed = f.preset;
  fixed.precision.adapter = MasterType::fp32;
  return refuse(fixed);
}

MaybeConflict fp16_unscaled(const PrecisionFacts& f) {
  if (!computes_fp16(f) || raises_gradients(f.preset)) {
    return {};
  }
  Preset fixed = f.preset;
  fixed.precision.loss_scaling = {Mode::dynamic};
  if (fixed.precision.adapter == MasterType::bf16) {
    fixed.precision.adapter = MasterType::fp32;
  }
  return adjust(fixed);
}

/// A whole-model overflow check isn't possible while tensors are updated one by one. If bf16 is
/// available, everything that required it can go.
MaybeConflict fused_with_scaler(const PrecisionFacts& f) {
  if (!f.preset.optimizer.fused_back_pass || !(passes_fp16(f.preset) || scales_loss(f.preset))) {
    return {};
  }
  Preset fixed = f.preset;
  if (has_bf16(f)) {
    Preset::Precision& p = fixed.precision;
    p.compute = in_bf16(p.compute);
    p.gradients = p.gradients == MasterType::fp16 ? MasterType::fp32 : p.gradients;
    replace_pins(fixed, StorageType::fp16, StorageType::bf16);
    p.loss_scaling = {Mode::automatic};
  } else {
    fixed.optimizer.fused_back_pass = false;
  }
  return refuse(fixed);
}

MaybeConflict fp16_beside_compute(const PrecisionFacts& f) {
  if (computes_fp16(f) || !passes_fp16(f.preset) || raises_gradients(f.preset)) {
    return {};
  }
  Preset fixed = f.preset;
  fixed.precision.loss_scaling = {Mode::dynamic};
  return adjust(fixed);
}

MaybeConflict scaler_without_fp16(const PrecisionFacts& f) {
  if (!scales_loss(f.preset) || passes_fp16(f.preset)) {
    return {};
  }
  Preset fixed = f.preset;
  fixed.precision.loss_scaling = {Mode::automatic};
  return warn(fixed);
}

MaybeConflict fixed_scale_too_high(const PrecisionFacts& f) {
  constexpr double kLargest = 65536;  // initial dynamic scale
  const LossScaling& scaling = f.preset.precision.loss_scaling;
  if (scaling.mode != Mode::fixed || scaling.value <= kLargest || !passes_fp16(f.preset)) {
    return {};
  }
  Preset fixed = f.preset;
  fixed.precision.loss_scaling = {Mode::dynamic};
  return warn(fixed, {{"scale", fmt::format("{:g}", scaling.value)}});
}

constexpr CatalogueEntry kLossScalingRows[] = {
    {.id = "S1",
     .area = CatalogueArea::loss_scaling,
     .verdicts = "W",
     .title = "FP16 training with a loss scaler: \"Attempting to unscale FP16 gradients\"",
     .cause = "The adapter inherits the base model's FP16, so its gradients are FP16, which a loss "
              "scaler refuses to unscale.",
     .here =
         "Adapter weights are FP32 whatever the base is kept in; casts belong to the graph, and "
         "gradients are unscaled in FP32.",
     .fields = {"precision.compute", "precision.adapter"},
     .concerns = computes_fp16},
    {.id = "S2",
     .area = CatalogueArea::loss_scaling,
     .verdicts = "W",
     .title = "A preview while training, then a crash at the next step",
     .cause = "Sampling casts the live model to FP16 and leaves it there.",
     .here = "A sample reads the adapter and writes nothing to it: training continues bit for bit "
             "as without samples.",
     .fields = {"samples.every"},
     .concerns = previews},
    {.id = "S3",
     .area = CatalogueArea::loss_scaling,
     .verdicts = "W",
     .title = "Resuming in FP16: \"Attempting to unscale FP16 gradients\"",
     .cause = "The saved adapter is loaded in its file's type.",
     .here =
         "A checkpoint holds every buffer with its type, and resuming verifies each against the "
         "plan before the first step.",
     .fields = {"precision.compute"},
     .concerns = computes_fp16},
    {.id = "S4",
     .area = CatalogueArea::loss_scaling,
     .verdicts = "R",
     .title = "FP16 adapter weights chosen: training runs and learns next to nothing",
     .cause = "FP16 has 11 significant bits: an update smaller than 1/4096 of a weight is rounded "
              "away, and a weight below 6e-8 becomes zero.",
     .here =
         "FP16 masters are refused. FP32 masters cost little, because an adapter is small; BF16 "
         "masters with stochastic rounding are the narrow choice that works.",
     .refusal = "FP16 masters lose small updates.",
     .fix = "FP32 adapter weights",
     .fields = {"precision.adapter"},
     .find = fp16_masters},
    {.id = "S5",
     .area = CatalogueArea::loss_scaling,
     .verdicts = "A",
     .title = "FP16 compute with loss scaling off, or fixed at 1: the loss falls slowly or not at "
              "all",
     .cause = "Gradients below 6e-8 become zero in FP16, without any message.",
     .here = "Loss scaling is turned on, and the adapter's weights are FP32.",
     .message = "FP32 adapters and loss scaling enabled: FP16 gradients below 6e-8 would become "
                "zero.",
     .fix = "dynamic loss scaling, FP32 adapter weights",
     .fields = {"precision.loss_scaling", "precision.adapter", "precision.compute"},
     .rank = 20,
     .find = fp16_unscaled},
    {.id = "S6",
     .area = CatalogueArea::loss_scaling,
     .verdicts = "W",
     .title = "Gradients clipped before they are unscaled: almost no learning",
     .cause = "The norm is taken of scaled gradients, 65536 times too large, so every step is "
              "clipped to nothing.",
     .here = "A step is one transaction: unscale, norm, verdict, clip, step, new scale. No other "
             "order can be asked for.",
     .fields = {"training.max_grad_norm", "precision.loss_scaling"},
     .concerns = scaled_and_clipped},
    {.id = "S7",
     .area = CatalogueArea::loss_scaling,
     .verdicts = "W",
     .title =
         "Several optimizers: \"No inf checks were recorded\", \"_scale is None\", or gradients "
         "unscaled twice",
     .cause = "The scale is updated after each optimizer, so the second one sees another scale.",
     .here = "All groups are part of one transaction: one verdict per group, and the scale changes "
             "once an iteration.",
     .fields = {"optimizer.groups", "training.parts"},
     .concerns = several_groups},
    {.id = "S8",
     .area = CatalogueArea::loss_scaling,
     .verdicts = "N",
     .title = "An optimizer group without gradients: assertion in the scaler",
     .cause = "The part is frozen, or nothing of it takes part in the loss, as under black masks.",
     .here = "The group is named after the first step; the others train on.",
     .message = "No gradients reached {part}: it is frozen, or masks are black all over.",
     .fix = "drop the part from training.parts, or mend the masks",
     .fields = {"training.parts"},
     .when = FoundAt::run},
    {.id = "S9",
     .area = CatalogueArea::loss_scaling,
     .verdicts = "W",
     .title = "A fused optimizer together with clipping: error",
     .cause = "The fused kernel unscales by itself and ignores clipping.",
     .here = "Every optimizer kernel takes one factor for each gradient, which holds unscaling and "
             "clipping.",
     .fields = {"training.max_grad_norm"},
     .concerns = clips},
    {.id = "S10",
     .area = CatalogueArea::loss_scaling,
     .verdicts = "R",
     .title = "Optimizer step inside the backward pass with FP16: half of a step is taken",
     .cause = "Overflow is known only once every gradient is; by then the first layers have been "
              "updated.",
     .here = "The pair is refused: either no FP16, or a step after the backward pass.",
     .refusal = "Needs a whole-model overflow check, which a fused backward pass can't wait for.",
     .fix = "BF16 instead of FP16, or optimizer.fused_back_pass off",
     .fields = {"optimizer.fused_back_pass", "precision.compute", "precision.loss_scaling"},
     .find = fused_with_scaler},
    {.id = "S11",
     .area = CatalogueArea::loss_scaling,
     .verdicts = "N",
     .title = "Endless overflow: the scale falls to 0 and nothing is trained any more",
     .cause = "A layer's values leave the range of FP16 whatever the scale is, or the run has "
              "diverged.",
     .here =
         "The scale never falls below 1. Skips in a row are counted, the first tensor that went "
         "non-finite is named, and the run stops with the last good weights.",
     .message = "{skips} skips in a row; first non-finite tensor: {layer}.",
     .fix = "BF16 compute, or that layer pinned to FP32",
     .fields = {"precision.compute", "precision.pins"},
     .when = FoundAt::run},
    {.id = "S12",
     .area = CatalogueArea::loss_scaling,
     .verdicts = "W",
     .title = "The scale jumps back to its start on resume",
     .cause = "The scaler's state isn't saved.",
     .here = "Scale and growth counter are part of every checkpoint.",
     .fields = {"precision.loss_scaling"},
     .concerns = scaled},
    {.id = "S13",
     .area = CatalogueArea::loss_scaling,
     .verdicts = "W",
     .title = "A skipped step moves the learning rate and the weight average on",
     .cause = "Schedules count iterations, not updates.",
     .here = "Schedule and average advance on real updates only.",
     .fields = {"precision.loss_scaling", "schedule.type", "training.ema"},
     .concerns = scaled},
    {.id = "S14",
     .area = CatalogueArea::loss_scaling,
     .verdicts = "R",
     .title =
         "NaN in loss or latents replaced by zeros: the run \"succeeds\" and the file is broken",
     .cause = "NaN is replaced instead of reported.",
     .here = "The run stops before the step that would take it up; the weights are the last good "
             "ones.",
     .refusal = "Non-finite loss at step {step} ({file}).",
     .fix = "lower the learning rate and check these images; with FP16 compute, use BF16",
     .fields = {"optimizer.learning_rate", "precision.compute"},
     .when = FoundAt::run},
    {.id = "S15",
     .area = CatalogueArea::loss_scaling,
     .verdicts = "A",
     .title = "FP16 gradients or FP16 pins without a loss scale: parts of the model don't learn",
     .cause = "Gradients below 6e-8 become zero wherever they pass through FP16, even where most "
              "of the model computes in another type.",
     .here = "Loss scaling is switched on.",
     .message = "Loss scaling enabled: gradients pass through FP16 here.",
     .fix = "dynamic loss scaling, or no FP16",
     .fields = {"precision.loss_scaling", "precision.gradients", "precision.pins"},
     .rank = 30,
     .find = fp16_beside_compute},
    {.id = "S16",
     .area = CatalogueArea::loss_scaling,
     .verdicts = "N",
     .title = "Loss scaling where nothing is FP16",
     .cause = "BF16, FP32 and scaled FP8 have the range without it.",
     .here = "It does no harm while the scale stays moderate, and no good.",
     .message =
         "Loss scaling is on, but no gradient passes through FP16: it can only cause skipped "
         "steps.",
     .fix = "loss scaling auto",
     .fields = {"precision.loss_scaling", "precision.compute"},
     .find = scaler_without_fp16},
    {.id = "S17",
     .area = CatalogueArea::loss_scaling,
     .verdicts = "N",
     .title = "A fixed loss scale so large that every step overflows",
     .cause = "A fixed scale is not lowered after an overflow.",
     .here = "The scale is used as it is given; steps that overflow are skipped and counted.",
     .message =
         "A fixed scale of {scale} is above 65536, where the dynamic scale begins: steps may "
         "overflow without end.",
     .fix = "dynamic loss scaling",
     .fields = {"precision.loss_scaling"},
     .find = fixed_scale_too_high},
};

}  // namespace

std::span<const CatalogueEntry> loss_scaling_entries() {
  return kLossScalingRows;
}

}  // namespace mantissa
