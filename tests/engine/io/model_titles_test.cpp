// What a base model is called, and words in its titles.
#include "engine/io/model_titles.h"

#include <gtest/gtest.h>

namespace mantissa {
namespace {

TEST(ModelVariant, WordsInTitles) {
  for (const char* title : {"z_image_turbo_bf16.safetensors", "Z-Image-Turbo", "zImageTurbo_v1",
                            "models--Tongyi-MAI--Z-Image-Turbo", "TURBO", "made-of-turbo"}) {
    EXPECT_TRUE(title_says(title, "turbo")) << title;
    EXPECT_TRUE(title_says(title, "turbo", "de")) << title;
  }
  for (const char* title : {"Z-Image-De-Turbo", "z_image_deturbo_v1.safetensors", "de turbo"}) {
    EXPECT_TRUE(title_says(title, "turbo")) << title;
    EXPECT_FALSE(title_says(title, "turbo", "de")) << title;
  }
  for (const char* title : {"Z-Image", "turb", ""}) {
    EXPECT_FALSE(title_says(title, "turbo")) << title;
  }
  EXPECT_TRUE(title_says("mode-turbo", "turbo", "de")) << "the end of another word";
  EXPECT_TRUE(title_says("De-Turbo of Z-Image-Turbo", "turbo", "de")) << "one without it";
}

}  // namespace
}  // namespace mantissa
