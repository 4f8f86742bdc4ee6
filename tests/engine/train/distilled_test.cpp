// Runs that make a training adapter for a distilled base model, from images that the model makes
// (training.purpose adapter).
#include <algorithm>
#include <cmath>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/adapters/read_adapter.h"
#include "engine/diffusion/model_objective.h"
#include "engine/io/file.h"
#include "engine/io/image.h"
#include "engine/io/safetensors.h"
#include "engine/plan/plan_run.h"
#include "engine/programs/renderer.h"
#include "engine/programs/trace.h"
#include "engine/render/sample.h"
#include "kernels/cpu/cpu.h"
#include "tests/engine/train/run_fixture.h"
#include "tests/golden_families.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using testing_support::HealthRecorder;
using testing_support::StepRecorder;

constexpr const char *kCircle = "a red circle in the middle, gray background",
                     *kStar = "a blue star on the left, gray background";

/// Stops the run as soon as the base model makes its second image.
class StopsWhileMaking : public RunObserver {
 public:
  explicit StopsWhileMaking(RunControl& control) : control_(control) {}
  void on_progress(RunPhase phase, std::int64_t done, std::int64_t total) override {
    if (phase == RunPhase::sampling && done > total / 3) {
      control_.request_stop(RunControl::Stop::discard);
    }
  }

 private:
  RunControl& control_;
};

class DistilledRun : public testing_support::RunFixture {
 protected:
  void SetUp() override {
    RunFixture::SetUp();
    job_.images.clear();
    job_.preset.training.purpose = TrainingPurpose::adapter;
    job_.preset.distilled.prompts = std::string(kCircle) + "\n\n  " + kStar + " \n";
    job_.preset.distilled.images = 3;
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
  static fs::path images_of(const JobSpec& job) { return job.out / "base-images.latents"; }
  static std::vector<float> latents_of(const JobSpec& job) {
    const SafetensorsFile file = SafetensorsFile::open(images_of(job));
    const TensorInfo& tensor = *file.find("latents");
    const auto* first = reinterpret_cast<const float*>(tensor.data);
    return {first, first + tensor.count()};
  }
};

/// The image of latents [8, 8, 4].
Image decoded(const std::vector<float>& latents) {
  const auto kernels = make_cpu_kernels();
  Arena arena(*kernels);
  const WeightSource source =
      WeightSource::open(MANTISSA_SOURCE_DIR "/resources/demo/mini-sdxl.safetensors");
  const auto model = DiffusionModel::open(*kernels, source);
  Renderer renderer(*kernels, arena, *model, model_objective(source, {}));
  RenderOptions options;
  options.width = options.height = 64;
  return renderer.image(latents, options);
}

TEST_F(DistilledRun, ItsImagesAreTheBasesOwnSamples) {
  const JobSpec job = job_into("run");
  losses(job);
  const std::vector<float> latents = latents_of(job);
  const std::size_t count = latents.size() / 3;
  const ImageLibrary library;
  for (const int i : {0, 1, 2}) {
    SampleRequest request;
    request.base = "demo";
    request.width = request.height = 64;
    request.steps = SamplePrompt().steps;
    request.guidance = SamplePrompt().guidance;
    request.prompt = i == 1 ? kStar : kCircle;
    request.seed = job.preset.training.seed + i;
    request.out = home_ / "sample.png";
    HealthRecorder recorder;
    run_sample(request, recorder);
    const Image sampled = load_image(request.out);
    const auto first = latents.begin() + static_cast<std::ptrdiff_t>(count) * i;
    const Image own = decoded({first, first + static_cast<std::ptrdiff_t>(count)});
    ASSERT_EQ(sampled.pixels.size(), own.pixels.size());
    int most = 0;
    for (std::size_t at = 0; at < own.pixels.size(); ++at) {
      most = std::max(most, std::abs(int{own.pixels[at]} - int{sampled.pixels[at]}));
    }
    EXPECT_LE(most, 1) << "image " << i << ": rounding alone";
  }
}

TEST_F(DistilledRun, StepsTakeTheImagesInTurnWithTheirPrompts) {
  JobSpec job = job_into("traced");
  job.trace = home_ / "trace.safetensors";
  job.trace_steps = 4;
  const std::vector<double> first = losses(job);
  const std::vector<float> latents = latents_of(job);
  const std::size_t count = latents.size() / 3;
  const TraceReader trace(*job.trace);
  std::vector<StepInputs> steps;
  for (std::int64_t i = 0; i < 4; ++i) {
    steps.push_back(trace.inputs(i, false));
    const auto begin = latents.begin() + static_cast<std::ptrdiff_t>(count) * (i % 3);
    EXPECT_EQ(steps.back().latents,
              std::vector<float>(begin, begin + static_cast<std::ptrdiff_t>(count)));
  }
  EXPECT_EQ(steps[2].text, steps[0].text) << "the third image is of the first prompt again";
  EXPECT_NE(steps[1].text, steps[0].text);
  EXPECT_NE(steps[3].noise, steps[0].noise);
  JobSpec replayed = job_into("replayed");
  replayed.replay = job.trace;
  EXPECT_EQ(losses(replayed), first);
}

TEST_F(DistilledRun, ContinuesAsIfNeverStopped) {
  job_.preset.output.save_every = 2;
  const JobSpec straight = job_into("straight");
  losses(straight);
  JobSpec stopped = job_into("stopped");
  stopped.preset.training.steps = 2;
  losses(stopped);
  const std::string made = sha256_file(images_of(stopped));
  stopped.resume = stopped.out;
  stopped.preset.training.steps = 4;
  losses(stopped);
  EXPECT_EQ(state_of(stopped), state_of(straight));
  EXPECT_EQ(made, sha256_file(images_of(straight)));
  // The adapter that has learned isn't in images that are made again.
  fs::remove(images_of(stopped));
  stopped.preset.training.steps = 5;
  EXPECT_EQ(losses(stopped).size(), 1U);
  EXPECT_EQ(sha256_file(images_of(stopped)), made);
  std::string bytes = read_text(images_of(stopped));
  bytes.back() = static_cast<char>(bytes.back() ^ 1);
  std::ofstream(images_of(stopped), std::ios::binary) << bytes;
  stopped.preset.training.steps = 6;
  EXPECT_THAT(refusal(stopped), HasSubstr("base-images.latents isn't what the run wrote"));
}

TEST_F(DistilledRun, CanBeStoppedWhileTheImagesAreMade) {
  const JobSpec job = job_into("run");
  RunControl control;
  StopsWhileMaking observer(control);
  try {
    run_training(job, control, observer);
    ADD_FAILURE() << "it ran to its end";
  } catch (const Error& e) {
    EXPECT_EQ(e.kind(), ErrorKind::interrupted) << e.what();
  }
  EXPECT_FALSE(fs::exists(images_of(job))) << "a part of them is no data set";
}

TEST_F(DistilledRun, ItsFileSaysWhatItIsForAndHelpsAnotherRun) {
  const JobSpec job = job_into("run");
  losses(job);
  const WeightSource base =
      WeightSource::open(MANTISSA_SOURCE_DIR "/resources/demo/mini-sdxl.safetensors");
  EXPECT_EQ(read_adapter(job.out / "test.safetensors", base).metadata.at("mantissa.purpose"),
            "training adapter");
  JobSpec helped = job_into("helped");
  helped.preset.training.purpose = TrainingPurpose::images;
  helped.images = {"demo"};
  helped.training_adapters = {{job.out / "test.safetensors", 1}};
  EXPECT_EQ(losses(helped).size(), 4U);
  EXPECT_FALSE(
      read_adapter(helped.out / "test.safetensors", base).metadata.contains("mantissa.purpose"));
}

TEST_F(DistilledRun, PlansItsVeryArena) {
  StepRecorder recorder;
  run(job_into("run"), recorder);
  EXPECT_EQ(plan_training(job_).arena_bytes, recorder.arena_bytes);
}

TEST_F(DistilledRun, EveryFamilyTrains) {
  job_.preset.training.steps = 2;
  job_.preset.distilled.images = 1;
  for (const std::string& model : test::transformer_models()) {
    SCOPED_TRACE(model);
    job_.base = fs::path(MANTISSA_TEST_DATA) / "golden/models" / model;
    const JobSpec job = job_into("run");
    for (const double loss : losses(job)) {
      EXPECT_TRUE(std::isfinite(loss) && loss > 0) << loss;
    }
    fs::remove_all(job.out);
  }
}

TEST_F(DistilledRun, ConflictsAreNamedBeforeAnythingIsMade) {
  const auto with = [&](const auto& change) {
    JobSpec job = job_into("refused");
    change(job);
    return refusal(job);
  };
  EXPECT_THAT(with([](JobSpec& j) { j.images = {"demo"}; }),
              HasSubstr("--images is for training on images, and training.purpose is adapter"));
  EXPECT_THAT(with([](JobSpec& j) { j.preset.training.epochs = 2; }),
              HasSubstr("training.epochs is for training on images"));
  EXPECT_THAT(with([](JobSpec& j) { j.preset.distilled.prompts = " \n"; }),
              HasSubstr("distilled.prompts is empty"));
  EXPECT_THAT(with([](JobSpec& j) { j.preset.training.method = TrainingMethod::full; }),
              HasSubstr("training.method full doesn't go with it"));
  EXPECT_THAT(with([](JobSpec& j) { j.preset.adapter.init = AdapterInit::pissa; }),
              HasSubstr("adapter.init pissa doesn't go with it"));
  EXPECT_THAT(with([](JobSpec& j) {
                j.preset.training.parts = {kDenoiser, kTe1};
              }),
              HasSubstr("training.parts with text encoders doesn't go with it"));
  EXPECT_THAT(with([](JobSpec& j) {
                j.training_adapters = {{"x.safetensors", 1}};
              }),
              HasSubstr("--training-adapter doesn't go with it"));
  EXPECT_FALSE(fs::exists(home_ / "refused/checkpoints"));
}

}  // namespace
}  // namespace mantissa
