// Families and their generations in a few letters.
#include "engine/preset/family_badge.h"

#include <gtest/gtest.h>
#include <set>

namespace mantissa {
namespace {

TEST(FamilyBadge, EachFamilyHasLettersOfItsOwn) {
  std::set<std::string> seen{"?"};
  for (const FamilyRow& row : kFamilyRows) {
    const FamilyBadge badge = family_badge(row.name);
    EXPECT_EQ(badge.family, row.id) << row.name;
    if (row.id != ModelFamily::automatic) {
      EXPECT_TRUE(seen.insert(badge.letters).second) << row.name << ": " << badge.letters;
      EXPECT_GE(badge.letters.size(), 2u) << row.name;
      EXPECT_LE(badge.letters.size(), 3u) << row.name;
    }
  }
  EXPECT_TRUE(seen.insert(family_badge("sd2").letters).second);
}

TEST(FamilyBadge, AFamilyWithoutARowGetsItsInitials) {
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
  preset.model.family = ModelFamily::sd15;
  EXPECT_EQ(family_key(preset), "sd2");
  EXPECT_EQ(family_badge(family_key(preset)).title, "SD 2.x");
  preset.tags = {"sd15", "lora"};
  EXPECT_EQ(family_key(preset), "sd15");
  preset.model.family = ModelFamily::sdxl;
  preset.tags = {"sd2"};
  EXPECT_EQ(family_key(preset), "sdxl");
}

}  // namespace
}  // namespace mantissa
