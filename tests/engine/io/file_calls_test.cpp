// The system calls behind a durable write: their order, and what happens when one of them fails.
// This program's own fsync, write and rename override the C library's.
#ifdef __linux__
#include <cerrno>
#include <cstring>
#include <dlfcn.h>
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <unistd.h>
#include <vector>

#include "engine/io/file.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// Records system calls during its lifetime, and injects failures.
struct Calls {
  std::vector<std::string> made;
  /// The number of the call of that name that fails, from 1, and its errno; 0: none.
  int failing_sync = 0, sync_error = 0;
  int failing_write = 0, write_error = 0;
  std::size_t most_written = SIZE_MAX;
  int syncs = 0, writes = 0;

  Calls() { current = this; }
  ~Calls() { current = nullptr; }
  static Calls* current;
};
Calls* Calls::current = nullptr;

/// The name of an open file or folder.
std::string name_of(int descriptor) {
  std::error_code none;
  const fs::path path = fs::read_symlink("/proc/self/fd/" + std::to_string(descriptor), none);
  const std::string name = path.filename().string();
  return name.starts_with(".tmp-") ? "temporary" : name;
}

template <typename F>
F* library_function(const char* name) {
  return reinterpret_cast<F*>(dlsym(RTLD_NEXT, name));
}

}  // namespace
}  // namespace mantissa

extern "C" {
int fsync(int descriptor) {
  static const auto real = mantissa::library_function<int(int)>("fsync");
  if (auto* calls = mantissa::Calls::current) {
    calls->made.push_back("sync " + mantissa::name_of(descriptor));
    if (++calls->syncs == calls->failing_sync) {
      errno = calls->sync_error;
      return -1;
    }
  }
  return real(descriptor);
}
ssize_t write(int descriptor, const void* bytes, std::size_t count) {
  static const auto real =
      mantissa::library_function<ssize_t(int, const void*, std::size_t)>("write");
  auto* calls = mantissa::Calls::current;
  if (calls != nullptr && mantissa::name_of(descriptor) == "temporary") {
    calls->made.push_back("write");
    if (++calls->writes == calls->failing_write) {
      errno = calls->write_error;
      return -1;
    }
    count = std::min(count, calls->most_written);
  }
  return real(descriptor, bytes, count);
}
int rename(const char* from, const char* to) noexcept {
  static const auto real = mantissa::library_function<int(const char*, const char*)>("rename");
  if (auto* calls = mantissa::Calls::current) {
    calls->made.push_back("rename to " + std::filesystem::path(to).filename().string());
  }
  return real(from, to);
}
}

namespace mantissa {
namespace {

std::ptrdiff_t files_in(const fs::path& folder) {
  return std::distance(fs::directory_iterator(folder), fs::directory_iterator());
}

TEST(FileCalls, AWriteIsSyncedRenamedAndItsFolderSynced) {
  const test::TempFolder folder;
  const std::string place = folder.path().filename().string();
  Calls calls;
  atomic_write(folder / "a", std::string_view("content"));
  EXPECT_THAT(calls.made, ElementsAre("write", "sync temporary", "rename to a", "sync " + place));
}

TEST(FileCalls, ADurableRenameSyncsTheFolder) {
  const test::TempFolder folder;
  fs::create_directory(folder / "from");
  Calls calls;
  rename_durably(folder / "from", folder / "to");
  EXPECT_THAT(calls.made, ElementsAre("rename to to", "sync " + folder.path().filename().string()));
}

TEST(FileCalls, SyncsNameWhatTheySync) {
  const test::TempFolder folder;
  test::write_file(folder / "a", "1");
  Calls calls;
  sync_file(folder / "a");
  sync_folder(folder.path());
  EXPECT_THAT(calls.made, ElementsAre("sync a", "sync " + folder.path().filename().string()));
}

TEST(FileCalls, InterruptedAndShortWritesGoOn) {
  const test::TempFolder folder;
  Calls calls;
  calls.failing_write = 2;
  calls.write_error = EINTR;
  calls.most_written = 3;
  atomic_write(folder / "a", std::string_view("content"));
  EXPECT_EQ(calls.writes, 4) << "3 + 3 + 1 bytes, and one that was interrupted";
  EXPECT_EQ(read_text(folder / "a"), "content");
}

TEST(FileCalls, AFailureKeepsTheOldFileAndLeavesNothing) {
  struct Case {
    const char* what;
    int failing_write, write_error, failing_sync, sync_error;
    ErrorKind kind;
  };
  for (const Case& c : {Case{"disk full", 1, ENOSPC, 0, 0, ErrorKind::out_of_disk},
                        Case{"quota", 1, EDQUOT, 0, 0, ErrorKind::out_of_disk},
                        Case{"device", 1, EIO, 0, 0, ErrorKind::input},
                        Case{"sync", 0, 0, 1, EIO, ErrorKind::input},
                        Case{"disk full at the sync", 0, 0, 1, ENOSPC, ErrorKind::out_of_disk}}) {
    const test::TempFolder folder;
    test::write_file(folder / "a", "old");
    Calls calls;
    calls.failing_write = c.failing_write;
    calls.write_error = c.write_error;
    calls.failing_sync = c.failing_sync;
    calls.sync_error = c.sync_error;
    try {
      atomic_write(folder / "a", std::string_view("new"));
      ADD_FAILURE() << c.what << " went unnoticed";
    } catch (const Error& e) {
      EXPECT_EQ(e.kind(), c.kind) << c.what << ": " << e.what();
    }
    EXPECT_EQ(read_text(folder / "a"), "old") << c.what;
    EXPECT_EQ(files_in(folder.path()), 1) << c.what;
  }
}

TEST(FileCalls, AFolderThatCannotBeSyncedIsAFailedSave) {
  const test::TempFolder folder;
  fs::create_directory(folder / "from");
  Calls calls;
  calls.failing_sync = 1;
  calls.sync_error = EIO;
  try {
    rename_durably(folder / "from", folder / "to");
    ADD_FAILURE() << "went unnoticed";
  } catch (const Error& e) {
    EXPECT_THAT(e.what(), HasSubstr("treat the save as failed"));
  }
  // Some network file systems can't sync folders and report that.
  calls.syncs = 0;
  calls.sync_error = EINVAL;
  EXPECT_NO_THROW(sync_folder(folder.path()));
}

}  // namespace
}  // namespace mantissa
#endif
