#include <algorithm>
#include <fmt/format.h>

#include "engine/precision/catalogue_rules.h"
#include "engine/precision/dtypes.h"
#include "engine/preset/names.h"

namespace mantissa {
namespace {

bool t5_in_fp16(const PrecisionFacts& f) {
  return f.model.has_t5 && computes_fp16(f);
}

bool checkpoints(const PrecisionFacts& f) {
  return f.preset.training.gradient_checkpointing;
}

bool checkpoints_in_half(const PrecisionFacts& f) {
  return checkpoints(f) && computes_half(f);
}

bool clips_and_scales(const PrecisionFacts& f) {
  return f.preset.training.max_grad_norm > 0 && scales_loss(f.preset);
}

/// SD 1.5's VAE stays within FP16; SDXL's, which PixArt-Σ shares, doesn't.
MaybeConflict fp16_vae(const PrecisionFacts& f) {
  Preset fixed = f.preset;
  if (fixed.precision.weights.vae == StorageType::fp16) {
    fixed.precision.weights.vae = StorageType::fp32;
  }
  for (auto& [pattern, type] : fixed.precision.pins) {
    if (!pin_trains(pattern) && type == StorageType::fp16) {
      type = StorageType::fp32;
    }
  }
  if (f.model.vae_fits_fp16 || fixed == f.preset) {
    return {};
  }
  return adjust(fixed);
}

MaybeConflict zero_terminal_snr(const PrecisionFacts& f) {
  if (!resolved_zero_terminal_snr(f)) {
    return {};
  }
  const bool flow = resolved_prediction(f) == Prediction::flow;
  if (flow && !f.preset.training.zero_terminal_snr) {
    return {};  // has no such schedule, regardless of the base model's
  }
  if (resolved_prediction(f) == Prediction::v) {
    return f.preset.training.min_snr_gamma > 0
               ? MaybeConflict(
                     notice(f, {{"gamma", fmt::format("{:g}", f.preset.training.min_snr_gamma)}}))
               : MaybeConflict();
  }
  Preset fixed = f.preset;
  if (flow) {
    fixed.training.zero_terminal_snr = false;
  } else if (f.model.prediction == Prediction::v) {
    fixed.training.prediction = Prediction::automatic;
  } else if (f.model.zero_terminal_snr) {
    fixed.training.prediction = Prediction::v;
  } else {
    fixed.training.zero_terminal_snr = false;
  }
  return refuse(fixed);
}

MaybeConflict fp16_on_bf16_model(const PrecisionFacts& f) {
  const bool pinned = has_pin(f.preset, StorageType::fp16);
  if (!f.model.bf16_native || !(computes_fp16(f) || pinned)) {
    return {};
  }
  Preset fixed = f.preset;
  const bool bf16 = has_bf16(f);
  if (computes_fp16(f)) {
    fixed.precision.compute = bf16 ? in_bf16(fixed.precision.compute) : ComputeType::fp32;
  }
  replace_pins(fixed, StorageType::fp16, bf16 ? StorageType::bf16 : StorageType::fp32);
  return bf16 ? adjust(fixed) : refuse(fixed, {{"device", f.device.name}});
}

/// The update size is known for optimizers that normalise it; Prodigy estimates its own.
MaybeConflict updates_lost(const PrecisionFacts& f) {
  const Preset::Precision& p = f.preset.precision;
  const bool exact = p.adapter == MasterType::bf16 && (p.stochastic_rounding || p.kahan);
  double worst = 0;
  for (const PartOptimizer& o : part_optimizers(f.preset)) {
    if (!exact && !o.row().finds_rate() && o.row().normalises) {
      worst = std::max(worst, lost_update_share(o.learning_rate, p.adapter));
    }
  }
  Preset fixed = f.preset;
  if (worst >= 0.01) {
    if (p.adapter == MasterType::fp32) {
      fixed.optimizer.learning_rate = std::max(fixed.optimizer.learning_rate, 1e-5);
      for (OptimizerGroup& group : fixed.optimizer.groups) {
        if (group.learning_rate) {
          group.learning_rate = std::max(*group.learning_rate, 1e-5);
        }
      }
    } else {
      fixed.precision.adapter = MasterType::fp32;
    }
    return warn(fixed,
                {{"percent", fmt::format("{:.0f}", 100 * worst)}, {"type", enum_name(p.adapter)}});
  }
  return {};
}

MaybeConflict v_in_fp16(const PrecisionFacts& f) {
  if (!computes_fp16(f) || resolved_prediction(f) != Prediction::v || !has_bf16(f)) {
    return {};
  }
  Preset fixed = f.preset;
  fixed.precision.compute = in_bf16(fixed.precision.compute);
  return warn(fixed);
}

MaybeConflict shift_without_flow(const PrecisionFacts& f) {
  if (f.preset.training.timesteps != TimestepDistribution::shifted || trains_vae(f.preset) ||
      resolved_prediction(f) == Prediction::flow) {
    return {};
  }
  Preset fixed = f.preset;
  fixed.training.timesteps = TimestepDistribution::logit_normal;
  return refuse(fixed);
}

/// Only for models that state their prediction type; epsilon is merely the default for the others.
MaybeConflict other_prediction(const PrecisionFacts& f) {
  const Prediction said = f.model.prediction, asked = f.preset.training.prediction;
  if (said == Prediction::epsilon || asked == Prediction::automatic || asked == said) {
    return {};
  }
  Preset fixed = f.preset;
  fixed.training.prediction = Prediction::automatic;
  return warn(fixed, {{"said", enum_name(said)}, {"asked", enum_name(asked)}});
}

MaybeConflict tf32(const PrecisionFacts& f) {
  if (f.preset.precision.compute != ComputeType::tf32) {
    return {};
  }
  Preset fixed = f.preset;
  fixed.precision.compute = ComputeType::fp32;
  return warn(fixed);
}

constexpr CatalogueEntry kDiffusion[] = {
    {.id = "N1",
     .area = CatalogueArea::diffusion,
     .verdicts = "A",
     .title = "SDXL's VAE in FP16: black images, NaN latents",
     .cause = "Its inner activations exceed 65504.",
     .here = "It is kept and computed in FP32; BF16 works as well.",
     .message = "VAE in FP32: its activations overflow FP16.",
     .fix = "FP32, or BF16",
     .fields = {"precision.weights.vae", "precision.pins"},
     .find = fp16_vae},
    {.id = "N2",
     .area = CatalogueArea::diffusion,
     .verdicts = "R",
     .title = "NaN in cached encodings: NaN loss some hundred steps later",
     .cause = "The VAE or a text encoder overflows while the cache is filled, and nothing checks "
              "the result.",
     .here = "Latents and text encodings are checked as they are encoded and as they are read.",
     .refusal = "NaN or infinity in the encoding of {file}.",
     .fix =
         "encode again with the VAE (captions: the text encoders) in FP32, or take that file out",
     .fields = {"precision.weights.vae", "precision.weights.text_encoders"},
     .when = FoundAt::run},
    {.id = "N3",
     .area = CatalogueArea::diffusion,
     .verdicts = "W",
     .title = "Timesteps in BF16: 999 becomes 1000",
     .cause = "BF16 counts to 256 exactly, and in steps of 4 near 1000.",
     .here = "Timesteps and their sinusoids are FP32; the result is cast once.",
     .fields = {"precision.compute"},
     .concerns = computes_half},
    {.id = "N4",
     .area = CatalogueArea::diffusion,
     .verdicts = "W",
     .title = "Noise schedule in the latents' type: no noise at the first timesteps, 13% error "
              "after",
     .cause = "1 minus a number close to 1 is computed in 16 bits.",
     .here = "Schedule tables are FP64, their products with latents FP32.",
     .fields = {"precision.compute"},
     .concerns = computes_half},
    {.id = "N5",
     .area = CatalogueArea::diffusion,
     .verdicts = "AR",
     .title = "Zero terminal SNR with epsilon prediction, or with min-SNR: division by zero, NaN "
              "loss",
     .cause =
         "At SNR 0 the input is the noise itself; an epsilon target teaches nothing there, and "
         "the usual min-SNR weight divides by the SNR.",
     .here = "With v-prediction the weight min(gamma, SNR) / (SNR + 1) is used, which is 0 there.",
     .message = "min(gamma, SNR) / (SNR + 1) used with gamma {gamma}: it is defined at SNR 0.",
     .refusal = "Zero terminal SNR needs v-prediction: where no signal is left, an epsilon target "
                "carries no information.",
     .fix = "v-prediction for a model trained so, else zero terminal SNR off",
     .fields = {"training.prediction", "training.zero_terminal_snr", "training.min_snr_gamma"},
     .find = zero_terminal_snr},
    {.id = "N6",
     .area = CatalogueArea::diffusion,
     .verdicts = "W",
     .title = "T5 cast to half after loading: infinities in its last layers, or \"expected scalar "
              "type Float but found Half\"",
     .cause = "The output of its wo layers exceeds 65504, and a later cast undoes the FP32 that "
              "the loader keeps.",
     .here = "Pins are rules of the plan: wo, norms and embeddings keep their type whatever is "
             "chosen for the rest.",
     .fields = {"precision.compute", "precision.weights.text_encoders"},
     .concerns = t5_in_fp16},
    {.id = "N7",
     .area = CatalogueArea::diffusion,
     .verdicts = "AR",
     .title = "A model trained in BF16 computed in FP16: NaN",
     .cause = "Its activations use BF16's range.",
     .here = "BF16 is used where the device has it.",
     .message = "BF16 chosen: this model was trained in BF16 and leaves the range of FP16.",
     .refusal =
         "This model was trained in BF16 and leaves the range of FP16; {device} has no BF16.",
     .fix = "BF16, or FP32 on a device without it",
     .fields = {"precision.compute", "precision.pins"},
     .rank = 11,
     .find = fp16_on_bf16_model},
    {.id = "N8",
     .area = CatalogueArea::diffusion,
     .verdicts = "W",
     .title = "Attention logits, softmax, rotary angles or Fourier transforms in half: drift and "
              "NaN",
     .cause = "They need range or bits that 16-bit types don't have.",
     .here = "They are islands of FP32 in every plan, and only their results are stored narrower.",
     .fields = {"precision.compute"},
     .concerns = computes_half},
    {.id = "N9",
     .area = CatalogueArea::diffusion,
     .verdicts = "N",
     .title = "Training runs and nothing changes: the learning rate is below the weights' "
              "resolution",
     .cause =
         "An update smaller than half a step of the weight it is added to is rounded away. For "
         "an Adam-like optimizer an update is about as large as the learning rate eta, so "
         "those weights stay for which half a unit in the last place exceeds eta: with p "
         "significant bits (BF16 8, FP16 11, FP32 24), all of at least 2^(floor(log2 eta) + p "
         "+ 1). Fresh weights are uniform within 1/sqrt(1280) = 0.028, which gives the share.",
     .here = "It trains as asked; every step records the share of updates that were really lost.",
     .message = "At this learning rate {percent}% of updates are lost: they are below half a step "
                "of {type} weights.",
     .fix = "FP32 adapter weights, or a higher learning rate",
     .fields = {"optimizer.learning_rate", "precision.adapter"},
     .find = updates_lost},
    {.id = "N10",
     .area = CatalogueArea::diffusion,
     .verdicts = "N",
     .title = "A model trained for another prediction target than its own: grey or washed-out "
              "images",
     .cause = "The loss pulls the model towards another quantity.",
     .here = "It trains as asked.",
     .message = "The base model says that it predicts {said}; training.prediction says {asked}.",
     .fix = "training.prediction auto",
     .fields = {"training.prediction"},
     .find = other_prediction},
    {.id = "N11",
     .area = CatalogueArea::diffusion,
     .verdicts = "N",
     .title = "A v-prediction model computed in FP16: NaN, or black images",
     .cause = "Attention scores and activations of models trained on v, SD 2.x at 768 pixels being "
              "the best known, exceed 65504, the largest number of FP16.",
     .here = "It trains as asked; a non-finite value stops the run and is named.",
     .message = "v-prediction models are known to leave the range of FP16.",
     .fix = "BF16 compute",
     .fields = {"precision.compute", "training.prediction"},
     .find = v_in_fp16},
    {.id = "N12",
     .area = CatalogueArea::diffusion,
     .verdicts = "R",
     .title = "Shifted timesteps for a model that is not a rectified flow",
     .cause = "Only rectified flows have a shift; epsilon and v-prediction models have a noise "
              "schedule instead.",
     .here = "logit_normal draws the same timesteps without a shift.",
     .refusal = "training.timesteps is shifted, but the base model isn't a rectified flow and has "
                "no shift.",
     .fix = "training.timesteps logit_normal",
     .fields = {"training.timesteps", "training.prediction"},
     .find = shift_without_flow},
    {.id = "N13",
     .area = CatalogueArea::diffusion,
     .verdicts = "N",
     .title =
         "A distilled base model (Turbo) trained as if it weren't: blurred or grey images, few "
         "steps no longer enough",
     .cause = "Distillation made it reach a finished image in a few steps without guidance. The "
              "flow loss asks for the mean of all images that fit instead, and every step undoes "
              "some of the distillation.",
     .here = "It trains as asked. The finding rests on what the model's files are called, or on "
             "their scheduler's shift: the weights don't tell.",
     .message = "The base model is {model}, a distilled one ({evidence}): training undoes its "
                "distillation, and a few steps no longer give sharp images.",
     .fix = "add a training adapter made for it (--training-adapter), which keeps the distillation "
            "while training, or train on the model that it was distilled from; such adapters also "
            "load into the distilled one",
     .fields = {"model.family"},
     .when = FoundAt::base},
};

constexpr CatalogueEntry kGraph[] = {
    {.id = "G1",
     .area = CatalogueArea::graph,
     .verdicts = "W",
     .title = "Checkpointing with inputs that need no gradient: the adapter never updates",
     .cause = "Checkpointing decides by its inputs whether a backward pass is needed.",
     .here = "Needing a gradient spreads from the adapters; recomputed operations are copies in "
             "the same graph.",
     .fields = {"training.gradient_checkpointing"},
     .concerns = checkpoints},
    {.id = "G2",
     .area = CatalogueArea::graph,
     .verdicts = "W",
     .title = "Recomputed activations in another precision, or with other dropout",
     .cause = "The backward pass runs outside the context that chose types and random numbers.",
     .here = "Types are part of the recorded operation, random numbers are counted by key: a copy "
             "gives the same bits.",
     .fields = {"training.gradient_checkpointing", "adapter.dropout"},
     .concerns = checkpoints_in_half},
    {.id = "G3",
     .area = CatalogueArea::graph,
     .verdicts = "W",
     .title = "A cached cast of a weight outlives the weight",
     .cause = "The cache is keyed by address, not by version.",
     .here = "Only frozen weights are cached, under an identity that ends with them; adapters are "
             "cast in every step.",
     .fields = {"precision.compute"},
     .concerns = computes_half},
    {.id = "G4",
     .area = CatalogueArea::graph,
     .verdicts = "N",
     .title = "TF32, or sums in half: results differ between machines and versions",
     .cause = "Libraries turn them on by default.",
     .here = "They are on only where the preset says so; sums are FP32. The plan is stored with "
             "the run.",
     .message = "TF32 on (10-bit mantissa): matmuls lose 13 bits of FP32.",
     .fix = "FP32 compute",
     .fields = {"precision.compute"},
     .find = tf32},
    {.id = "G5",
     .area = CatalogueArea::graph,
     .verdicts = "W",
     .title = "Capturing the whole step (torch.compile and the like) with clipping and scaling: "
              "errors, or a graph break in every step",
     .cause = "The host decides whether to skip, outside the captured graph.",
     .here = "Skipping, clipping and scaling are numbers inside the step.",
     .fields = {"training.max_grad_norm", "precision.loss_scaling"},
     .concerns = clips_and_scales},
    {.id = "G6",
     .area = CatalogueArea::graph,
     .verdicts = "N",
     .title = "A pin that matches no module: it has no effect, and nobody notices",
     .cause = "A mistyped path, or a path of another model.",
     .here = "Every pin is tried on the modules of the base model.",
     .message = "The pin {pattern} matches no module of this model.",
     .fix = "remove it, or correct the path",
     .fields = {"precision.pins"},
     .when = FoundAt::model},
    {.id = "G7",
     .area = CatalogueArea::graph,
     .verdicts = "N",
     .title = "A pin on norms, embeddings or biases: it has no effect",
     .cause = "These have types of their own in every plan.",
     .here = "Norms are FP32, embeddings and biases at least 16-bit.",
     .message =
         "The pin {pattern} matches only norms, embeddings or biases, whose types are fixed.",
     .fix = "remove it",
     .fields = {"precision.pins"},
     .when = FoundAt::model},
};

}  // namespace

std::span<const CatalogueEntry> diffusion_entries() {
  return kDiffusion;
}

std::span<const CatalogueEntry> graph_entries() {
  return kGraph;
}

}  // namespace mantissa
