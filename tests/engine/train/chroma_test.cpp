// Whole runs of a tiny Chroma (tests/golden/make_chroma.py) on the demo's images.
#include <filesystem>
#include <gtest/gtest.h>

#include "engine/io/inspect.h"
#include "engine/plan/plan_run.h"
#include "engine/plan/planned_run.h"
#include "tests/engine/train/family_run.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {
namespace fs = std::filesystem;

class ChromaRun : public testing_support::FamilyRun {
 protected:
  ChromaRun() : FamilyRun("chroma") {}
};

TEST_F(ChromaRun, LearnsAndLeavesALoraForComfyui) {
  const SafetensorsFile adapter = trained_adapter();
  EXPECT_EQ(adapter.tensors().size(), (4U + 2) * 3);  // down, up and alpha
  for (const TensorInfo& t : adapter.tensors()) {
    EXPECT_TRUE(t.name.starts_with("lora_unet_")) << t.name;
  }
  const TensorInfo* up = adapter.find("lora_unet_double_blocks_0_txt_attn_qkv.lora_up.weight");
  ASSERT_NE(up, nullptr);
  EXPECT_EQ(up->shape(), (Shape{3 * 24, 3 * 4})) << "q, k and v of rank 4";
  EXPECT_NE(adapter.find("lora_unet_single_blocks_1_linear1.lora_up.weight"), nullptr);
  EXPECT_EQ(inspect(home_ / "run/test.safetensors").family, "chroma");
}

// Its layers are FLUX.1's by their names and shapes.
TEST_F(ChromaRun, ItsAdapterIsRefusedForFlux1) {
  trained_adapter();
  JobSpec job = job_into("more");
  job.base = model_.parent_path() / "flux1";
  job.preset.model.family = ModelFamily("flux1");
  job.continue_from = home_ / "run/test.safetensors";
  testing_support::FamilyRecorder r;
  test::expect_error_with([&] { run(job, r); }, {"was made for Chroma", "adapter for FLUX.1"});
}

TEST_F(ChromaRun, TrainsItsTextEncoderAndDora) {
  expect_text_and_dora_train();
}

TEST_F(ChromaRun, TrainsALokr) {
  job_.preset.adapter.type = AdapterType::lokr;
  job_.preset.adapter.targets = {"attention+mlp"};
  job_.preset.output.format = OutputFormat::kohya;
  testing_support::FamilyRecorder r;
  const RunResult result = run(job_into("run"), r);
  const SafetensorsFile adapter = SafetensorsFile::open(result.adapter);
  EXPECT_NE(adapter.find("lycoris_single_transformer_blocks_0_proj_mlp.lokr_w1"), nullptr);
}

// The model's configs differ from what weights alone tell, as they are meant to: neither form has
// them.
TEST_F(ChromaRun, OfSeparateFilesIsTheSame) {
  const fs::path plain = home_ / "plain";
  fs::copy(model_, plain, fs::copy_options::recursive);
  for (const char* part : {"transformer", "text_encoder", "vae"}) {
    ASSERT_TRUE(fs::remove(plain / part / "config.json")) << part;
  }
  model_ = plain;
  job_.base = plain;
  expect_same_from_separate_files();
}

TEST_F(ChromaRun, ReplaysItsTrace) {
  expect_trace_is_replayed();
}

TEST_F(ChromaRun, EveryCheckpointingScopeIsTheSame) {
  job_.preset.adapter.targets = {"attention+mlp"};
  job_.preset.training.steps = 2;
  expect_every_checkpointing_scope_is_the_same();
}

TEST_F(ChromaRun, EveryComputeTypeFollowsFp32) {
  expect_every_compute_type_follows_fp32();
}

TEST_F(ChromaRun, Fp16BecomesBf16) {
  job_.preset.precision.compute = ComputeType::fp16;
  const PlanReport plan = plan_training(job_into("run"));
  EXPECT_NE(finding(plan, "N7"), "");
  EXPECT_EQ(finding(plan, "N13"), "");
}

TEST_F(ChromaRun, FlashIsWarnedOf) {
  job_.base = home_ / "chroma1-flash";
  fs::copy(model_, job_.base, fs::copy_options::recursive);
  const std::string found = finding(plan_training(job_into("run")), "N13");
  EXPECT_NE(found.find("Chroma Flash"), std::string::npos) << found;
}

}  // namespace
}  // namespace mantissa
