#include "engine/models/qwen_image/qwen_image_variant.h"

#include "engine/core/ascii.h"
#include "engine/io/model_titles.h"
#include "engine/io/weights.h"

namespace mantissa {

ModelVariant qwen_image_variant(const WeightSource& source) {
  // Whether the name tells it or not, ComfyUI treats a model by this empty tensor.
  for (const std::string& tensor : source.unknown()) {
    if (tensor.ends_with("__index_timestep_zero__")) {
      return {kQwenImageEdits.front(), false, message<"it has the tensor '{tensor}'">(tensor)};
    }
  }
  for (const std::string& title : model_titles(source)) {
    for (const std::string_view edit : kQwenImageEdits) {
      const std::string word = lower_ascii(edit);
      if (title_says(title, "edit") && title_says(title, word.substr(word.find(' ') + 1))) {
        return {edit, title_says(title, "lightning"), message<"it is called '{name}'">(title)};
      }
    }
    if (title_says(title, "lightning")) {
      return {"Lightning", true, message<"it is called '{name}'">(title)};
    }
    if (title_says(title, "2512")) {
      return {"2512", false, message<"it is called '{name}'">(title)};
    }
  }
  return {};
}

}  // namespace mantissa
