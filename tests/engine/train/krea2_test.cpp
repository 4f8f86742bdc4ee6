// Whole runs of a tiny Krea 2 (tests/golden/make_krea2.py) on the demo's images.
#include <gtest/gtest.h>

#include "engine/io/inspect.h"
#include "engine/plan/plan_run.h"
#include "engine/plan/planned_run.h"
#include "tests/engine/train/family_run.h"

namespace mantissa {
namespace {

class Krea2Run : public testing_support::FamilyRun {
 protected:
  Krea2Run() : FamilyRun("krea2") {}
};

TEST_F(Krea2Run, LearnsAndLeavesALoraForComfyui) {
  const SafetensorsFile adapter = trained_adapter();
  EXPECT_EQ(adapter.tensors().size(), 2U * 5 * 3);  // down, up and alpha
  for (const TensorInfo& t : adapter.tensors()) {
    EXPECT_TRUE(t.name.starts_with("diffusion_model.blocks.")) << t.name;
  }
  EXPECT_NE(adapter.find("diffusion_model.blocks.1.attn.wo.lora_up.weight"), nullptr);
  EXPECT_EQ(inspect(home_ / "run/test.safetensors").family, "krea2");
}

TEST_F(Krea2Run, TrainsItsTextEncoderAndDora) {
  expect_text_and_dora_train();
}

TEST_F(Krea2Run, TextsAreAsLongAsTheLongestNeeds) {
  expect_texts_as_long_as_needed();
}

TEST_F(Krea2Run, ReplaysItsTrace) {
  expect_trace_is_replayed();
}

TEST_F(Krea2Run, EveryCheckpointingScopeIsTheSame) {
  job_.preset.adapter.targets = {"attention+mlp"};
  job_.preset.training.steps = 2;
  expect_every_checkpointing_scope_is_the_same();
}

TEST_F(Krea2Run, EveryComputeTypeFollowsFp32) {
  expect_every_compute_type_follows_fp32();
}

TEST_F(Krea2Run, Fp16BecomesBf16) {
  job_.preset.precision.compute = ComputeType::fp16;
  EXPECT_NE(finding(plan_training(job_into("run")), "N7"), "");
}

}  // namespace
}  // namespace mantissa
