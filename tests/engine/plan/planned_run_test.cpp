// A run planned once: the order of planning, its content, and the same result for all callers.
#include "engine/plan/planned_run.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/core/error.h"
#include "engine/io/image.h"
#include "engine/plan/fit_options.h"
#include "engine/plan/plan_run.h"
#include "engine/preset/preset_io.h"
#include "kernels/cpu/cpu.h"
#include "tests/engine/train/run_fixture.h"

namespace mantissa {
namespace {

/// Records a plan's events, in order.
struct PlanListener : PlanObserver {
  void on_progress(RunPhase phase, std::int64_t, std::int64_t) override {
    if (told.empty() || told.back() != phase_name(phase)) {
      told.emplace_back(phase_name(phase));
    }
  }
  void on_notice(LogLevel level, const Message& line) override {
    notices += std::string(log_level_name(level)) + line.text() + "\n";
  }
  void on_scanned(const PlannedRun& run) override {
    told.emplace_back("scanned");
    images = run.data ? std::ssize(run.data->images().dataset().items) : 0;
    EXPECT_EQ(run.report.peak_bytes, 0u) << "memory is planned later";
    if (!refusal.empty()) {
      throw Error(Message::verbatim(refusal));
    }
  }
  std::vector<std::string> told;
  std::string notices, refusal;
  std::ptrdiff_t images = 0;
};

class PlannedRunTest : public testing_support::RunFixture {
 protected:
  PlannedRun plan() { return plan_run(open_run(job_), *kernels_, listener_); }
  PlanReport report_of(const Preset& preset) const {
    JobSpec job = job_;
    job.preset = preset;
    return plan_training(job);
  }
  const ImageLibrary library_;
  std::unique_ptr<Kernels> kernels_ = make_cpu_kernels();
  PlanListener listener_;
};

TEST_F(PlannedRunTest, TellsItsStepsInTheirOrder) {
  job_.preset.precision.compute = ComputeType::fp16;
  const PlannedRun run = plan();
  ASSERT_GE(listener_.told.size(), 4u);
  EXPECT_EQ(listener_.told[0], "loading");
  EXPECT_EQ(listener_.told[1], "scanning");
  EXPECT_EQ(listener_.told[2], "scanned");
  EXPECT_EQ(listener_.told.back(), "scanning") << "the cache is looked at last";
  EXPECT_GT(listener_.images, 0);
  ASSERT_FALSE(run.precision.findings.empty());
  for (const PrecisionFinding& f : run.precision.findings) {
    EXPECT_NE(listener_.notices.find(f.id + ": "), std::string::npos) << listener_.notices;
  }
}

TEST_F(PlannedRunTest, HoldsWhatCheckShows) {
  job_.preset.samples.prompts = {{"a red circle", "", 1, 64, 64, 2, 4.0}};
  const PlannedRun run = plan();
  const PlanReport check = plan_training(job_);
  EXPECT_EQ(run.report.peak_bytes, check.peak_bytes);
  EXPECT_EQ(run.report.arena_bytes, check.arena_bytes);
  EXPECT_EQ(run.report.precision_json, check.precision_json);
  EXPECT_EQ(run.arena_bytes, run.report.arena_bytes) << "a host keeps no scratch";
  EXPECT_GE(run.arena_bytes, run.phases.sample_arena);
  EXPECT_TRUE(run.streamed.empty());
  EXPECT_EQ(std::ssize(run.data->images().dataset().items), check.data->images);
  EXPECT_TRUE(run.job.preset == run.precision.effective);
  EXPECT_FALSE(check.modules.empty());
}

TEST_F(PlannedRunTest, WhatIsToldMayEndIt) {
  listener_.refusal = "made of other files";
  EXPECT_THROW(plan(), Error);
  EXPECT_EQ(listener_.told.back(), "scanned");
}

TEST_F(PlannedRunTest, WithoutImagesAStepHasThePresetsResolution) {
  job_.images.clear();
  job_.preset.data.resolution = 128;
  job_.preset.data.batch_size = 3;
  PlannedRun run = open_run(job_);
  plan_memory(run, *kernels_, {}, EncodedDataset::Look::headers);
  ASSERT_EQ(run.shapes.shapes.size(), 1u);
  const StepShape shape = run.shapes.shapes[0];
  EXPECT_EQ(shape.batch, 3);
  EXPECT_EQ(shape.height, shape.width);
  EXPECT_EQ(run.shapes.work.width, 128);
  EXPECT_EQ(run.report.free_bytes, 0u) << "nothing limits it";
}

TEST_F(PlannedRunTest, AnotherPresetIsPlannedExactlyWithoutLookingAgain) {
  job_.preset.data.batch_size = 2;
  job_.preset.data.resolution = 128;
  const PlannedRun run = plan();
  const std::uint64_t peak = run.report.peak_bytes;
  const NeedsFunction needs_of = [&](const Preset& preset) {
    return needs_with(run, *kernels_, preset);
  };
  EXPECT_EQ(needs_of(run.job.preset).peak_bytes, peak);
  const std::vector<FitOption> options = fit_options(run.job.preset, peak - 1, needs_of);
  ASSERT_FALSE(options.empty());
  for (const FitOption& option : options) {
    Preset changed = run.job.preset;
    apply_patch(changed, nlohmann::json::parse(option.patch_json));
    EXPECT_EQ(report_of(changed).peak_bytes, option.needs.peak_bytes) << option.patch_json;
    EXPECT_LT(option.needs.peak_bytes, peak) << option.patch_json;
  }
  EXPECT_TRUE(fit_options(run.job.preset, 1000, needs_of).empty())
      << "nothing fits into a kilobyte";
}

TEST_F(PlannedRunTest, WhatDoesNotFitIsRefusedBeforeAnythingIsEncoded) {
  job_.memory_budget = 1 << 20;
  try {
    plan();
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.kind(), ErrorKind::out_of_memory);
  }
  testing_support::HealthRecorder log;
  EXPECT_THROW(run(job_, log), Error);
  EXPECT_EQ(log.log.find("encod"), std::string::npos) << log.log;
  EXPECT_TRUE(log.steps.empty());
}

TEST_F(PlannedRunTest, ATraceStandsInForImages) {
  job_.trace = home_ / "trace.safetensors";
  job_.preset.training.steps = 1;
  testing_support::HealthRecorder log;
  run(job_into("traced"), log);
  job_.replay = *job_.trace;
  job_.trace.reset();
  job_.images.clear();
  const PlannedRun run = plan();
  EXPECT_EQ(run.data, nullptr);
  ASSERT_TRUE(run.replay.has_value());
  EXPECT_FALSE(run.shapes.from_images);
  EXPECT_EQ(run.shapes.shapes[0].batch, 1);
  EXPECT_EQ(plan_training(job_).arena_bytes, run.report.arena_bytes);
}

TEST_F(PlannedRunTest, VaeTrainingTakesWholeImagesAlone) {
  job_.preset.training.parts = {kVae};
  EXPECT_THROW(open_run(job_), Error) << "a VAE has no adapters";
  job_.preset.training.method = TrainingMethod::full;
  EXPECT_NO_THROW(open_run(job_));
  job_.validation = {"demo"};
  EXPECT_THROW(open_run(job_), Error);
}

}  // namespace
}  // namespace mantissa
