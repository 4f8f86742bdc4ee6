#include "engine/models/qwen_image/qwen_image_variant.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>

#include "engine/core/ascii.h"
#include "engine/io/model_titles.h"
#include "engine/io/weights.h"

namespace mantissa {
namespace {

constexpr const char* kPipelineClass = "_class_name";
/// What diffusers calls the pipelines of models that edit, and the models.
constexpr std::array<std::pair<std::string_view, std::string_view>, 2> kEditPipelines{{
    {"QwenImageEditPlus", kQwenImageEdits[1]},
    {"QwenImageEdit", kQwenImageEdits[2]},
}};

std::string pipeline_class(const WeightSource& source) {
  const auto found = source.model_index().find(kPipelineClass);
  return found != source.model_index().end() && found->is_string() ? found->get<std::string>()
                                                                   : std::string();
}

bool says_still(const WeightSource& source) {
  const std::optional<nlohmann::json> config = source.config(kDenoiser);
  return config && config->is_object() && config->value(kQwenImageStill, nlohmann::json()) == true;
}

}  // namespace

bool has_qwen_image_edit_tensor(const WeightSource& source) {
  return source.contains(kDenoiser, kQwenImageEditTensor) ||
         std::ranges::any_of(source.unknown(), [](const std::string& tensor) {
           return tensor.ends_with(kQwenImageEditTensor);
         });
}

ModelVariant qwen_image_variant(const WeightSource& source) {
  if (says_still(source)) {
    return {kQwenImageEdits.front(), false,
            message<"its config has {field} {value}">(kQwenImageStill, "true")};
  }
  if (has_qwen_image_edit_tensor(source)) {
    return {kQwenImageEdits.front(), false,
            message<"it has the tensor '{tensor}'">(kQwenImageEditTensor)};
  }
  const std::string pipeline = pipeline_class(source);
  for (const auto& [name, edit] : kEditPipelines) {
    if (pipeline.starts_with(name)) {
      return {edit, false,
              message<"model_index.json has {field} {value}">(kPipelineClass, pipeline)};
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

std::string_view qwen_image_edit_pipeline(const WeightSource& source) {
  const std::string_view variant = qwen_image_variant(source).name;
  if (std::ranges::find(kQwenImageEdits, variant) == kQwenImageEdits.end()) {
    return {};
  }
  return variant == kQwenImageEdits.back() ? "QwenImageEditPipeline" : "QwenImageEditPlusPipeline";
}

Message qwen_image_unread(const WeightSource& source) {
  if (!qwen_image_edit_pipeline(source).empty()) {
    return {};
  }
  const ModelVariant variant = qwen_image_variant(source);
  if (!variant.name.empty()) {
    return message<"it draws from text alone ({evidence})">(variant.evidence);
  }
  const std::string pipeline = pipeline_class(source);
  return pipeline.empty()
             ? Message()
             : message<"it draws from text alone ({evidence})">(
                   message<"model_index.json has {field} {value}">(kPipelineClass, pipeline));
}

}  // namespace mantissa
