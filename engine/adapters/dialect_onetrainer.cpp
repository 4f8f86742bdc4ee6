#include "engine/adapters/dialect.h"

namespace mantissa {
namespace {

/// kohya's names with diffusers' paths.
std::optional<std::string> onetrainer_name(const ModuleToName& m) {
  if (m.is_denoiser()) {
    return underscored("lora_unet_", m.path);
  }
  const bool only = m.style == KohyaStyle::sd15 && m.part == kTe1;
  return underscored(only ? "lora_te_" : "lora_" + std::string(m.part.name()) + "_", m.path);
}

/// As for SD 1.5.
std::vector<std::string> other_onetrainer_names(const ModuleToName& m) {
  ModuleToName other = m;
  other.style = KohyaStyle::sd15;
  return {*onetrainer_name(other)};
}

}  // namespace

const Dialect kOneTrainerDialect{
    .name = "onetrainer", .name_of = onetrainer_name, .also_read = other_onetrainer_names};

}  // namespace mantissa
