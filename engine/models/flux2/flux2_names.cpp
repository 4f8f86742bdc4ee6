#include "engine/models/flux2/flux2_names.h"

#include <algorithm>
#include <array>

#include "engine/io/model_writer.h"
#include "engine/models/flux2/flux2_keys.h"
#include "engine/models/qwen3/qwen3_keys.h"

namespace mantissa {

namespace {

constexpr std::array kFlux2OriginalMarks{kFlux2OriginalMark};
constexpr std::array kFlux2Prefixes{kFlux2Prefix};
constexpr std::array kFlux2TextPrefixes{kFlux2TextPrefix, kFlux2LargeTextPrefix};
constexpr std::array kFlux2VaePrefixes{kFlux2VaePrefix};

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
                                               .original_marks = kFlux2OriginalMarks,
                                               .prefixes = kFlux2Prefixes,
                                               .to_diffusers = flux2_to_diffusers,
                                               .to_original = flux2_to_original,
                                               .original_path = flux2_original_path,
                                               .fused_path = flux2_fused_path,
                                               .te1 = qwen3_weight,
                                               .te1_prefixes = kFlux2TextPrefixes,
                                               .te1_prefix = flux2_text_prefix,
                                               .vae = &kFlux2VaeNaming,
                                               .vae_prefixes = kFlux2VaePrefixes};

}  // namespace mantissa
