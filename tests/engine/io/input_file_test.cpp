// A file read again is the one read first, or nothing made from it is kept.
#include "engine/io/input_file.h"

#include <chrono>
#include <gtest/gtest.h>

#include "engine/io/file.h"
#include "engine/io/mapped_file.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {

namespace fs = std::filesystem;

class InputFile : public testing::Test {
 protected:
  void SetUp() override {
    write("as it was");
    stamp_ = file_stamp(file_);
    hash_ = sha256_file(file_);
  }
  void write(const std::string& text) const {
    std::fstream(file_, fs::exists(file_) ? std::ios::in | std::ios::out : std::ios::out) << text;
  }
  void require() { require_unchanged(file_, stamp_, hash_); }
  /// Until the clock of the file system shows another time.
  void wait_for_a_tick() const {
    const fs::path other = folder_ / "clock";
    do {
      test::write_file(other, "tick");
    } while (file_stamp(other).changed_ns <= stamp_.changed_ns);
  }

  test::TempFolder folder_;
  const fs::path file_ = folder_ / "input";
  FileStamp stamp_;
  std::string hash_;
};

TEST_F(InputFile, IsTheSameUntilItIsTouched) {
  EXPECT_NO_THROW(require());
  EXPECT_NO_THROW(require_unchanged(file_, stamp_, ""));
}

TEST_F(InputFile, RewrittenInPlaceIsChangedWhateverItsSize) {
  wait_for_a_tick();
  write("as it is!");
  test::expect_error_with([&] { require(); }, {path_to_utf8(file_), "changed"});
  EXPECT_THROW(require(), InputChanged) << "and stays so";
}

TEST_F(InputFile, RewrittenUnderItsOldTimeIsChanged) {
  // Whole seconds: MinGW's library knows no others.
  const auto time = std::chrono::floor<std::chrono::seconds>(fs::last_write_time(file_));
  fs::last_write_time(file_, time);
  stamp_ = file_stamp(file_);
  wait_for_a_tick();
  write("as it is!");
  fs::last_write_time(file_, time);
  EXPECT_TRUE(file_stamp(file_).differs_in_change_time_only(stamp_));
  EXPECT_THROW(require(), InputChanged);
}

TEST_F(InputFile, WithAnotherModeOrNameOfTheSameContentIsUnchanged) {
  wait_for_a_tick();
  fs::permissions(file_, fs::perms::owner_write, fs::perm_options::remove);
  const FileStamp before = stamp_;
  EXPECT_NO_THROW(require());
  EXPECT_FALSE(stamp_ == before) << "it is compared with this from now on";
  FileStamp known = before;
  EXPECT_THROW(require_unchanged(file_, known, ""), InputChanged) << "its content isn't known";
}

TEST_F(InputFile, WrittenAgainWithTheSameContentIsChanged) {
  wait_for_a_tick();
  write("as it was");  // what was read in between isn't known
  EXPECT_THROW(require(), InputChanged);
}

TEST_F(InputFile, ReplacedOrRemovedIsChanged) {
  fs::copy_file(file_, folder_ / "other");
  fs::last_write_time(folder_ / "other", fs::last_write_time(file_));
  fs::rename(folder_ / "other", file_);
  EXPECT_THROW(require(), InputChanged);
  fs::remove(file_);
  EXPECT_THROW(require(), InputChanged);
}

#ifndef _WIN32  // where nobody can change a mapped file
TEST_F(InputFile, AMappedFileIsComparedWithWhatItWasWhenItWasMapped) {
  EXPECT_FALSE(mapped_stamp(file_).has_value());
  const MappedFile mapped(file_);
  EXPECT_EQ(mapped_stamp(file_), stamp_);
  wait_for_a_tick();
  write("as it is!");
  EXPECT_EQ(mapped_stamp(file_), stamp_);
  EXPECT_FALSE(file_stamp(file_) == stamp_);
  fs::rename(file_, folder_ / "moved");
  write("another");
  EXPECT_FALSE(mapped_stamp(file_).has_value()) << "the path names another file";
}
#endif

}  // namespace
}  // namespace mantissa
