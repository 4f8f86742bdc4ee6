// Whole runs of a tiny FLUX.2 (tests/golden/make_flux2.py) on the demo's images.
#include <filesystem>
#include <gtest/gtest.h>

#include "engine/io/inspect.h"
#include "engine/plan/plan_run.h"
#include "engine/plan/planned_run.h"
#include "tests/engine/train/family_run.h"

namespace mantissa {
namespace {
namespace fs = std::filesystem;

class Flux2Run : public testing_support::FamilyRun {
 protected:
  Flux2Run() : FamilyRun("flux2") {}
};

TEST_F(Flux2Run, LearnsAndLeavesALoraForComfyui) {
  const SafetensorsFile adapter = trained_adapter();
  EXPECT_EQ(adapter.tensors().size(), (4U + 3 * 2) * 3);  // down, up and alpha
  for (const TensorInfo& t : adapter.tensors()) {
    EXPECT_TRUE(t.name.starts_with("lora_unet_")) << t.name;
  }
  const TensorInfo* up = adapter.find("lora_unet_double_blocks_0_txt_attn_qkv.lora_up.weight");
  ASSERT_NE(up, nullptr);
  EXPECT_EQ(up->shape(), (Shape{3 * 48, 3 * 4})) << "q, k and v of rank 4";
  EXPECT_EQ(inspect(home_ / "run/test.safetensors").family, "flux2");
}

TEST_F(Flux2Run, TrainsItsTextEncoderAndDora) {
  expect_text_and_dora_train();
}

TEST_F(Flux2Run, OfSeparateFilesIsTheSame) {
  expect_same_from_separate_files();
}

TEST_F(Flux2Run, ReplaysItsTrace) {
  expect_trace_is_replayed();
}

TEST_F(Flux2Run, EveryCheckpointingScopeIsTheSame) {
  job_.preset.adapter.targets = {"attention+mlp"};
  job_.preset.training.steps = 2;
  expect_every_checkpointing_scope_is_the_same();
}

TEST_F(Flux2Run, EveryComputeTypeFollowsFp32) {
  expect_every_compute_type_follows_fp32();
}

TEST_F(Flux2Run, GoesOnFromItsAdapter) {
  trained_adapter();
  JobSpec job = job_into("more");
  job.continue_from = home_ / "run/test.safetensors";
  job.preset.adapter.rank = 12;  // of q, k and v together
  testing_support::FamilyRecorder r;
  run(job, r);
  EXPECT_EQ(r.losses.size(), 4U);
}

TEST_F(Flux2Run, FindingsBeforeLaunch) {
  job_.preset.precision.compute = ComputeType::fp16;
  const PlanReport plan = plan_training(job_into("run"));
  EXPECT_NE(finding(plan, "N7"), "") << "beyond FP16's range";
  EXPECT_EQ(finding(plan, "N13"), "");
  JobSpec job = job_into("run");
  job.base = home_ / "klein";
  fs::copy(job_.base, job.base, fs::copy_options::recursive);
  fs::remove(job.base / "model_index.json");
  EXPECT_NE(finding(plan_training(job), "N13").find("FLUX.2 klein 4-step, a distilled one"),
            std::string::npos)
      << finding(plan_training(job), "N13");
}

}  // namespace
}  // namespace mantissa
