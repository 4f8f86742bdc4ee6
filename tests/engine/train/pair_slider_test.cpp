// Runs that train a slider from pairs of images (training.purpose pair_slider).
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>

#include "engine/data/batch_source.h"
#include "engine/io/safetensors.h"
#include "engine/models/diffusion_model.h"
#include "engine/plan/plan_run.h"
#include "engine/plan/planned_run.h"
#include "kernels/cpu/cpu.h"
#include "tests/engine/train/slider_run.h"

namespace mantissa {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using testing_support::StepRecorder;

class PairSliderRun : public testing_support::SliderFixture {
 protected:
  void SetUp() override {
    SliderFixture::SetUp();
    use_pairs();
  }
};

TEST_F(PairSliderRun, ResumesWithItsNegativeImagesOnly) {
  JobSpec job = job_into("run");
  job.preset.training.steps = 2;
  losses(job);
  draw(1, home_ / "dark", 9);
  job.resume = job.out;
  job.preset.training.steps = 4;
  EXPECT_THAT(refusal(job), HasSubstr("1.png reference 1"));
}

// What moves one way with a pair moves the other way with its images exchanged, alike: the step
// treats both ends the same.
TEST_F(PairSliderRun, ExchangedPairsGiveTheOpposite) {
  job_.preset.training.parts = {kDenoiser, kTe1};
  job_.preset.training.noise_offset = 0.1;
  job_.preset.output.dtype = MasterType::fp32;
  const JobSpec job = job_into("run");
  JobSpec exchanged = job_into("exchanged");
  std::swap(exchanged.images, exchanged.references);
  const std::vector<double> one = losses(job), other = losses(exchanged);
  ASSERT_EQ(one.size(), other.size());
  for (std::size_t i = 0; i < one.size(); ++i) {
    EXPECT_NEAR(other[i], one[i], 1e-5 * one[i]) << i;
  }
  const SafetensorsFile a = SafetensorsFile::open(job.out / "test.safetensors"),
                        b = SafetensorsFile::open(exchanged.out / "test.safetensors");
  double apart = 0, size = 0;
  for (const TensorInfo& tensor : a.tensors()) {
    const auto* x = reinterpret_cast<const float*>(tensor.data);
    const auto* y = reinterpret_cast<const float*>(b.find(tensor.name)->data);
    for (std::int64_t i = 0; tensor.name.ends_with("lora_up.weight") && i < tensor.count(); ++i) {
      apart += std::fabs(double{x[i]} + double{y[i]});
      size += std::fabs(double{x[i]});
    }
  }
  EXPECT_GT(size, 0);
  EXPECT_LT(apart, 0.02 * size);
}

// A pair of one image twice: both ends are the same, whatever is changed and drawn.
TEST_F(PairSliderRun, ItsImagesAreCutAlike) {
  job_.references = {home_ / "light"};
  use_much();
  job_.preset.data.rotation = 5;
  job_.preset.data.hue = 0.1;
  job_.preset.data.batch_size = 2;
  PlanObserver silent;
  PlannedRun run = open_run(job_into("run"));
  scan_images(run, silent);
  const auto kernels = make_cpu_kernels();
  const auto model = DiffusionModel::open(*kernels, run.source);
  model->set_text_options(run.text);
  run.data->encode(*kernels, *model, {});
  BatchSource batches(*run.data, run.objective, *kernels);
  std::set<std::vector<float>> seen;
  for (std::int64_t k = 0; k < 8; ++k) {
    const StepInputs in = batches.inputs(k);
    ASSERT_EQ(in.references.size(), 1U);
    EXPECT_EQ(in.references[0].size, (LatentSize{in.height, in.width}));
    EXPECT_EQ(in.references[0].values, in.latents);
    seen.insert(in.latents);
  }
  EXPECT_EQ(seen.size(), 8U);
  const StepInputs held = batches.validation_inputs(0, 0);
  EXPECT_EQ(held.references.at(0).values, held.latents);
}

TEST_F(PairSliderRun, MasksCountAtBothEnds) {
  job_.preset.data.masks = MaskMode::files;
  for (const char* name : {"0", "1", "2", "3"}) {
    const std::vector<std::uint8_t> black(static_cast<std::size_t>(3 * 64 * 64));
    write_png(home_ / "light" / (std::string(name) + "-masklabel.png"), black, 64, 64);
  }
  for (const double loss : losses(job_into("run"))) {
    EXPECT_EQ(loss, 0);
  }
}

TEST_F(PairSliderRun, PlansItsVeryArena) {
  use_much();
  const auto planned = plan_training(job_).arena_bytes;
  StepRecorder recorder;
  run(job_into("run"), recorder);
  EXPECT_EQ(planned, recorder.arena_bytes);
  JobSpec unknown = job_;  // without images: as for one at each size
  unknown.images.clear();
  unknown.references.clear();
  EXPECT_EQ(plan_training(unknown).arena_bytes, planned);
}

TEST_F(PairSliderRun, ConflictsAreNamedBeforeAnythingIsMade) {
  const auto with = [&](const std::function<void(JobSpec&)>& change) {
    JobSpec job = job_into("refused");
    change(job);
    return refusal(job);
  };
  EXPECT_THAT(with([](JobSpec& j) { j.references.clear(); }),
              HasSubstr("no negative images are given"));
  EXPECT_THAT(with([](JobSpec& j) { j.preset.slider.positive = "old"; }),
              HasSubstr("slider.positive doesn't go with it"));
  EXPECT_THAT(with([](JobSpec& j) { j.prior = j.images; }),
              HasSubstr("--prior doesn't go with it"));
  EXPECT_THAT(with([](JobSpec& j) { j.preset.adapter.type = AdapterType::dora; }),
              HasSubstr("training.purpose is pair_slider, whose adapter is used at negative"));
  EXPECT_THAT(with([](JobSpec& j) { j.preset.training.method = TrainingMethod::full; }),
              HasSubstr("training.method full doesn't go with it"));
  EXPECT_THAT(with([](JobSpec& j) { j.preset.adapter.init = AdapterInit::pissa; }),
              HasSubstr("adapter.init pissa doesn't go with it"));
  EXPECT_THAT(with([](JobSpec& j) {
                j.preset.samples.prompts.resize(1);
                j.preset.samples.prompts[0].references = "0";
              }),
              HasSubstr("references in samples.prompts doesn't go with it"));
  EXPECT_FALSE(fs::exists(home_ / "refused/checkpoints"));
}

TEST_F(PairSliderRun, AnImageWithoutItsPartnerIsNamed) {
  fs::rename(home_ / "dark/1.png", home_ / "dark/other.png");
  EXPECT_THAT(refusal(job_into("refused")), HasSubstr("1.png has no partner"));
  fs::rename(home_ / "light/1.png", home_ / "other.png");
  fs::remove(home_ / "light/1.txt");
  EXPECT_THAT(refusal(job_into("refused")), HasSubstr("other.png has no partner"));
  fs::remove(home_ / "dark/other.png");
  EXPECT_EQ(losses(job_into("run")).size(), 4U);
}

TEST_F(PairSliderRun, APartnerOfAnotherSizeOrASecondIsNamed) {
  const std::vector<std::uint8_t> pixels(static_cast<std::size_t>(3 * 96 * 64));
  write_png(home_ / "dark/2.png", pixels, 96, 64);
  EXPECT_THAT(refusal(job_into("refused")),
              testing::AllOf(HasSubstr("2.png"), HasSubstr("96x64"),
                             HasSubstr("the images of a pair have one size")));
  job_.references.push_back(job_.images[0]);
  EXPECT_THAT(refusal(job_into("refused")), HasSubstr("0.png has 2 negative images"));
}

class PairSliderSlow : public PairSliderRun {};

TEST_F(PairSliderSlow, MovesItsAttributeWithItsWeight) {
  use_pairs(25);
  job_.preset.training.steps = 500;
  job_.preset.optimizer.learning_rate = 3e-4;
  job_.preset.adapter.targets = {"linear+conv"};
  expect_moves_with_its_weight("a red circle in the middle, gray background");
}

}  // namespace
}  // namespace mantissa
