#include <array>
#include <gtest/gtest.h>

#include "engine/models/diffusion_model.h"

namespace mantissa {
namespace {

/// As diffusers' StableDiffusionXLPipeline._get_add_time_ids orders them.
TEST(MicroConditioning, IsOriginalSizeCropAndTargetHeightFirst) {
  EXPECT_EQ(micro_conditioning(1, 2, 3, 4, 5, 6), (std::array<float, 6>{1, 2, 3, 4, 5, 6}));
}

/// Cached texts are told apart by it.
TEST(TextOptions, EachIsInTheSignature) {
  const std::string usual = TextOptions{}.signature();
  EXPECT_NE(TextOptions{.chunks = TextOptions{}.chunks + 1}.signature(), usual);
  EXPECT_NE(TextOptions{.weighted = !TextOptions{}.weighted}.signature(), usual);
  EXPECT_NE(TextOptions{.clip_skip = TextOptions{}.clip_skip + 1}.signature(), usual);
}

}  // namespace
}  // namespace mantissa
