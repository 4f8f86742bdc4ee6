// Runs that train a slider: what holds from prompts (training.purpose slider) and from pairs of
// images (pair_slider), and what does from prompts alone.
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/plan/plan_run.h"
#include "engine/preset/names.h"
#include "tests/engine/train/precisions.h"
#include "tests/engine/train/slider_run.h"
#include "tests/golden_families.h"

namespace mantissa {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using testing_support::StepRecorder;

class SliderRun : public testing_support::SliderFixture {
 protected:
  void SetUp() override {
    SliderFixture::SetUp();
    use_prompts();
  }
};

class EverySliderRun : public testing_support::SliderFixture,
                       public testing::WithParamInterface<TrainingPurpose> {
 protected:
  void SetUp() override {
    SliderFixture::SetUp();
    if (GetParam() == TrainingPurpose::slider) {
      use_prompts();
    } else {
      use_pairs();
    }
  }
};

INSTANTIATE_TEST_SUITE_P(Purposes, EverySliderRun,
                         testing::Values(TrainingPurpose::slider, TrainingPurpose::pair_slider),
                         [](const auto& info) { return std::string(enum_name(info.param)); });

TEST_P(EverySliderRun, ContinuesAsIfNeverStopped) {
  if (GetParam() == TrainingPurpose::pair_slider) {
    use_much();
  }
  job_.preset.output.save_every = 2;
  job_.preset.precision.fp8_scaling = Fp8Scaling::delayed;
  for (const ComputeType compute : {ComputeType::fp32, ComputeType::fp8}) {
    job_.preset.precision.compute = compute;
    const std::string name(enum_name(compute));
    const JobSpec straight = job_into((name + "-straight").c_str());
    losses(straight);
    JobSpec stopped = job_into((name + "-stopped").c_str());
    stopped.preset.training.steps = 2;
    losses(stopped);
    stopped.resume = stopped.out;
    stopped.preset.training.steps = 4;
    losses(stopped);
    EXPECT_EQ(state_of(stopped), state_of(straight)) << name;
    if (GetParam() == TrainingPurpose::slider) {
      EXPECT_EQ(sha256_file(stopped.out / "slider.latents"),
                sha256_file(straight.out / "slider.latents"));
    }
  }
}

// The adapter that has learned isn't in the images.
TEST_F(SliderRun, ImagesThatAreGoneAreMadeAgain) {
  const JobSpec job = job_into("run");
  losses(job);
  const std::string made = sha256_file(job.out / "slider.latents");
  fs::remove(job.out / "slider.latents");
  JobSpec resumed = job;
  resumed.resume = job.out;
  resumed.preset.training.steps = 5;
  EXPECT_EQ(losses(resumed).size(), 1U);
  EXPECT_EQ(sha256_file(job.out / "slider.latents"), made);
}

TEST_F(SliderRun, ImagesThatAreDamagedAreRefused) {
  const JobSpec job = job_into("run");
  losses(job);
  std::string bytes = read_text(job.out / "slider.latents");
  bytes.back() = static_cast<char>(bytes.back() ^ 1);
  std::ofstream(job.out / "slider.latents", std::ios::binary) << bytes;
  JobSpec resumed = job;
  resumed.resume = job.out;
  resumed.preset.training.steps = 5;
  EXPECT_THAT(refusal(resumed), HasSubstr("slider.latents isn't what the run wrote"));
}

TEST_P(EverySliderRun, UpdatesInsideTheBackwardPassAreTheSame) {
  job_.preset.training.max_grad_norm = 0;
  const JobSpec separate = job_into("separate");
  JobSpec fused = job_into("fused");
  fused.preset.optimizer.fused_back_pass = true;
  losses(separate);
  losses(fused);
  EXPECT_EQ(state_of(fused), state_of(separate));
}

TEST_P(EverySliderRun, EveryCheckpointingScopeIsTheSame) {
  job_.preset.adapter.targets = {"linear+conv"};
  job_.preset.adapter.dropout = 0.1;
  expect_every_checkpointing_scope_is_the_same();
}

TEST_P(EverySliderRun, PlansItsVeryArena) {
  StepRecorder recorder;
  run(job_into("run"), recorder);
  EXPECT_EQ(plan_training(job_).arena_bytes, recorder.arena_bytes);
}

TEST_P(EverySliderRun, ReplaysItsTrace) {
  JobSpec traced = job_into("traced");
  traced.trace = home_ / "trace.safetensors";
  traced.trace_steps = 4;
  const std::vector<double> first = losses(traced);
  JobSpec replayed = job_into("replayed");
  replayed.replay = traced.trace;
  EXPECT_EQ(losses(replayed), first);
}

TEST_P(EverySliderRun, EveryFamilyAndAdapterTrains) {
  job_.preset.training.steps = 2;
  job_.preset.slider.samples = 1;
  std::vector<std::string> models = test::transformer_models();
  models.emplace_back("demo");
  for (const std::string& model : models) {
    job_.base =
        model == "demo" ? fs::path(model) : fs::path(MANTISSA_TEST_DATA) / "golden/models" / model;
    for (const AdapterType type : {AdapterType::lora, AdapterType::loha, AdapterType::lokr}) {
      SCOPED_TRACE(model + ", " + std::string(enum_name(type)));
      JobSpec job = job_into("run");
      job.preset.adapter.type = type;
      job.preset.precision.compute =
          type == AdapterType::lora ? ComputeType::fp32 : ComputeType::bf16;
      expect_trains(job);
    }
  }
}

TEST_P(EverySliderRun, EveryPrecisionTrains) {
  job_.preset.training.steps = 2;
  job_.preset.slider.samples = 1;
  for (const test::Precision& precision : test::precisions_of_a_cpu()) {
    SCOPED_TRACE(precision.name());
    JobSpec job = job_into("run");
    job.preset.precision.compute = precision.compute;
    job.preset.precision.weights.denoiser = precision.weights;
    expect_trains(job);
  }
}

TEST_F(SliderRun, ConflictsAreNamedBeforeAnythingIsMade) {
  const auto with = [&](const auto& change) {
    JobSpec job = job_into("refused");
    change(job);
    return refusal(job);
  };
  EXPECT_THAT(with([](JobSpec& j) { j.images = {"demo"}; }), HasSubstr("--images is for training"));
  EXPECT_THAT(with([](JobSpec& j) { j.references = {"before"}; }),
              HasSubstr("set training.purpose to pair_slider"));
  EXPECT_THAT(with([](JobSpec& j) { j.preset.training.epochs = 2; }),
              HasSubstr("training.epochs is for training on images"));
  EXPECT_THAT(with([](JobSpec& j) { j.preset.adapter.type = AdapterType::dora; }),
              HasSubstr("isn't the opposite there"));
  EXPECT_THAT(with([](JobSpec& j) { j.preset.slider.negative = j.preset.slider.positive; }),
              HasSubstr("slider.positive is the same"));
  EXPECT_THAT(with([](JobSpec& j) { j.preset.training.method = TrainingMethod::full; }),
              HasSubstr("training.purpose slider compares with the base model"));
  EXPECT_FALSE(fs::exists(home_ / "refused/checkpoints"));
}

class SliderSlow : public SliderRun {};

TEST_F(SliderSlow, MovesItsAttributeWithItsWeight) {
  job_.preset.training.steps = 500;
  job_.preset.optimizer.learning_rate = 3e-4;
  job_.preset.adapter.targets = {"linear+conv"};
  job_.preset.slider.samples = 8;
  job_.preset.slider.guidance = 0.3;
  job_.preset.slider.anchor.clear();
  expect_moves_with_its_weight(job_.preset.slider.target);
}

}  // namespace
}  // namespace mantissa
