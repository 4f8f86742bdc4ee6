#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>

#include "engine/core/disk_full.h"
#include "engine/core/paths.h"
#include "engine/io/overwrite.h"

namespace mantissa {
namespace {

namespace fs = std::filesystem;

class OutputPlace : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) / "mantissa-output-place";
    fs::remove_all(folder_);
    fs::create_directories(folder_ / "sub");
    std::ofstream(folder_ / "file") << "x";
  }
  void TearDown() override { fs::remove_all(folder_); }
  void expect_refused(const fs::path& out, OutputKind kind, const char* why) {
    SCOPED_TRACE(path_to_utf8(out));
    try {
      require_place(out, kind);
      ADD_FAILURE() << "was accepted";
    } catch (const Error& e) {
      EXPECT_THAT(e.what(), testing::HasSubstr(why));
    }
  }
  fs::path folder_;
};

TEST_F(OutputPlace, AFileNeedsAFolderThatExists) {
  require_place(folder_ / "new", OutputKind::file);
  require_place(folder_ / "file", OutputKind::file);  // whether it may be replaced is another check
  expect_refused(folder_ / "none" / "new", OutputKind::file, "there is no folder");
  expect_refused(folder_ / "file" / "new", OutputKind::file, "is not a folder");
  expect_refused(folder_ / "sub", OutputKind::file, "it is a folder; give the name of a file");
  expect_refused(folder_ / "new" / "", OutputKind::file, "it is a folder; give the name of a file");
  expect_refused(folder_ / std::string(256, 'n'), OutputKind::file, "too long");
  require_place(folder_ / std::string(200, 'n'), OutputKind::file);
}

TEST_F(OutputPlace, AFolderIsMadeWithItsParents) {
  require_place(folder_ / "sub", OutputKind::folder);
  require_place(folder_ / "a" / "b" / "c", OutputKind::folder);
  EXPECT_FALSE(fs::exists(folder_ / "a")) << "the check makes nothing";
  expect_refused(folder_ / "file", OutputKind::folder,
                 "it is a file, and a folder is written here");
  expect_refused(folder_ / "file" / "a", OutputKind::folder, "is not a folder");
  expect_refused(folder_ / "new" / std::string(256, 'n') / "b", OutputKind::folder, "too long");
}

#ifdef __linux__
TEST_F(OutputPlace, WhereNotEvenRootMayWriteAnAttemptTells) {
  expect_refused("/proc/new", OutputKind::file, "/proc");
  expect_refused("/proc", OutputKind::folder, "/proc");
  expect_refused("/proc/a/b", OutputKind::folder, "/proc");
}
#endif

TEST_F(OutputPlace, TheDiskNeedsRoom) {
  require_space(folder_ / "new", 1);
  EXPECT_THROW(require_space(folder_ / "new", std::numeric_limits<std::uint64_t>::max()), DiskFull);
}

TEST_F(OutputPlace, NothingIsLeftBehind) {
  require_output(folder_ / "new", OutputKind::file, false);
  require_output(folder_ / "sub", OutputKind::folder, false);
  EXPECT_THROW(require_output(folder_ / "file", OutputKind::file, false), Error);
  EXPECT_TRUE(fs::is_empty(folder_ / "sub"));
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), {}), 2);
}

}  // namespace
}  // namespace mantissa
