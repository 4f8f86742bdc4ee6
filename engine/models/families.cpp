// The registry: one line for each family, and the line that includes it.
#include <array>

#include "engine/io/family.h"
#include "engine/models/anima/anima_family.h"
#include "engine/models/chroma/chroma_family.h"
#include "engine/models/ernie_image/ernie_image_family.h"
#include "engine/models/flux1/flux1_family.h"
#include "engine/models/flux2/flux2_family.h"
#include "engine/models/flux3/flux3_family.h"
#include "engine/models/krea2/krea2_family.h"
#include "engine/models/pixart/pixart_family.h"
#include "engine/models/qwen_image/qwen_image_family.h"
#include "engine/models/qwen_image21/qwen_image21_family.h"
#include "engine/models/stable_diffusion/sd_family.h"
#include "engine/models/z_image/z_image_family.h"

namespace mantissa {

namespace {

/// In the order of lists.
constexpr std::array kFamilies{
    &kSdxl,         //
    &kSd15,         //
    &kPixart,       //
    &kZImage,       //
    &kFlux1,        //
    &kChroma,       //
    &kFlux2,        //
    &kFlux3,        //
    &kAnima,        //
    &kKrea2,        //
    &kQwenImage21,  //
    &kQwenImage,    //
    &kErnieImage,
};

}  // namespace

std::span<const Family* const> registered_families() {
  return kFamilies;
}

}  // namespace mantissa
