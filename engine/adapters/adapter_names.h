#pragma once
// The words adapter files are written in.

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/io/key_map.h"
#include "engine/preset/preset.h"

namespace mantissa {

/// How a file calls the modules it adapts.
enum class ModuleNames {
  kohya,            ///< lora_unet_<LDM path>, lora_te1_, lora_te2_ (SD 1.5: as kohya_diffusers)
  kohya_diffusers,  ///< lora_unet_<diffusers path>, lora_te1_ (SD 1.5: lora_te_): OneTrainer
  lycoris,          ///< lycoris_<diffusers path>, of the denoiser alone
  ldm,              ///< diffusion_model.<LDM path>, text_encoders.clip_l.transformer.<path>
  diffusers,        ///< unet.<path>, text_encoder.<path>
  bare,             ///< <diffusers path>, of the denoiser alone
  processors,       ///< unet.….attn1.processor.to_q_lora: diffusers before PEFT
  peft,             ///< base_model.model.<path>, a folder for each part
};

/// A module's name in a file. `path` is canonical ("unet.down_blocks.…"). Empty where that naming
/// has no word for it.
std::optional<std::string> module_name(std::string_view path, ModuleNames names,
                                       const UnetLayout& layout, KohyaStyle style);

/// What a module's name means.
struct NamedModule {
  std::string path;
  ModuleNames names = ModuleNames::diffusers;
};
/// Every name by which a file may call one of `module_paths`. Underscores make names ambiguous, so
/// they are only ever looked up.
class ModuleTable {
 public:
  ModuleTable(std::span<const std::string> module_paths, const UnetLayout& layout);
  /// `folder`: the part a PEFT folder is for ("unet"), where names lie below base_model.model.
  /// Null for a name that no module has.
  const NamedModule* find(std::string_view name, std::string_view folder = {}) const;

 private:
  std::map<std::string, NamedModule, std::less<>> table_;
};

/// How a file calls the tensors of one module.
enum class TensorNames {
  kohya,      ///< .lora_down.weight, .lora_up.weight, .alpha, .dora_scale; LyCORIS adds .hada_…,
              ///< .lokr_…
  peft,       ///< .lora_A.weight, .lora_B.weight, .lora_magnitude_vector; no alpha
  old,        ///< .lora.down.weight, .lora.up.weight: diffusers before PEFT
  processor,  ///< .down.weight, .up.weight behind …_lora
};

/// What a tensor is to its module.
enum class AdapterRole {
  down,
  up,
  mid,  ///< LoCon's Tucker core
  alpha,
  magnitude,
  hada_w1_a,
  hada_w1_b,
  hada_w2_a,
  hada_w2_b,
  hada_t1,
  hada_t2,
  lokr_w1,
  lokr_w1_a,
  lokr_w1_b,
  lokr_w2,
  lokr_w2_a,
  lokr_w2_b,
  lokr_t2,
  diff,  ///< the whole change of a weight
};

/// ".lora_down.weight"; empty where a naming has no such tensor.
std::string_view tensor_suffix(AdapterRole role, TensorNames names);

struct SplitName {
  std::string_view module;
  AdapterRole role = AdapterRole::down;
  TensorNames names = TensorNames::kohya;
};
/// Takes a tensor's name apart; empty for one that is no adapter's.
std::optional<SplitName> split_suffix(std::string_view name);

}  // namespace mantissa
