// The runs database with two writers and eight readers in separate processes, one of which is
// killed at random: never damaged, no gaps in flushed rows, and readers respond immediately.
#include <algorithm>
#include <atomic>
#include <csignal>
#include <filesystem>
#include <random>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#include "engine/core/error.h"
#include "engine/store/reader.h"
#include "engine/store/sqlite.h"
#include "engine/store/store.h"
#include "tests/reliability/report.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {
namespace fs = std::filesystem;

constexpr int kWriters = 2, kReaders = 8;
constexpr std::size_t kTimes = 1 << 16;

/// Reports of the processes to the test, in shared memory.
struct Shared {
  std::atomic<std::uint64_t> queries{0}, failures{0};
  std::atomic<std::int64_t> flushed[kWriters]{};
  std::atomic<std::uint32_t> micros[kTimes]{};
};

class DatabaseTest : public testing::Test {
 protected:
  void SetUp() override {
    void* memory =
        mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    ASSERT_NE(memory, MAP_FAILED);
    shared_ = new (memory) Shared;
    RunStore store(file_);
    for (int w = 0; w < kWriters; ++w) {
      RunRow run;
      run.id = id(w);
      run.state = "training";
      store.create_run(run);
    }
  }
  void TearDown() override { munmap(shared_, sizeof(Shared)); }

  static std::string id(int writer) { return "run" + std::to_string(writer); }

  /// Appends steps after existing ones, and reports flushed ones.
  [[noreturn]] void write_steps(int writer) {
    try {
      RunStore store(file_);
      const auto rows = RunReader(file_).metrics(id(writer), shared_->flushed[writer]);
      std::int64_t step = rows.empty() ? shared_->flushed[writer].load() : rows.back().step;
      for (;;) {
        for (int i = 0; i < 100; ++i) {
          StepRow row;
          row.step = ++step;
          row.loss = 1;
          store.add_step(id(writer), row);
        }
        store.flush();
        shared_->flushed[writer] = step;
        usleep(2000);
      }
    } catch (const std::exception& e) {
      std::fprintf(stderr, "writer: %s\n", e.what());
    }
    ++shared_->failures;
    _exit(1);
  }

  /// Lists runs and reads a run's steps, as the history page does.
  [[noreturn]] void read_steps(std::uint32_t seed) {
    std::mt19937 random(seed);
    try {
      RunReader reader(file_);
      for (;;) {
        const Stopwatch watch;
        reader.list_runs();
        shared_->micros[shared_->queries++ % kTimes] =
            static_cast<std::uint32_t>(watch.seconds() * 1e6);
        const int writer = static_cast<int>(random() % kWriters);
        std::int64_t last = std::max<std::int64_t>(shared_->flushed[writer] - 1000, 0);
        for (const StepRow& row : reader.metrics(id(writer), last)) {
          if (row.step != ++last) {
            throw Error(Message::verbatim("a hole before step " + std::to_string(row.step)));
          }
        }
        usleep(5000);
      }
    } catch (const std::exception& e) {
      std::fprintf(stderr, "reader: %s\n", e.what());
    }
    ++shared_->failures;
    _exit(1);
  }

  pid_t start(int slot) {
    std::fflush(nullptr);
    const pid_t child = fork();
    if (child != 0) {
      return child;
    }
    if (slot < kWriters) {
      write_steps(slot);
    }
    read_steps(static_cast<std::uint32_t>(slot));
  }

  void disturb(double seconds, Report& report) {
    std::mt19937 random(test_seed());
    std::vector<pid_t> children;
    for (int slot = 0; slot < kWriters + kReaders; ++slot) {
      children.push_back(start(slot));
    }
    const Stopwatch watch;
    while (watch.seconds() < seconds) {
      usleep(static_cast<useconds_t>(random() % 300'000));
      const std::size_t slot = random() % children.size();
      kill(children[slot], SIGKILL);
      waitpid(children[slot], nullptr, 0);
      children[slot] = start(static_cast<int>(slot));
      ++report.count;
    }
    for (const pid_t child : children) {
      kill(child, SIGKILL);
      waitpid(child, nullptr, 0);
    }
    EXPECT_EQ(shared_->failures, 0u);
    expect_whole();
    const std::uint64_t queries = shared_->queries;
    std::vector<std::uint32_t> times;
    for (std::size_t i = 0; i < std::min<std::size_t>(queries, kTimes); ++i) {
      times.push_back(shared_->micros[i]);
    }
    ASSERT_FALSE(times.empty());
    std::sort(times.begin(), times.end());
    char text[160];
    std::snprintf(text, sizeof text,
                  "%.0f s, %llu queries, 99%% within %.1f ms, %lld steps written", seconds,
                  static_cast<unsigned long long>(queries), times[times.size() * 99 / 100] / 1000.0,
                  static_cast<long long>(shared_->flushed[0] + shared_->flushed[1]));
    report.notes = text;
  }

  void expect_whole() {
    Database db(file_, Database::Mode::write);
    Statement check(db, "PRAGMA integrity_check");
    ASSERT_TRUE(check.row());
    EXPECT_EQ(check.text(0), "ok");
    RunReader reader(file_);
    for (int w = 0; w < kWriters; ++w) {
      std::int64_t last = 0;
      for (bool more = true; more;) {
        const auto rows = reader.metrics(id(w), last, 100'000);
        more = !rows.empty();
        for (const StepRow& row : rows) {
          ASSERT_EQ(row.step, ++last);
        }
      }
      EXPECT_GE(last, shared_->flushed[w]) << "flushed, then lost";
    }
    for (const auto& entry : fs::directory_iterator(folder_.path())) {
      EXPECT_EQ(entry.path().string().find(".corrupt-"), std::string::npos) << entry.path();
    }
  }

  const test::TempFolder folder_;
  const fs::path file_ = folder_ / "runs.db";
  Shared* shared_ = nullptr;
};

TEST_F(DatabaseTest, TenProcessesForFiveSecondsOneKilledAtATime) {
  Report report("20 SQLite, 8 readers, 2 writers, kills");
  disturb(5, report);
}

TEST_F(DatabaseTest, NightlyTenProcessesForAnHourOneKilledAtATime) {
  Report report("20 SQLite, 8 readers, 2 writers, kills");
  disturb(static_cast<double>(count_of("MANTISSA_DATABASE_SECONDS", 3600)), report);
}

}  // namespace
}  // namespace mantissa
