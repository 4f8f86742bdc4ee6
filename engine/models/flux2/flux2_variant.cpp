#include "engine/models/flux2/flux2_variant.h"

#include <nlohmann/json.hpp>

namespace mantissa {

namespace {

constexpr std::string_view kField = "is_distilled";

ModelVariant flux2_kind(bool distilled, Message evidence) {
  return {distilled ? "4-step" : "base", distilled, std::move(evidence)};
}

}  // namespace

ModelVariant flux2_variant(const WeightSource& source) {
  const nlohmann::json index = model_index(source);
  if (const auto field = index.find(kField); field != index.end() && field->is_boolean()) {
    const bool distilled = field->get<bool>();
    return flux2_kind(distilled, message<"model_index.json has {field} {value}">(
                                     kField, distilled ? "true" : "false"));
  }
  for (const std::string& title : model_titles(source)) {
    if (title_says(title, "klein")) {
      return flux2_kind(!title_says(title, "base"), message<"it is called '{name}'">(title));
    }
  }
  return {};
}

}  // namespace mantissa
