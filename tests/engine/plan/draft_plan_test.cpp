#include "engine/plan/draft_plan.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/plan/plan_run.h"
#include "engine/plan/planned_run.h"
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
    if (f.verdict != Verdict::works) {
      out.push_back(f.id + std::string(verdict_name(f.verdict)) + f.fix_json);
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
  EXPECT_TRUE(std::any_of(report.findings.begin(), report.findings.end(), [](const Finding& f) {
    return f.id == "S4" && f.verdict == Verdict::refused;
  }));
}

TEST(DraftPlan, SafeFixesLeaveNothingRefused) {
  DraftPlanner draft;
  const PlanFunction plan = [&](const JobSpec& job) { return draft.plan(job); };
  JobSpec job = demo_job();
  EXPECT_TRUE(with_safe_fixes(plan, job).preset == job.preset) << "nothing to fix";
  job.preset.precision.adapter = MasterType::fp16;
  job.preset.precision.compute = ComputeType::fp16;
  job.preset.precision.loss_scaling.mode = LossScaling::Mode::off;
  const FixedPreset fixed = with_safe_fixes(plan, job);
  EXPECT_EQ(fixed.preset.precision.adapter, MasterType::fp32);
  for (const Finding& f : fixed.report.findings) {
    EXPECT_NE(f.verdict, Verdict::refused) << f.id;
    EXPECT_NE(f.verdict, Verdict::adjusted) << f.id;
  }
  job.preset = fixed.preset;
  EXPECT_EQ(ids(draft.plan(job)), ids(fixed.report));
}

}  // namespace
}  // namespace mantissa
