#include "engine/models/anima/anima_names.h"

#include <array>

#include "engine/models/anima/anima_keys.h"
#include "engine/models/qwen3/qwen3_keys.h"

namespace mantissa {

namespace {

/// In their authors' names the models of Cosmos-Predict2 lack the text conditioner.
constexpr std::array kAnimaOriginalMarks{kAnimaOriginalMark, kAnimaOriginalTextMark};
constexpr std::array kAnimaPrefixes{kAnimaOuterPrefix, kAnimaPrefix};
constexpr std::array kAnimaQwenPrefixes{kAnimaQwenPrefix, kAnimaOtherQwenPrefix};
constexpr std::array kAnimaVaePrefixes{kAnimaVaePrefix, kAnimaOtherVaePrefix};

std::optional<NameMapping> anima_conditioner_weight(std::string_view name, bool /*has_table*/) {
  return anima_text_weight(name);
}

}  // namespace

constinit const TransformerNaming kAnimaNaming{.mark = kAnimaMark,
                                               .original_marks = kAnimaOriginalMarks,
                                               .prefixes = kAnimaPrefixes,
                                               .to_diffusers = anima_to_diffusers,
                                               .to_original = anima_to_original,
                                               .original_path = anima_original_path,
                                               .te1 = qwen3_weight,
                                               .te2 = anima_conditioner_weight,
                                               .te1_prefixes = kAnimaQwenPrefixes,
                                               .vae = &kQwenVaeNaming,
                                               .vae_prefixes = kAnimaVaePrefixes};

}  // namespace mantissa
