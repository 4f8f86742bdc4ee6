#include "engine/models/flux2/flux2_names.h"

#include <algorithm>

#include "engine/io/model_writer.h"
#include "engine/models/flux2/flux2_keys.h"
#include "engine/models/qwen3/qwen3_keys.h"

namespace mantissa {

namespace {

std::string_view flux2_text_prefix(const ModelContents& model) {
  const auto text = model.parts.find(kTe1);
  if (text == model.parts.end()) {
    return kFlux2TextPrefix;
  }
  const bool large =
      std::any_of(text->second.begin(), text->second.end(), [](const ModelTensor& tensor) {
        return tensor.name.ends_with("embed_tokens.weight") &&
               tensor.shape.cols() == kFlux2LargeTextWidth;
      });
  return large ? kFlux2LargeTextPrefix : kFlux2TextPrefix;
}

}  // namespace

constinit const TransformerNaming kFlux2Naming{.mark = kFlux2Mark,
                                               .original_marks = {kFlux2OriginalMark},
                                               .to_diffusers = flux2_to_diffusers,
                                               .to_original = flux2_to_original,
                                               .original_path = flux2_original_path,
                                               .te1 = qwen3_weight,
                                               .other_te1_prefix = kFlux2LargeTextPrefix,
                                               .te1_prefix = flux2_text_prefix,
                                               .vae = &kFlux2VaeNaming};

}  // namespace mantissa
