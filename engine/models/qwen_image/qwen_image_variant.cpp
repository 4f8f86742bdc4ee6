#include "engine/models/qwen_image/qwen_image_variant.h"

#include <algorithm>

#include "engine/core/ascii.h"
#include "engine/io/model_titles.h"
#include "engine/io/weights.h"

namespace mantissa {
namespace {

/// An empty tensor by which ComfyUI tells Edit-2511, whatever a file is called. In the authors'
/// naming it is no weight.
constexpr const char* kEditTensor = "__index_timestep_zero__";

bool has_edit_tensor(const WeightSource& source) {
  return source.contains(kDenoiser, kEditTensor) ||
         std::ranges::any_of(source.unknown(), [](const std::string& tensor) {
           return tensor.ends_with(kEditTensor);
         });
}

}  // namespace

ModelVariant qwen_image_variant(const WeightSource& source) {
  if (has_edit_tensor(source)) {
    return {kQwenImageEdits.front(), false, message<"it has the tensor '{tensor}'">(kEditTensor)};
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
