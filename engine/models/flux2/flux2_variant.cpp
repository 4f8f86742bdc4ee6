#include "engine/models/flux2/flux2_variant.h"

#include "engine/io/model_titles.h"
#include "engine/io/weights.h"

namespace mantissa {

namespace {

constexpr std::string_view kBase = "base", kFewSteps = "4-step";

}  // namespace

ModelVariant flux2_variant(const WeightSource& source) {
  if (auto by_index = distilled_by_index(source, kBase, kFewSteps)) {
    return *by_index;
  }
  for (const std::string& title : model_titles(source)) {
    if (title_says(title, "klein")) {
      const bool distilled = !title_says(title, "base");
      return {distilled ? kFewSteps : kBase, distilled, message<"it is called '{name}'">(title)};
    }
  }
  return {};
}

}  // namespace mantissa
