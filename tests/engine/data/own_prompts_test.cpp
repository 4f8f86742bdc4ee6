#include "engine/data/own_prompts.h"

#include <gtest/gtest.h>

namespace mantissa {
namespace {

TEST(OwnPrompts, AreLinesOrASlidersTarget) {
  Preset preset;
  preset.slider.target = "a person";
  preset.slider.samples = 5;
  preset.distilled.prompts = "\n a red circle, large \n\n\t\nein größerer Kreis";
  preset.distilled.images = 7;
  preset.training.purpose = TrainingPurpose::adapter;
  EXPECT_EQ(own_prompts(preset),
            (std::vector<std::string>{"a red circle, large", "ein größerer Kreis"}));
  EXPECT_EQ(own_images(preset), 7);
  preset.training.purpose = TrainingPurpose::slider;
  EXPECT_EQ(own_prompts(preset), std::vector<std::string>{"a person"});
  EXPECT_EQ(own_images(preset), 5);
  preset.training.purpose = TrainingPurpose::adapter;
  preset.distilled.prompts = " \n\t\n";
  EXPECT_TRUE(own_prompts(preset).empty());
}

}  // namespace
}  // namespace mantissa
