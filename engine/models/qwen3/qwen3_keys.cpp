#include "engine/models/qwen3/qwen3_keys.h"

#include <string>

#include "engine/io/model_writer.h"
#include "engine/io/name_parts.h"

namespace mantissa {

std::optional<NameMapping> qwen3_weight(Part part, std::string_view name) {
  std::string_view rest = name;
  take(rest, "model.");
  if (rest == "lm_head.weight" || rest.starts_with("visual.")) {
    return NameMapping{NameTransform::dropped, {}, part};
  }
  take(rest, "language_model.");
  take(rest, "model.");  // language_model.model.: older versions of transformers
  if (rest == "embed_tokens.weight" || rest == "norm.weight" || rest.starts_with("layers.")) {
    return NameMapping{NameTransform::none, {"model." + std::string(rest)}, part};
  }
  return std::nullopt;
}

void to_qwen3_vl_folder(ModelContents& model, std::string_view language_model) {
  const auto text = model.parts.find(kTe1);
  if (text == model.parts.end()) {
    return;
  }
  for (ModelTensor& tensor : text->second) {
    std::string_view rest = tensor.name;
    if (take(rest, "model.")) {
      tensor.name = std::string(language_model) + std::string(rest);
    }
  }
}

}  // namespace mantissa
