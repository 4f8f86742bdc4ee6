#include "engine/data/folder_repeats.h"

#include <filesystem>
#include <fstream>
#include <map>

#include "engine/data/loader.h"
#include "tests/engine/data/image_folders.h"

namespace mantissa {
namespace {

namespace fs = std::filesystem;

TEST(FolderName, IsReadAsSdScriptsDoes) {
  const auto parts = [](std::string_view name) {
    const FolderName found = folder_name(name);
    return std::pair(found.repeats, std::string(found.caption));
  };
  EXPECT_EQ(parts("10_zorb creature"), std::pair(10, std::string("zorb creature")));
  EXPECT_EQ(parts("3_a_b"), std::pair(3, std::string("a_b")));
  for (const std::string name : {"zorb", "_zorb", "10zorb", "10_", "10", "0_zorb", "-3_zorb",
                                 "10001_zorb", "99999999999999999999_zorb", "1.5_zorb", ""}) {
    EXPECT_EQ(parts(name), std::pair(1, name));
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
      {"2_mopp/inner/5_fuzz/mopp.png", {5, "fuzz"}},
      {"others/alone.png", {1, "others"}}};
  EXPECT_EQ(found, expected);
  EXPECT_EQ(item_repeats(data, preset_), (std::vector<int>{10, 6, 6, 6, 2})) << "by name";
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
  EXPECT_NE(data.fingerprint(), with) << "a resumed run must not change its repeats unnoticed";
}

TEST_F(FolderRepeats, PriorImagesMatchTheSamples) {
  const fs::path prior = root_ / "prior";
  add("prior/a.png", 6);
  Preset preset = preset_;
  const Dataset data = gather_sets({{root_ / "3_zorb creature"}, {prior}, {}}, preset, {}).train;
  EXPECT_EQ(item_repeats(data, preset), (std::vector<int>{6, 6, 6, 18}));
}

}  // namespace
}  // namespace mantissa
