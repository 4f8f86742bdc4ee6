// Runs beside training adapters: what they learn, what is saved, sampled and resumed.
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/adapters/merge.h"
#include "engine/adapters/module_weight.h"
#include "engine/adapters/read_adapter.h"
#include "engine/io/file.h"
#include "engine/io/image.h"
#include "engine/io/model_writer.h"
#include "engine/plan/plan_run.h"
#include "engine/preset/names.h"
#include "engine/render/sample.h"
#include "engine/run/run_folder.h"
#include "engine/run/run_identity.h"
#include "tests/engine/train/run_fixture.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::Not;
using testing_support::HealthRecorder;

class TrainingAdapterRun : public testing_support::RunFixture {
 protected:
  void SetUp() override {
    RunFixture::SetUp();
    job_.preset.precision.compute = ComputeType::fp32;
    // A run that learns fast makes the adapter that helps the others.
    JobSpec job = job_into("helper");
    job.preset.optimizer.learning_rate = 2e-2;
    job.preset.adapter.rank = 2;
    run(job, made_);
    helper_ = home_ / "helper.safetensors";
    fs::copy_file(job.out / "test.safetensors", helper_);
  }
  JobSpec helped(const char* folder, double weight = 1) const {
    JobSpec job = job_into(folder);
    job.training_adapters = {{helper_, weight}};
    return job;
  }
  static WeightSource demo() {
    return WeightSource::open(MANTISSA_SOURCE_DIR "/resources/demo/mini-sdxl.safetensors");
  }
  fs::path merged(double weight) const {
    const WeightSource source = demo();
    const AdapterContents file = read_adapter(helper_, source);
    const WeightedAdapter use{&file.modules, weight};
    ModelContents model = model_contents(source, DType::f32);
    merge_adapters(model, source, std::span(&use, 1));
    write_model(home_ / "merged.safetensors", model);
    return home_ / "merged.safetensors";
  }
  std::vector<double> losses(const JobSpec& job) {
    testing_support::StepRecorder recorder;
    run(job, recorder);
    return recorder.losses;
  }
  std::string refusal(const JobSpec& job) {
    HealthRecorder recorder;
    return test::message_of([&] { run(job, recorder); });
  }

  HealthRecorder made_;
  fs::path helper_;
};

TEST_F(TrainingAdapterRun, TrainsAsOnTheModelWithItMerged) {
  JobSpec on_merged = job_into("merged-run");
  on_merged.base = merged(0.8);
  const std::vector<double> got = losses(helped("helped", 0.8)), want = losses(on_merged),
                            alone = losses(job_into("alone"));
  ASSERT_EQ(got.size(), want.size());
  for (std::size_t i = 0; i < want.size(); ++i) {
    EXPECT_NEAR(got[i], want[i], 1e-4 * want[i]);
  }
  EXPECT_GT(std::abs(alone[0] - want[0]), 1e-3 * want[0]) << "it does something";
}

TEST_F(TrainingAdapterRun, WhatItSavesIsWhatItLearned) {
  const JobSpec job = helped("run", 0.5);
  HealthRecorder recorder;
  run(job, recorder);
  EXPECT_THAT(recorder.log, HasSubstr("training adapter helper.safetensors at weight 0.5: "));
  const fs::path file = job.out / "test.safetensors";
  const WeightSource base = demo();
  const AdapterContents saved = read_adapter(file, base);
  for (const AdapterModule& m : saved.modules) {
    EXPECT_EQ(m.rank, 4) << m.path << ": the helper's 2 are not in it";
  }
  const auto told = nlohmann::json::parse(saved.metadata.at("mantissa.training_adapters"));
  ASSERT_EQ(told.size(), 1U);
  EXPECT_EQ(told[0]["name"], "helper.safetensors");
  EXPECT_EQ(told[0]["weight"], 0.5);
  EXPECT_EQ(told[0]["sha256"], sha256_file(helper_));
  const AdapterContents plain = read_adapter(helper_, base);
  EXPECT_FALSE(plain.metadata.contains("mantissa.training_adapters"));
}

TEST_F(TrainingAdapterRun, SamplesAreThoseOfTheResultAlone) {
  JobSpec job = helped("run");
  job.preset.samples.every = 4;
  job.preset.samples.prompts = {{.prompt = "a red zorb", .seed = 3, .width = 64, .height = 64}};
  job.preset.samples.prompts[0].steps = 4;
  HealthRecorder recorder;
  run(job, recorder);
  SampleRequest request;
  request.base = "demo";
  request.loras = {{job.out / "test.safetensors", 1}};
  request.prompt = "a red zorb";
  request.seed = 3;
  request.width = request.height = 64;
  request.steps = 4;
  request.guidance = job.preset.samples.prompts[0].guidance;
  request.out = home_ / "alone.png";
  run_sample(request, recorder);
  const ImageLibrary library;
  const auto differ = [&](const fs::path& a, const fs::path& b) {
    const Image one = load_image(a), other = load_image(b);
    int most = 0;
    EXPECT_EQ(one.pixels.size(), other.pixels.size());
    for (std::size_t i = 0; i < one.pixels.size(); ++i) {
      most = std::max(most, std::abs(int{one.pixels[i]} - int{other.pixels[i]}));
    }
    return most;
  };
  const fs::path made = job.out / "samples/step-000004-00.png";
  EXPECT_LE(differ(made, request.out), 1) << "rounding alone";
  request.loras.push_back({helper_, 1});
  request.out = home_ / "both.png";
  run_sample(request, recorder);
  EXPECT_GT(differ(made, request.out), 1);
}

TEST_F(TrainingAdapterRun, ContinuesAsIfNeverStopped) {
  const auto state_of = [](const JobSpec& job) {
    return sha256_file(job.out / "checkpoints/step-00000004/state.safetensors");
  };
  for (const ComputeType compute : {ComputeType::fp32, ComputeType::bf16}) {
    job_.preset.precision.compute = compute;
    job_.preset.output.save_every = 2;
    const std::string name(enum_name(compute));
    const JobSpec straight = helped((name + "-straight").c_str());
    losses(straight);
    JobSpec stopped = helped((name + "-stopped").c_str());
    stopped.preset.training.steps = 2;
    losses(stopped);
    JobSpec resumed = RunFolder::open(stopped.out).frozen_job();
    EXPECT_EQ(resumed.training_adapters, stopped.training_adapters);
    resumed.preset.training.steps = 4;
    losses(resumed);
    EXPECT_EQ(state_of(stopped), state_of(straight)) << name;
  }
}

TEST_F(TrainingAdapterRun, AContinuedRunNeedsTheSameFile) {
  job_.preset.output.save_every = 1;
  job_.preset.training.steps = 2;
  const JobSpec job = helped("run");
  losses(job);
  JobSpec resumed = RunFolder::open(job.out).frozen_job();
  resumed.preset.training.steps = 3;
  const fs::path moved = home_ / "moved.safetensors";
  fs::rename(helper_, moved);
  EXPECT_THAT(refusal(resumed), HasSubstr(path_to_utf8(helper_) +
                                          ": the run's training adapter is missing. Restore it"));
  JobSpec elsewhere = resumed;
  elsewhere.training_adapters = {{moved, 0.5}};
  EXPECT_THAT(refusal(elsewhere), HasSubstr("helper.safetensors:1"));
  elsewhere.training_adapters = {{moved, 1}, {moved, 1}};
  EXPECT_THAT(refusal(elsewhere), HasSubstr("started with"));
  elsewhere.training_adapters = {{moved, 1}};
  EXPECT_EQ(losses(elsewhere).size(), 1U) << "the same content elsewhere";
  resumed.preset.training.steps = 4;
  fs::copy_file(job.out / "test.safetensors", helper_);  // of the same name
  EXPECT_THAT(refusal(resumed), HasSubstr("training_adapter: " + path_to_utf8(helper_)));
  EXPECT_THAT(refusal([&] {
                JobSpec without = RunFolder::open(home_ / "helper").frozen_job();
                without.preset.training.steps = 8;
                without.training_adapters = {{moved, 1}};
                return without;
              }()),
              HasSubstr("started without one"));
}

TEST_F(TrainingAdapterRun, PlansCountItsMemory) {
  const PlanReport alone = plan_training(job_into("run")), both = plan_training(helped("run"));
  std::uint64_t values = 0;
  for (const AdapterModule& m : read_adapter(helper_, demo()).modules) {
    values += m.down.size() + m.up.size();
  }
  EXPECT_EQ(both.weight_bytes - alone.weight_bytes, values * sizeof(float));
  EXPECT_EQ(both.adapter_bytes, alone.adapter_bytes) << "it isn't trained";
}

TEST_F(TrainingAdapterRun, WhatItCannotBeIsNamed) {
  JobSpec job = helped("refused");
  job.training_adapters = {{home_ / "nothing.safetensors", 1}};
  EXPECT_THAT(refusal(job), HasSubstr("nothing.safetensors: no such training adapter"));
  std::ofstream(home_ / "text.safetensors") << "text";
  job.training_adapters = {{home_ / "text.safetensors", 1}};
  EXPECT_THAT(refusal(job), HasSubstr("text.safetensors"));
  job = helped("refused");
  job.preset.training.parts = {kVae};
  job.preset.training.method = TrainingMethod::full;
  EXPECT_THAT(refusal(job), HasSubstr("--training-adapter is for training a denoiser"));
  JobSpec dora = job_into("dora");
  dora.preset.adapter.type = AdapterType::dora;
  losses(dora);
  job = helped("refused");
  job.training_adapters = {{dora.out / "test.safetensors", 1}};
  job.preset.adapter.init = AdapterInit::pissa;
  EXPECT_THAT(refusal(job), HasSubstr("test.safetensors is a DoRA"));
  EXPECT_FALSE(fs::exists(job.out));
}

TEST_F(TrainingAdapterRun, ItsTextEncoderIsLeftOutWhereCaptionsAreEncodedBefore) {
  JobSpec text = job_into("text");
  text.preset.training.parts = {kDenoiser, kTe1};
  losses(text);
  fs::copy_file(text.out / "test.safetensors", helper_, fs::copy_options::overwrite_existing);
  HealthRecorder recorder;
  run(helped("denoiser"), recorder);
  EXPECT_THAT(recorder.log, HasSubstr("of its modules are of text encoders that aren't trained"));
  HealthRecorder both;
  JobSpec job = helped("both");
  job.preset.training.parts = {kDenoiser, kTe1};
  run(job, both);
  EXPECT_THAT(both.log, Not(HasSubstr("are of text encoders that aren't trained")));
  JobSpec on_merged = job_into("merged-run");
  on_merged.preset.training.parts = {kDenoiser, kTe1};
  on_merged.base = merged(1);
  const std::vector<double> want = losses(on_merged);
  for (std::size_t i = 0; i < want.size(); ++i) {
    EXPECT_NEAR(both.steps[i].loss, want[i], 1e-4 * want[i]);
  }
}

}  // namespace
}  // namespace mantissa
