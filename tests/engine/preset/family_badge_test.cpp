// Families and their generations in a few letters.
#include "engine/preset/family_badge.h"

#include <gtest/gtest.h>
#include <set>

namespace mantissa {
namespace {

TEST(FamilyBadge, EachFamilyHasLettersOfItsOwn) {
  std::set<std::string> seen{"?"};
  for (const FamilyRow* row : family_rows()) {
    std::vector<std::string_view> keys{row->id.name()};
    for (const FamilyGeneration& generation : row->generations) {
      keys.push_back(generation.key);
    }
    for (const std::string_view key : keys) {
      const FamilyBadge badge = family_badge(key);
      EXPECT_EQ(badge.family, row->id) << key;
      EXPECT_TRUE(seen.insert(badge.letters).second) << key << ": " << badge.letters;
      EXPECT_GE(badge.letters.size(), 2u) << key;
      EXPECT_LE(badge.letters.size(), 3u) << key;
    }
  }
}

TEST(FamilyBadge, AFamilyWithoutLettersGetsItsInitials) {
  EXPECT_EQ(family_badge("z_image").letters, "ZI");
  EXPECT_EQ(family_badge("flux2").letters, "F2");
  EXPECT_EQ(family_badge("anima").letters, "An");
}

TEST(FamilyBadge, WhatIsNotKnownIsSaidToBe) {
  for (const char* key : {"", "auto", "sd9", "SDXL"}) {
    EXPECT_EQ(family_badge(key).letters, "?") << key;
    EXPECT_EQ(family_badge(key).family, ModelFamily::automatic) << key;
  }
}

TEST(FamilyBadge, APresetsTagTellsItsGeneration) {
  Preset preset;
  preset.tags = {"sd2"};
  EXPECT_EQ(family_key(preset), "") << "of any family";
  preset.model.family = ModelFamily("sd15");
  EXPECT_EQ(family_key(preset), "sd2");
  EXPECT_EQ(family_badge(family_key(preset)).title, "SD 2.x");
  preset.tags = {"sd15", "lora"};
  EXPECT_EQ(family_key(preset), "sd15");
  preset.model.family = ModelFamily("sdxl");
  preset.tags = {"sd2"};
  EXPECT_EQ(family_key(preset), "sdxl");
}

}  // namespace
}  // namespace mantissa
