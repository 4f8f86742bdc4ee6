// Whole runs of a tiny ERNIE-Image (tests/golden/make_ernie_image.py) on the demo's images.
#include <gtest/gtest.h>

#include "engine/io/inspect.h"
#include "engine/plan/plan_run.h"
#include "engine/plan/planned_run.h"
#include "tests/engine/train/family_run.h"

namespace mantissa {
namespace {

class ErnieImageRun : public testing_support::FamilyRun {
 protected:
  ErnieImageRun() : FamilyRun("ernie_image") {}
};

TEST_F(ErnieImageRun, LearnsAndLeavesALoraForComfyui) {
  const SafetensorsFile adapter = trained_adapter();
  EXPECT_EQ(adapter.tensors().size(), 2U * 4 * 3);  // down, up and alpha
  for (const TensorInfo& t : adapter.tensors()) {
    EXPECT_TRUE(t.name.starts_with("diffusion_model.layers.")) << t.name;
  }
  EXPECT_NE(adapter.find("diffusion_model.layers.1.self_attention.to_out.0.lora_up.weight"),
            nullptr);
  EXPECT_EQ(inspect(home_ / "run/test.safetensors").family, "ernie_image");
}

TEST_F(ErnieImageRun, TrainsItsTextEncoderAndDora) {
  expect_text_and_dora_train();
}

TEST_F(ErnieImageRun, TrainsALokr) {
  job_.preset.adapter.type = AdapterType::lokr;
  job_.preset.adapter.targets = {"attention+mlp"};
  job_.preset.output.format = OutputFormat::kohya;
  testing_support::FamilyRecorder r;
  const SafetensorsFile lokr = SafetensorsFile::open(run(job_into("run"), r).adapter);
  EXPECT_NE(lokr.find("lora_unet_layers_0_mlp_gate_proj.lokr_w1"), nullptr);
  EXPECT_EQ(inspect(home_ / "run/test.safetensors").family, "ernie_image");
}

TEST_F(ErnieImageRun, OfSeparateFilesIsTheSame) {
  expect_same_from_separate_files();
}

TEST_F(ErnieImageRun, TextsAreAsLongAsNeeded) {
  expect_texts_as_long_as_needed();
}

TEST_F(ErnieImageRun, TurboIsWarnedOf) {
  const std::filesystem::path turbo = home_ / "ERNIE-Image-Turbo";
  std::filesystem::copy(model_, turbo, std::filesystem::copy_options::recursive);
  job_.base = turbo;
  EXPECT_NE(finding(plan_training(job_into("run")), "N13"), "");
}

TEST_F(ErnieImageRun, ReplaysItsTrace) {
  expect_trace_is_replayed();
}

TEST_F(ErnieImageRun, EveryCheckpointingScopeIsTheSame) {
  job_.preset.adapter.targets = {"attention+mlp"};
  job_.preset.training.steps = 2;
  expect_every_checkpointing_scope_is_the_same();
}

TEST_F(ErnieImageRun, EveryComputeTypeFollowsFp32) {
  expect_every_compute_type_follows_fp32();
}

TEST_F(ErnieImageRun, Fp16BecomesBf16) {
  job_.preset.precision.compute = ComputeType::fp16;
  const PlanReport plan = plan_training(job_into("run"));
  EXPECT_NE(finding(plan, "N7"), "");
  EXPECT_EQ(finding(plan, "N13"), "");
}

}  // namespace
}  // namespace mantissa
