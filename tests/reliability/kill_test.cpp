// SIGKILL anywhere, also inside a save and inside the recovery: a resumed run ends with the exact
// bits of an undisturbed one. Points are chosen by the index of the file-system call, some by time.
#include <random>

#include "tests/reliability/report.h"
#include "tests/reliability/tiny_run.h"

namespace mantissa {
namespace {
namespace fs = std::filesystem;

class KillTest : public TinyRun {
 protected:
  /// Finishes a killed run and compares it with the undisturbed one. `shims`: for recoveries that
  /// are killed too.
  void recover(const std::string& out, Report& report,
               const std::vector<std::map<std::string, std::string>>& shims = {}) {
    ++report.count;
    const Stopwatch watch;
    for (const auto& shim : shims) {
      if (fs::exists(folder(out) / "job.json")) {
        run(out, true, shim);
      }
    }
    const bool begun = fs::exists(folder(out) / "job.json");
    if (begun) {
      report.lost(steps_to_repeat(out));
    } else {
      fs::remove_all(folder(out));  // killed before there was a run: nothing to resume
    }
    ASSERT_EQ(run(out, begun), 0) << log(out);
    report.recovered(watch.seconds());
    EXPECT_EQ(fingerprint(out), reference_);
    fs::remove_all(folder(out));
  }

  /// Steps with a known loss after the latest checkpoint.
  std::int64_t steps_to_repeat(const std::string& out) const {
    RunReader reader(home_ / "runs.db");
    const auto rows = reader.metrics(id_of(folder(out)));
    return rows.empty() ? 0 : std::max<std::int64_t>(rows.back().step - newest_step(out), 0);
  }

  static std::map<std::string, std::string> at_call(long call, const std::string& scope) {
    return {{"MANTISSA_KILL_AT", std::to_string(call)}, {"MANTISSA_SHIM_SCOPE", scope}};
  }

  void kill_at_call(const std::string& out, const std::string& scope, long call, Report& report) {
    SCOPED_TRACE("call " + std::to_string(call) + " of '" + scope + "'");
    ASSERT_EQ(run(out, false, at_call(call, scope)), -SIGKILL);
    recover(out, report);
  }

  void kill_at_time(const std::string& out, double seconds, Report& report) {
    SCOPED_TRACE("after " + std::to_string(seconds) + " s");
    const pid_t child = Mantissa(home_).start(arguments(out, false), root_ / (out + ".log"));
    usleep(static_cast<useconds_t>(seconds * 1e6));
    kill(child, SIGKILL);
    Mantissa::wait(child);
    recover(out, report);
  }

  /// A share of the kills inside saves, one at random times, the rest at any call.
  void kill_often(long kills, Report& report) {
    std::mt19937 random(test_seed());
    const auto below = [&](long n) {
      return 1 + static_cast<long>(random() % static_cast<unsigned long>(n));
    };
    const long all = calls("count-all", ""), saving = calls("count-saves", ".tmp-step-");
    ASSERT_GT(all, 50);
    ASSERT_GT(saving, 20);
    const Stopwatch watch;
    ASSERT_EQ(run("timed", false), 0);
    const double seconds = watch.seconds();
    long saves = 0;
    for (long i = 0; i < kills && !HasFatalFailure(); ++i) {
      const std::string out = "kill" + std::to_string(i);
      if (i % 4 == 0) {
        kill_at_call(out, ".tmp-step-", below(saving), report);
        ++saves;
      } else if (i % 4 == 1) {
        kill_at_time(out, seconds * static_cast<double>(random()) / 0x1p32, report);
      } else {
        kill_at_call(out, "", below(all), report);
      }
    }
    report.notes = std::to_string(saves) + " inside a save";
  }
};

TEST_F(KillTest, TwentyPointsOfARunFiveOfThemInsideASave) {
  Report report("1 kill");
  kill_often(20, report);
}

TEST_F(KillTest, NightlyKilledTwoHundredTimes) {
  Report report("1 kill");
  kill_often(count_of("MANTISSA_KILLS", 200), report);
}

TEST_F(KillTest, NightlyKilledAtEveryCallOfASave) {
  Report report("2 kill at each call of one save");
  const std::string scope = ".tmp-step-00000004";
  const long saving = calls("count-saves", scope);
  for (long call = 1; call <= saving && !HasFatalFailure(); ++call) {
    SCOPED_TRACE("call " + std::to_string(call));
    const std::string out = "save" + std::to_string(call);
    ASSERT_EQ(run(out, false, at_call(call, scope)), -SIGKILL);
    const std::int64_t newest = newest_step(out);
    EXPECT_TRUE(newest == 2 || newest == 4) << "neither the old checkpoint nor the new one";
    recover(out, report);
  }
}

TEST_F(KillTest, KilledAgainDuringTheRecovery) {
  Report report("3 kill twice");
  const std::string scope = "checkpoints";
  const long saving = calls("count-saves", scope);
  for (int i = 0; i < 3; ++i) {
    const std::string out = "twice" + std::to_string(i);
    ASSERT_EQ(run(out, false, at_call(3 + saving * i / 4, scope)), -SIGKILL);
    recover(out, report, {at_call(3 + saving * i / 4, scope)});
  }
}

TEST_F(KillTest, NightlyKilledAgainDuringTheRecovery) {
  Report report("3 kill twice");
  std::mt19937 random(test_seed());
  const long all = calls("count-all", "");
  const long cases = count_of("MANTISSA_KILLS_TWICE", 100);
  for (long i = 0; i < cases && !HasFatalFailure(); ++i) {
    const std::string out = "twice" + std::to_string(i);
    const auto draw = [&] {
      return 1 + static_cast<long>(random() % static_cast<unsigned long>(all));
    };
    ASSERT_EQ(run(out, false, at_call(draw(), "")), -SIGKILL);
    recover(out, report, {at_call(1 + draw() / 3, ""), at_call(1 + draw() / 3, "")});
  }
}

TEST_F(KillTest, InterruptSavesAndExits130) {
  std::vector<std::string> endless = arguments("interrupted", false);
  endless.insert(endless.end(), {"--set", "training.steps=100000", "--set", "output.save_every=0"});
  const pid_t child = Mantissa(home_).start(endless, root_ / "interrupted.log");
  const fs::path log = folder("interrupted") / "log.txt";
  for (int i = 0; i < 600; ++i) {
    usleep(50000);
    std::error_code none;
    if (fs::exists(log, none) && read_text(log).find("trainable values") != std::string::npos) {
      break;
    }
  }
  usleep(700000);
  kill(child, SIGINT);
  EXPECT_EQ(Mantissa::wait(child).status, 130) << this->log("interrupted");
  int saved = 0;
  for (const auto& entry : fs::directory_iterator(folder("interrupted") / "checkpoints")) {
    saved += fs::exists(entry.path() / "manifest.json") ? 1 : 0;
  }
  EXPECT_EQ(saved, 1);
  RunReader reader(home_ / "runs.db");
  EXPECT_EQ(reader.list_runs().at(0).state, "stopped");
}

}  // namespace
}  // namespace mantissa
