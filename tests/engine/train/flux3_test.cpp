// Whole runs of a tiny FLUX.3 (tests/golden/make_flux3.py) on the demo's images.
#include <gtest/gtest.h>

#include "engine/io/inspect.h"
#include "engine/plan/plan_run.h"
#include "engine/plan/planned_run.h"
#include "tests/engine/train/family_run.h"

namespace mantissa {
namespace {

class Flux3Run : public testing_support::FamilyRun {
 protected:
  Flux3Run() : FamilyRun("flux3") {}
};

TEST_F(Flux3Run, LearnsAndLeavesALoraForComfyui) {
  const SafetensorsFile adapter = trained_adapter();
  EXPECT_EQ(adapter.tensors().size(), (2U + 2) * 4 * 3);  // down, up and alpha
  for (const TensorInfo& t : adapter.tensors()) {
    EXPECT_TRUE(t.name.starts_with("diffusion_model.")) << t.name;
  }
  for (const char* name : {"diffusion_model.content_mode_blocks.image.0.q_proj.lora_up.weight",
                           "diffusion_model.txt_mode_blocks.0.attn_out.lora_up.weight",
                           "diffusion_model.single_blocks.1.v_proj.lora_up.weight"}) {
    EXPECT_NE(adapter.find(name), nullptr) << name;
  }
  EXPECT_EQ(inspect(home_ / "run/test.safetensors").family, "flux3");
}

TEST_F(Flux3Run, TrainsItsTextEncoderAndDora) {
  expect_text_and_dora_train();
}

TEST_F(Flux3Run, OfSeparateFilesIsTheSame) {
  expect_same_from_separate_files();
}

TEST_F(Flux3Run, ReplaysItsTrace) {
  expect_trace_is_replayed();
}

TEST_F(Flux3Run, EveryCheckpointingScopeIsTheSame) {
  job_.preset.adapter.targets = {"attention+mlp"};
  job_.preset.training.steps = 2;
  expect_every_checkpointing_scope_is_the_same();
}

TEST_F(Flux3Run, EveryComputeTypeFollowsFp32) {
  expect_every_compute_type_follows_fp32();
}

TEST_F(Flux3Run, Fp16BecomesBf16) {
  job_.preset.precision.compute = ComputeType::fp16;
  EXPECT_NE(finding(plan_training(job_into("run")), "N7"), "");
}

}  // namespace
}  // namespace mantissa
