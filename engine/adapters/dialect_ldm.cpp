#include "engine/adapters/dialect.h"

namespace mantissa {
namespace {

/// diffusion_model.<LDM path>, text_encoders.clip_l.transformer.<path>: as ComfyUI's models.
std::optional<std::string> ldm_name(const ModuleToName& m) {
  if (!m.is_denoiser()) {
    return (m.part == kTe1 ? "text_encoders.clip_l.transformer."
                           : "text_encoders.clip_g.transformer.") +
           std::string(m.path);
  }
  const auto path = ldm_path(m);
  return path ? std::optional("diffusion_model." + *path) : std::nullopt;
}

/// As a checkpoint has it.
std::vector<std::string> other_ldm_names(const ModuleToName& m) {
  const auto path = m.is_denoiser() ? ldm_path(m) : std::nullopt;
  return path ? std::vector{"model.diffusion_model." + *path} : std::vector<std::string>{};
}

}  // namespace

const Dialect kLdmDialect{.name = "ldm", .name_of = ldm_name, .also_read = other_ldm_names};

}  // namespace mantissa
