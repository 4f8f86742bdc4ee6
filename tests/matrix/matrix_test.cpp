// Every precision combination trains, or is refused before it starts, with the same verdict from
// `check` and from `train`. Every choice of values for any two settings is tested on every change,
// for any three nightly; MANTISSA_MATRIX=full has the nightly tests run all combinations,
// MANTISSA_MATRIX=i/n the i-th of n parts of them; MANTISSA_MATRIX_ROWS=n limits the pairs' to the
// first n combinations, for a short look at a card.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <gtest/gtest.h>
#include <map>
#include <optional>
#include <set>

#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/core/system.h"
#include "engine/io/file.h"
#include "engine/io/safetensors.h"
#include "engine/plan/planned_run.h"
#include "engine/precision/plan.h"
#include "engine/preset/preset_io.h"
#include "engine/train/run.h"
#include "tests/environment.h"
#include "tests/matrix/combination.h"

namespace mantissa {
namespace {
namespace fs = std::filesystem;
using testing::Combination;

constexpr std::int64_t kSteps = 20, kResumeAt = 10;

/// Tolerance of |loss - fp32's|, relative to the decrease of fp32's loss.
double tolerance(const Preset& p) {
  const bool fp8 = p.precision.compute == ComputeType::fp8 ||
                   p.precision.weights.denoiser == StorageType::fp8_e4m3 ||
                   p.precision.weights.denoiser == StorageType::fp8_e5m2;
  return fp8 ? 0.30 : 0.15;
}

class Recorder final : public RunObserver {
 public:
  Recorder(RunControl& control, std::int64_t stop_at) : control_(control), stop_at_(stop_at) {}
  void on_step(const StepRecord& r) override {
    losses.push_back(r.loss);
    if (r.step == stop_at_) {
      control_.request_stop(RunControl::Stop::save);
    }
  }
  std::vector<double> losses;

 private:
  RunControl& control_;
  std::int64_t stop_at_;
};

class Matrix : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    home_ = fs::path(::testing::TempDir()) / ("mantissa-matrix-" + std::to_string(process_id()));
    fs::remove_all(home_);
    fs::create_directories(home_);
    test::set_environment("MANTISSA_HOME", path_to_utf8(home_));
    test::set_environment("MANTISSA_RESOURCES", MANTISSA_SOURCE_DIR "/resources");
    for (const bool text : {false, true}) {
      record(text);
    }
  }
  static void TearDownTestSuite() { fs::remove_all(home_); }

  static fs::path replay_file(bool text, int accumulation) {
    return home_ / ((text ? "text-" : "unet-") + std::to_string(accumulation) + ".st");
  }

  /// One micro-step of the tiny model, repeated: the loss of a fixed batch must fall.
  static void record(bool text) {
    Combination c;
    c.level[Combination::groups] = text ? 1 : 0;
    JobSpec job;
    job.preset = testing::reference_of(c);
    job.preset.data.resolution = 64;
    job.preset.training.steps = 1;
    job.base = base();
    job.images = {"demo"};
    job.out = home_ / "record";
    job.trace = home_ / "one.st";
    job.overwrite = true;  // several traces in turn
    RunControl control;
    Recorder recorder(control, -1);
    run_training(job, control, recorder);
    fs::remove_all(job.out);
    const SafetensorsFile one = SafetensorsFile::open(*job.trace);
    for (const int accumulation : {1, 2}) {
      std::vector<TensorToWrite> tensors;
      for (int i = 1; i <= accumulation * kSteps; ++i) {
        char prefix[32];
        std::snprintf(prefix, sizeof prefix, "step.%04d.", i);
        for (const TensorInfo& t : one.tensors()) {
          if (t.name.starts_with("step.0001.") && t.name.find(".grad.") == std::string::npos) {
            tensors.push_back({prefix + t.name.substr(10), t.type.value(), t.shape(), t.data, {}});
          }
        }
      }
      write_safetensors(replay_file(text, accumulation), tensors);
    }
  }
  static fs::path base() { return fs::path(MANTISSA_TEST_DATA) / "golden/models/b"; }

  static JobSpec job_of(const Preset& preset, const char* folder) {
    JobSpec job;
    job.preset = preset;
    job.base = base();
    job.replay =
        replay_file(preset.training.parts.size() > 1, preset.training.gradient_accumulation);
    job.out = home_ / folder;
    job.device = device();
    return job;
  }

  /// The card that tests/gpu.sh names, else the CPU.
  static std::string device() {
    const char* named = std::getenv("MANTISSA_TEST_DEVICE");
    return named != nullptr ? named : "cpu";
  }

  struct Outcome {
    std::optional<Error> refusal;
    std::vector<double> losses;
    std::string state;  ///< SHA-256 of the last checkpoint's state
  };
  static std::string state_of(const fs::path& run) {
    char name[32];
    std::snprintf(name, sizeof name, "step-%08d", static_cast<int>(kSteps));
    return sha256_file(run / "checkpoints" / name / "state.safetensors");
  }
  /// Trains to the end, or to `stop_at` and then resumes.
  static Outcome train(const Preset& preset, std::int64_t stop_at = -1) {
    Outcome outcome;
    JobSpec job = job_of(preset, "run");
    fs::remove_all(job.out);
    for (;;) {
      RunControl control;
      Recorder recorder(control, stop_at);
      try {
        run_training(job, control, recorder);
        outcome.losses.insert(outcome.losses.end(), recorder.losses.begin(), recorder.losses.end());
        outcome.state = state_of(job.out);
        return outcome;
      } catch (const Error& e) {
        if (e.kind() == ErrorKind::precision) {
          outcome.refusal = e;
          return outcome;
        }
        if (e.kind() != ErrorKind::interrupted) {
          throw;
        }
        outcome.losses.insert(outcome.losses.end(), recorder.losses.begin(), recorder.losses.end());
        job.resume = job.out;
        stop_at = -1;
      }
    }
  }
  /// Losses of the same preset in fp32.
  static const std::vector<double>& reference(const Combination& c) {
    const Preset preset = testing::reference_of(c);
    const std::string key = to_json(preset, WriteMode::full);
    auto it = references_.find(key);
    if (it == references_.end()) {
      it = references_.emplace(key, train(preset).losses).first;
    }
    return it->second;
  }

  /// The guarantee, for one combination.
  static void check(const Combination& c) {
    SCOPED_TRACE(c.text());
    const Preset preset = testing::preset_of(c);
    const PlanReport plan = plan_training(job_of(preset, "check"));
    const Finding* refusal = nullptr;
    for (const Finding& f : plan.findings) {
      refusal = refusal == nullptr && f.verdict == "refused" ? &f : refusal;
    }
    if (refusal != nullptr) {
      const Outcome outcome = train(preset);
      ++refused_[refusal->id];
      ASSERT_TRUE(outcome.refusal) << "check refuses with " << refusal->id << ", train trains";
      EXPECT_EQ(outcome.refusal->id(), refusal->id);
      return;
    }
    const Outcome straight = train(preset);
    ASSERT_FALSE(straight.refusal)
        << "check lets it pass, train refuses: " << straight.refusal->what();
    ++trained_;
    ASSERT_EQ(straight.losses.size(), static_cast<std::size_t>(kSteps));
    for (const double loss : straight.losses) {
      ASSERT_TRUE(std::isfinite(loss));
    }
    const std::vector<double>& exact = reference(c);
    const double start = exact.front(), way = start - exact.back();
    EXPECT_GT(way, 0.02 * start) << "fp32 itself gets nowhere";
    EXPECT_LT(straight.losses.back(), straight.losses.front() - 0.5 * way) << "the loss falls";
    EXPECT_NEAR(straight.losses.back(), exact.back(), tolerance(preset) * way);
    const Outcome resumed = train(preset, kResumeAt);
    EXPECT_EQ(resumed.losses, straight.losses) << "exact resume";
    EXPECT_EQ(resumed.state, straight.state) << "exact resume";
  }

  static inline fs::path home_;
  static inline std::map<std::string, std::vector<double>> references_;
  static inline std::map<std::string, int> refused_;
  static inline int trained_ = 0;
};

/// Number of combinations trained unchanged, adjusted, and refused, by id.
struct Verdicts {
  std::int64_t as_they_are = 0, adjusted = 0, refused = 0;
  std::map<std::string, std::int64_t> by_id;
};

Verdicts count_verdicts() {
  Verdicts verdicts;
  for (std::int64_t i = 0; i < testing::combination_count(); ++i) {
    const PrecisionPlan plan = make_precision_plan(testing::preset_of(testing::combination(i)));
    std::set<std::string> ids;
    bool adjusted = false;
    for (const PrecisionFinding& f : plan.findings) {
      if (f.verdict == Verdict::refused || f.verdict == Verdict::adjusted) {
        ids.insert(f.id);
        adjusted = true;
      }
    }
    if (const PrecisionFinding* refusal = plan.refusal()) {
      ++verdicts.refused;
      ids = {refusal->id};
    } else {
      ++(adjusted ? verdicts.adjusted : verdicts.as_they_are);
    }
    for (const std::string& id : ids) {
      ++verdicts.by_id[id];
    }
  }
  return verdicts;
}

// These are the figures of resources/docs/verification.md: change them together.
TEST(MatrixVerdicts, OfAllCombinations) {
  const Verdicts v = count_verdicts();
  EXPECT_EQ(v.as_they_are, 23040);
  EXPECT_EQ(v.adjusted, 122112);
  EXPECT_EQ(v.refused, 81648);
  const std::map<std::string, std::int64_t> by_id{{"B12", 13824}, {"B15", 34560}, {"B5", 48384},
                                                  {"B8", 55296},  {"H5", 6048},   {"H8", 18144},
                                                  {"Q2", 72576},  {"Q4", 54432},  {"S4", 75600}};
  EXPECT_EQ(v.by_id, by_id);
}

TEST_F(Matrix, JobsRunOnTheDeviceUnderTest) {
  const char* named = std::getenv("MANTISSA_TEST_DEVICE");
  const std::string before = named != nullptr ? named : "";
  test::set_environment("MANTISSA_TEST_DEVICE", "cuda:5");
  EXPECT_EQ(job_of(Preset{}, "run").device, "cuda:5");
  test::set_environment("MANTISSA_TEST_DEVICE", std::nullopt);
  EXPECT_EQ(job_of(Preset{}, "run").device, "cpu");
  if (!before.empty()) {
    test::set_environment("MANTISSA_TEST_DEVICE", before);
  }
}

TEST_F(Matrix, TheCoveringSetHoldsEveryTriple) {
  const std::vector<Combination> set = testing::covering_combinations();
  const std::size_t pairs = testing::pairs_covered(set);
  std::printf("%zu combinations for every triple, the first %zu for every pair\n", set.size(),
              pairs);
  EXPECT_LT(pairs, set.size() / 2);
  const auto& levels = Combination::kLevels;
  for (int a = 0; a < Combination::kFactors; ++a) {
    for (int b = a + 1; b < Combination::kFactors; ++b) {
      for (int c = b + 1; c < Combination::kFactors; ++c) {
        std::set<std::array<int, 3>> seen;
        for (const Combination& x : set) {
          seen.insert({x.level[static_cast<std::size_t>(a)], x.level[static_cast<std::size_t>(b)],
                       x.level[static_cast<std::size_t>(c)]});
        }
        EXPECT_EQ(seen.size(), static_cast<std::size_t>(levels[static_cast<std::size_t>(a)] *
                                                        levels[static_cast<std::size_t>(b)] *
                                                        levels[static_cast<std::size_t>(c)]));
      }
    }
  }
}

/// The covering set is split into parts that run in parallel.
class MatrixPart : public Matrix, public ::testing::WithParamInterface<int> {
 protected:
  static constexpr int kParts = 8;
  void check_all(const std::vector<Combination>& combinations);
};

TEST_P(MatrixPart, EveryPairTrainsOrIsRefusedBeforeItStarts) {
  const std::vector<Combination> set = testing::covering_combinations();
  std::size_t rows = testing::pairs_covered(set);
  if (const char* most = std::getenv("MANTISSA_MATRIX_ROWS")) {
    rows = std::min(rows, static_cast<std::size_t>(std::atoi(most)));
  }
  std::vector<Combination> combinations;
  for (std::size_t i = static_cast<std::size_t>(GetParam()); i < rows; i += kParts) {
    combinations.push_back(set[i]);
  }
  check_all(combinations);
}

TEST_P(MatrixPart, NightlyEveryTripleTrainsOrIsRefusedBeforeItStarts) {
  std::vector<Combination> combinations;
  if (const char* wanted = std::getenv("MANTISSA_MATRIX"); wanted == nullptr) {
    const std::vector<Combination> set = testing::covering_combinations();
    const std::size_t pairs = testing::pairs_covered(set);
    for (std::size_t i = pairs + static_cast<std::size_t>(GetParam()); i < set.size();
         i += kParts) {
      combinations.push_back(set[i]);
    }
  } else {
    long part = 1, parts = 1;
    if (std::string(wanted) != "full") {
      ASSERT_EQ(std::sscanf(wanted, "%ld/%ld", &part, &parts), 2) << "MANTISSA_MATRIX: full or i/n";
    }
    for (std::int64_t i = (part - 1) * kParts + GetParam(); i < testing::combination_count();
         i += parts * kParts) {
      combinations.push_back(testing::combination(i));
    }
  }
  check_all(combinations);
}

void MatrixPart::check_all(const std::vector<Combination>& combinations) {
  for (const Combination& c : combinations) {
    check(c);
    if (HasFatalFailure()) {
      return;
    }
  }
  std::printf("%zu combinations: %d trained", combinations.size(), trained_);
  for (const auto& [id, count] : refused_) {
    std::printf(", %d refused by %s", count, id.c_str());
  }
  std::printf("\n");
}
INSTANTIATE_TEST_SUITE_P(Covering, MatrixPart, ::testing::Range(0, 8));

}  // namespace
}  // namespace mantissa
