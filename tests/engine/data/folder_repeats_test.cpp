#include "engine/data/folder_repeats.h"

#include <filesystem>
#include <fstream>
#include <map>

#include "engine/data/loader.h"
#include "tests/engine/data/image_folders.h"
#include "tests/engine/data/item_repeats.h"

namespace mantissa {
namespace {

namespace fs = std::filesystem;

TEST(FolderName, IsReadAsSdScriptsDoes) {
  const auto parts = [](std::string_view name) {
    const FolderName found = folder_name(name);
    return std::pair(found.repeats.value_or(-1000), std::string(found.caption));
  };
  EXPECT_EQ(parts("10_zorb creature"), std::pair(10, std::string("zorb creature")));
  EXPECT_EQ(parts("3_a_b"), std::pair(3, std::string("a_b")));
  EXPECT_EQ(parts("10"), std::pair(10, std::string()));
  EXPECT_EQ(parts("10_"), std::pair(10, std::string()));
  EXPECT_EQ(parts("1_extra"), std::pair(1, std::string("extra")));
  EXPECT_EQ(parts("0_zorb"), std::pair(0, std::string("zorb")));
  EXPECT_EQ(parts("-3_zorb"), std::pair(-3, std::string("zorb")));
  EXPECT_EQ(parts("+3_zorb"), std::pair(3, std::string("zorb")));
  EXPECT_EQ(parts(" 3 _zorb"), std::pair(3, std::string("zorb")));
  EXPECT_EQ(parts("\xEF\xBC\x93_zorb"), std::pair(3, std::string("zorb"))) << "full-width";
  EXPECT_EQ(parts("007_zorb"), std::pair(7, std::string("zorb")));
  for (const std::string name : {"+_zorb", "- 3_zorb",
                                 "\xE2\x88\x92"
                                 "3_zorb",
                                 " _zorb", "0x3_zorb"}) {
    EXPECT_EQ(parts(name), std::pair(-1000, name));
  }
  EXPECT_TRUE(folder_name("10001_zorb").beyond);
  EXPECT_TRUE(folder_name("99999999999999999999_zorb").beyond);
  EXPECT_FALSE(folder_name("zorb").beyond);
  for (const std::string name :
       {"zorb", "_zorb", "10zorb", "10001_zorb", "99999999999999999999_zorb", "1.5_zorb", ""}) {
    EXPECT_EQ(parts(name), std::pair(-1000, name));
  }
}

class FolderRepeats : public testing_support::ImageFolders {
 protected:
  void SetUp() override {
    add("3_zorb creature/plain.png", 1);
    add("3_zorb creature/told.png", 2);
    std::ofstream(root_ / "3_zorb creature/told.txt") << "a zorb";
    add("3_zorb creature/deeper/inner.png", 3);
    add("2_mopp/inner/5_fuzz/mopp.png", 4);
    add("others/alone.png", 5);
    preset_.data.folder_repeats = true;
    preset_.data.repeats = 2;
  }
};

TEST_F(FolderRepeats, CountForImagesAndTheirCaptions) {
  const Dataset data = scan(root_);
  std::map<std::string, std::pair<int, std::string>> found;
  for (const ImageItem& item : data.items) {
    found[item.name] = {item.repeats, item.caption};
  }
  const std::map<std::string, std::pair<int, std::string>> expected{
      {"3_zorb creature/plain.png", {3, "zorb creature"}},
      {"3_zorb creature/told.png", {3, "a zorb"}},
      {"3_zorb creature/deeper/inner.png", {3, "deeper"}},
      {"2_mopp/inner/5_fuzz/mopp.png", {5, "fuzz"}}};
  EXPECT_EQ(found, expected);
  EXPECT_EQ(testing_support::item_repeats(data, preset_), (std::vector<int>{10, 6, 6, 6}))
      << "by name";
}

TEST_F(FolderRepeats, WhatSdScriptsPassesOverIsLeftOutAndNamed) {
  add("0_off/off.png", 7);
  std::ofstream(root_ / "0_off/off.txt") << "a caption that no longer counts";
  add("3_zorb creature/1_extra/once.png", 8);
  add("3_zorb creature/0_hidden/off.png", 9);
  add("loose.png", 10);
  const Dataset data = scan(root_);
  std::map<std::string, int> found;
  for (const ImageItem& item : data.items) {
    found[item.name] = item.repeats;
  }
  EXPECT_EQ(found, (std::map<std::string, int>{{"3_zorb creature/plain.png", 3},
                                               {"3_zorb creature/told.png", 3},
                                               {"3_zorb creature/deeper/inner.png", 3},
                                               {"3_zorb creature/1_extra/once.png", 1},
                                               {"2_mopp/inner/5_fuzz/mopp.png", 5}}));
  ASSERT_EQ(data.report.notices.size(), 1u);
  const std::string notice = data.report.notices[0].text();
  for (const char* folder : {"0_off", "0_hidden", "others", "(1)"}) {
    EXPECT_NE(notice.find(folder), std::string::npos) << notice;
  }
  EXPECT_TRUE(data.report.skipped.empty()) << data.report.text();
  EXPECT_EQ(scan(root_ / ".").items.size(), data.items.size());
  // Where nothing is named so, a folder is no collection of sd-scripts'.
  EXPECT_EQ(scan(root_ / "others").items.size(), 1u);
  EXPECT_THROW(scan(root_ / "0_off"), Error);
}

TEST_F(FolderRepeats, MoreThanAreOfferedAreTold) {
  add("many/20240101_trip/far.png", 7);
  const Dataset data = scan(root_ / "many");
  EXPECT_EQ(data.items.at(0).repeats, 1);
  ASSERT_EQ(data.report.notices.size(), 1u);
  const std::string notice = data.report.notices[0].text();
  EXPECT_NE(notice.find("20240101_trip"), std::string::npos) << notice;
  EXPECT_NE(notice.find("10000"), std::string::npos) << notice;
}

TEST_F(FolderRepeats, CountInTheFolderThatIsGivenButNotAboveIt) {
  for (const ImageItem& item : scan(root_ / "3_zorb creature").items) {
    EXPECT_EQ(item.repeats, 3) << item.name;
  }
  EXPECT_EQ(scan(root_ / "2_mopp/inner").items.at(0).repeats, 5);
  fs::create_directories(root_ / "2_mopp/plain");
  fs::copy_file(root_ / "others/alone.png", root_ / "2_mopp/plain/alone.png");
  EXPECT_EQ(scan(root_ / "2_mopp/plain").items.at(0).repeats, 1);
}

TEST_F(FolderRepeats, AreOffUnlessAskedFor) {
  const std::string with = scan(root_).fingerprint();
  preset_.data.folder_repeats = false;
  const Dataset data = scan(root_);
  for (const ImageItem& item : data.items) {
    EXPECT_EQ(item.repeats, 1);
  }
  EXPECT_EQ(data.items.at(0).caption, "5_fuzz");
  const auto about_numbers = [](const Dataset& found) {
    std::string all;
    for (const Message& notice : found.report.notices) {
      all += notice.text() + "\n";
    }
    return all;
  };
  const std::string told = about_numbers(data);
  EXPECT_NE(told.find("turn on data.folder_repeats"), std::string::npos) << told;
  EXPECT_NE(told.find("3_zorb creature, 5_fuzz"), std::string::npos) << told;
  EXPECT_EQ(told.find("others"), std::string::npos) << told;
  preset_.data.folders = {{"5_fuzz", 5, 1, ""}};
  EXPECT_EQ(about_numbers(scan(root_)).find("5_fuzz"), std::string::npos) << "it has a rule";
  preset_.data.folders.clear();
  EXPECT_NE(data.fingerprint(), with) << "a resumed run must not change its repeats unnoticed";
}

TEST_F(FolderRepeats, OnlyNumbersThatMayBeRepeatsAreTold) {
  preset_.data.folder_repeats = false;
  const auto told = [&] {
    std::string all;
    for (const Message& notice : scan(root_).report.notices) {
      all += notice.text() + "\n";
    }
    return all;
  };
  int shade = 10;
  for (const char* folder : {"2024_holiday", "2023_07_trip", "0001_cat", "0_zorb", "-2_zorb"}) {
    add(std::string(folder) + "/a.png", ++shade);
  }
  EXPECT_NE(told().find("as sd-scripts does: 3_zorb creature, 5_fuzz\n"), std::string::npos)
      << told();
  for (const char* folder : {"500_a", "6_b", "7_c"}) {
    add(std::string(folder) + "/a.png", ++shade);
  }
  EXPECT_NE(told().find("as sd-scripts does: 3_zorb creature, 500_a, 5_fuzz, and 2 more\n"),
            std::string::npos)
      << told();
}

TEST_F(FolderRepeats, PriorImagesMatchTheSamples) {
  const fs::path prior = root_ / "prior";
  add("prior/a.png", 6);
  Preset preset = preset_;
  const Dataset data = gather_sets({{root_ / "3_zorb creature"}, {prior}, {}}, preset, {}).train;
  EXPECT_EQ(testing_support::item_repeats(data, preset), (std::vector<int>{6, 6, 6, 18}));
}

}  // namespace
}  // namespace mantissa
