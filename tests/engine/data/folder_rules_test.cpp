#include "engine/data/folder_rules.h"

#include <filesystem>
#include <fstream>
#include <map>

#include "engine/core/error.h"
#include "engine/preset/schema.h"
#include "tests/engine/data/image_folders.h"

namespace mantissa {
namespace {

namespace fs = std::filesystem;

class FolderRules : public testing_support::ImageFolders {
 protected:
  void SetUp() override {
    add("3_zorb/plain.png", 1);
    add("3_zorb/inner/told.png", 2);
    std::ofstream(root_ / "3_zorb/inner/told.txt") << "a zorb";
    add("mopp/mopp.png", 3);
    preset_.data.folders = {{"3_zorb", 0, 0.5, "zrb,"}, {"inner", 7, 2, ""}};
  }
  struct Found {
    int repeats;
    double weight;
    std::string caption;
    bool operator==(const Found&) const = default;
  };
  static std::map<std::string, Found> found(const Dataset& data) {
    std::map<std::string, Found> all;
    for (const ImageItem& item : data.items) {
      all[item.name] = {item.repeats, item.weight, item.caption};
    }
    return all;
  }
};

TEST_F(FolderRules, NearestFolderCounts) {
  const std::map<std::string, Found> expected{
      {"3_zorb/plain.png", {1, 0.5, "zrb, 3_zorb"}},
      {"3_zorb/inner/told.png", {7, 2, "a zorb"}},
      {"mopp/mopp.png", {1, 1, "mopp"}},
  };
  EXPECT_EQ(found(scan(root_)), expected);
}

TEST_F(FolderRules, StandBesideRepeatsFromNames) {
  preset_.data.folder_repeats = true;
  const auto items = found(scan(root_));
  EXPECT_EQ(items.at("3_zorb/plain.png"), (Found{3, 0.5, "zrb, zorb"})) << "0 repeats: by name";
  EXPECT_EQ(items.at("3_zorb/inner/told.png").repeats, 7);
}

TEST_F(FolderRules, GoUpToTheFolderThatIsGiven) {
  EXPECT_EQ(scan(root_ / "3_zorb").items.at(1).weight, 0.5);
  preset_.data.folders = {{root_.filename().string(), 5, 1, ""}};
  EXPECT_EQ(scan(root_).items.at(0).repeats, 5);
  EXPECT_EQ(scan(root_ / "mopp").items.at(0).repeats, 1);
}

TEST_F(FolderRules, ChangeTheFingerprint) {
  const std::string with = scan(root_).fingerprint();
  preset_.data.folders[0].weight = 0.75;
  EXPECT_NE(scan(root_).fingerprint(), with) << "a resumed run must not change its weights";
  EXPECT_TRUE(scan(root_).weighted());
  preset_.data.folders.clear();
  EXPECT_FALSE(scan(root_).weighted());
}

TEST_F(FolderRules, OneWithoutImagesIsReported) {
  preset_.data.folders.push_back({"zorbs", 1, 1, ""});
  const auto notices = scan(root_).report.notices;
  ASSERT_EQ(notices.size(), 1u);
  EXPECT_NE(notices[0].text().find("zorbs"), std::string::npos);
  // Not if its images are in another set.
  add("zorbs/one.png", 9);
  EXPECT_TRUE(gather_sets({{root_ / "3_zorb"}, {root_ / "zorbs"}, {}}, preset_, {})
                  .train.report.notices.empty());
}

TEST_F(FolderRules, AreCountedAgainWithoutAScan) {
  Preset plain;
  Dataset data = gather_sets({{root_}, {}, {}}, plain, {}).train;
  count_folders_again(data.items, preset_.data);
  const auto items = found(data);
  EXPECT_EQ(items.at("3_zorb/plain.png"), (Found{1, 0.5, "3_zorb"})) << "the caption is the file's";
  EXPECT_EQ(items.at("3_zorb/inner/told.png").repeats, 7);
  count_folders_again(data.items, plain.data);
  EXPECT_FALSE(data.weighted());
}

TEST(FolderRule, NamesAFolderAndNoPath) {
  Preset preset;
  const auto set = [&](const char* rules) {
    set_setting(preset, "data.folders", nlohmann::json::parse(rules));
  };
  set(R"([{"folder": "a"}, {"folder": "b", "weight": 2}])");
  ASSERT_EQ(preset.data.folders.size(), 2u);
  EXPECT_EQ(preset.data.folders[0], (FolderRule{"a", 0, 1, ""}));
  EXPECT_EQ(preset.data.folders[1].weight, 2);
  for (const char* wrong :
       {R"([{"folder": "a/b"}])", R"([{"folder": ".."}])", R"([{"folder": ""}])",
        R"([{"folder": "C:\\x"}])", R"([{"weight": 2}])", R"([{"folder": "a", "weight": 0}])",
        R"([{"folder": "a"}, {"folder": "a"}])"}) {
    EXPECT_THROW(set(wrong), Error) << wrong;
  }
}

}  // namespace
}  // namespace mantissa
