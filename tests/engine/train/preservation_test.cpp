// Runs that preserve the base model's predictions (training.preservation).
#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/io/file.h"
#include "engine/io/image.h"
#include "engine/plan/plan_run.h"
#include "engine/preset/names.h"
#include "engine/render/sample.h"
#include "tests/engine/train/precisions.h"
#include "tests/engine/train/run_fixture.h"
#include "tests/golden_families.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using testing_support::HealthRecorder;
using testing_support::StepRecorder;

class PreservationRun : public testing_support::RunFixture {
 protected:
  void SetUp() override {
    RunFixture::SetUp();
    job_.preset.training.preservation = Preservation::class_word;
    job_.preset.training.trigger_word = "Zorb";
    job_.preset.training.class_word = "circle";
  }
  std::vector<double> losses(const JobSpec& job) {
    StepRecorder recorder;
    run(job, recorder);
    return recorder.losses;
  }
  std::string refusal(const JobSpec& job) {
    HealthRecorder recorder;
    return test::message_of([&] { run(job, recorder); });
  }
  static std::string state_of(const JobSpec& job) {
    return sha256_file(job.out / "checkpoints/step-00000004/state.safetensors");
  }
};

// The adapter starts as no change at all.
TEST_F(PreservationRun, BeginsWithTheLossOnTheImagesAlone) {
  JobSpec alone = job_into("alone");
  alone.preset.training.preservation = Preservation::off;
  const std::vector<double> plain = losses(alone);
  for (const Preservation kind : {Preservation::class_word, Preservation::empty}) {
    JobSpec job = job_into(std::string(enum_name(kind)).c_str());
    job.preset.training.preservation = kind;
    const std::vector<double> kept = losses(job);
    ASSERT_EQ(kept.size(), plain.size());
    EXPECT_EQ(kept[0], plain[0]);
    EXPECT_GT(kept[1], plain[1]) << "the second update is the first to change a prediction";
  }
}

TEST_F(PreservationRun, ContinuesAsIfNeverStopped) {
  job_.preset.output.save_every = 2;
  job_.preset.precision.fp8_scaling = Fp8Scaling::delayed;
  for (const ComputeType compute : {ComputeType::fp32, ComputeType::bf16, ComputeType::fp8}) {
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
  }
}

TEST_F(PreservationRun, UpdatesInsideTheBackwardPassAreTheSame) {
  job_.preset.training.max_grad_norm = 0;
  const JobSpec separate = job_into("separate");
  JobSpec fused = job_into("fused");
  fused.preset.optimizer.fused_back_pass = true;
  losses(separate);
  losses(fused);
  EXPECT_EQ(state_of(fused), state_of(separate));
}

TEST_F(PreservationRun, EveryCheckpointingScopeIsTheSame) {
  job_.preset.adapter.type = AdapterType::dora;
  job_.preset.adapter.targets = {"linear+conv"};
  job_.preset.adapter.dropout = 0.1;
  expect_every_checkpointing_scope_is_the_same();
}

TEST_F(PreservationRun, PlansItsVeryArena) {
  StepRecorder recorder;
  run(job_into("run"), recorder);
  JobSpec alone = job_;
  alone.preset.training.preservation = Preservation::off;
  EXPECT_EQ(plan_training(job_).arena_bytes, recorder.arena_bytes);
  EXPECT_GT(recorder.arena_bytes, plan_training(alone).arena_bytes);
}

TEST_F(PreservationRun, ReplaysItsTrace) {
  JobSpec traced = job_into("traced");
  traced.trace = home_ / "trace.safetensors";
  traced.trace_steps = 4;
  const std::vector<double> first = losses(traced);
  JobSpec replayed = job_into("replayed");
  replayed.images.clear();
  replayed.replay = traced.trace;
  EXPECT_EQ(losses(replayed), first);
}

TEST_F(PreservationRun, ShuffledAndDroppedCaptionsTrain) {
  job_.preset.data.shuffle_captions = true;
  job_.preset.data.caption_dropout = 0.5;
  for (const double loss : losses(job_into("run"))) {
    EXPECT_TRUE(std::isfinite(loss));
  }
}

// With every family's inputs, in each compute type.
TEST_F(PreservationRun, EveryFamilyTrains) {
  job_.preset.training.steps = 2;
  for (const std::string& model : test::transformer_models()) {
    job_.base = fs::path(MANTISSA_TEST_DATA) / "golden/models" / model;
    for (const ComputeType compute : {ComputeType::fp32, ComputeType::bf16, ComputeType::int8}) {
      SCOPED_TRACE(model + ", " + std::string(enum_name(compute)));
      JobSpec job = job_into("run");
      job.preset.precision.compute = compute;
      job.preset.training.preservation = Preservation::off;
      const std::vector<double> plain = losses(job);
      fs::remove_all(job.out);
      job.preset.training.preservation = Preservation::class_word;
      const std::vector<double> kept = losses(job);
      ASSERT_EQ(kept.size(), 2U);
      EXPECT_EQ(kept[0], plain[0]);
      EXPECT_GT(kept[1], plain[1]);
      fs::remove_all(job.out);
    }
  }
}

TEST_F(PreservationRun, EveryPrecisionTrains) {
  job_.preset.training.steps = 2;
  for (const test::Precision& precision : test::precisions_of_a_cpu()) {
    SCOPED_TRACE(precision.name());
    JobSpec job = job_into("run");
    job.preset.precision.compute = precision.compute;
    job.preset.precision.weights.denoiser = precision.weights;
    const std::vector<double> kept = losses(job);
    fs::remove_all(job.out);
    job.preset.training.preservation = Preservation::off;
    ASSERT_EQ(kept.size(), 2U);
    EXPECT_EQ(kept[0], losses(job).at(0));
    EXPECT_TRUE(std::isfinite(kept[1]));
    fs::remove_all(job.out);
  }
}

TEST_F(PreservationRun, ConflictsAreNamedBeforeAnythingIsMade) {
  const auto with = [&](const auto& change) {
    JobSpec job = job_into("refused");
    change(job.preset);
    return refusal(job);
  };
  EXPECT_THAT(with([](Preset& p) { p.training.method = TrainingMethod::full; }),
              HasSubstr("training.method full changes its weights: none is left to compare with"));
  EXPECT_THAT(with([](Preset& p) {
                p.training.parts = {kDenoiser, kTe1};
              }),
              HasSubstr("whose captions are encoded before the steps"));
  EXPECT_THAT(with([](Preset& p) { p.adapter.init = AdapterInit::pissa; }),
              HasSubstr("adapter.init pissa moves"));
  EXPECT_THAT(with([](Preset& p) { p.training.trigger_word.clear(); }),
              HasSubstr("training.trigger_word is empty"));
  EXPECT_THAT(with([](Preset& p) { p.training.class_word.clear(); }),
              HasSubstr("training.class_word is empty"));
  EXPECT_THAT(with([](Preset& p) { p.training.class_word = p.training.trigger_word; }),
              HasSubstr("the same as training.trigger_word"));
  EXPECT_FALSE(fs::exists(home_ / "refused"));
  EXPECT_THAT(with([](Preset& p) { p.training.trigger_word = "Zor"; }),
              HasSubstr("no caption contains training.trigger_word, Zor"));
}

TEST_F(PreservationRun, CaptionsWithoutTheTriggerWordAreNamed) {
  job_.preset.training.trigger_word = "teal";
  HealthRecorder recorder;
  run(job_into("run"), recorder);
  EXPECT_THAT(recorder.log,
              HasSubstr("images whose caption lacks the trigger word, trained without preservation "
                        "(11)"));
}

/// RMS distance of two images' pixels.
double distance(const fs::path& a, const fs::path& b) {
  const Image one = load_image(a), other = load_image(b);
  double sum = 0;
  for (std::size_t i = 0; i < one.pixels.size(); ++i) {
    sum += std::pow(double{static_cast<double>(one.pixels[i])} - other.pixels[i], 2);
  }
  return std::sqrt(sum / static_cast<double>(one.pixels.size()));
}

class PreservationSlow : public PreservationRun {
 protected:
  /// Images of class captions, with the adapter if there is one.
  std::vector<fs::path> images(const std::string& name, const std::optional<fs::path>& adapter) {
    SampleRequest request;
    request.base = "demo";
    if (adapter) {
      request.loras = {{*adapter, 1}};
    }
    request.width = request.height = 64;
    request.steps = 12;
    request.guidance = 1.5;
    std::vector<fs::path> files;
    for (const char* prompt :
         {"a coral circle on a hill, two-ink print", "a teal circle under the moon, two-ink print",
          "a red circle in the middle, gray background"}) {
      for (const int seed : {1, 2, 3}) {
        files.push_back(home_ / (name + std::to_string(files.size()) + ".png"));
        request.samples.push_back({prompt, seed, files.back()});
      }
    }
    HealthRecorder recorder;
    run_sample(request, recorder);
    return files;
  }
};

TEST_F(PreservationSlow, ClassCaptionsDriftLess) {
  job_.preset.training.steps = 400;
  job_.preset.training.image_loss_share = 0;
  job_.preset.adapter.targets = {"linear+conv"};
  job_.preset.adapter.rank = 8;
  const ImageLibrary library;
  const std::vector<fs::path> base = images("base", std::nullopt);
  std::map<bool, double> drift, learned;
  for (const bool preserves : {false, true}) {
    JobSpec job = job_into(preserves ? "preserved" : "plain");
    job.preset.training.preservation = preserves ? Preservation::class_word : Preservation::off;
    losses(job);
    const std::vector<fs::path> own =
        images(preserves ? "preserved" : "plain", job.out / "test.safetensors");
    for (std::size_t i = 0; i < own.size(); ++i) {
      drift[preserves] += distance(own[i], base[i]) / static_cast<double>(own.size());
    }
  }
  std::printf("drift of class captions: %.2f without, %.2f with preservation\n", drift[false],
              drift[true]);
  EXPECT_LT(drift[true], 0.7 * drift[false]);
}

}  // namespace
}  // namespace mantissa
