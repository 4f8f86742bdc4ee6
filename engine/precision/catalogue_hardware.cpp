#include <algorithm>

#include "engine/precision/catalogue_rules.h"
#include "engine/precision/dtypes.h"
#include "engine/preset/names.h"

namespace mantissa {
namespace {

bool vae_computes_bf16(const Preset& preset) {
  return preset.precision.weights.vae == StorageType::bf16 ||
         is_quantized(preset.precision.weights.vae);
}

bool pins_bf16(const Preset& preset) {
  const auto& pins = preset.precision.pins;
  return std::any_of(pins.begin(), pins.end(),
                     [](const auto& pin) { return pin.second == StorageType::bf16; });
}

/// As activations in FP16 need it.
void scale_loss(Preset& preset) {
  LossScaling& scaling = preset.precision.loss_scaling;
  if (scaling.mode == LossScaling::Mode::off) {
    scaling = {LossScaling::Mode::dynamic};
  }
}

/// Pins and the VAE compute in their storage type, so they become fp32.
MaybeConflict no_bf16(const PrecisionFacts& f) {
  const bool compute = f.preset.precision.compute == ComputeType::bf16;
  if (has_bf16(f) || !(compute || vae_computes_bf16(f.preset) || pins_bf16(f.preset))) {
    return {};
  }
  Preset fixed = f.preset;
  if (compute && f.model.bf16_native) {
    fixed.precision.compute = ComputeType::fp32;
    return refuse(fixed, {{"device", f.device.name}});
  }
  Message instead = message<"FP32 for layers pinned to BF16 or decoded to it">();
  if (compute) {
    instead = message<"FP16 with loss scaling">();
    fixed.precision.compute = ComputeType::fp16;
    scale_loss(fixed);
  }
  if (vae_computes_bf16(fixed)) {
    fixed.precision.weights.vae = StorageType::fp32;
  }
  for (auto& [pattern, type] : fixed.precision.pins) {
    type = type == StorageType::bf16 ? StorageType::fp32 : type;
  }
  return adjust(fixed, {{"device", f.device.name}, {"instead", instead}});
}

MaybeConflict no_fp8(const PrecisionFacts& f) {
  if (has_fp8(f) || !computes_fp8(f)) {
    return {};
  }
  Preset fixed = f.preset;
  fixed.precision.compute = sixteen_bit(f);
  return adjust(fixed, {{"device", f.device.name}});
}

MaybeConflict slower_attention(const PrecisionFacts& f) {
  if (!on_cuda(f) || f.device.compute_capability >= 80) {
    return {};
  }
  return notice(f, {{"device", f.device.name}});
}

MaybeConflict e5m2_twice(const PrecisionFacts& f) {
  const Preset::Precision& p = f.preset.precision;
  if (!computes_fp8(f) ||
      !(p.weights.denoiser == StorageType::fp8_e5m2 || has_pin(f.preset, StorageType::fp8_e5m2))) {
    return {};
  }
  Preset fixed = f.preset;
  if (p.weights.denoiser == StorageType::fp8_e5m2) {
    fixed.precision.weights.denoiser = StorageType::fp8_e4m3;
  }
  replace_pins(fixed, StorageType::fp8_e5m2, StorageType::fp8_e4m3);
  return refuse(fixed);
}

MaybeConflict fp8_perhaps_slower(const PrecisionFacts& f) {
  if (!on_cuda(f) || !has_fp8(f) || !computes_fp8(f)) {
    return {};
  }
  Preset fixed = f.preset;
  fixed.precision.compute = ComputeType::bf16;
  return warn(fixed);
}

/// GEMMs of codes read the weight as they need it, so those layers can't store another type.
MaybeConflict stored_as_codes(const PrecisionFacts& f) {
  const StorageType unet = f.preset.precision.weights.denoiser;
  if (!computes_codes(f) || (computes_fp8(f) ? is_fp8(unet) : is_int8(dtype_of(unet)))) {
    return {};
  }
  return notice(f, {{"codes", dtype_name(*multiplied_codes(f.preset.precision.compute))},
                    {"stored", enum_name(unet)}});
}

/// Between INT8 products, values are BF16 unless the preset says FP16.
MaybeConflict int8_without_bf16(const PrecisionFacts& f) {
  if (has_bf16(f) || f.preset.precision.compute != ComputeType::int8) {
    return {};
  }
  Preset fixed = f.preset;
  fixed.precision.compute = ComputeType::int8_fp16;
  scale_loss(fixed);
  return adjust(fixed, {{"device", f.device.name}});
}

MaybeConflict no_tf32(const PrecisionFacts& f) {
  if (has_bf16(f) || f.preset.precision.compute != ComputeType::tf32) {
    return {};
  }
  Preset fixed = f.preset;
  fixed.precision.compute = ComputeType::fp32;
  return adjust(fixed, {{"device", f.device.name}});
}

constexpr CatalogueEntry kHardwareRows[] = {
    {.id = "H1",
     .area = CatalogueArea::hardware,
     .verdicts = "AR",
     .title = "BF16 on a card older than sm_80: very slow, or NaN",
     .cause = "Those cards have no BF16 units and emulate it.",
     .here = "FP16 with loss scaling is used instead. A model that leaves the range of FP16 is "
             "refused there.",
     .message = "No native BF16 on {device}: {instead}.",
     .refusal = "No native BF16 on {device}, and this model leaves the range of FP16.",
     .fix = "FP16 with loss scaling; FP32 for models that need BF16's range",
     .fields = {"precision.compute", "precision.loss_scaling", "precision.weights.vae",
                "precision.pins"},
     .rank = 10,
     .find = no_bf16},
    {.id = "H2",
     .area = CatalogueArea::hardware,
     .verdicts = "A",
     .title = "FP8 compute on a card older than sm_89: refused, or a crash in the matrix product",
     .cause = "FP8 matmuls need hardware from sm_89 on.",
     .here = "FP8 stays what weights are stored in; products are 16-bit.",
     .message = "No FP8 matmuls on {device}: FP8 storage, 16-bit compute.",
     .fix = "BF16 compute, FP16 below sm_80",
     .fields = {"precision.compute"},
     .rank = 9,
     .find = no_fp8},
    {.id = "H3",
     .area = CatalogueArea::hardware,
     .verdicts = "A",
     .title =
         "The fused attention's backward is not supported on the card: crash in the first step",
     .cause = "Fused attention with gradients needs sm_80.",
     .here = "Attention in tiles of our own, which runs on every card.",
     .message = "Slower attention chosen: the fused one has no backward on {device}.",
     .fields = {"precision.compute"},
     .find = slower_attention},
    {.id = "H4",
     .area = CatalogueArea::hardware,
     .verdicts = "W",
     .title = "Dimensions that 16 does not divide: FP8 products are refused",
     .cause = "The hardware's FP8 matmul takes multiples of 16.",
     .here = "Operands are padded with zeros, which changes no result.",
     .fields = {"precision.compute"},
     .concerns = computes_fp8},
    {.id = "H5",
     .area = CatalogueArea::hardware,
     .verdicts = "R",
     .title = "E5M2 for both operands of an FP8 product: not supported, or poor gradients",
     .cause = "No hardware multiplies E5M2 by E5M2, and gradients take E5M2 for their range.",
     .here = "Weights and activations are E4M3 forward, gradients E5M2.",
     .refusal = "Use E4M3 forward, E5M2 gradients.",
     .fix = "E4M3 weights",
     .fields = {"precision.weights.denoiser", "precision.compute", "precision.pins"},
     .find = e5m2_twice},
    {.id = "H6",
     .area = CatalogueArea::hardware,
     .verdicts = "W",
     .title = "FP8 products in one layout only (TN): wrong shapes in the backward",
     .cause = "Some cards do FP8 matmuls only with the second matrix transposed.",
     .here = "A transposed copy of the weight is kept for the backward where the card needs one.",
     .fields = {"precision.compute"},
     .concerns = computes_fp8},
    {.id = "H7",
     .area = CatalogueArea::hardware,
     .verdicts = "N",
     .title = "FP8 compute is slower than BF16 at this size",
     .cause = "Quantising the operands costs more time than small matmuls save.",
     .here = "It trains as asked.",
     .message = "FP8 saves memory, perhaps not time.",
     .fix = "BF16 compute where it fits",
     .fields = {"precision.compute", "data.batch_size", "data.resolution"},
     .find = fp8_perhaps_slower},
    {.id = "H8",
     .area = CatalogueArea::hardware,
     .verdicts = "A",
     .title = "8-bit compute with weights to be kept otherwise: two copies, or a silent conversion",
     .cause = "FP8 matmuls read weights as E4M3, INT8 matmuls as INT8.",
     .here = "Linear layers of the denoiser that multiply in 8 bits are kept as such codes, with a "
             "scale per output channel; all other layers as asked.",
     .message = "Linear layers of the denoiser are stored as {codes} instead of {stored}, which "
                "8-bit matmuls need. Other layers stay {stored}.",
     .fix = "weights of that type, or BF16 compute",
     .fields = {"precision.compute", "precision.weights.denoiser"},
     .find = stored_as_codes},
    {.id = "H9",
     .area = CatalogueArea::hardware,
     .verdicts = "A",
     .title = "TF32 on a card older than sm_80: no effect",
     .cause = "TF32 needs sm_80.",
     .here = "FP32 is used, and said so.",
     .message = "No TF32 on {device}: FP32.",
     .fix = "FP32 compute",
     .fields = {"precision.compute"},
     .rank = 10,
     .find = no_tf32},
    {.id = "H10",
     .area = CatalogueArea::hardware,
     .verdicts = "A",
     .title = "INT8 compute on a card older than sm_80: refused, or silently done in another type",
     .cause = "Those cards multiply INT8, but have no BF16 for the values between the products.",
     .here = "The same products, with FP16 between them and loss scaling.",
     .message = "No native BF16 on {device}: FP16 with loss scaling between INT8 matmuls.",
     .fix = "int8_fp16 compute",
     .fields = {"precision.compute", "precision.loss_scaling"},
     .rank = 9,
     .find = int8_without_bf16},
    {.id = "H11",
     .area = CatalogueArea::hardware,
     .verdicts = "W",
     .title = "Dimensions that are not multiples of 4: INT8 products are refused",
     .cause = "INT8 instructions multiply four neighbours at a time.",
     .here = "On the CPU, operands are padded with zeros, which changes no result; on a card, the "
             "codes are multiplied in FP16, which holds them exactly, and added up in FP32.",
     .fields = {"precision.compute"},
     .concerns = computes_int8},
};

}  // namespace

std::span<const CatalogueEntry> hardware_entries() {
  return kHardwareRows;
}

}  // namespace mantissa
