// One run on two hosts, whose line is slow and loses packets: the same bits as on one, and an
// orderly end for all processes when the line is cut or one of them is stopped.
#include <gmock/gmock.h>
#include <random>

#include "tests/ranks/rank_run.h"
#include "tests/ranks/two_hosts.h"

namespace mantissa {
namespace {
namespace fs = std::filesystem;

constexpr int kRankLost = 8;
constexpr int kHostLost = 205;  ///< Open MPI's own

/// What resources/docs/guide/several-cards.md advises for mpirun, where the system gives up lost
/// connections soon.
const std::vector<std::string> kAdvised{"--mca", "oob_tcp_keepalive_time",   "5",
                                        "--mca", "oob_tcp_keepalive_intvl",  "2",
                                        "--mca", "oob_tcp_keepalive_probes", "5"};
/// And where it doesn't: mpirun notices first, and lets the processes give their reason.
const std::vector<std::string> kAdvisedElsewhere{
    "--mca", "oob_tcp_keepalive_time",   "3", "--mca", "oob_tcp_keepalive_intvl",   "1",
    "--mca", "oob_tcp_keepalive_probes", "3", "--mca", "odls_base_sigkill_timeout", "6"};

class HostsTest : public RankRun {
 protected:
  void SetUp() override {
    hosts_.emplace();
    if (!hosts_->ready()) {
      GTEST_SKIP() << "no second host: " << hosts_->said();
    }
    RankRun::SetUp();
  }
  void TearDown() override { hosts_.reset(); }

  Mantissa on_hosts(const std::vector<std::string>& settings = kAdvised) const {
    return {home_, hosts_->mpirun(settings)};
  }

  /// The processes that train into folder(out), by the order in which they were started.
  std::vector<pid_t> trainers(const std::string& out) const {
    std::vector<pid_t> found;
    for (const auto& entry : fs::directory_iterator("/proc")) {
      const std::string id = entry.path().filename().string();
      std::ifstream file(entry.path() / "cmdline", std::ios::binary);
      const std::string line((std::istreambuf_iterator<char>(file)), {});
      if (line.starts_with(Mantissa::kProgram) && line.find(folder(out).string()) != line.npos) {
        found.push_back(std::atoi(id.c_str()));
      }
    }
    std::ranges::sort(found);
    return found;
  }
  static pid_t process_named(pid_t above, const std::string& name) {
    std::string found;
    std::ifstream("/proc/" + std::to_string(above) + "/comm") >> found;
    if (found == name) {
      return above;
    }
    for (const pid_t child : children(above)) {
      if (const pid_t below = process_named(child, name); below != 0) {
        return below;
      }
    }
    return 0;
  }

  /// Waits until all have ended; the launcher's status.
  int expect_end(const std::string& out, pid_t launcher, Report& report) {
    const Stopwatch watch;
    while (!trainers(out).empty() && watch.seconds() < kMostSeconds) {
      usleep(50000);
    }
    EXPECT_LT(watch.seconds(), kMostSeconds) << "they still train: " << log(out);
    const int status = end_of(launcher);
    report.recovered(watch.seconds());
    return status;
  }

  void expect_end_of_cut(const std::string& out, const std::vector<std::string>& settings,
                         int status, Report& report) {
    ++report.count;
    const pid_t launcher = start_endless(out, on_hosts(settings));
    ASSERT_EQ(trainers(out).size(), 4U) << log(out);
    hosts_->cut();
    EXPECT_EQ(expect_end(out, launcher, report), status) << log(out);
    EXPECT_THAT(read_text(folder(out) / "log.txt"),
                testing::ContainsRegex("process [23] on host-b can't be heard any more"));
    RunReader reader(home_ / "runs.db");
    EXPECT_EQ(reader.run(id_of(folder(out)))->state, "failed");
  }

  std::optional<TwoHosts> hosts_;
};

TEST_F(HostsTest, GiveTheSameBits) {
  ASSERT_EQ(on_hosts().run(arguments("hosts", false), root_ / "hosts.log").status, 0)
      << log("hosts");
  EXPECT_EQ(fingerprint("hosts"), reference_);
  EXPECT_THAT(read_text(folder("hosts") / "log.txt"), testing::HasSubstr("process 2 on host-b: "));
}

TEST_F(HostsTest, ACutLineEndsAllWithTheReason) {
  Report report("4 the line between two hosts is cut: seconds until all have ended");
  expect_end_of_cut("cut", kAdvised, kRankLost, report);
}

TEST_F(HostsTest, NightlyACutLineThatTheLauncherNoticesFirst) {
  Report report("4 the line between two hosts is cut, mpirun notices first");
  expect_end_of_cut("cut", kAdvisedElsewhere, kHostLost, report);
}

TEST_F(HostsTest, AStoppedProcessEndsAllWithTheReason) {
  Report report("4 a process is stopped: seconds until all have ended");
  const std::string out = "stopped";
  const pid_t launcher = start_endless(out, on_hosts());
  const std::vector<pid_t> all = trainers(out);
  ASSERT_EQ(all.size(), 4U) << log(out);
  ::kill(all[3], SIGSTOP);
  ++report.count;
  EXPECT_EQ(expect_end(out, launcher, report), kRankLost) << log(out);
  EXPECT_THAT(log(out), testing::ContainsRegex("process [0-3] on host-[ab] can't be heard"));
}

TEST_F(HostsTest, ASignalToTheLauncherSavesOnce) {
  const std::string out = "signal";
  const pid_t launcher = start_endless(out, on_hosts());
  ::kill(process_named(launcher, "mpirun"), SIGUSR1);
  EXPECT_EQ(end_of(launcher), 130) << log(out);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder(out) / "checkpoints"), {}), 1) << log(out);
  EXPECT_TRUE(trainers(out).empty());
}

TEST_F(HostsTest, NightlyTheLineIsCutAtTwentyMoments) {
  Report report("4 the line is cut at a random moment of a run: seconds until all have ended");
  const Stopwatch watch;
  ASSERT_EQ(on_hosts().run(arguments("timed", false), root_ / "timed.log").status, 0);
  const double whole = watch.seconds();
  std::mt19937 random(test_seed());
  for (; report.count < count_of("MANTISSA_CUTS", 20) && !HasFatalFailure(); ++report.count) {
    const double moment = whole * std::generate_canonical<double, 53>(random);
    const std::string out = "moment" + std::to_string(report.count);
    SCOPED_TRACE(out + ", after " + std::to_string(moment) + " s of " + std::to_string(whole));
    const pid_t launcher = on_hosts().start(arguments(out, false), root_ / (out + ".log"));
    usleep(static_cast<useconds_t>(1e6 * moment));
    hosts_->cut();
    const bool over = fs::exists(folder(out) / "tiny.safetensors");
    const int status = expect_end(out, launcher, report);
    hosts_->mend();
    EXPECT_TRUE(over || status != 0) << log(out);
    report.notes += (report.notes.empty() ? "status " : " ") + std::to_string(status);
    const bool begun = fs::exists(folder(out) / "job.json");
    if (!begun) {
      fs::remove_all(folder(out));
    }
    ASSERT_EQ(run_on(1 + static_cast<int>(report.count % 2), out, begun), 0) << log(out);
    EXPECT_EQ(fingerprint(out), reference_);
    fs::remove_all(folder(out));
  }
}

}  // namespace
}  // namespace mantissa
