// Other programs at a run's files: a second one of ours, readers that share nothing.
#include <chrono>
#include <thread>

#include "tests/reliability/tiny_run.h"

namespace mantissa {
namespace {
namespace fs = std::filesystem;

class WindowsInterference : public TinyRun {};

TEST_F(WindowsInterference, OfTwoOneOwnsTheRun) {
  Process first = Mantissa(home_).start(
      with(arguments("shared", false), {"--set", "training.steps=100000"}), root_ / "first.log");
  for (int i = 0; i < 1200 && first.is_running() && newest_step("shared") == 0; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  ASSERT_TRUE(first.is_running()) << log("first");
  EXPECT_EQ(Mantissa(home_)
                .run(with(arguments("shared", true), {"--set", "training.steps=100000"}),
                     root_ / "second.log")
                .status,
            2);
  EXPECT_NE(log("second").find("another program holds the lock"), std::string::npos)
      << log("second");
  EXPECT_TRUE(first.is_running()) << log("first");
  first.kill();
  const std::string length = "training.steps=" + std::to_string(newest_step("shared") + 2);
  EXPECT_EQ(Mantissa(home_)
                .run(with(arguments("shared", true), {"--set", length}), root_ / "third.log")
                .status,
            0)
      << "a killed program holds nothing: " << log("third");
}

TEST_F(WindowsInterference, AReaderOfTheRunsFilesDoesNotDisturbIt) {
  Process child = Mantissa(home_).start(arguments("read", false), root_ / "read.log");
  long read = 0;
  while (child.is_running()) {
    std::error_code none;
    for (fs::recursive_directory_iterator entry(folder("read"), none), end; !none && entry != end;
         entry.increment(none)) {
      // As an indexer that shares everything but deletion.
      HANDLE file =
          CreateFileW(entry->path().c_str(), GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_WRITE,
                      nullptr, OPEN_EXISTING, 0, nullptr);
      if (file != INVALID_HANDLE_VALUE) {
        ++read;
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
        CloseHandle(file);
      }
    }
  }
  EXPECT_EQ(child.wait(), 0) << log("read");
  EXPECT_GT(read, 5);
  EXPECT_EQ(fingerprint("read"), reference_);
}

}  // namespace
}  // namespace mantissa
