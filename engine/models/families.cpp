// The registry: one line for each family.
#include <array>

#include "engine/io/family.h"
#include "engine/models/anima/anima_family.h"
#include "engine/models/flux2/flux2_family.h"
#include "engine/models/krea2/krea2_family.h"
#include "engine/models/pixart/pixart_family.h"
#include "engine/models/stable_diffusion/sd_family.h"
#include "engine/models/z_image/z_image_family.h"

namespace mantissa {

namespace {

/// A family recognised by what its files lack comes after those that have it.
constexpr std::array kFamilies{
    &kPixart, &kZImage, &kFlux2, &kAnima, &kKrea2, &kSdxl, &kSd15,
};

}  // namespace

std::span<const Family* const> families() {
  return kFamilies;
}

Message expected_checkpoint() {
  return message<
      "no tensor starts with 'model.diffusion_model.'; pass a full SDXL or SD 1.5 checkpoint, or a "
      "diffusers folder">();
}

}  // namespace mantissa
