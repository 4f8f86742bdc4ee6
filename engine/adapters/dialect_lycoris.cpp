#include "engine/adapters/dialect.h"

namespace mantissa {
namespace {

/// lycoris_<diffusers path>, of the denoiser alone.
std::optional<std::string> lycoris_name(const ModuleToName& m) {
  return m.is_denoiser() ? std::optional(underscored("lycoris_", m.path)) : std::nullopt;
}

}  // namespace

const Dialect kLycorisDialect{.name = "lycoris", .name_of = lycoris_name};

}  // namespace mantissa
