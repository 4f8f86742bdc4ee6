#include "engine/adapters/dialect.h"

namespace mantissa {
namespace {

/// kohya's names with diffusers' paths, which kohya has for SD 1.5.
std::optional<std::string> onetrainer_name(const ModuleToName& m) {
  ModuleToName module = m;
  module.style = m.is_denoiser() ? KohyaStyle::sd15 : m.style;
  return kKohyaDialect.name_of(module);
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
