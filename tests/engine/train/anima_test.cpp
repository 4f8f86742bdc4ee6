// Whole runs of a tiny Anima (tests/golden/make_anima.py) on the demo's images.
#include <gtest/gtest.h>

#include "engine/io/inspect.h"
#include "engine/plan/plan_run.h"
#include "engine/plan/planned_run.h"
#include "tests/engine/train/family_run.h"

namespace mantissa {
namespace {

class AnimaRun : public testing_support::FamilyRun {
 protected:
  AnimaRun() : FamilyRun("anima") {}
};

TEST_F(AnimaRun, LearnsAndLeavesALoraForComfyui) {
  const SafetensorsFile adapter = trained_adapter();
  EXPECT_EQ(adapter.tensors().size(), 3U * 8 * 3);  // down, up and alpha
  for (const TensorInfo& t : adapter.tensors()) {
    EXPECT_TRUE(t.name.starts_with("diffusion_model.blocks.")) << t.name;
  }
  EXPECT_NE(adapter.find("diffusion_model.blocks.2.cross_attn.output_proj.lora_up.weight"),
            nullptr);
  EXPECT_EQ(inspect(home_ / "run/test.safetensors").family, "anima");
}

TEST_F(AnimaRun, TrainsItsTextPartsAndDora) {
  job_.preset.adapter.dora_axis = DoraAxis::output;
  const std::filesystem::path file = expect_text_and_dora_train({kTe1, kTe2});
  const auto adapter = SafetensorsFile::open(file);
  for (const char* module :
       {"transformer.transformer_blocks.0.ff.net.0.proj", "text_encoder.model.layers.2.mlp.up_proj",
        "text_conditioner.blocks.1.cross_attn.o_proj"}) {
    EXPECT_NE(adapter.find(module + std::string(".lora_A.weight")), nullptr) << module;
  }
  EXPECT_EQ(inspect(file).parts.at("te2"), 2 * 10 * 3);
}

TEST_F(AnimaRun, ReplaysItsTrace) {
  expect_trace_is_replayed();
}

TEST_F(AnimaRun, EveryCheckpointingScopeIsTheSame) {
  job_.preset.adapter.targets = {"attention+mlp"};
  job_.preset.training.steps = 2;
  expect_every_checkpointing_scope_is_the_same();
}

TEST_F(AnimaRun, EveryComputeTypeFollowsFp32) {
  expect_every_compute_type_follows_fp32();
}

TEST_F(AnimaRun, Fp16BecomesBf16) {
  job_.preset.precision.compute = ComputeType::fp16;
  EXPECT_NE(finding(plan_training(job_into("run")), "N7"), "");
}

}  // namespace
}  // namespace mantissa
