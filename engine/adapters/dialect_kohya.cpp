#include "engine/adapters/dialect.h"
#include "engine/io/name_parts.h"

namespace mantissa {
namespace {

/// The family's prefixes: lora_unet_<original path> and lora_te1_, lora_te2_, or
/// lora_unet_<diffusers path> and lora_te_.
std::optional<std::string> kohya_name(const ModuleToName& m) {
  const PartFiles* files = m.files();
  if (files == nullptr || files->kohya.empty()) {
    return std::nullopt;
  }
  const bool original = m.is_denoiser() && m.base.family().kohya_original_paths;
  const auto path = original ? m.original() : std::string(m.path);
  if (!path) {
    return std::nullopt;
  }
  std::string_view rest = *path;
  take(rest, files->kohya_omits);
  return underscored(files->kohya, rest);
}

/// Original paths and numbered encoders, of any family.
std::vector<std::string> read_kohya_names(const ModuleToName& m) {
  if (!m.is_denoiser()) {
    return {underscored("lora_" + std::string(m.part.name()) + "_", m.path)};
  }
  const auto path = m.original();
  return path ? std::vector{underscored("lora_unet_", *path)} : std::vector<std::string>{};
}

}  // namespace

/// sd-scripts, kohya_ss, ComfyUI, A1111.
const Dialect kKohyaDialect{.name = "kohya", .name_of = kohya_name, .read_names = read_kohya_names};

}  // namespace mantissa
