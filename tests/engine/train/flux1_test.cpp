// Whole runs of a tiny FLUX.1 (tests/golden/make_flux1.py) on the demo's images.
#include <filesystem>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/io/inspect.h"
#include "engine/plan/plan_run.h"
#include "engine/plan/planned_run.h"
#include "tests/engine/train/family_run.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {
namespace fs = std::filesystem;

class Flux1Run : public testing_support::FamilyRun {
 protected:
  Flux1Run() : FamilyRun("flux1") {}
};

TEST_F(Flux1Run, LearnsAndLeavesALoraForComfyui) {
  const SafetensorsFile adapter = trained_adapter();
  EXPECT_EQ(adapter.tensors().size(), (4U + 2) * 3);  // down, up and alpha
  for (const TensorInfo& t : adapter.tensors()) {
    EXPECT_TRUE(t.name.starts_with("lora_unet_")) << t.name;
  }
  const TensorInfo* up = adapter.find("lora_unet_double_blocks_0_txt_attn_qkv.lora_up.weight");
  ASSERT_NE(up, nullptr);
  EXPECT_EQ(up->shape(), (Shape{3 * 24, 3 * 4})) << "q, k and v of rank 4";
  const TensorInfo* single = adapter.find("lora_unet_single_blocks_1_linear1.lora_up.weight");
  ASSERT_NE(single, nullptr);
  EXPECT_EQ(single->shape(), (Shape{7 * 24, 3 * 4})) << "and the feed-forward's, unchanged";
  EXPECT_EQ(inspect(home_ / "run/test.safetensors").family, "flux1");
}

TEST_F(Flux1Run, TrainsItsTextEncodersAndDora) {
  expect_text_and_dora_train({kTe1, kTe2});
}

TEST_F(Flux1Run, TrainsALokr) {
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
TEST_F(Flux1Run, OfSeparateFilesIsTheSame) {
  const std::filesystem::path plain = home_ / "plain";
  std::filesystem::copy(model_, plain, std::filesystem::copy_options::recursive);
  for (const char* part : {"transformer", "text_encoder", "text_encoder_2", "vae"}) {
    ASSERT_TRUE(std::filesystem::remove(plain / part / "config.json")) << part;
  }
  model_ = plain;
  job_.base = plain;
  expect_same_from_separate_files();
}

TEST_F(Flux1Run, ReplaysItsTrace) {
  expect_trace_is_replayed();
}

TEST_F(Flux1Run, EveryCheckpointingScopeIsTheSame) {
  job_.preset.adapter.targets = {"attention+mlp"};
  job_.preset.training.steps = 2;
  expect_every_checkpointing_scope_is_the_same();
}

TEST_F(Flux1Run, EveryComputeTypeFollowsFp32) {
  expect_every_compute_type_follows_fp32();
}

TEST_F(Flux1Run, GoesOnFromItsAdapter) {
  job_.preset.adapter.targets = {"attention+mlp"};
  trained_adapter();
  JobSpec job = job_into("more");
  job.continue_from = home_ / "run/test.safetensors";
  job.preset.adapter.rank = 16;  // of q, k, v and the feed-forward together
  testing_support::FamilyRecorder r;
  run(job, r);
  EXPECT_EQ(r.losses.size(), 4U);
}

TEST_F(Flux1Run, Fp16BecomesBf16) {
  job_.preset.precision.compute = ComputeType::fp16;
  const PlanReport plan = plan_training(job_into("run"));
  EXPECT_NE(finding(plan, "N7"), "");
  EXPECT_EQ(finding(plan, "N13"), "") << "dev";
}

/// The model without its guidance.
TEST_F(Flux1Run, SchnellIsWarnedOf) {
  job_.base = home_ / "schnell";
  fs::copy(model_, job_.base, fs::copy_options::recursive);
  const fs::path transformer = job_.base / "transformer";
  const SafetensorsFile given =
      SafetensorsFile::open(model_ / "transformer/diffusion_pytorch_model.safetensors");
  std::vector<TensorToWrite> tensors;
  for (const TensorInfo& t : given.tensors()) {
    if (t.name.find("guidance_embedder") == std::string::npos) {
      tensors.push_back({t.name, t.type.value(), t.shape(), t.data, {}});
    }
  }
  write_safetensors(transformer / "diffusion_pytorch_model.safetensors", tensors);
  nlohmann::json config = nlohmann::json::parse(read_text(transformer / "config.json"));
  config["guidance_embeds"] = false;
  test::write_file(transformer / "config.json", config.dump());
  const std::string found = finding(plan_training(job_into("run")), "N13");
  EXPECT_NE(found.find("FLUX.1 schnell, a distilled one"), std::string::npos) << found;
}

}  // namespace
}  // namespace mantissa
