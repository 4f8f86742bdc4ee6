// Cached hashes: never those of earlier content, whatever an edit does to the time stamps.
#include "engine/io/content_hashes.h"

#include <chrono>
#include <fstream>
#include <gtest/gtest.h>
#include <thread>

#include "engine/core/error.h"
#include "engine/io/file.h"
#include "engine/io/file_stamp.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {

namespace fs = std::filesystem;

/// Overwrites in place: the same inode and size.
void overwrite(const fs::path& file, const std::string& text) {
  std::fstream out(file, std::ios::in | std::ios::out | std::ios::binary);
  out << text << std::flush;
  ASSERT_TRUE(out.good());
}

class ContentHashesTest : public testing::Test {
 protected:
  void SetUp() override { std::ofstream(file_) << "one"; }
  /// Waits until the file's hash is cached.
  void settle() {
    std::this_thread::sleep_for(std::chrono::nanoseconds(ContentHashes::kSettledNs) +
                                std::chrono::milliseconds(50));
    hashes_.of_file(file_);
    ASSERT_EQ(remembered().size(), 1U);
  }
  std::vector<fs::path> remembered() const {
    std::vector<fs::path> entries;
    std::error_code none;
    for (const auto& entry : fs::recursive_directory_iterator(folder_ / "hashes", none)) {
      if (entry.is_regular_file()) {
        entries.push_back(entry.path());
      }
    }
    return entries;
  }
  /// How often the value was computed rather than cached.
  int computed() {
    int times = 0;
    hashes_.remember("file", std::span(&file_, 1), [&] {
      ++times;
      return sha256_file(file_);
    });
    return times;
  }

  test::TempFolder folder_;
  fs::path file_ = folder_ / "weights";
  ContentHashes hashes_{folder_ / "hashes"};
};

TEST_F(ContentHashesTest, OfAFileIsItsSha256) {
  EXPECT_EQ(hashes_.of_file(file_), sha256_hex("one"));
  std::ofstream(folder_ / "empty");
  EXPECT_EQ(hashes_.of_file(folder_ / "empty"), sha256_hex(""));
  const std::string large((9U << 20) + 17, 'x');
  std::ofstream(folder_ / "large") << large;
  std::vector<std::int64_t> told;
  const auto watch = [&](RunPhase phase, std::int64_t done, std::int64_t total) {
    EXPECT_EQ(phase, RunPhase::hashing);
    EXPECT_EQ(total, 9);
    told.push_back(done);
  };
  EXPECT_EQ(hashes_.of_file(folder_ / "large", watch), sha256_hex(large));
  EXPECT_EQ(told, (std::vector<std::int64_t>{4, 8, 9}));
  EXPECT_THROW(hashes_.of_file(folder_ / "none"), Error);
  EXPECT_THROW(hashes_.of_file(folder_.path()), Error);
}

TEST_F(ContentHashesTest, AnEditRightAfterTheHashIsSeen) {
  // Within one tick of the file system's clock an edit doesn't change the stamp.
  for (int i = 0; i < 300; ++i) {
    const std::string text = i % 2 == 0 ? "two" : "one";
    overwrite(file_, text);
    ASSERT_EQ(hashes_.of_file(file_), sha256_hex(text)) << "edit " << i;
  }
}

TEST_F(ContentHashesTest, OfAFileJustWrittenNothingIsRemembered) {
  bool quick = false;
  for (int i = 0; i < 20 && !quick; ++i) {  // a busy machine may need longer to settle
    fs::remove_all(folder_ / "hashes");
    overwrite(file_, "new");
    const std::int64_t written = file_clock_ns();
    hashes_.of_file(file_);
    quick = file_clock_ns() - written < ContentHashes::kSettledNs / 2;
  }
  ASSERT_TRUE(quick);
  EXPECT_TRUE(remembered().empty());
}

TEST_F(ContentHashesTest, AnEditThatRestoresTheTimeIsSeen) {
  settle();
  ASSERT_EQ(computed(), 0);
  const auto time = fs::last_write_time(file_);
  overwrite(file_, "two");
  fs::last_write_time(file_, time);
  EXPECT_EQ(hashes_.of_file(file_), sha256_hex("two"));
  // The same by another file under the name, as old as the first.
  std::ofstream(folder_ / "other") << "six";
  fs::last_write_time(folder_ / "other", time);
  fs::rename(folder_ / "other", file_);
  EXPECT_EQ(hashes_.of_file(file_), sha256_hex("six"));
}

TEST_F(ContentHashesTest, ADamagedEntryIsComputedAnew) {
  settle();
  const fs::path entry = remembered().front();
  const std::string good = read_text(entry);
  for (std::size_t bit = 0; bit < good.size() * 8; bit += 3) {
    std::string bad = good;
    bad[bit / 8] = static_cast<char>(bad[bit / 8] ^ (1 << (bit % 8)));
    std::ofstream(entry, std::ios::binary) << bad;
    ASSERT_EQ(hashes_.of_file(file_), sha256_hex("one")) << "bit " << bit;
  }
  for (const std::string& bad : {std::string(), good.substr(0, good.size() / 2), std::string("[]"),
                                 std::string("{\"checksum\": 3}")}) {
    std::ofstream(entry, std::ios::binary) << bad;
    EXPECT_EQ(computed(), 1) << bad;
    EXPECT_EQ(computed(), 0) << "and is remembered again";
  }
}

TEST_F(ContentHashesTest, WhereNothingCanBeRememberedThereIsAHash) {
  std::ofstream(folder_ / "no folder");
  const ContentHashes nowhere(folder_ / "no folder");
  std::this_thread::sleep_for(std::chrono::nanoseconds(ContentHashes::kSettledNs));
  EXPECT_EQ(nowhere.of_file(file_), sha256_hex("one"));
}

TEST_F(ContentHashesTest, OneFileOfSeveralThatChangesIsEnough) {
  const fs::path second = folder_ / "second";
  std::ofstream(second) << "1";
  std::this_thread::sleep_for(std::chrono::nanoseconds(ContentHashes::kSettledNs) +
                              std::chrono::milliseconds(50));
  const std::vector<fs::path> files{file_, second};
  int times = 0;
  const auto both = [&] {
    return hashes_.remember("both", files, [&] {
      ++times;
      return read_text(file_) + read_text(second);
    });
  };
  EXPECT_EQ(both(), "one1");
  EXPECT_EQ(both(), "one1");
  EXPECT_EQ(times, 1);
  overwrite(second, "2");
  EXPECT_EQ(both(), "one2");
  // Another value of the same files has a separate entry.
  EXPECT_EQ(hashes_.remember("other", files, [] { return std::string("other"); }), "other");
}

TEST_F(ContentHashesTest, AFileThatChangesWhileItIsReadIsAnError) {
  try {
    hashes_.remember("file", std::span(&file_, 1), [&] {
      std::ofstream(file_, std::ios::app) << "more";
      return std::string("value");
    });
    FAIL();
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("weights"), std::string::npos);
    EXPECT_NE(std::string(e.what()).find("changed while it was read"), std::string::npos);
  }
}

}  // namespace
}  // namespace mantissa
