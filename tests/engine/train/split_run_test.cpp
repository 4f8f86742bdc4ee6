// A run whose layers are split over several devices: the same to the bit as on one, wherever it is
// cut.
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <set>

#include "engine/core/paths.h"
#include "engine/io/file.h"
#include "engine/preflight/job_problems.h"
#include "engine/preflight/preflight.h"
#include "engine/preset/names.h"
#include "engine/run/checkpoint.h"
#include "engine/train/run_training.h"
#include "tests/engine/train/run_fixture.h"
#include "tests/golden_families.h"

namespace mantissa {
namespace {

class SplitRecorder : public testing_support::HealthRecorder {
 public:
  void on_plan(const PlanReport& r) override { plan = r; }
  void on_sample(const SampleRecord& r) override { samples.push_back(r); }
  void on_validation(const ValidationRecord& r) override { validation.push_back(r.loss); }
  PlanReport plan;
  std::vector<SampleRecord> samples;
  std::vector<double> validation;
};

/// Runs of a model in tests/golden/models, or the demo's.
class SplitRunTest : public testing_support::RunFixture {
 protected:
  struct Result {
    SplitRecorder seen;
    std::string adapter, state;
    std::string cut;  ///< the line of the log
  };
  /// Devices of these budgets, or one without any.
  Result trained(const char* folder, const std::vector<std::uint64_t>& budgets) const {
    JobSpec job = job_into(folder);
    for (const std::uint64_t budget : budgets) {
      job.split.push_back({"cpu", budget});
    }
    Result result;
    const RunResult run = RunFixture::run(job, result.seen);
    result.adapter = read_text(run.adapter);
    result.state = last_state(job.out);
    const std::string& log = result.seen.log;
    const std::size_t at = log.find("the layers are split");
    result.cut = at == std::string::npos ? "" : log.substr(at, log.find('\n', at) - at);
    return result;
  }
  static std::string last_state(const std::filesystem::path& run) {
    const auto newest = CheckpointFolder(run / "checkpoints").newest_valid([](const Message&) {});
    return newest ? read_text(*newest / "state.safetensors") : "";
  }

  /// Every number that a run tells, and its files.
  static void expect_same(const Result& split, const Result& whole) {
    ASSERT_EQ(split.seen.steps.size(), whole.seen.steps.size());
    for (std::size_t i = 0; i < whole.seen.steps.size(); ++i) {
      const StepRecord &a = split.seen.steps[i], &b = whole.seen.steps[i];
      EXPECT_EQ(a.loss, b.loss) << i;
      EXPECT_TRUE(a.grad_norm == b.grad_norm || (b.skipped && std::isnan(a.grad_norm))) << i;
      EXPECT_EQ(a.skipped, b.skipped) << i;
      EXPECT_EQ(a.clipped, b.clipped) << i;
      EXPECT_EQ(a.loss_scale, b.loss_scale) << i;
      EXPECT_EQ(a.lost_update, b.lost_update) << i;
      EXPECT_EQ(a.update_ratio, b.update_ratio) << i;
    }
    EXPECT_EQ(split.adapter, whole.adapter);
    EXPECT_EQ(split.state, whole.state);
    EXPECT_EQ(split.seen.validation, whole.seen.validation);
    ASSERT_EQ(split.seen.samples.size(), whole.seen.samples.size());
    for (std::size_t i = 0; i < whole.seen.samples.size(); ++i) {
      EXPECT_EQ(read_text(split.seen.samples[i].path), read_text(whole.seen.samples[i].path));
    }
    ASSERT_EQ(split.seen.health.size(), whole.seen.health.size());
    for (std::size_t i = 0; i < whole.seen.health.size(); ++i) {
      const auto &a = split.seen.health[i].rows, &b = whole.seen.health[i].rows;
      ASSERT_EQ(a.size(), b.size());
      const auto amax_of = [](const HealthRow& row) {
        return row.layer + std::string(health_kind_name(row.kind)) +
               std::to_string(row.statistics.amax);
      };
      std::multiset<std::string> mine, other;
      std::ranges::transform(a, std::inserter(mine, mine.end()), amax_of);
      std::ranges::transform(b, std::inserter(other, other.end()), amax_of);
      EXPECT_EQ(mine, other);
    }
  }

  /// On one device, and cut at several places; with three devices too.
  void expect_every_cut_is_the_same(std::size_t least_cuts = 3) {
    const std::string name(enum_name(job_.preset.adapter.type));
    const Result whole = trained((name + "-whole").c_str(), {});
    const auto peak = static_cast<double>(whole.seen.plan.peak_bytes);
    constexpr std::uint64_t kReserve = 8 << 20;  // for libraries, as planned
    std::set<std::string> cuts;
    int number = 0;
    for (const std::vector<double>& shares :
         {std::vector{1e3, 1e3}, {0.55, 1e3}, {1e3, 0.55}, {0.75, 0.75}, {0.6, 0.6, 0.6}}) {
      std::vector<std::uint64_t> budgets;
      for (const double share : shares) {
        budgets.push_back(static_cast<std::uint64_t>(share * peak) + kReserve);
      }
      const Result split = trained((name + std::to_string(number++)).c_str(), budgets);
      SCOPED_TRACE(split.cut);
      EXPECT_NE(split.cut, "");
      cuts.insert(split.cut.substr(0, split.cut.find(" MB")));
      expect_same(split, whole);
    }
    EXPECT_GE(cuts.size(), least_cuts);
  }
};

TEST_F(SplitRunTest, LoraInFp32) {
  job_.preset.precision.compute = ComputeType::fp32;
  expect_every_cut_is_the_same();
}

TEST_F(SplitRunTest, DoraInBf16WithEverythingThatNeedsAllGradients) {
  job_.preset.adapter.type = AdapterType::dora;
  job_.preset.adapter.targets = {"linear+conv"};
  job_.preset.precision.compute = ComputeType::bf16;
  job_.preset.precision.adapter = MasterType::bf16;
  job_.preset.training.gradient_accumulation = 2;
  job_.preset.training.max_grad_norm = 1e-3;
  job_.preset.training.ema = 0.9;
  job_.preset.training.gradient_checkpointing = true;
  expect_every_cut_is_the_same();
}

TEST_F(SplitRunTest, Fp16WithOverflowsAndTrainedTextEncoders) {
  job_.preset.precision.compute = ComputeType::fp16;
  job_.preset.precision.loss_scaling = {LossScaling::Mode::dynamic, 0};
  job_.preset.training.parts = {kDenoiser, kTe1, kTe2};
  job_.preset.training.max_grad_norm = 0;
  job_.preset.optimizer.type = OptimizerType::adamw8bit;
  job_.preset.training.steps = 8;
  const Result whole = trained("first", {});
  EXPECT_TRUE(std::ranges::any_of(whole.seen.steps, &StepRecord::skipped));
  EXPECT_FALSE(std::ranges::all_of(whole.seen.steps, &StepRecord::skipped));
  expect_every_cut_is_the_same();
}

TEST_F(SplitRunTest, DoraInFp16WithAFactoredOptimizer) {
  job_.preset.adapter.type = AdapterType::dora;
  job_.preset.adapter.init = AdapterInit::pissa;
  job_.preset.precision.compute = ComputeType::fp16;
  job_.preset.precision.weights.denoiser = StorageType::int8;
  job_.preset.optimizer.type = OptimizerType::came;
  expect_every_cut_is_the_same();
}

TEST_F(SplitRunTest, WholeWeightsAndShuffledCaptions) {
  job_.preset.training.method = TrainingMethod::full;
  job_.preset.data.shuffle_captions = true;
  expect_every_cut_is_the_same();
}

TEST_F(SplitRunTest, EveryFamily) {
  job_.preset.precision.compute = ComputeType::bf16;
  for (const std::string& model : test::transformer_models()) {
    if (model == "flux2") {
      continue;  // ATransformer
    }
    SCOPED_TRACE(model);
    job_.base = std::filesystem::path(MANTISSA_TEST_DATA) / "golden/models" / model;
    const Result whole = trained((model + "-whole").c_str(), {});
    const Result split =
        trained((model + "-split").c_str(),
                std::vector<std::uint64_t>(2, whole.seen.plan.peak_bytes * 4 / 5 + (8 << 20)));
    EXPECT_NE(split.cut, "");
    expect_same(split, whole);
  }
}

TEST_F(SplitRunTest, ATransformer) {
  job_.base = std::filesystem::path(MANTISSA_TEST_DATA) / "golden/models/flux2";
  for (const AdapterType type : {AdapterType::lora, AdapterType::dora}) {
    SCOPED_TRACE(enum_name(type));
    job_.preset.adapter.type = type;
    job_.preset.precision.weights.denoiser = StorageType::nf4;
    job_.preset.precision.compute = ComputeType::bf16;
    expect_every_cut_is_the_same(2);
  }
}

/// The files of a split run are those of any other: each continues the other's.
TEST_F(SplitRunTest, ResumesUnsplitAndTheOtherWay) {
  job_.preset.adapter.type = AdapterType::dora;
  job_.preset.training.ema = 0.9;
  job_.preset.training.steps = 6;
  const Result whole = trained("whole", {});
  const auto peak = whole.seen.plan.peak_bytes + (8 << 20);
  class StopAtThree : public RunObserver {
   public:
    explicit StopAtThree(RunControl& control) : control_(control) {}
    void on_step(const StepRecord& r) override {
      if (r.step == 3) {
        control_.request_stop(RunControl::Stop::save);
      }
    }

   private:
    RunControl& control_;
  };
  for (const bool begins_split : {true, false}) {
    SCOPED_TRACE(begins_split);
    JobSpec job = job_into(begins_split ? "begun-split" : "ends-split");
    const std::vector<SplitDevice> devices{{"cpu", peak * 3 / 4}, {"cpu", peak * 3 / 4}};
    job.split = begins_split ? devices : std::vector<SplitDevice>();
    RunControl control;
    StopAtThree stop(control);
    EXPECT_THROW(run_training(job, control, stop), Error);
    job.resume = job.out;
    job.split = begins_split ? std::vector<SplitDevice>() : devices;
    SplitRecorder seen;
    const RunResult result = RunFixture::run(job, seen);
    EXPECT_EQ(seen.steps.size(), 3U);
    EXPECT_EQ(read_text(result.adapter), whole.adapter);
    EXPECT_EQ(last_state(job.out), whole.state);
  }
}

/// "Two cards of 12 GB train what needs 20", of the mini model's size.
TEST_F(SplitRunTest, TwoDevicesTrainWhatOneCannot) {
  const Result whole = trained("whole", {});
  const std::uint64_t budget = whole.seen.plan.peak_bytes * 3 / 5 + (8 << 20);
  job_.preset.data.batch_size = 8;
  job_.preset.data.resolution = 128;
  job_.memory_budget = trained("large", {}).seen.plan.peak_bytes * 3 / 5 + (8 << 20);
  EXPECT_GT(job_.memory_budget, budget);
  SplitRecorder alone;
  try {
    run(job_into("alone"), alone);
    FAIL() << "one device trains it";
  } catch (const Error& e) {
    EXPECT_EQ(e.kind(), ErrorKind::out_of_memory);
  }
  EXPECT_EQ(trained("both", {0, 0}).seen.steps.size(), 4U);
  job_.memory_budget = budget;
  try {
    trained("neither", {0, 0});
    FAIL() << "they train it with too little memory";
  } catch (const Error& e) {
    EXPECT_EQ(e.kind(), ErrorKind::out_of_memory);
    EXPECT_NE(std::string(e.what()).find("cpu would have "), std::string::npos) << e.what();
  }
}

TEST_F(SplitRunTest, PreflightTellsThePartsAndWhatDoesNotFit) {
  const auto finding = [this](const char* id) {
    const PlanReport report = preflight(job_, PreflightDepth::whole);
    const auto found = std::ranges::find(report.findings, id, &Finding::id);
    return found != report.findings.end() ? *found : Finding();
  };
  job_.split = {{"cpu"}, {"cpu"}};
  const Finding told = finding("split");
  EXPECT_EQ(told.verdict, Verdict::adjusted);
  EXPECT_NE(told.message.text().find("the layers are split over 2 cards: cpu denoiser."),
            std::string::npos)
      << told.message.text();
  job_.memory_budget = 9 << 20;
  const Finding full = finding("memory");
  EXPECT_EQ(full.verdict, Verdict::refused);
  EXPECT_EQ(refusal_kind(full), ErrorKind::out_of_memory);
  job_.memory_budget = 0;
  job_.preset.optimizer.type = OptimizerType::prodigy;
  const Finding refused = finding("split");
  EXPECT_EQ(refused.verdict, Verdict::refused);
  EXPECT_EQ(refusal_kind(refused), ErrorKind::input);
}

TEST_F(SplitRunTest, WhatItCannotDoIsRefusedWithTheRemedy) {
  const auto refusal = [this](const std::function<void(JobSpec&)>& change) -> std::string {
    JobSpec job = job_into("refused");
    job.split = {{"cpu"}, {"cpu"}};
    change(job);
    SplitRecorder seen;
    try {
      run(job, seen);
    } catch (const Error& e) {
      return e.what();
    }
    return "";
  };
  const auto has = [](const std::string& text, const char* part) {
    return text.find(part) != std::string::npos;
  };
  EXPECT_TRUE(has(refusal([](JobSpec& job) {
                    job.preset.optimizer.fused_back_pass = true;
                    job.preset.training.max_grad_norm = 0;
                  }),
                  "Set optimizer.fused_back_pass to false"));
  EXPECT_TRUE(has(refusal([](JobSpec& job) { job.preset.optimizer.type = OptimizerType::prodigy; }),
                  "Set optimizer.type to adamw"));
  EXPECT_TRUE(has(refusal([](JobSpec& job) { job.preset.precision.compute = ComputeType::fp8; }),
                  "Set precision.compute to bf16"));
  EXPECT_TRUE(
      has(refusal([this](JobSpec& job) { job.trace = home_ / "trace.safetensors"; }), "--trace"));
  EXPECT_TRUE(has(refusal([](JobSpec& job) { job.split.pop_back(); }), "cuda:0,1"));
  EXPECT_FALSE(std::filesystem::exists(home_ / "refused")) << "before the run begins";
}

TEST_F(SplitRunTest, SamplesAndValidationToo) {
  job_.preset.adapter.type = AdapterType::lokr;
  job_.preset.data.validation_share = 0.2;
  job_.preset.training.validate_every = 2;
  job_.preset.samples.every = 4;
  job_.preset.samples.prompts = {{"a red cat", "", 1, 64, 64, 3, 4.0}};
  expect_every_cut_is_the_same();
}

}  // namespace
}  // namespace mantissa
