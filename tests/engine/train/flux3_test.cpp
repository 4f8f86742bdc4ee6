// Whole runs of a tiny FLUX.3 (tests/golden/make_flux3.py) on the demo's images.
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

/// The model as a flow map, whose second time is embedded as the first.
TEST_F(Flux3Run, ADistilledModelIsWarnedOf) {
  namespace fs = std::filesystem;
  job_.base = home_ / "distilled";
  fs::copy(model_, job_.base, fs::copy_options::recursive);
  const fs::path transformer = job_.base / "transformer";
  const SafetensorsFile given =
      SafetensorsFile::open(model_ / "transformer/diffusion_pytorch_model.safetensors");
  std::vector<TensorToWrite> tensors;
  for (const TensorInfo& t : given.tensors()) {
    tensors.push_back({t.name, t.type.value(), t.shape(), t.data, {}});
    if (t.name.starts_with("timestep_embedder.")) {
      tensors.push_back({"target_" + t.name, t.type.value(), t.shape(), t.data, {}});
    }
  }
  write_safetensors(transformer / "diffusion_pytorch_model.safetensors", tensors);
  nlohmann::json config = nlohmann::json::parse(read_text(transformer / "config.json"));
  config["flow_map"] = true;
  test::write_file(transformer / "config.json", config.dump());
  const std::string found = finding(plan_training(job_into("run")), "N13");
  EXPECT_NE(found.find("FLUX.3 Image klein Base"), std::string::npos) << found;
}

}  // namespace
}  // namespace mantissa
