#include "engine/models/qwen_image21/qwen_image21_variant.h"

#include <nlohmann/json.hpp>

#include "engine/io/config_fields.h"
#include "engine/io/model_titles.h"
#include "engine/io/weights.h"

namespace mantissa {

ModelVariant qwen_image21_variant(const WeightSource& source) {
  constexpr std::string_view kTurbo = "Turbo";
  const ConfigFields f(source.model_index(), "model_index.json");
  if (f.find(kQwenImage21Grid) != nullptr) {
    return {kTurbo, true, message<"model_index.json has {field}">(kQwenImage21Grid)};
  }
  for (const std::string& title : model_titles(source)) {
    if (title_says(title, "turbo")) {
      return {kTurbo, true, message<"it is called '{name}'">(title)};
    }
  }
  return {"40-step", true, message<"no Qwen-Image-2.1 has been published that isn't distilled">()};
}

}  // namespace mantissa
