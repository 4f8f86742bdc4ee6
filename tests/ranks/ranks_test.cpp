// Several processes train one run: the same bits for any number of them, and an orderly end for all
// whatever happens to one.
#include <algorithm>
#include <fstream>
#include <functional>
#include <gmock/gmock.h>
#include <utility>

#include "engine/preset/preset_io.h"
#include "tests/ranks/rank_run.h"

namespace mantissa {
namespace {
namespace fs = std::filesystem;

class RanksTest : public RankRun {
 protected:
  /// Kills process `rank` after a share of the time that a run takes, and lets another number of
  /// processes finish the run.
  void kill_and_finish(int rank, double seconds, int processes, Report& report) {
    const std::string out = "kill" + std::to_string(report.count++);
    SCOPED_TRACE("rank " + std::to_string(rank) + " after " + std::to_string(seconds) + " s");
    const pid_t launcher = launched(2).start(arguments(out, false), root_ / (out + ".log"));
    usleep(static_cast<useconds_t>(seconds * 1e6));
    const std::vector<pid_t> all = children(launcher);
    if (std::ssize(all) > rank) {
      // A run that is over, its processes on their way out, may end as it would have.
      const bool over = fs::exists(folder(out) / "tiny.safetensors");
      ::kill(all[static_cast<std::size_t>(rank)], SIGKILL);
      const int status = end_of(launcher);
      if (!over) {
        EXPECT_NE(status, 0) << log(out);
      } else if (status == 0) {
        EXPECT_EQ(fingerprint(out), reference_) << log(out);
      }
      EXPECT_TRUE(std::ranges::none_of(all, works));
    } else {
      end_of(launcher);  // it has finished, or hasn't started them yet
    }
    const Stopwatch watch;
    const bool begun = fs::exists(folder(out) / "job.json");
    if (!begun) {
      fs::remove_all(folder(out));
    }
    ASSERT_EQ(run_on(processes, out, begun), 0) << log(out);
    report.recovered(watch.seconds());
    EXPECT_EQ(fingerprint(out), reference_);
    fs::remove_all(folder(out));
  }
  double seconds_of_a_run() const {
    const Stopwatch watch;
    EXPECT_EQ(run_on(2, "timed"), 0) << log("timed");
    return watch.seconds();
  }
};

TEST_F(RanksTest, GiveTheSameBitsForAnyNumber) {
  expect_same_on({1, 2, 3, 4}, {"fp32", {}});
  EXPECT_EQ(fingerprint("fp324"), reference_);
  EXPECT_EQ(read_text(folder("fp324") / "log.txt").find("warning"), std::string::npos);
  EXPECT_NE(
      read_text(folder("fp323") / "log.txt").find("no multiple of 3: some of the 3 processes"),
      std::string::npos);
}

TEST_F(RanksTest, GiveTheSameBitsInOtherPrecisions) {
  // At this loss scale some gradients overflow: all skip the same steps.
  const std::vector<Variant> variants{
      {"fp16", {"--set", "precision.compute=fp16", "--set", "precision.loss_scaling=3000000"}},
      {"bf16",
       {"--set", "precision.compute=bf16", "--set", "precision.gradients=bf16", "--set",
        "adapter.type=dora", "--set", "training.parts=denoiser,te1,te2", "--set",
        "training.max_grad_norm=0.05"}},
  };
  for (const Variant& variant : variants) {
    expect_same_on({1, 2, 4}, variant);
  }
  RunReader reader(home_ / "runs.db");
  const std::vector<StepRow> steps = reader.metrics(id_of(folder("fp164")));
  EXPECT_GT(std::ranges::count(steps, true, &StepRow::skipped), 0) << "no gradient overflowed";
}

TEST_F(RanksTest, ANonFiniteLossStopsAllAlike) {
  std::string expected;
  for (const int processes : {1, 2, 4}) {
    const std::string out = "nan" + std::to_string(processes);
    EXPECT_EQ(run_on(processes, out, false,
                     {"--set", "precision.compute=fp16", "--set", "optimizer.learning_rate=0.3"}),
              4);
    const std::string text = read_text(folder(out) / "log.txt");
    const std::size_t begin = text.find("S14: Non-finite loss at step");
    ASSERT_NE(begin, std::string::npos) << text;
    const std::string got = text.substr(begin, text.find("Last good checkpoint", begin) - begin);
    expected = expected.empty() ? got : expected;
    EXPECT_EQ(got, expected) << processes << " processes";
    EXPECT_EQ(losses(out), losses("nan1")) << processes << " processes";
  }
}

TEST_F(RanksTest, NightlyEverySettingThatActsOnGradients) {
  const std::vector<Variant> variants{
      {"fp16dora",
       {"--set", "precision.compute=fp16", "--set", "precision.gradients=fp16", "--set",
        "adapter.type=dora", "--set", "training.parts=denoiser,te1,te2"}},
      {"bf16sr",
       {"--set", "precision.compute=bf16", "--set", "precision.adapter=bf16", "--set",
        "precision.stochastic_rounding=true"}},
      {"fp8", {"--set", "precision.compute=fp8"}},
      {"prodigy", {"--set", "optimizer.type=prodigy", "--set", "optimizer.learning_rate=1"}},
      {"adafactor", {"--set", "optimizer.type=adafactor"}},
      {"adamw8bit", {"--set", "optimizer.type=adamw8bit"}},
  };
  for (const Variant& variant : variants) {
    expect_same_on({1, 2, 3, 4}, variant);
  }
}

TEST_F(RanksTest, SamplesAreSharedAndTheSame) {
  std::string text = read_text(root_ / "preset.json");
  text.insert(text.rfind('}'), R"(, "samples": {"every": 9, "prompts": [
    {"prompt": "a", "width": 64, "height": 64, "steps": 1, "seed": 1},
    {"prompt": "b", "width": 128, "height": 64, "steps": 1, "seed": 2},
    {"prompt": "c", "width": 64, "height": 64, "steps": 1, "seed": 3}]})");
  std::ofstream(root_ / "preset.json") << text;
  std::string expected;
  for (const int processes : {1, 2, 4}) {
    const std::string out = "samples" + std::to_string(processes);
    ASSERT_EQ(run_on(processes, out), 0) << log(out);
    std::string got = fingerprint(out);
    for (const char* name : {"step-000000-00", "step-000000-01", "step-000000-02", "step-000009-00",
                             "step-000009-01", "step-000009-02"}) {
      got += sha256_file(folder(out) / "samples" / (std::string(name) + ".png")) + "\n";
    }
    expected = expected.empty() ? got : expected;
    EXPECT_EQ(got, expected) << processes << " processes";
    RunReader reader(home_ / "runs.db");
    EXPECT_EQ(reader.samples(id_of(folder(out))).size(), 6U);
  }
}

TEST_F(RanksTest, ARunContinuesOnAnotherNumber) {
  ASSERT_EQ(run_on(4, "moved", false, {"--set", "training.steps=3"}), 0) << log("moved");
  ASSERT_EQ(run_on(1, "moved", true, {"--set", "training.steps=5"}), 0) << log("moved");
  ASSERT_EQ(run_on(2, "moved", true), 0) << log("moved");
  EXPECT_EQ(fingerprint("moved"), reference_);
}

TEST_F(RanksTest, AKilledOneEndsAllAndTheRunContinues) {
  Report report("4 kill one of several processes");
  const double seconds = seconds_of_a_run();
  kill_and_finish(1, 0.5 * seconds, 4, report);
  kill_and_finish(0, 0.7 * seconds, 2, report);
  kill_and_finish(1, 0.85 * seconds, 1, report);
}

TEST_F(RanksTest, NightlyAKilledOneAtTwentyMoments) {
  Report report("4 kill one of several processes");
  const double seconds = seconds_of_a_run();
  for (int i = 0; i < 20 && !HasFatalFailure(); ++i) {
    kill_and_finish(i % 2, seconds * (i + 1) / 21, 1 + i % 4, report);
  }
}

// A launcher that waits doesn't look after its processes either: they stay as zombies.
TEST_F(RanksTest, NightlyAKilledOneEndsAllEvenIfTheLauncherIsPatient) {
  const std::string out = "patient";
  const pid_t launcher = start_endless(out, patient(12));
  const std::vector<pid_t> all = children(launcher);
  ASSERT_EQ(all.size(), 2U) << log(out);
  ::kill(all[1], SIGKILL);
  const Stopwatch watch;
  while (works(all[0]) && watch.seconds() < 12) {
    usleep(50000);
  }
  EXPECT_LT(watch.seconds(), 10) << "it waited for the launcher";
  EXPECT_NE(end_of(launcher), 0);
  EXPECT_NE(log(out).find("process 1 (id"), std::string::npos) << log(out);
}

TEST_F(RanksTest, SignalsToTheLauncherSaveOnce) {
  for (const int signal : {SIGTERM, SIGUSR1}) {
    SCOPED_TRACE(strsignal(signal));
    const std::string out = "signal" + std::to_string(signal);
    const pid_t launcher = start_endless(out, patient(3));
    ::kill(launcher, signal);
    EXPECT_EQ(end_of(launcher), signal == SIGTERM ? 1 : 130) << log(out);
    int saved = 0;
    for (const auto& entry : fs::directory_iterator(folder(out) / "checkpoints")) {
      saved += fs::exists(entry.path() / "manifest.json") ? 1 : 0;
    }
    EXPECT_EQ(saved, 1) << log(out);
    RunReader reader(home_ / "runs.db");
    EXPECT_EQ(reader.run(id_of(folder(out)))->state, "stopped");
  }
}

TEST_F(RanksTest, AnotherPresetIsRefusedByAll) {
  const std::string other = (root_ / "other.json").string();
  std::string text = read_text(root_ / "preset.json");
  text.replace(text.find("\"rank\": 2"), 9, "\"rank\": 3");
  std::ofstream(other) << text;
  for (const auto& [preset, reason] :
       {std::pair{other, "process 1 differs from process 0: the preset"},
        {(root_ / "missing.json").string(), "process 1: "}}) {
    std::vector<std::string> both = arguments("both", false), second = both;
    second[1] = preset;
    both.insert(both.end(), {":", "-n", "1", Mantissa::kProgram});
    both.insert(both.end(), second.begin(), second.end());
    EXPECT_EQ(launched(1).run(both, root_ / "both.log").status, 2);
    EXPECT_THAT(log("both"), testing::HasSubstr(reason));
    EXPECT_EQ(log("both").find("mantissa: ", log("both").find("mantissa: ") + 1), std::string::npos)
        << "told more than once: " << log("both");
    EXPECT_FALSE(fs::exists(folder("both")));
  }
}

/// A run that another program shows and makes requests to.
class RelayedTest : public RankRun {
 protected:
  void SetUp() override {
    RankRun::SetUp();
    ASSERT_EQ(pipe(requests_), 0);
  }
  void TearDown() override {
    end_requests();
    if (requests_[0] >= 0) {
      close(requests_[0]);
    }
  }
  void end_requests() {
    if (requests_[1] >= 0) {
      close(std::exchange(requests_[1], -1));
    }
  }
  void ask(const std::string& line) const {
    ASSERT_EQ(write(requests_[1], (line + "\n").data(), line.size() + 1),
              static_cast<ssize_t>(line.size()) + 1);
  }
  pid_t start(const std::string& out, const std::vector<std::string>& settings) const {
    return launched(2).start(with(with(arguments(out, false), {"--relay"}), settings),
                             root_ / (out + ".events"), root_ / (out + ".log"), {}, [this] {
                               dup2(requests_[0], STDIN_FILENO);
                               close(requests_[1]);
                             });
  }
  /// The events so far, whole lines only.
  std::vector<nlohmann::json> events(const std::string& out) const {
    std::ifstream file(root_ / (out + ".events"));
    std::vector<nlohmann::json> list;
    for (std::string line; std::getline(file, line) && !file.eof();) {
      list.push_back(nlohmann::json::parse(line, nullptr, false));
    }
    return list;
  }
  bool waits_for(const std::string& out, const std::string& event,
                 const std::function<bool(const nlohmann::json&)>& like = {}) const {
    const Stopwatch watch;
    while (watch.seconds() < kMostSeconds) {
      for (const nlohmann::json& e : events(out)) {
        if (e.is_object() && e["event"] == event && (!like || like(e))) {
          return true;
        }
      }
      usleep(20000);
    }
    return false;
  }
  static std::function<bool(const nlohmann::json&)> state(const char* name) {
    return [name](const nlohmann::json& e) { return e["state"] == name; };
  }

  int requests_[2] = {-1, -1};
};

// All that the window's run bar asks for reaches every process, and changes no result.
TEST_F(RelayedTest, RequestsReachAllProcesses) {
  const std::string out = "asked";
  const std::vector<std::string> settings{"--set", "output.save_every=0",
                                          "--set", "schedule.type=constant",
                                          "--set", "schedule.warmup_steps=0"};
  const pid_t launcher = start(out, with(settings, {"--set", "training.steps=100000"}));
  ASSERT_TRUE(waits_for(out, "state", state("training"))) << log(out);
  ask("pause");
  ASSERT_TRUE(waits_for(out, "state", state("paused"))) << log(out);
  ask("no request");
  ask("save");
  EXPECT_TRUE(waits_for(out, "saved"));
  Preset shorter = parse_preset(read_text(root_ / "preset.json"), "preset.json");
  for (const char* setting : {"training.steps=77", "output.save_every=0", "schedule.type=constant",
                              "schedule.warmup_steps=0"}) {
    apply_set(shorter, setting);
  }
  ask("settings " + nlohmann::json::parse(to_json(shorter, WriteMode::full)).dump());
  ask("resume");
  EXPECT_TRUE(waits_for(out, "ended")) << log(out);
  EXPECT_EQ(end_of(launcher), 0) << log(out);
  EXPECT_THAT(log(out), testing::HasSubstr("'no request' is no request to a run"));
  EXPECT_EQ(read_text(folder(out) / "log.txt").find("differs from process 0"), std::string::npos);
  ASSERT_EQ(run_on(1, "alone", false, with(settings, {"--set", "training.steps=77"})), 0);
  EXPECT_EQ(losses(out, 77), losses("alone", 77));
  EXPECT_EQ(sha256_file(folder(out) / "tiny.safetensors"),
            sha256_file(folder("alone") / "tiny.safetensors"));
}

TEST_F(RelayedTest, StoppedRunsAreSavedUnlessTheyAreDiscarded) {
  for (const auto& [request, saved] : {std::pair("stop", 1), {"discard", 0}}) {
    const std::string out = request;
    const pid_t launcher =
        start(out, {"--set", "training.steps=100000", "--set", "output.save_every=0"});
    ASSERT_TRUE(waits_for(out, "step")) << log(out);
    ask(request);
    EXPECT_EQ(end_of(launcher), 130) << log(out);
    EXPECT_TRUE(waits_for(out, "failed", [](const auto& e) { return e["kind"] == 130; }));
    const fs::path checkpoints = folder(out) / "checkpoints";
    EXPECT_EQ(fs::exists(checkpoints) ? std::distance(fs::directory_iterator(checkpoints), {}) : 0,
              saved);
  }
}

// Whoever showed the run is gone.
TEST_F(RelayedTest, TheEndOfRequestsSavesAndStops) {
  const std::string out = "left";
  const pid_t launcher =
      start(out, {"--set", "training.steps=100000", "--set", "output.save_every=0"});
  ASSERT_TRUE(waits_for(out, "step")) << log(out);
  end_requests();
  EXPECT_EQ(end_of(launcher), 130) << log(out);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder(out) / "checkpoints"), {}), 1);
}

TEST_F(RelayedTest, TheRatesOfAllProcessesAreRecordedAndRelayed) {
  const std::string out = "rates";
  const pid_t launcher = start(out, {"--set", "training.steps=21"});
  EXPECT_EQ(end_of(launcher), 0) << log(out);
  RunReader reader(home_ / "runs.db");
  const std::vector<RunRates> all = reader.rates(id_of(folder(out)));
  ASSERT_EQ(all.size(), 1U);
  const RunRates& rates = all.front();
  EXPECT_EQ(rates.step, 20);
  ASSERT_EQ(rates.processes.size(), 2U);
  EXPECT_EQ(rates.processes[1].process, 1);
  EXPECT_GT(rates.images_per_second, 0);
  for (const ProcessRate& process : rates.processes) {
    EXPECT_GT(process.images_per_second, 0);
    EXPECT_GT(process.share, 0);
    EXPECT_LE(process.share, 1);
  }
  EXPECT_TRUE(waits_for(out, "rates")) << "the program that shows the run is told too";
}

TEST_F(RanksTest, MoreThanTheMicroStepsAreRefused) {
  EXPECT_EQ(run_on(5, "many"), 2);
  EXPECT_THAT(log("many"), testing::HasSubstr("training.gradient_accumulation is 4"));
  EXPECT_FALSE(fs::exists(folder("many")));
}

TEST_F(RanksTest, AMissingLibraryIsNamed) {
  EXPECT_EQ(Mantissa(home_)
                .run(arguments("unlinked", false), root_ / "unlinked.log", {},
                     {{"OMPI_COMM_WORLD_RANK", "0"},
                      {"OMPI_COMM_WORLD_SIZE", "2"},
                      {"MANTISSA_MPI_LIBRARY", "/nowhere/libmantissa_mpi.so"}})
                .status,
            2);
  EXPECT_THAT(log("unlinked"), testing::HasSubstr("/nowhere/libmantissa_mpi.so can't be opened"));
  EXPECT_FALSE(fs::exists(folder("unlinked")));
}

}  // namespace
}  // namespace mantissa
