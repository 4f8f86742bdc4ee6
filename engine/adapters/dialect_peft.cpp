#include "engine/adapters/dialect.h"

namespace mantissa {
namespace {

/// base_model.model.<path>, in the folder of its part.
std::optional<std::string> peft_name(const ModuleToName& m) {
  return "base_model.model." + std::string(m.path);
}

}  // namespace

/// Folders as PEFT's save_pretrained makes them.
const Dialect kPeftDialect{
    .name = "peft", .tensors = TensorNames::peft, .is_folder = true, .name_of = peft_name};

}  // namespace mantissa
