#pragma once
// Short runs of the mini model in a separate home, on base models with edited weights.

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <gtest/gtest.h>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "engine/core/error.h"
#include "engine/preset/names.h"
#include "engine/run/run.h"
#include "engine/run/run_control.h"
#include "engine/train/run_training.h"
#include "tests/environment.h"

namespace mantissa::testing_support {

/// Records layer statistics.
class HealthRecorder : public RunObserver {
 public:
  void on_step(const StepRecord& r) override { steps.push_back(r); }
  void on_health(const HealthRecord& r) override { health.push_back(r); }
  void on_non_finite(const NonFiniteReport& r) override { non_finite.push_back(r); }
  void on_log(LogLevel, const Message& line) override { log += line.text() + "\n"; }
  std::vector<StepRecord> steps;
  std::vector<HealthRecord> health;
  std::vector<NonFiniteReport> non_finite;
  std::string log;
};

/// The memory of activations as planned, and the losses.
class StepRecorder : public RunObserver {
 public:
  void on_plan(const PlanReport& plan) override { arena_bytes = plan.arena_bytes; }
  void on_step(const StepRecord& r) override { losses.push_back(r.loss); }
  std::uint64_t arena_bytes = 0;
  std::vector<double> losses;
};

class RunFixture : public testing::Test {
 protected:
  void SetUp() override {
    const auto* info = testing::UnitTest::GetInstance()->current_test_info();
    home_ = std::filesystem::path(testing::TempDir()) /
            (std::string("mantissa-") + info->test_suite_name() + "-" + info->name());
    std::filesystem::remove_all(home_);
    std::filesystem::create_directories(home_);
    test::set_environment("MANTISSA_HOME", path_to_utf8(home_));
    test::set_environment("MANTISSA_RESOURCES", MANTISSA_SOURCE_DIR "/resources");
    job_.base = "demo";
    job_.images = {"demo"};
    job_.preset.data.resolution = 64;
    job_.preset.data.batch_size = 1;
    job_.preset.adapter.rank = 4;
    job_.preset.training.steps = 4;
    job_.preset.optimizer.learning_rate = 1e-3;
    job_.preset.output.name = "test";
    job_.out = home_ / "run";
  }
  void TearDown() override {
    std::error_code held;  // under Windows: what a member still has open goes with the next test
    std::filesystem::remove_all(home_, held);
  }

  static RunResult run(const JobSpec& job, RunObserver& observer) {
    RunControl control;
    return run_training(job, control, observer);
  }
  JobSpec job_into(const char* folder) const {
    JobSpec job = job_;
    job.out = home_ / folder;
    return job;
  }

  /// Each scope of checkpointing gives the losses of the job without it, to the bit, in less memory
  /// than the scope before.
  void expect_every_checkpointing_scope_is_the_same() const {
    StepRecorder kept;
    run(job_into("kept"), kept);
    std::uint64_t before = kept.arena_bytes;
    for (const CheckpointingScope scope :
         {CheckpointingScope::activations, CheckpointingScope::feed_forward,
          CheckpointingScope::blocks}) {
      SCOPED_TRACE(enum_name(scope));
      JobSpec job = job_into(std::string(enum_name(scope)).c_str());
      job.preset.training.gradient_checkpointing = true;
      job.preset.training.checkpointing_scope = scope;
      StepRecorder recomputed;
      run(job, recomputed);
      EXPECT_EQ(recomputed.losses, kept.losses);
      EXPECT_LT(recomputed.arena_bytes, before);
      before = recomputed.arena_bytes;
    }
  }

  /// The demo's base model with the fp16 weight `name` (LDM naming) changed by `edit`, which
  /// receives its codes and its shape.
  using Edit = std::function<void(std::vector<std::uint16_t>&, const std::vector<std::int64_t>&)>;
  std::filesystem::path edited_base(const std::vector<std::pair<std::string, Edit>>& edits) {
    std::ifstream in(MANTISSA_SOURCE_DIR "/resources/demo/mini-sdxl.safetensors", std::ios::binary);
    std::string bytes{std::istreambuf_iterator<char>(in), {}};
    std::uint64_t length = 0;
    std::memcpy(&length, bytes.data(), sizeof length);
    const auto header = nlohmann::json::parse(bytes.substr(8, length));
    for (const auto& [name, edit] : edits) {
      const auto& tensor = header.at(name);
      const auto offsets = tensor.at("data_offsets").get<std::vector<std::uint64_t>>();
      std::vector<std::uint16_t> codes((offsets[1] - offsets[0]) / 2);
      char* at = bytes.data() + 8 + length + offsets[0];
      std::memcpy(codes.data(), at, codes.size() * 2);
      edit(codes, tensor.at("shape").get<std::vector<std::int64_t>>());
      std::memcpy(at, codes.data(), codes.size() * 2);
    }
    const std::filesystem::path file = home_ / "base.safetensors";
    std::ofstream(file, std::ios::binary) << bytes;
    return file;
  }

  std::filesystem::path home_;
  JobSpec job_;
};

}  // namespace mantissa::testing_support
