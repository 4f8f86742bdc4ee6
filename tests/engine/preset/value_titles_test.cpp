#include "engine/preset/value_titles.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <set>
#include <string>

#include "engine/preset/schema.h"

namespace mantissa {
namespace {

void expect_titles(const std::string& key, std::span<const std::string_view> choices) {
  std::set<std::string_view> told;
  for (const std::string_view choice : choices) {
    const std::string_view title = value_title(key, choice);
    const bool named = title != choice || choice == "kohya" || choice == "diffusers";
    EXPECT_TRUE(named) << key << " = " << choice << " has no name for people";
    EXPECT_TRUE(told.insert(title).second) << key << ": " << title << " is the name of two values";
  }
}

TEST(ValueTitles, EveryChoiceHasOneOfItsOwn) {
  for (const Setting& setting : settings()) {
    expect_titles(std::string(setting.key), setting.choices);
    for (const ItemField& field : setting.fields) {
      expect_titles(std::string(setting.key) + "." + std::string(field.key), field.choices);
    }
  }
}

TEST(ValueTitles, AreThoseOfTheirSetting) {
  EXPECT_EQ(value_title("precision.compute", "fp8"), "FP8");
  EXPECT_EQ(value_title("precision.weights.denoiser", "fp8_e4m3"), "FP8 E4M3");
  EXPECT_EQ(value_title("adapter.type", "lora"), "LoRA");
  EXPECT_EQ(value_title("model.family", "z_image"), "Z-Image");
  EXPECT_EQ(value_title("training.prediction", "auto"), "From the base model");
  EXPECT_EQ(value_title("precision.loss_scaling", "auto"), "Automatic");
  EXPECT_EQ(value_title("", "te1"), "Text encoder 1");
  EXPECT_EQ(value_title("", "a red fox"), "a red fox");
}

TEST(ValueTitles, NameValuesThatExist) {
  for (const ValueTitle& row : value_titles()) {
    bool found = false;
    for (const Setting& setting : settings()) {
      const auto has = [&](std::span<const std::string_view> choices) {
        return std::find(choices.begin(), choices.end(), row.value) != choices.end();
      };
      found = found || ((row.key.empty() || row.key == setting.key) && has(setting.choices));
      for (const ItemField& field : setting.fields) {
        found = found || (row.key.empty() && has(field.choices));
      }
    }
    EXPECT_TRUE(found) << row.key << " = " << row.value;
  }
}

}  // namespace
}  // namespace mantissa
