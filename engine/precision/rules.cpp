#include "engine/precision/rules.h"

#include <algorithm>

#include "engine/core/glob.h"
#include "engine/io/family.h"
#include "engine/io/module_path.h"
#include "engine/precision/dtypes.h"
#include "engine/precision/pins.h"
#include "engine/preset/names.h"

namespace mantissa {
namespace {

bool is_narrow(DType d) {
  return is_quantized(d);
}

/// A family's modules that need a wider type than their part; any family's, if it isn't known.
void apply_wide_modules(ModulePrecision& p, std::string_view path, ModuleKind kind,
                        ModelFamily wanted) {
  const auto [part, inside] = split_path(path);
  const bool denoiser = part == kDenoiser;
  p.codes = p.codes && kind == ModuleKind::linear;
  const bool from_codes = p.codes || (denoiser && is_narrow(p.storage)),
             from_fp16 = p.compute == DType::f16;
  if (!from_codes && !from_fp16) {
    return;
  }
  const auto apply = [&, inside = inside](const WideModule& wide) {
    if (!(wide.from == WideFor::fp16 ? from_fp16 : from_codes) ||
        !glob_match(wide.pattern, inside)) {
      return;
    }
    p.reason = wide.reason;
    if (wide.from == WideFor::fp16) {
      p.storage = p.compute = DType::f32;
      return;
    }
    p.codes = false;
    if (denoiser && is_narrow(p.storage)) {
      p.storage = p.compute == DType::f16 ? DType::f16 : DType::bf16;
    }
  };
  for (const Family* family : families()) {
    const PartFiles* files = family->part(part);
    if (files != nullptr && (wanted == ModelFamily::automatic || wanted == family->id())) {
      std::ranges::for_each(files->wide, apply);
    }
  }
}

/// Whether the base model's family keeps the module at this path frozen.
bool is_frozen(ModelFamily wanted, std::string_view path) {
  const auto [part, below] = split_path(path);
  return std::ranges::any_of(families(), [&, part = part, below = below](const Family* family) {
    const PartFiles* files = family->id() == wanted ? family->part(part) : nullptr;
    return files != nullptr && files->keeps_frozen(below);
  });
}

}  // namespace

bool moves_weights(const Preset::Training& training, std::string_view path) {
  if (training.method != TrainingMethod::full) {
    return false;
  }
  const auto trained = [part = split_path(path).part](Part p) { return p == part; };
  return std::any_of(training.parts.begin(), training.parts.end(), trained) &&
         std::any_of(training.weights.begin(), training.weights.end(),
                     [&](const std::string& pattern) { return names_module(pattern, path); });
}

PrecisionRules::PrecisionRules(const Preset::Precision& settings) : settings_(settings) {
  settings_.pins = canonical_pins(settings_.pins);
}

PrecisionRules::PrecisionRules(const Preset& preset, ModelFamily family)
    : settings_(preset.precision),
      training_(preset.training),
      family_(family),
      trains_vae_(trains_vae(preset)) {
  settings_.pins = canonical_pins(settings_.pins);
}

PrecisionRules PrecisionRules::uniform(DType dtype) {
  PrecisionRules rules;
  rules.uniform_ = true;
  rules.dtype_ = dtype;
  return rules;
}

ModulePrecision PrecisionRules::part_default(std::string_view path) const {
  ModulePrecision p;
  const ComputeType compute = settings_.compute;
  const Part part = split_path(path).part;
  const bool vae = part == kVae, denoiser = part == kDenoiser;
  const auto& weights = settings_.weights;
  p.storage = dtype_of(denoiser ? weights.denoiser : vae ? weights.vae : weights.text_encoders);
  if (vae && !trains_vae_) {
    // The VAE has no gradients to protect, only a range problem (fp16): it computes in its storage
    // type, or in bf16 if stored in 8 bits.
    p.compute = is_narrow(p.storage) ? DType::bf16 : p.storage;
    return p;
  }
  p.compute = activation_dtype(compute);
  p.tf32 = compute == ComputeType::tf32;
  p.codes = denoiser && multiplied_codes(compute).has_value();
  return p;
}

bool PrecisionRules::delayed_scaling() const {
  return settings_.compute == ComputeType::fp8 && settings_.fp8_scaling == Fp8Scaling::delayed;
}

DType PrecisionRules::activations(std::string_view path) const {
  return uniform_ ? dtype_ : part_default(path).compute;
}

std::string PrecisionRules::signature(std::string_view part) const {
  const ModulePrecision p = uniform_ ? of(part, ModuleKind::linear) : part_default(part);
  std::string text(dtype_name(p.storage));
  text.append(1, '/').append(dtype_name(p.compute)).append(p.tf32 ? "/tf32" : "");
  for (const auto& [pattern, type] : settings_.pins) {
    text.append(1, '/').append(pattern).append(1, '=').append(dtype_name(dtype_of(type)));
  }
  return text;
}

ModulePrecision PrecisionRules::of(std::string_view path, ModuleKind kind) const {
  if (uniform_) {
    return {dtype_, dtype_, false, false, nullptr};
  }
  ModulePrecision p = frozen(path, kind);
  if (moves_weights(training_, path) && !is_frozen(family_, path)) {
    p.storage = dtype_of(settings_.adapter);
    p.codes = false;
    p.reason = &message_template<"trained: kept as a master, products in the compute type">;
  }
  return p;
}

ModulePrecision PrecisionRules::frozen(std::string_view path, ModuleKind kind) const {
  ModulePrecision p = part_default(path);
  if (kind == ModuleKind::norm) {
    p.storage = DType::f32;
    p.codes = false;
    p.reason = p.compute == DType::f32 ? nullptr
                                       : &message_template<"norms keep fp32 scales and statistics">;
    return p;
  }
  if (kind == ModuleKind::embedding || kind == ModuleKind::vector) {
    p.codes = false;
    if (is_narrow(p.storage)) {
      p.storage = p.compute;
      p.reason = &message_template<"small, and looked up as they are: 16 bits at least">;
    }
    return p;
  }
  apply_wide_modules(p, path, kind, family_);
  if (const std::optional<StorageType> pinned = pinned_type(settings_.pins, path)) {
    p.storage = dtype_of(*pinned);
    p.compute = is_narrow(p.storage) ? p.compute : p.storage;
    p.tf32 = false;
    p.codes = p.codes && is_coded(p.storage) &&
              is_int8(p.storage) == (multiplied_codes(settings_.compute) == DType::i8);
    p.reason = &message_template<"pinned in the preset">;
  }
  if (p.codes) {
    // GEMMs read the weight as codes, so it is stored that way.
    const DType codes = *multiplied_codes(settings_.compute);
    p.storage = p.storage == DType::i8_rotated && codes == DType::i8 ? p.storage : codes;
  }
  if (p.storage == DType::i8_rotated && kind != ModuleKind::linear) {
    p.storage = DType::i8;  // only the inputs of linear layers are rotated
  }
  return p;
}

}  // namespace mantissa
