#include "engine/models/anima/anima_names.h"

#include "engine/models/anima/anima_keys.h"
#include "engine/models/qwen3/qwen3_keys.h"

namespace mantissa {

namespace {

std::optional<NameMapping> anima_conditioner_weight(std::string_view name, bool /*has_table*/) {
  return anima_text_weight(name);
}

}  // namespace

/// In their authors' names the models of Cosmos-Predict2 lack the text conditioner, of which the
/// second mark is.
constinit const TransformerNaming kAnimaNaming{
    .mark = kAnimaMark,
    .original_marks = {kAnimaOriginalMark, kAnimaOriginalTextMark},
    .outer_prefix = kAnimaOuterPrefix,
    .to_diffusers = anima_to_diffusers,
    .to_original = anima_to_original,
    .original_path = anima_original_path,
    .te1 = qwen3_weight,
    .te2 = anima_conditioner_weight,
    .other_te1_prefix = kAnimaOtherQwenPrefix,
    .vae = &kQwenVaeNaming,
    .other_vae_prefix = kAnimaOtherVaePrefix};

}  // namespace mantissa
