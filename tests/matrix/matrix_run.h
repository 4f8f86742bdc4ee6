#pragma once
// The guarantee of the precision matrix, for one combination on one tiny model.

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <gtest/gtest.h>
#include <map>
#include <optional>

#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/core/system.h"
#include "engine/io/family.h"
#include "engine/io/file.h"
#include "engine/io/safetensors.h"
#include "engine/io/weights.h"
#include "engine/plan/plan_run.h"
#include "engine/plan/planned_run.h"
#include "engine/precision/dtypes.h"
#include "engine/precision/plan.h"
#include "engine/preset/preset_io.h"
#include "engine/run/run.h"
#include "engine/run/run_control.h"
#include "engine/train/run_training.h"
#include "tests/environment.h"
#include "tests/matrix/combination.h"

namespace mantissa::testing {

namespace fs = std::filesystem;

/// Tolerance of |loss - reference's|, relative to the decrease of the reference's loss.
inline double tolerance(const Preset& p) {
  return multiplied_codes(p.precision.compute) ? 0.30 : 0.15;
}
/// Tolerance of the loss before training, beside that of fp32 weights.
inline double tolerance_of_base(const Preset& p) {
  return is_quantized(p.precision.weights.denoiser) ? 0.30 : tolerance(p);
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
    use("b");
  }
  /// Trains this model of tests/golden/models.
  static void use(const char* model) {
    const fs::path base = fs::path(MANTISSA_TEST_DATA) / "golden/models" / model;
    if (base == base_) {
      return;
    }
    base_ = base;
    family_ = &WeightSource::open(base_).family();
    references_.clear();
    for (const bool text : {false, true}) {
      record(text);
    }
  }
  static void TearDownTestSuite() { fs::remove_all(home_); }

  /// A trace has the micro-steps of a whole run, which ends with it.
  static fs::path replay_file(bool text, std::int64_t micro_steps) {
    return home_ / ((text ? "text-" : "unet-") + std::to_string(micro_steps) + ".st");
  }

  /// Without the text encoders that the model doesn't have.
  static Preset fitted(Preset preset) {
    const auto lacks = [](Part part) { return family_->part(part) == nullptr; };
    std::erase_if(preset.training.parts, lacks);
    std::erase_if(preset.optimizer.groups, [&](const auto& group) { return lacks(group.part); });
    return preset;
  }

  /// One micro-step of the tiny model, repeated: the loss of a fixed batch must fall.
  static void record(bool text) {
    Combination c;
    c.level[Combination::groups] = text ? 1 : 0;
    JobSpec job;
    job.preset = fitted(reference_of(c));
    job.preset.data.resolution = 64;
    job.preset.training.steps = 1;
    job.base = base_;
    job.images = {"demo"};
    job.out = home_ / "record";
    job.trace = home_ / "one.st";
    job.overwrite = true;  // several traces in turn
    RunControl control;
    Recorder recorder(control, -1);
    run_training(job, control, recorder);
    fs::remove_all(job.out);
    const SafetensorsFile one = SafetensorsFile::open(*job.trace);
    for (const std::int64_t micro_steps : {20, 40, 80, 160}) {
      std::vector<TensorToWrite> tensors;
      for (int i = 1; i <= micro_steps; ++i) {
        char prefix[32];
        std::snprintf(prefix, sizeof prefix, "step.%04d.", i);
        for (const TensorInfo& t : one.tensors()) {
          if (t.name.starts_with("step.0001.") && t.name.find(".grad.") == std::string::npos) {
            tensors.push_back({prefix + t.name.substr(10), t.type.value(), t.shape(), t.data, {}});
          }
        }
      }
      write_safetensors(replay_file(text, micro_steps), tensors, one.metadata());
    }
  }

  static JobSpec job_of(const Preset& preset, const char* folder) {
    JobSpec job;
    job.preset = preset;
    job.base = base_;
    job.replay = replay_file(preset.training.parts.size() > 1,
                             preset.training.steps * preset.training.gradient_accumulation);
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
  static std::string state_of(const fs::path& run, std::int64_t steps) {
    char name[32];
    std::snprintf(name, sizeof name, "step-%08d", static_cast<int>(steps));
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
        outcome.state = state_of(job.out, preset.training.steps);
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
  /// Losses of the same preset computed in fp32.
  static const std::vector<double>& reference(const Combination& c) {
    const Preset preset = fitted(reference_of(c));
    const std::string key = to_json(preset, WriteMode::full);
    auto it = references_.find(key);
    if (it == references_.end()) {
      it = references_.emplace(key, train(preset).losses).first;
    }
    return it->second;
  }

  /// Losses of the base with everything in fp32, the stored weights too, as a plain LoRA trains on
  /// it. Adapters begin without an effect, so its first is that of all, and its way is the unit of
  /// what rounding the base may cost: a form that learns little doesn't make the base any finer.
  static const std::vector<double>& of_base(const Combination& c) {
    Combination plain;
    plain.level[Combination::groups] = c.level[Combination::groups];
    plain.level[Combination::accumulation] = c.level[Combination::accumulation];
    return reference(plain);
  }

  /// The guarantee, for one combination.
  static void check(const Combination& c) {
    SCOPED_TRACE(c.text());
    const Preset preset = fitted(preset_of(c));
    const PlanReport plan = plan_training(job_of(preset, "check"));
    const Finding* refusal = nullptr;
    for (const Finding& f : plan.findings) {
      refusal = refusal == nullptr && f.verdict == Verdict::refused ? &f : refusal;
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
    ASSERT_EQ(straight.losses.size(), static_cast<std::size_t>(preset.training.steps));
    for (const double loss : straight.losses) {
      ASSERT_TRUE(std::isfinite(loss));
    }
    const std::vector<double>& exact = reference(c);
    const double start = exact.front(), way = start - exact.back();
    EXPECT_GT(way, 0.02 * start) << "fp32 itself gets nowhere";
    const std::vector<double>& base = of_base(c);
    EXPECT_NEAR(straight.losses.front(), base.front(),
                tolerance_of_base(preset) * (base.front() - base.back()))
        << "the base model's";
    EXPECT_LT(straight.losses.back(), straight.losses.front() - 0.5 * way) << "the loss falls";
    EXPECT_NEAR(straight.losses.back(), exact.back(), tolerance(preset) * way);
    const Outcome resumed = train(preset, preset.training.steps / 2);
    EXPECT_EQ(resumed.losses, straight.losses) << "exact resume";
    EXPECT_EQ(resumed.state, straight.state) << "exact resume";
  }

  static inline fs::path home_, base_;
  static inline const Family* family_ = nullptr;
  static inline std::map<std::string, std::vector<double>> references_;
  static inline std::map<std::string, int> refused_;
  static inline int trained_ = 0;
};

}  // namespace mantissa::testing
