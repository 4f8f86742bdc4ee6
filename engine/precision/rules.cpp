#include "engine/precision/rules.h"

#include <algorithm>
#include <array>

#include "engine/core/glob.h"
#include "engine/precision/dtypes.h"
#include "engine/preset/module_pattern.h"
#include "engine/preset/names.h"

namespace mantissa {
namespace {

/// A module known to need a wider type than its part.
struct BuiltInPin {
  std::string_view pattern;
  const MessageTemplate* reason;
};

/// T5's feed-forward output exceeds fp16's range (66246 > 65504 in T5-v1.1-XXL).
constexpr std::array kFp16Pins{
    BuiltInPin{"*.DenseReluDense.wo", &message_template<"its output overflows fp16">},
};

/// Few values whose errors affect the whole image: quantised neither in storage nor in GEMMs.
constexpr std::array kNarrowPins{
    BuiltInPin{"*.conv_in", &message_template<"the model's entry">},
    BuiltInPin{"*.conv_out", &message_template<"the model's exit">},
    BuiltInPin{"unet.proj_out", &message_template<"the model's exit">},
    // A UNet's: what a stack of transformer blocks adds to the image's features passes through it.
    BuiltInPin{"unet.*attentions.*.proj_out", &message_template<"an attention block's exit">},
    BuiltInPin{"*.time_embedding.*", &message_template<"timestep">},
    BuiltInPin{"*.add_embedding.*", &message_template<"size conditioning">},
    BuiltInPin{"*.adaln_single.*", &message_template<"timestep">},
    BuiltInPin{"*.caption_projection.*", &message_template<"text entry">},
    BuiltInPin{"*.time_emb_proj", &message_template<"timestep">},
    BuiltInPin{"*.all_x_embedder.*", &message_template<"the model's entry">},
    BuiltInPin{"*.all_final_layer.*", &message_template<"the model's exit">},
    BuiltInPin{"*.t_embedder.*", &message_template<"timestep">},
    BuiltInPin{"*.adaLN_modulation.*", &message_template<"timestep">},
    BuiltInPin{"*.cap_embedder.*", &message_template<"text entry">},
    BuiltInPin{"*.x_embedder", &message_template<"the model's entry">},
    BuiltInPin{"*.context_embedder", &message_template<"text entry">},
    BuiltInPin{"*.time_guidance_embed.*", &message_template<"timestep">},
    BuiltInPin{"*_stream_modulation*", &message_template<"timestep">},
    BuiltInPin{"*.norm_out.linear", &message_template<"timestep">},
    BuiltInPin{"*.patch_embed.proj", &message_template<"the model's entry">},
    BuiltInPin{"*.time_embed.*", &message_template<"timestep">},
    BuiltInPin{"*.norm*.linear_*", &message_template<"timestep">},
    BuiltInPin{"*.img_in", &message_template<"the model's entry">},
    BuiltInPin{"*.final_layer.linear", &message_template<"the model's exit">},
    BuiltInPin{"*.time_mod_proj", &message_template<"timestep">},
    BuiltInPin{"*.txt_in.*", &message_template<"text entry">},
    BuiltInPin{"*.text_fusion.projector", &message_template<"text entry">},
};

bool is_narrow(DType d) {
  return is_quantized(d);
}

void apply_built_in_pins(ModulePrecision& p, std::string_view path, ModuleKind kind) {
  if (p.compute == DType::f16) {
    for (const BuiltInPin& pin : kFp16Pins) {
      if (glob_match(pin.pattern, path)) {
        p.storage = DType::f32;
        p.compute = DType::f32;
        p.reason = pin.reason;
      }
    }
  }
  p.codes = p.codes && kind == ModuleKind::linear;
  const bool narrow = is_narrow(p.storage) && part_of_path(path) == kDenoiser;
  if (!p.codes && !narrow) {
    return;
  }
  for (const BuiltInPin& pin : kNarrowPins) {
    if (glob_match(pin.pattern, path)) {
      p.codes = false;
      p.reason = pin.reason;
      if (narrow) {
        p.storage = p.compute == DType::f16 ? DType::f16 : DType::bf16;
      }
    }
  }
}

}  // namespace

bool moves_weights(const Preset::Training& training, std::string_view path) {
  if (training.method != TrainingMethod::full) {
    return false;
  }
  const auto trained = [part = part_of_path(path)](Part p) { return p == part; };
  return std::any_of(training.parts.begin(), training.parts.end(), trained) &&
         std::any_of(training.weights.begin(), training.weights.end(),
                     [&](const std::string& pattern) { return names_module(pattern, path); });
}

PrecisionRules::PrecisionRules(const Preset::Precision& settings) : settings_(settings) {}

PrecisionRules::PrecisionRules(const Preset& preset)
    : settings_(preset.precision), training_(preset.training), trains_vae_(trains_vae(preset)) {}

PrecisionRules PrecisionRules::uniform(DType dtype) {
  PrecisionRules rules;
  rules.uniform_ = true;
  rules.dtype_ = dtype;
  return rules;
}

ModulePrecision PrecisionRules::part_default(std::string_view path) const {
  ModulePrecision p;
  const ComputeType compute = settings_.compute;
  const Part part = part_of_path(path);
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
  if (moves_weights(training_, path)) {
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
  apply_built_in_pins(p, path, kind);
  for (const auto& [pattern, type] : settings_.pins) {
    if (names_module(pattern, path)) {
      p.storage = dtype_of(type);
      p.compute = is_narrow(p.storage) ? p.compute : p.storage;
      p.tf32 = false;
      p.codes = p.codes && is_coded(p.storage) &&
                is_int8(p.storage) == (multiplied_codes(settings_.compute) == DType::i8);
      p.reason = &message_template<"pinned in the preset">;
    }
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
