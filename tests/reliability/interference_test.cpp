// External interference with a running program: it is suspended and continued, the clock jumps, a
// second one wants the same run.
#include <csignal>
#include <random>
#include <regex>

#include "tests/reliability/report.h"
#include "tests/reliability/tiny_run.h"

namespace mantissa {
namespace {
namespace fs = std::filesystem;

class InterferenceTest : public TinyRun {
 protected:
  /// Suspended at a random moment, as by a machine that sleeps, while the clock jumps by a day.
  void suspend(long times, Report& report) {
    std::mt19937 random(test_seed());
    const Stopwatch watch;
    ASSERT_EQ(run("timed", false), 0);
    const double seconds = watch.seconds();
    for (long i = 0; i < times && !HasFatalFailure(); ++i) {
      ++report.count;
      const std::string out = "stopped" + std::to_string(i);
      const std::string jump = i % 2 == 0 ? "86400" : "-86400";
      const pid_t child = Mantissa(home_).start(arguments(out, false), root_ / (out + ".log"), {},
                                                preloaded({{"MANTISSA_CLOCK_JUMP", jump}}));
      usleep(static_cast<useconds_t>(seconds * 1e6 * static_cast<double>(random()) / 0x1p32));
      kill(child, SIGSTOP);
      usleep(300'000);
      kill(child, SIGCONT);
      ASSERT_EQ(Mantissa::wait(child).status, 0) << log(out);
      EXPECT_EQ(fingerprint(out), reference_);
      const std::string said = log(out);
      static const std::regex kEta("ETA ([0-9]+):");
      for (std::sregex_iterator at(said.begin(), said.end(), kEta), end; at != end; ++at) {
        EXPECT_LT(std::stol((*at)[1]), 10) << "minutes for nine steps:\n" << said;
      }
      for (const StepRow& row : RunReader(home_ / "runs.db").metrics(id_of(folder(out)))) {
        EXPECT_GE(row.seconds, 0);
        EXPECT_LT(row.seconds, 3600);
      }
      fs::remove_all(folder(out));
    }
  }

  /// Two processes ask for one run at the same time.
  void start_twice(long times, Report& report) {
    ASSERT_EQ(Mantissa(home_)
                  .run(with(arguments("shared", false), {"--set", "training.steps=2"}),
                       root_ / "shared.log")
                  .status,
              0);
    std::mt19937 random(test_seed());
    long refused = 0;
    for (long i = 0; i < times && !HasFatalFailure(); ++i) {
      ++report.count;
      const fs::path copy = folder("copy");
      fs::remove_all(copy);
      fs::copy(folder("shared"), copy, fs::copy_options::recursive);
      const auto wanted = with(arguments("copy", true), {"--set", "training.steps=20"});
      const pid_t first = Mantissa(home_).start(wanted, root_ / "first.log");
      usleep(random() % 60'000);
      const pid_t second = Mantissa(home_).start(wanted, root_ / "second.log");
      const int a = Mantissa::wait(first).status, b = Mantissa::wait(second).status;
      const std::string said = read_text(root_ / "first.log") + read_text(root_ / "second.log");
      // Both may have had it in turn.
      const bool one_owner = (a == 0 && (b == 0 || b == 2)) || (a == 2 && b == 0);
      EXPECT_TRUE(one_owner) << a << " and " << b << "\n" << said;
      if (a == 2 || b == 2) {
        ++refused;
        EXPECT_NE(said.find("another program holds the lock"), std::string::npos) << said;
      }
      EXPECT_EQ(newest_step("copy"), 20);
    }
    EXPECT_GT(refused, times / 2);
    report.notes = std::to_string(refused) + " of the others refused";
  }
};

TEST_F(InterferenceTest, SuspendedTwiceWhileTheClockJumps) {
  Report report("19 suspended, clock off by a day");
  suspend(2, report);
}

TEST_F(InterferenceTest, NightlySuspendedTwentyTimesWhileTheClockJumps) {
  Report report("19 suspended, clock off by a day");
  suspend(count_of("MANTISSA_SUSPENDS", 20), report);
}

TEST_F(InterferenceTest, OfTwoOneOwnsTheRun) {
  Report report("21 two instances on one run");
  start_twice(3, report);
}

TEST_F(InterferenceTest, NightlyOfTwoOneOwnsTheRunHundredTimes) {
  Report report("21 two instances on one run");
  start_twice(count_of("MANTISSA_STARTS", 100), report);
}

}  // namespace
}  // namespace mantissa
