#include "engine/adapters/dialect.h"

namespace mantissa {
namespace {

/// lora_unet_<LDM path>, lora_te1_, lora_te2_. SD 1.5 has diffusers' paths and one encoder,
/// lora_te_.
std::optional<std::string> kohya_name(const ModuleToName& m) {
  if (!m.is_denoiser()) {
    const bool only = m.style == KohyaStyle::sd15 && m.part == kTe1;
    return underscored(only ? "lora_te_" : "lora_" + std::string(m.part.name()) + "_", m.path);
  }
  if (m.style == KohyaStyle::sd15) {
    return underscored("lora_unet_", m.path);
  }
  const auto path = ldm_path(m);
  return path ? std::optional(underscored("lora_unet_", *path)) : std::nullopt;
}

}  // namespace

/// sd-scripts, kohya_ss, ComfyUI, A1111.
const Dialect kKohyaDialect{.name = "kohya", .name_of = kohya_name};

}  // namespace mantissa
