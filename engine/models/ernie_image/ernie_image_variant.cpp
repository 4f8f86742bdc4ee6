#include "engine/models/ernie_image/ernie_image_variant.h"

#include "engine/io/model_titles.h"
#include "engine/io/weights.h"

namespace mantissa {

ModelVariant ernie_image_variant(const WeightSource& source) {
  for (const std::string& title : model_titles(source)) {
    if (title_says(title, "turbo")) {
      const bool turbo = title_says(title, "turbo", "de");
      return {turbo ? "Turbo" : "De-Turbo", turbo, message<"it is called '{name}'">(title)};
    }
  }
  return {};
}

}  // namespace mantissa
