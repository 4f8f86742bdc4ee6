#include "engine/adapters/dialect.h"

namespace mantissa {
namespace {

/// lycoris_<diffusers path>, of the denoiser alone.
std::optional<std::string> lycoris_name(const ModuleToName& m) {
  return m.is_denoiser() ? std::optional(underscored("lycoris_", m.path)) : std::nullopt;
}

/// As SimpleTuner wraps its transformer, too, which may hold other parts.
std::vector<std::string> read_lycoris_names(const ModuleToName& m) {
  std::vector<std::string> names = listed(lycoris_name(m));
  if (const PartFiles* files = m.files(); files != nullptr && !files->simpletuner.empty()) {
    names.push_back(underscored("lycoris_", std::string(files->simpletuner).append(m.path)));
  }
  return names;
}

}  // namespace

const Dialect kLycorisDialect{
    .name = "lycoris", .name_of = lycoris_name, .read_names = read_lycoris_names};

}  // namespace mantissa
