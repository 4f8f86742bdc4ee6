// One owner per folder, whatever happens to the lock file.
#include "engine/io/run_lock.h"

#include <fstream>
#include <gtest/gtest.h>

#ifndef _WIN32
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>
#endif

#include "engine/core/error.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {

namespace fs = std::filesystem;

TEST(RunLock, HasOneOwnerAtATime) {
  const test::TempFolder folder;
  const fs::path file = folder / "run.lock";
  EXPECT_FALSE(RunLock::is_held(file));
  EXPECT_FALSE(fs::exists(file)) << "to look makes nothing";
  {
    const RunLock lock(file);
    EXPECT_TRUE(RunLock::is_held(file));
    EXPECT_FALSE(RunLock::try_acquire(file));
    EXPECT_THROW(RunLock{file}, Error);
  }
  EXPECT_FALSE(RunLock::is_held(file));
  EXPECT_TRUE(RunLock::try_acquire(file));
  EXPECT_FALSE(RunLock::is_held(folder / "none" / "run.lock"));
  EXPECT_THROW(RunLock(folder / "none" / "run.lock"), Error);
}

TEST(RunLock, StaysWithItsOwnerWhenMoved) {
  const test::TempFolder folder;
  const fs::path file = folder / "run.lock";
  std::optional<RunLock> lock = RunLock::try_acquire(file);
  RunLock other = std::move(*lock);
  lock.reset();
  EXPECT_TRUE(RunLock::is_held(file));
  EXPECT_FALSE(other.renew());
}

#ifndef _WIN32
TEST(RunLock, ADeletedLockFileLetsNobodyIn) {
  const test::TempFolder folder;
  const fs::path file = folder / "run.lock";
  RunLock lock(file);
  EXPECT_FALSE(lock.renew()) << "nothing happened to it";
  fs::remove(file);
  EXPECT_TRUE(RunLock::is_held(file));
  EXPECT_FALSE(RunLock::try_acquire(file));
  EXPECT_TRUE(lock.renew()) << "it is made again";
  EXPECT_TRUE(fs::exists(file));
  EXPECT_FALSE(lock.renew());
  // The same if the file was replaced.
  fs::rename(file, folder / "moved");
  std::ofstream(file) << "";
  EXPECT_FALSE(RunLock::try_acquire(file));
  EXPECT_TRUE(lock.renew());
}

TEST(RunLock, ALockThatAnotherProgramTookIsAnError) {
  const test::TempFolder folder;
  const fs::path file = folder / "run.lock";
  RunLock lock(file);
  fs::remove(file);
  // A program that locks the file alone, as earlier versions did.
  const int other = ::open(file.c_str(), O_RDWR | O_CREAT, 0666);
  ASSERT_EQ(::flock(other, LOCK_EX | LOCK_NB), 0);
  try {
    lock.renew();
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.kind(), ErrorKind::input);
    EXPECT_NE(std::string(e.what()).find("run.lock"), std::string::npos);
    EXPECT_NE(std::string(e.what()).find("no longer this program's lock"), std::string::npos);
  }
  ::close(other);
}

TEST(RunLock, ProgramsThatKnowTheFileAloneFindItHeld) {
  // Earlier versions lock no folder: to check, they take a brief shared lock on the file.
  const test::TempFolder folder;
  const fs::path file = folder / "run.lock";
  const RunLock lock(file);
  const int other = ::open(file.c_str(), O_RDWR);
  EXPECT_NE(::flock(other, LOCK_SH | LOCK_NB), 0);
  EXPECT_NE(::flock(other, LOCK_EX | LOCK_NB), 0);
  ::close(other);
}

TEST(RunLock, AFolderThatWasReplacedIsAnError) {
  const test::TempFolder folder;
  const fs::path run = folder / "run";
  fs::create_directories(run);
  RunLock lock(run / "run.lock");
  fs::rename(run, folder / "elsewhere");
  EXPECT_THROW(lock.renew(), Error) << "moved away";
  fs::create_directories(run);
  EXPECT_THROW(lock.renew(), Error) << "and another made there";
  EXPECT_FALSE(fs::exists(run / "run.lock"));
  EXPECT_TRUE(RunLock::try_acquire(run / "run.lock")) << "which is free";
}
#endif

}  // namespace
}  // namespace mantissa
