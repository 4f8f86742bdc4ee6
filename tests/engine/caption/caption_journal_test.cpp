// Sessions of writing captions, and what takes them back: after crashes, on other disks, by links.
#include "engine/caption/caption_journal.h"

#include <gtest/gtest.h>

#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/io/file.h"
#include "tests/environment.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {

namespace fs = std::filesystem;

class CaptionJournalTest : public testing::Test {
 protected:
  void SetUp() override {
    test::set_environment("MANTISSA_HOME", path_to_utf8(folder_ / "home"));
    fs::create_directories(images());
    atomic_write(images() / "a.txt", "mine");
  }
  fs::path images() const { return folder_ / "images"; }
  std::string text(const char* name) const { return read_text(images() / name); }

  test::TempFolder folder_;
};

TEST_F(CaptionJournalTest, AMissingFolderIsToldAndTheCaptionsStayToBePutBack) {
  CaptionJournal().write(images() / "a.txt", "new");
  const fs::path away = folder_ / "away";
  fs::rename(images(), away);
  test::expect_error_with([] { undo_captions(); }, {"images", "connect its disk"});
  fs::rename(away, images());
  EXPECT_EQ(undo_captions()->restored, 1);
  EXPECT_EQ(text("a.txt"), "mine");
}

TEST_F(CaptionJournalTest, ALineCutByAPowerCutCostsNoOther) {
  CaptionJournal journal;
  journal.write(images() / "a.txt", "new");
  append_text(journal.file(), R"({"after":"x","before":"y","fi)");
  EXPECT_EQ(undo_captions()->restored, 1);
  EXPECT_EQ(text("a.txt"), "mine");
}

TEST_F(CaptionJournalTest, ADamagedLineInTheMiddleIsAnError) {
  CaptionJournal journal;
  append_text((fs::create_directories(journal.file().parent_path()), journal.file()), "{\"af\n");
  journal.write(images() / "a.txt", "new");
  test::expect_error_with([] { undo_captions(); }, {"is damaged"});
  EXPECT_EQ(text("a.txt"), "new\n");
}

TEST_F(CaptionJournalTest, WhatWasNeverWrittenOrIsBackAlreadyIsNotEdited) {
  CaptionJournal journal;
  journal.write(images() / "a.txt", "new");
  journal.write(images() / "b.txt", "new");
  atomic_write(images() / "a.txt", "mine");  // as an undo that was interrupted left it
  fs::remove(images() / "b.txt");
  const auto undone = undo_captions();
  ASSERT_TRUE(undone);
  EXPECT_EQ(undone->changed, 0);
  EXPECT_EQ(undone->restored + undone->removed, 0);
}

#ifndef _WIN32
TEST_F(CaptionJournalTest, ALinkStaysOneAndItsTargetIsWrittenAndPutBack) {
  atomic_write(folder_ / "master.txt", "master");
  fs::create_symlink(folder_ / "master.txt", images() / "b.txt");
  CaptionJournal().write(images() / "b.txt", "new");
  EXPECT_TRUE(fs::is_symlink(images() / "b.txt"));
  EXPECT_EQ(read_text(folder_ / "master.txt"), "new\n");
  EXPECT_EQ(undo_captions()->restored, 1);
  EXPECT_TRUE(fs::is_symlink(images() / "b.txt"));
  EXPECT_EQ(text("b.txt"), "master");
}

TEST_F(CaptionJournalTest, NamesOfAnotherEncodingAreWrittenAndPutBack) {
  const fs::path file = images() / "caf\xE9.txt";
  atomic_write(file, "caf\xE9");
  CaptionJournal().rewrite(file, "caf\xE9", "café\n");
  EXPECT_EQ(read_text(file), "café\n");
  EXPECT_EQ(undo_captions()->restored, 1);
  EXPECT_EQ(read_text(file), "caf\xE9");
}
#endif

}  // namespace
}  // namespace mantissa
