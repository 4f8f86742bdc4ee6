#include "engine/adapters/dialect.h"

namespace mantissa {
namespace {

/// kohya's names with diffusers' paths.
std::optional<std::string> onetrainer_name(const ModuleToName& m) {
  const PartFiles* files = m.files();
  return files != nullptr && !files->kohya.empty()
             ? std::optional(underscored(files->kohya, m.path))
             : std::nullopt;
}

/// Encoders numbered, and the first also unnumbered, in any family.
std::vector<std::string> read_onetrainer_names(const ModuleToName& m) {
  if (m.is_denoiser()) {
    return {underscored("lora_unet_", m.path)};
  }
  std::vector<std::string> names{underscored("lora_" + std::string(m.part.name()) + "_", m.path)};
  if (stream_of(m.part) == 1) {
    names.push_back(underscored("lora_te_", m.path));
  }
  return names;
}

}  // namespace

extern const Dialect kOneTrainerDialect{
    .name = "onetrainer", .name_of = onetrainer_name, .read_names = read_onetrainer_names};

}  // namespace mantissa
