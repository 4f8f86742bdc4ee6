#include "engine/models/chroma/chroma_names.h"

#include "engine/models/chroma/chroma_keys.h"
#include "engine/models/flux1/flux1_keys.h"
#include "engine/models/flux1/flux1_names.h"
#include "engine/models/t5/t5_keys.h"

namespace mantissa {

namespace {

std::optional<NameMapping> chroma_t5_weight(std::string_view name, bool has_table) {
  return t5_weight(kTe1, name, has_table);
}

}  // namespace

constinit const TransformerNaming kChromaNaming{
    .mark = kChromaMark,
    .original_marks = {kChromaOriginalMark, kChromaOriginalEntry},
    .to_diffusers = chroma_to_diffusers,
    .to_original = chroma_to_original,
    .original_path = chroma_original_path,
    .te2 = chroma_t5_weight,
    .te2_part = kTe1,
    .te2_table = kT5Table,
    .te2_prefix = kFlux1T5Prefix,
    .vae = &kKlVaeNaming};

}  // namespace mantissa
