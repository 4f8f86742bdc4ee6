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

  /// Two processes ask for one run at the same time. It has no end of its own, so that they always
  /// overlap: the later one is refused, the owner continues until it is asked to stop.
  void start_twice(long times, Report& report) {
    ASSERT_EQ(Mantissa(home_)
                  .run(with(arguments("shared", false), {"--set", "training.steps=2"}),
                       root_ / "shared.log")
                  .status,
              0);
    const auto steps = [this](std::int64_t n) {
      return with(arguments("copy", true), {"--set", "training.steps=" + std::to_string(n)});
    };
    const auto start = [&](const char* log) {
      return Mantissa(home_).start(steps(1'000'000), root_ / log, {}, {}, [] { alarm(120); });
    };
    std::mt19937 random(test_seed());
    for (long i = 0; i < times && !HasFatalFailure(); ++i) {
      ++report.count;
      fs::remove_all(folder("copy"));
      fs::copy(folder("shared"), folder("copy"), fs::copy_options::recursive);
      const pid_t first = start("first.log");
      usleep(random() % 60'000);
      const pid_t second = start("second.log");

      int status = 0;
      const pid_t refused = waitpid(-1, &status, 0);
      const pid_t owner = refused == first ? second : first;
      const std::string said = log(refused == first ? "first" : "second");
      EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 2) << status << "\n" << said;
      EXPECT_NE(said.find("another program holds the lock"), std::string::npos) << said;
      kill(owner, SIGTERM);
      EXPECT_EQ(Mantissa::wait(owner).status, 130) << log(owner == first ? "first" : "second");

      const std::int64_t last = newest_step("copy") + 3;
      ASSERT_EQ(Mantissa(home_).run(steps(last), root_ / "copy.log").status, 0) << log("copy");
      EXPECT_EQ(newest_step("copy"), last);
    }
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
