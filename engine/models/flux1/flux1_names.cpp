#include "engine/models/flux1/flux1_names.h"

#include <array>

#include "engine/models/clip/clip_keys.h"
#include "engine/models/flux1/flux1_keys.h"
#include "engine/models/t5/t5_keys.h"

namespace mantissa {

namespace {

constexpr std::array kFlux1OriginalMarks{kFlux1OriginalMark};
constexpr std::array kFlux1Prefixes{kFlux1Prefix};
constexpr std::array kFlux1ClipPrefixes{kFlux1ClipPrefix};
constexpr std::array kFlux1T5Prefixes{kFlux1T5Prefix};
constexpr std::array kFlux1VaePrefixes{kFlux1VaePrefix};

/// Its pooled vector isn't projected, though files of CLIP have the projection.
std::optional<NameMapping> flux1_clip_weight(Part part, std::string_view name) {
  if (name == "text_projection.weight") {
    return NameMapping{NameTransform::dropped, {}, part};
  }
  auto to = clip_name(name);
  return to ? std::optional(NameMapping{NameTransform::none, {std::move(*to)}, part})
            : std::nullopt;
}

std::optional<NameMapping> flux1_t5_weight(std::string_view name, bool has_table) {
  return t5_weight(kTe2, name, has_table);
}

}  // namespace

constinit const TransformerNaming kFlux1Naming{.mark = kFlux1Mark,
                                               .original_marks = kFlux1OriginalMarks,
                                               .prefixes = kFlux1Prefixes,
                                               .to_diffusers = flux1_to_diffusers,
                                               .to_original = flux1_to_original,
                                               .original_path = flux1_original_path,
                                               .fused_path = flux1_fused_path,
                                               .te1 = flux1_clip_weight,
                                               .te2 = flux1_t5_weight,
                                               .te2_table = kT5Table,
                                               .te1_prefixes = kFlux1ClipPrefixes,
                                               .te2_prefixes = kFlux1T5Prefixes,
                                               .vae = &kKlVaeNaming,
                                               .vae_prefixes = kFlux1VaePrefixes};

}  // namespace mantissa
