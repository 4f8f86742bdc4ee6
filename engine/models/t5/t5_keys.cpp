#include "engine/models/t5/t5_keys.h"

#include <string>

namespace mantissa {

std::optional<NameMapping> t5_weight(Part part, std::string_view name, bool has_table) {
  if (name == kT5TiedTable) {
    return has_table ? NameMapping{NameTransform::dropped, {}, part}
                     : NameMapping{NameTransform::none, {std::string(kT5Table)}, part};
  }
  if (name == kT5Table || name.starts_with("encoder.block.") ||
      name == "encoder.final_layer_norm.weight") {
    return NameMapping{NameTransform::none, {std::string(name)}, part};
  }
  return std::nullopt;
}

}  // namespace mantissa
