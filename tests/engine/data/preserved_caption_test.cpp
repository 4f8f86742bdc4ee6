#include "engine/data/preserved_caption.h"

#include <gtest/gtest.h>

namespace mantissa {
namespace {

Preset::Training with(const char* trigger, const char* class_word) {
  Preset::Training training;
  training.preservation = Preservation::class_word;
  training.trigger_word = trigger;
  training.class_word = class_word;
  return training;
}

TEST(PreservedCaption, HasTheClassWordForEveryTriggerWord) {
  const Preset::Training t = with("zorb", "little creature");
  EXPECT_EQ(preserved_caption(t, "a Zorb beside a zorb, ZORB"),
            "a little creature beside a little creature, little creature");
  EXPECT_EQ(preserved_caption(t, "zorb"), "little creature");
  EXPECT_EQ(preserved_caption(t, "(zorb:1.2), zorb's"), "(little creature:1.2), little creature's");
}

TEST(PreservedCaption, ReplacesWholeWordsAlone) {
  const Preset::Training t = with("cat", "dog");
  for (const char* other : {"a category", "concat", "cat2 bobcats", "", "a c a t"}) {
    EXPECT_EQ(preserved_caption(t, other), other);
  }
  EXPECT_EQ(preserved_caption(with("小明", "男孩"), "照片里小明在笑"), "照片里男孩在笑");
  EXPECT_EQ(preserved_caption(with("a zorb", "a dog"), "at a zorb, a zorbs"), "at a dog, a zorbs");
}

TEST(PreservedCaption, MayBeEmpty) {
  Preset::Training t = with("zorb", "dog");
  t.preservation = Preservation::empty;
  EXPECT_EQ(preserved_caption(t, "a zorb"), "");
  EXPECT_EQ(preserved_caption(with("", "dog"), "a zorb"), "a zorb");
}

}  // namespace
}  // namespace mantissa
