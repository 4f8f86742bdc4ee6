#include "engine/preset/preset_library.h"

#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/core/paths.h"
#include "engine/preset/family_table.h"
#include "engine/preset/preset_io.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {

namespace fs = std::filesystem;

PresetLibrary built_in() {
  return PresetLibrary(fs::path(MANTISSA_SOURCE_DIR) / "presets");
}

TEST(PresetLibrary, BuiltInPresetsAreValidAndDescribed) {
  const auto entries = built_in().list();
  ASSERT_GE(entries.size(), 4u);
  for (const PresetEntry& entry : entries) {
    EXPECT_FALSE(entry.preset.name.empty()) << entry.id;
    EXPECT_FALSE(entry.preset.description.empty()) << entry.id;
    EXPECT_GT(entry.preset.output.save_minutes, 0) << entry.id << ": a crash costs minutes";
    EXPECT_TRUE(built_in().load(entry.id) == entry.preset);
    EXPECT_TRUE(parse_preset(to_json(entry.preset), entry.id) == entry.preset);
  }
  EXPECT_EQ(built_in().load("sdxl-lora").precision.compute, ComputeType::fp32);
  EXPECT_GT(built_in().load("demo").samples.every, 0);
}

TEST(PresetLibrary, EachGoalOfTheFirstStepsIsOneOfItsFamily) {
  for (const std::string_view id : first_goals()) {
    EXPECT_FALSE(built_in().load(std::string(id)).description.empty()) << id;
  }
  for (const FamilyRow* row : family_rows()) {
    EXPECT_FALSE(row->goals.empty()) << row->title << " has no place in the first steps";
    for (const std::string_view id : row->goals) {
      EXPECT_EQ(built_in().load(std::string(id)).model.family, row->id) << id;
    }
    if (!row->demo.name.empty()) {
      EXPECT_EQ(built_in().load(std::string(row->demo.name)).model.family, row->id);
    }
  }
}

TEST(PresetLibrary, LoadsByPathAndNamesTheNearestId) {
  const fs::path file =
      fs::path(testing::TempDir()) / path_from_utf8("mantissa preset \xE2\x9C\xA8.json");
  std::ofstream(file) << R"({"mantissa_preset": 1, "adapter.rank": 3})";
  EXPECT_EQ(built_in().load(path_to_utf8(file)).adapter.rank, 3);
  fs::remove(file);
  EXPECT_THAT(
      test::message_of([&] { built_in().load(path_to_utf8(file)); }),
      testing::HasSubstr(
          "neither a file nor a built-in preset; the built-in ones are anima-lora, chroma-lora"));
  EXPECT_THAT(test::message_of([] { built_in().load("sdxl-lorra"); }),
              testing::HasSubstr("did you mean sdxl-lora?"));
  EXPECT_THAT(test::message_of([] { PresetLibrary("no-such-folder").load("demo"); }),
              testing::HasSubstr("missing from this installation"));
  EXPECT_TRUE(PresetLibrary("no-such-folder").list().empty());
}

TEST(PresetLibrary, LoadPresetTellsWhatIsWrongWithTheFile) {
  EXPECT_THAT(test::message_of([] { load_preset("no-such-file.json"); }),
              testing::HasSubstr("no-such-file.json"));
  EXPECT_THAT(test::message_of([] { load_preset(testing::TempDir()); }),
              testing::HasSubstr("is a folder"));
  const fs::path file = fs::path(testing::TempDir()) / "mantissa_large.json";
  std::ofstream(file) << std::string((1 << 20) + 5, ' ');
  EXPECT_THAT(test::message_of([&] { load_preset(file); }), testing::HasSubstr("larger than 1 MB"));
  fs::remove(file);
}

TEST(PresetLibrary, ReadsThePresetOfAnAdapter) {
  Preset preset;
  preset.adapter.rank = 5;
  const std::map<std::string, std::string> metadata{
      {"ss_network_dim", "5"}, {std::string(kPresetMetadataKey), to_json(preset)}};
  EXPECT_TRUE(preset_from_metadata(metadata, "a.safetensors") == preset);
  EXPECT_THAT(test::message_of([] {
                preset_from_metadata({{"ss_network_dim", "5"}}, "a.safetensors");
              }),
              testing::HasSubstr("a.safetensors carries no preset"));
  EXPECT_THAT(test::message_of([] {
                preset_from_metadata({{"mantissa.preset", "{\"mantissa_preset\":1,\"x\":2}"}},
                                     "a.safetensors");
              }),
              testing::HasSubstr("a.safetensors (mantissa.preset):1: x is not a setting"));
}

}  // namespace
}  // namespace mantissa
