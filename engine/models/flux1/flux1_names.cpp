#include "engine/models/flux1/flux1_names.h"

#include "engine/models/clip/clip_keys.h"
#include "engine/models/flux1/flux1_keys.h"
#include "engine/models/t5/t5_keys.h"

namespace mantissa {

namespace {

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
                                               .original_marks = {kFlux1OriginalMark},
                                               .to_diffusers = flux1_to_diffusers,
                                               .to_original = flux1_to_original,
                                               .original_path = flux1_original_path,
                                               .te1 = flux1_clip_weight,
                                               .te2 = flux1_t5_weight,
                                               .te2_table = kT5Table,
                                               .te2_prefix = kFlux1T5Prefix,
                                               .vae = &kKlVaeNaming};

}  // namespace mantissa
