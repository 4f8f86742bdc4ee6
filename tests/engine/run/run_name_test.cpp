#include "engine/run/run_name.h"

#include <gtest/gtest.h>

#include "engine/preset/preset_io.h"

namespace mantissa {
namespace {

TEST(RunName, IsTheOutputsElseThePresets) {
  Preset preset;
  EXPECT_EQ(run_name(preset), "lora");
  EXPECT_EQ(run_slug(preset), "lora");
  preset.name = "SDXL LoRA: a fox, 8 GB";
  EXPECT_EQ(run_name(preset), "SDXL LoRA: a fox, 8 GB");
  EXPECT_EQ(run_slug(preset), "sdxl-lora-a-fox-8-gb");
  preset.name = "猫";
  EXPECT_EQ(run_name(preset), "猫");
  EXPECT_EQ(run_slug(preset), "lora") << "nothing of it is left for a folder's name";
  preset.name = "A name that is much longer than a run's id should be";
  EXPECT_EQ(run_slug(preset), "a-name-that-is-much-long");
  apply_set(preset, "output.name=Fox v2");
  EXPECT_EQ(run_name(preset), "Fox v2");
  EXPECT_EQ(run_slug(preset), "Fox v2");
}

}  // namespace
}  // namespace mantissa
