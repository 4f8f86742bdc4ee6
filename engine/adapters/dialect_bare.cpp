#include "engine/adapters/dialect.h"

namespace mantissa {
namespace {

/// <diffusers path>, of the denoiser alone.
std::optional<std::string> bare_name(const ModuleToName& m) {
  return m.is_denoiser() ? std::optional(std::string(m.path)) : std::nullopt;
}

}  // namespace

extern const Dialect kBareDialect{
    .name = "bare", .tensors = TensorNames::peft, .name_of = bare_name};

}  // namespace mantissa
