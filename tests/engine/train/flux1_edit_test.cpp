// Runs of the tiny FLUX.1 (tests/golden/make_flux1.py) as Kontext, on images with a reference.
#include <filesystem>
#include <gtest/gtest.h>
#include <set>

#include "engine/io/model_writer.h"
#include "engine/plan/run_notices.h"
#include "tests/engine/train/edit_run.h"

namespace mantissa {
namespace {
namespace fs = std::filesystem;

class Flux1EditRun : public testing_support::EditRun {
 protected:
  Flux1EditRun() : EditRun("flux1") {}
  void SetUp() override {
    EditRun::SetUp();
    job_.base = named("flux1-kontext-dev");
    job_.preset.adapter.targets = {"attention+mlp"};
  }
  /// The model in a folder of this name.
  fs::path named(const char* name) const {
    fs::copy(model_, home_ / name, fs::copy_options::recursive);
    return home_ / name;
  }
  fs::path adapter_of(const JobSpec& job) {
    testing_support::FamilyRecorder r;
    return run(job, r).adapter;
  }
  static std::string warning(const JobSpec& job) {
    const std::vector<Finding> found = reference_findings(open_run(job));
    return found.empty() ? std::string() : found.front().message.text();
  }
  static std::set<std::string> names(const fs::path& adapter) {
    const SafetensorsFile file = SafetensorsFile::open(adapter);
    std::set<std::string> found;
    for (const TensorInfo& tensor : file.tensors()) {
      found.insert(tensor.name);
    }
    return found;
  }
};

TEST_F(Flux1EditRun, LearnsAnAdapterAsWithoutReferences) {
  trained_adapter();
  const std::set<std::string> edits = names(home_ / "run/test.safetensors");
  job_.references.clear();
  EXPECT_EQ(names(adapter_of(job_into("without"))), edits);
}

TEST_F(Flux1EditRun, ReferencesChangeTheLoss) {
  const std::vector<double> with = losses(job_into("with"));
  EXPECT_EQ(with.size(), 4U);
  draw("before/a.png", 7);
  draw("before/b.png", 8);
  draw("before/c.png", 9);
  EXPECT_NE(losses(job_into("others")), with);
  job_.references.clear();
  EXPECT_NE(losses(job_into("without")), with);
}

TEST_F(Flux1EditRun, TrainsTextEncodersDoraAndLokr) {
  expect_text_and_dora_train({kTe1, kTe2});
  job_.preset.training.parts = {kDenoiser};
  job_.preset.adapter.type = AdapterType::lokr;
  job_.preset.output.format = OutputFormat::kohya;
  EXPECT_EQ(losses(job_into("lokr")).size(), 4U);
}

TEST_F(Flux1EditRun, GoesOnAfterAResumeToTheBit) {
  expect_goes_on_after_a_resume();
}

TEST_F(Flux1EditRun, ReplaysItsTrace) {
  expect_trace_is_replayed();
}

TEST_F(Flux1EditRun, EveryCheckpointingScopeIsTheSame) {
  job_.preset.training.steps = 2;
  expect_every_checkpointing_scope_is_the_same();
}

TEST_F(Flux1EditRun, EveryComputeTypeFollowsFp32) {
  expect_every_compute_type_follows_fp32();
}

TEST_F(Flux1EditRun, SplitOverDevicesItIsTheSame) {
  expect_the_same_over_devices();
}

TEST_F(Flux1EditRun, SeveralReferencesOfOneImageAreRefused) {
  job_.references.push_back(home_ / "before");
  const std::string refused = refusal(job_into("run"));
  EXPECT_NE(refused.find("is one of 2 references"), std::string::npos) << refused;
  EXPECT_NE(refused.find("before"), std::string::npos) << refused;
}

TEST_F(Flux1EditRun, WarnsWhereModelAndReferencesDiffer) {
  EXPECT_EQ(warning(job_into("run")), "");
  JobSpec job = job_into("run");
  job.references.clear();
  const std::string without = warning(job);
  EXPECT_NE(without.find("FLUX.1 Kontext dev edits images"), std::string::npos) << without;
  EXPECT_NE(without.find("flux1-kontext-dev"), std::string::npos) << without;
  job.base = model_;
  EXPECT_EQ(warning(job), "");
  job.references = job_.references;
  const std::string dev = warning(job);
  EXPECT_NE(dev.find("FLUX.1 dev never learned"), std::string::npos) << dev;
  EXPECT_NE(dev.find("Choose FLUX.1 Kontext dev"), std::string::npos) << dev;
}

// Its name is gone, and its weights are those of dev: the pipeline's class tells it then.
TEST_F(Flux1EditRun, WhatItsNameToldIsWritten) {
  write_model(home_ / "folder", model_contents(WeightSource::open(job_.base)));
  write_model(home_ / "file.safetensors", model_contents(WeightSource::open(job_.base)));
  for (const char* copy : {"folder", "file.safetensors"}) {
    job_.base = home_ / copy;
    EXPECT_EQ(warning(job_into("run")), "") << copy;
  }
}

TEST_F(Flux1EditRun, DevTrainedInFullOnReferencesEdits) {
  job_.base = model_;
  job_.preset.training.method = TrainingMethod::full;
  job_.preset.training.steps = 1;
  job_.preset.output.format = OutputFormat::diffusers;
  const WeightSource made = WeightSource::open(adapter_of(job_into("full")));
  EXPECT_EQ(made.family().variant(made).name, "Kontext dev");
}

// Its weights, as one file or under another pipeline, are those of a Qwen-Image.
TEST_F(Flux1EditRun, WarnsOfAQwenImageThatEdits) {
  model_ = model_.parent_path() / "qwen_image";
  job_.references.clear();
  job_.base = named("Qwen-Image-Edit-2509");
  const std::string edit = warning(job_into("run"));
  EXPECT_NE(edit.find("Qwen-Image Edit 2509 edits images"), std::string::npos) << edit;
  EXPECT_NE(edit.find("has no reference images"), std::string::npos) << edit;
  job_.base = model_;
  EXPECT_EQ(warning(job_into("run")), "");
}

}  // namespace
}  // namespace mantissa
