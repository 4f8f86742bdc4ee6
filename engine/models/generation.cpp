#include "engine/models/generation.h"

#include "engine/core/error.h"
#include "engine/io/family.h"
#include "engine/models/clip/clip_config.h"
#include "engine/preset/family_table.h"

namespace mantissa {
namespace {

/// SD 1.5's only text encoder is CLIP ViT-L with its quick GELU, that of SD 2.x OpenCLIP's.
bool is_second_generation(const WeightSource& source) {
  try {
    return source.family().id == ModelFamily::sd15 && source.has_part(kTe1) &&
           !clip_config(source, kTe1).quick_gelu;
  } catch (const Error&) {
    return false;
  }
}

}  // namespace

std::string generation_key(const WeightSource& source) {
  return is_second_generation(source) ? "sd2" : std::string(family_row(source.family().id).name);
}

}  // namespace mantissa
