// Folders that appear whole: what is kept where the system refuses to move it.
#include "engine/io/whole_folder.h"

#include <gtest/gtest.h>

#include "engine/io/file.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {

namespace fs = std::filesystem;

class WholeFolderTest : public testing::Test {
 protected:
  std::string names() const {
    std::vector<std::string> all;
    for (const auto& entry : fs::recursive_directory_iterator(folder_.path())) {
      const fs::path name = entry.path().lexically_relative(folder_.path());
      all.push_back(name.generic_string());
    }
    std::ranges::sort(all);
    std::string text;
    for (const std::string& name : all) {
      text += name + " ";
    }
    return text;
  }
  test::TempFolder folder_;
};

TEST_F(WholeFolderTest, AppearsOnceItIsCommitted) {
  {
    WholeFolder making(folder_ / "model");
    atomic_write(making.path() / "a", "1");
    EXPECT_FALSE(fs::exists(folder_ / "model"));
    making.commit();
  }
  EXPECT_EQ(names(), "model model/a ");
  { const WholeFolder abandoned(folder_ / "other"); }
  EXPECT_EQ(names(), "model model/a ");
}

TEST_F(WholeFolderTest, ANewOneThatCannotBeMovedIsKeptAndNamed) {
  {
    WholeFolder making(folder_ / "model");
    atomic_write(making.path() / "a", "1");
    fs::create_directories(folder_ / "model/made meanwhile");
    test::expect_error_with([&] { making.commit(); },
                            {"All files are in", ".tmp-model-0", "rename it to"});
  }
  EXPECT_EQ(names(), ".tmp-model-0 .tmp-model-0/a model model/made meanwhile ");
}

TEST_F(WholeFolderTest, FilesOfAnExistingOneThatCannotBeMovedAreKeptAndNamed) {
  fs::create_directories(folder_ / "model/b/in use");
  atomic_write(folder_ / "model/a", "old");
  {
    WholeFolder making(folder_ / "model");
    atomic_write(making.path() / "a", "new");
    atomic_write(making.path() / "b", "new");
    test::expect_error_with([&] { making.commit(); }, {"The new files that", "model", "lacks"});
  }
  EXPECT_TRUE(fs::is_directory(folder_ / "model/b/in use")) << "a folder is never moved aside";
  EXPECT_EQ(read_text(folder_ / "model/.tmp-model-0/b"), "new");
}

}  // namespace
}  // namespace mantissa
