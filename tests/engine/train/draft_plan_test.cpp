#include "engine/train/draft_plan.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/preset/preset_io.h"

namespace mantissa {
namespace {

JobSpec demo_job() {
  JobSpec job;
  job.base = "demo";
  job.preset.data.resolution = 128;
  job.preset.data.batch_size = 2;
  return job;
}

std::vector<std::string> ids(const PlanReport& report) {
  std::vector<std::string> out;
  for (const Finding& f : report.findings) {
    if (f.verdict != "works") {
      out.push_back(f.id + f.verdict + f.fix_json);
    }
  }
  return out;
}

TEST(DraftPlan, FindsWhatTheWholePlanFinds) {
  DraftPlanner draft;
  for (const char* set :
       {"precision.compute=fp16", "precision.adapter=fp16", "precision.weights.denoiser=fp8_e4m3",
        "adapter.type=dora", "precision.optimizer_state=bf16", "optimizer.type=prodigy"}) {
    JobSpec job = demo_job();
    apply_set(job.preset, set);
    const PlanReport quick = draft.plan(job), whole = plan_training(job);
    EXPECT_EQ(ids(quick), ids(whole)) << set;
    EXPECT_EQ(quick.precision_json, whole.precision_json) << set;
    EXPECT_EQ(quick.peak_bytes, 0u);
  }
}

TEST(DraftPlan, NeedsNoBaseModel) {
  JobSpec job;
  job.base = "/no/such/model.safetensors";
  job.preset.precision.adapter = MasterType::fp16;
  const PlanReport report = DraftPlanner().plan(job);
  EXPECT_TRUE(std::any_of(report.findings.begin(), report.findings.end(),
                          [](const Finding& f) { return f.id == "S4" && f.verdict == "refused"; }));
}

TEST(DraftPlan, SafeFixesLeaveNothingRefused) {
  DraftPlanner draft;
  const PlanFunction plan = [&](const JobSpec& job) { return draft.plan(job); };
  JobSpec job = demo_job();
  EXPECT_TRUE(with_safe_fixes(plan, job) == job.preset) << "nothing to fix";
  job.preset.precision.adapter = MasterType::fp16;
  job.preset.precision.compute = ComputeType::fp16;
  job.preset.precision.loss_scaling.mode = LossScaling::Mode::off;
  const Preset fixed = with_safe_fixes(plan, job);
  EXPECT_EQ(fixed.precision.adapter, MasterType::fp32);
  job.preset = fixed;
  for (const Finding& f : draft.plan(job).findings) {
    EXPECT_NE(f.verdict, "refused") << f.id;
    EXPECT_NE(f.verdict, "adjusted") << f.id;
  }
}

TEST(DraftPlan, FitOptionsAreExact) {
  const JobSpec job = demo_job();
  const std::uint64_t peak = plan_training(job).peak_bytes;
  const std::vector<FitOption> options = fit_options(job, peak - 1, plan_training);
  ASSERT_FALSE(options.empty());
  for (const FitOption& option : options) {
    JobSpec changed = job;
    apply_patch(changed.preset, nlohmann::json::parse(option.patch_json));
    EXPECT_EQ(plan_training(changed).peak_bytes, option.peak_bytes) << option.patch_json;
    EXPECT_LT(option.peak_bytes, peak) << option.patch_json;
  }
  EXPECT_TRUE(fit_options(job, 1000, plan_training).empty()) << "nothing fits into a kilobyte";
}

TEST(DraftPlan, FitOptionsCombineWhereNoneIsEnough) {
  // Each change saves a quarter of what is left; three are needed.
  const PlanFunction planner = [](const JobSpec& job) {
    PlanReport report;
    double bytes = 1000;
    bytes *= job.preset.training.gradient_checkpointing ? 0.75 : 1;
    bytes *= job.preset.data.batch_size == 1 ? 0.75 : 1;
    bytes *= job.preset.precision.compute == ComputeType::bf16 ? 0.75 : 1;
    report.peak_bytes = static_cast<std::uint64_t>(bytes);
    return report;
  };
  const std::vector<FitOption> options = fit_options(demo_job(), 450, planner);
  ASSERT_EQ(options.size(), 1u);
  const auto patch = nlohmann::json::parse(options[0].patch_json);
  EXPECT_EQ(patch["training.gradient_checkpointing"], true);
  EXPECT_EQ(patch["data.batch_size"], 1);
  EXPECT_EQ(patch["precision.compute"], "bf16");
  EXPECT_FALSE(patch.contains("data.resolution")) << "no more than is needed";
}

}  // namespace
}  // namespace mantissa
