// Killed, out of disk, not allowed to write, others that come and go: nothing that was flushed is
// lost.
#ifndef _WIN32
#include <array>
#include <csignal>
#include <fstream>
#include <thread>
#ifdef __linux__
#include <sched.h>
#include <sys/mount.h>
#endif
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/core/error.h"
#include "tests/engine/store/store_fixture.h"

namespace mantissa {
namespace {

using namespace testing_support;
namespace fs = std::filesystem;

class StoreCrash : public StoreFixture {};

// SIGKILL at a random moment of heavy writing: the file opens, flushed rows are present, the steps
// have no gaps, and the run is marked interrupted.
TEST_F(StoreCrash, SurvivesSigkill) {
  for (int round = 0; round < 8; ++round) {
    const std::string id = "run" + std::to_string(round);
    int flushed[2];
    ASSERT_EQ(pipe(flushed), 0);
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      RunStore store(file_);
      store.create_run(run(id));
      for (std::int64_t i = 0;; ++i) {
        store.add_step(id, step(i));
        if (i % 500 == 499) {
          store.flush();
          const ssize_t written = write(flushed[1], &i, sizeof i);
          (void)written;
        }
      }
    }
    close(flushed[1]);
    std::int64_t promised = -1;
    for (int i = 0; i <= round; ++i) {
      ASSERT_EQ(read(flushed[0], &promised, sizeof promised),
                static_cast<ssize_t>(sizeof promised));
    }
    std::this_thread::sleep_for(std::chrono::microseconds(137 * round * round));
    kill(child, SIGKILL);
    int status = 0;
    waitpid(child, &status, 0);
    ASSERT_TRUE(WIFSIGNALED(status));
    std::int64_t more = 0;
    while (read(flushed[0], &more, sizeof more) == static_cast<ssize_t>(sizeof more)) {
      promised = more;
    }
    close(flushed[0]);

    RunStore store(file_, [](const RunRow&) { return false; });
    ASSERT_EQ(store.notices().size(), 1u);
    RunReader reader(file_);
    EXPECT_EQ(reader.run(id)->state, "interrupted");
    const auto rows = reader.metrics(id);
    ASSERT_GT(static_cast<std::int64_t>(rows.size()), promised);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      ASSERT_EQ(rows[i].step, static_cast<std::int64_t>(i));
    }
  }
  EXPECT_TRUE(set_aside().empty());
}

/// A process that does `work` once it is told to. 0 if it could.
class Waiting {
 public:
  template <typename Work>
  explicit Waiting(Work&& work) {
    std::array<int, 2> ends{};
    EXPECT_EQ(pipe(ends.data()), 0);
    child_ = fork();
    if (child_ == 0) {
      char byte = 0;
      _exit(read(ends[0], &byte, 1) == 1 && work() ? 0 : 1);
    }
    close(ends[0]);
    tell_ = ends[1];
  }
  int run() {
    EXPECT_EQ(write(tell_, "x", 1), 1);
    close(tell_);
    int status = -1;
    waitpid(child_, &status, 0);
    return status;
  }

 private:
  pid_t child_ = -1;
  int tell_ = -1;
};

// A process that opens the database and closes it, while another one writes and also reads it.
TEST_F(StoreCrash, AnotherProcessThatClosesItLeavesItsLog) {
  Waiting passer([&] {
    RunStore other(file_);
    return true;
  });
  Waiting late([&] { return RunReader(file_).run("a")->state == "stopped"; });
  RunStore store(file_);
  store.create_run(run("a"));
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(RunReader(file_).run("a")->state, "training");
  }
  EXPECT_EQ(passer.run(), 0);
  store.set_state("a", "stopped");
  store.sync();
  EXPECT_EQ(late.run(), 0);
}

// Mounts a small file system at `folder` for this process alone. False if not permitted.
bool mount_small_disk(const fs::path& folder, const char* options) {
#ifdef __linux__
  return (unshare(CLONE_NEWNS) == 0 || unshare(CLONE_NEWUSER | CLONE_NEWNS) == 0) &&
         mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
         mount("tmpfs", folder.c_str(), "tmpfs", 0, options) == 0;
#else
  return false;
#endif
}

// The failure seen by the child of the test below; 0 if none.
int run_out_of_disk(const fs::path& file, bool small_disk, const StepRow& row) {
  const fs::path folder = file.parent_path();
  const auto named = [&](const Error& e) {
    return std::string(e.what()).find(path_to_utf8(folder)) != std::string::npos &&
           (!small_disk || e.kind() == ErrorKind::out_of_disk);
  };
  RunStore store(file);
  RunRow run;
  run.id = "a";
  store.create_run(run);
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  if (!small_disk) {
    rlimit tight = before;
    tight.rlim_cur = 256 << 10;
    setrlimit(RLIMIT_FSIZE, &tight);
  }
  bool refused = false;
  const auto attempt = [&](auto&& call) {
    try {
      call();
    } catch (const Error& e) {
      refused = true;
      if (!named(e)) {
        std::fprintf(stderr, "%s\n", e.what());
        _exit(1);
      }
    }
  };
  for (int i = 0; i < 20'000; ++i) {
    StepRow s = row;
    s.step = i;
    attempt([&] { store.add_step("a", s); });
  }
  attempt([&] { store.flush(); });
  if (!refused) {
    return 2;
  }
  setrlimit(RLIMIT_FSIZE, &before);
  if (small_disk) {
    fs::remove(folder / "ballast");
  }
  try {
    store.flush();
  } catch (const Error& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 4;
  }
  return RunReader(file).metrics("a").size() == 20'000 ? 0 : 8;
}

// A full disk: the error names the folder, nothing queued is lost, and writing continues when there
// is room again. Uses a small tmpfs if mounting is permitted, else a limit on file size.
TEST_F(StoreCrash, GoesOnAfterTheDiskWasFull) {
  fs::create_directories(folder_);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    signal(SIGXFSZ, SIG_IGN);
    const bool small_disk = mount_small_disk(folder_, "size=24m");
    if (small_disk) {
      std::ofstream(folder_ / "ballast") << std::string((23 << 20) + (512 << 10), 'x');
    }
    std::printf("disk-full by %s\n", small_disk ? "tmpfs" : "file size limit");
    std::fflush(stdout);
    _exit(run_out_of_disk(file_, small_disk, step(0)));
  }
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

// A folder that can't be written: the error names it.
TEST_F(StoreCrash, ReadOnlyDiskIsNamed) {
  fs::create_directories(folder_);
  { RunStore store(file_); }
  fs::permissions(file_, fs::perms::owner_read);
  fs::permissions(folder_, fs::perms::owner_read | fs::perms::owner_exec);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    // Root may write anywhere; be nobody.
    if (geteuid() == 0 && (chown(folder_.c_str(), 65534, 65534) != 0 ||
                           chown(file_.c_str(), 65534, 65534) != 0 || setuid(65534) != 0)) {
      _exit(9);
    }
    try {
      RunStore store(file_);
      _exit(1);
    } catch (const Error& e) {
      const bool named = std::string(e.what()).find(path_to_utf8(folder_)) != std::string::npos;
      if (!named) {
        std::fprintf(stderr, "%s\n", e.what());
      }
      _exit(named ? 0 : 2);
    }
  }
  int status = 0;
  waitpid(child, &status, 0);
  fs::permissions(folder_, fs::perms::owner_all);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

}  // namespace
}  // namespace mantissa

#endif  // _WIN32
