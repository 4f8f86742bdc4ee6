// Whole runs of a tiny Z-Image (tests/golden/make_z_image.py) on the demo's images.
#include <algorithm>
#include <filesystem>
#include <gtest/gtest.h>
#include <set>

#include "engine/io/inspect.h"
#include "engine/plan/draft_plan.h"
#include "engine/plan/plan_run.h"
#include "engine/plan/planned_run.h"
#include "tests/engine/train/family_run.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {
namespace fs = std::filesystem;

class ZImageRun : public testing_support::FamilyRun {
 protected:
  ZImageRun() : FamilyRun("z_image") {}
};

TEST_F(ZImageRun, LearnsAndLeavesALoraForComfyui) {
  const SafetensorsFile adapter = trained_adapter();
  EXPECT_EQ(adapter.tensors().size(), 5U * 4 * 3);  // down, up and alpha
  for (const TensorInfo& t : adapter.tensors()) {
    EXPECT_TRUE(t.name.starts_with("diffusion_model.")) << t.name;
  }
  EXPECT_NE(adapter.find("diffusion_model.layers.0.attention.to_q.lora_down.weight"), nullptr);
  EXPECT_EQ(inspect(home_ / "run/test.safetensors").family, "z_image");
}

TEST_F(ZImageRun, TrainsItsTextEncoderAndDora) {
  expect_text_and_dora_train();
}

TEST_F(ZImageRun, OfSeparateFilesIsTheSame) {
  expect_same_from_separate_files();
}

TEST_F(ZImageRun, TextsAreAsLongAsTheLongestNeeds) {
  expect_texts_as_long_as_needed();
}

TEST_F(ZImageRun, ReplaysItsTrace) {
  expect_trace_is_replayed();
}

TEST_F(ZImageRun, EveryCheckpointingScopeIsTheSame) {
  job_.preset.adapter.targets = {"attention+mlp"};
  job_.preset.training.steps = 2;
  expect_every_checkpointing_scope_is_the_same();
}

TEST_F(ZImageRun, EveryComputeTypeFollowsFp32) {
  expect_every_compute_type_follows_fp32();
}

TEST_F(ZImageRun, ALoneTransformerIsRefusedWithAllThatIsMissing) {
  class Phases : public RunObserver {
   public:
    void on_progress(RunPhase phase, std::int64_t, std::int64_t) override { seen.insert(phase); }
    std::set<RunPhase> seen;
  } phases;
  JobSpec job = job_into("run");
  job.base = model_.parent_path() / "z_image_base.safetensors";
  const std::string text = test::message_of([&] { run(job, phases); });
  EXPECT_NE(text.find("holds no text_encoder, vae; use"), std::string::npos) << text;
  EXPECT_FALSE(phases.seen.contains(RunPhase::scanning)) << "known before any image is read";
}

// The input of w2 reaches 344,064 in the released model.
TEST_F(ZImageRun, Fp16BecomesBf16) {
  job_.preset.precision.compute = ComputeType::fp16;
  const PlanReport plan = plan_training(job_into("run"));
  const auto found = std::find_if(plan.findings.begin(), plan.findings.end(),
                                  [](const Finding& f) { return f.id == "N7"; });
  ASSERT_NE(found, plan.findings.end());
  EXPECT_NE(found->changes.find("bf16"), std::string::npos) << found->changes;
}

TEST_F(ZImageRun, ADistilledBaseModelIsToldBeforeLaunch) {
  EXPECT_EQ(finding(plan_training(job_into("run")), "N13"), "");
  JobSpec job = job_into("run");
  job.base = home_ / "Z-Image-Turbo";
  fs::copy(job_.base, job.base, fs::copy_options::recursive);
  for (const PlanReport& plan : {plan_training(job), DraftPlanner().plan(job)}) {
    EXPECT_NE(
        finding(plan, "N13").find("Z-Image Turbo, a distilled one (it is called 'Z-Image-Turbo')"),
        std::string::npos)
        << finding(plan, "N13");
  }
}

}  // namespace
}  // namespace mantissa
