// Runs that train a slider from pairs of images (training.purpose pair_slider).
#include <cmath>
#include <fstream>
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/data/batch_source.h"
#include "engine/io/file.h"
#include "engine/io/image.h"
#include "engine/io/safetensors.h"
#include "engine/models/diffusion_model.h"
#include "engine/plan/plan_run.h"
#include "engine/plan/planned_run.h"
#include "engine/preset/names.h"
#include "kernels/cpu/cpu.h"
#include "tests/engine/train/brightness.h"
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

/// Pairs of the demo's images: lighter ones, and darker ones of the same names.
class PairSliderRun : public testing_support::RunFixture {
 protected:
  void SetUp() override {
    RunFixture::SetUp();
    pair("light", "dark", 4);
    job_.images = {home_ / "light"};
    job_.references = {home_ / "dark"};
    job_.preset.training.purpose = TrainingPurpose::pair_slider;
  }
  void pair(const char* positive, const char* negative, int count) const {
    for (int i = 1; i <= count; ++i) {
      const std::string name = (i < 10 ? "zorb_0" : "zorb_") + std::to_string(i);
      const fs::path given = fs::path(MANTISSA_SOURCE_DIR "/resources/demo/images") / name;
      write(given, std::string(positive) + "/" + name, 0.55, 115);
      write(given, std::string(negative) + "/" + name, 0.55, 0);
      fs::copy_file(given.string() + ".txt", home_ / positive / (name + ".txt"),
                    fs::copy_options::overwrite_existing);
    }
  }
  /// An image with other levels.
  void write(const fs::path& given, const std::string& name, double gain, double shift) const {
    Image image = load_image(given.string() + ".png");
    for (std::uint8_t& value : image.pixels) {
      value = static_cast<std::uint8_t>(shift + gain * value);
    }
    fs::create_directories((home_ / name).parent_path());
    write_png(home_ / (name + ".png"), image.pixels, image.width, image.height);
  }
  /// With what a run of several sizes, changes and data sets has.
  void use_much() {
    Preset& preset = job_.preset;
    preset.data.further_resolutions = {128};
    preset.data.flip = true;
    preset.data.crop_jitter = 0.1;
    preset.data.variants = 2;
    preset.data.validation_share = 0.2;
    preset.training.validate_every = 2;
    preset.training.gradient_accumulation = 2;
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
  void expect_all_train(const JobSpec& job) {
    for (const double loss : losses(job)) {
      EXPECT_TRUE(std::isfinite(loss) && loss > 0) << loss;
    }
    fs::remove_all(job.out);
  }

  const ImageLibrary library_;
};

TEST_F(PairSliderRun, ContinuesAsIfNeverStopped) {
  use_much();
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
    EXPECT_EQ(losses(stopped).size(), 2U);
    EXPECT_EQ(state_of(stopped), state_of(straight)) << name;
  }
}

TEST_F(PairSliderRun, ResumesWithItsNegativeImagesOnly) {
  JobSpec job = job_into("run");
  job.preset.training.steps = 2;
  losses(job);
  write(fs::path(MANTISSA_SOURCE_DIR "/resources/demo/images/zorb_02"), "dark/zorb_02", 0.5, 9);
  job.resume = job.out;
  job.preset.training.steps = 4;
  EXPECT_THAT(refusal(job), HasSubstr("zorb_02.png reference 1"));
}

// What moves one way with a pair moves the other way with its images exchanged, alike: the step
// treats both ends the same.
TEST_F(PairSliderRun, ExchangedPairsGiveTheOpposite) {
  job_.preset.training.parts = {kDenoiser, kTe1};
  job_.preset.training.noise_offset = 0.1;
  job_.preset.output.dtype = StorageType::fp32;
  const JobSpec job = job_into("run");
  JobSpec exchanged = job_into("exchanged");
  std::swap(exchanged.images, exchanged.references);
  for (const fs::directory_entry& entry : fs::directory_iterator(home_ / "light")) {
    if (entry.path().extension() == ".txt") {
      fs::copy_file(entry.path(), home_ / "dark" / entry.path().filename());
    }
  }
  // The order of batches is of names, seed and epoch, not of contents.
  const std::vector<double> one = losses(job), other = losses(exchanged);
  ASSERT_EQ(one.size(), other.size());
  for (std::size_t i = 0; i < one.size(); ++i) {
    EXPECT_NEAR(other[i], one[i], 1e-5 * one[i]) << i;
  }
  const SafetensorsFile a = SafetensorsFile::open(job.out / "test.safetensors"),
                        b = SafetensorsFile::open(exchanged.out / "test.safetensors");
  std::map<std::string, int> parts;
  for (const TensorInfo& tensor : a.tensors()) {
    if (tensor.name.find("lora_up") == std::string::npos) {
      continue;
    }
    const TensorInfo* opposite = b.find(tensor.name);
    ASSERT_NE(opposite, nullptr);
    const auto* x = reinterpret_cast<const float*>(tensor.data);
    const auto* y = reinterpret_cast<const float*>(opposite->data);
    double apart = 0, size = 0;
    for (std::int64_t i = 0; i < tensor.count(); ++i) {
      apart += std::pow(double{x[i]} + double{y[i]}, 2);
      size += std::pow(double{x[i]}, 2);
    }
    EXPECT_GT(size, 0) << tensor.name;
    EXPECT_LT(std::sqrt(apart), 0.02 * std::sqrt(size)) << tensor.name;
    ++parts[tensor.name.substr(0, tensor.name.find('_', 5))];
  }
  EXPECT_GE(parts.size(), 2U) << "denoiser and text encoder";
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
  for (const fs::directory_entry& entry : fs::directory_iterator(home_ / "light")) {
    if (entry.path().extension() == ".txt") {
      const Image image = load_image(fs::path(entry.path()).replace_extension(".png"));
      const std::vector<std::uint8_t> mask(image.pixels.size());
      write_png(home_ / "light" / (entry.path().stem().string() + "-masklabel.png"), mask,
                image.width, image.height);
    }
  }
  for (const double loss : losses(job_into("run"))) {
    EXPECT_EQ(loss, 0);
  }
}

TEST_F(PairSliderRun, UpdatesInsideTheBackwardPassAreTheSame) {
  job_.preset.training.max_grad_norm = 0;
  const JobSpec separate = job_into("separate");
  JobSpec fused = job_into("fused");
  fused.preset.optimizer.fused_back_pass = true;
  losses(separate);
  losses(fused);
  EXPECT_EQ(state_of(fused), state_of(separate));
}

TEST_F(PairSliderRun, EveryCheckpointingScopeIsTheSame) {
  job_.preset.adapter.targets = {"linear+conv"};
  job_.preset.adapter.dropout = 0.1;
  expect_every_checkpointing_scope_is_the_same();
}

TEST_F(PairSliderRun, PlansItsVeryArena) {
  use_much();
  const auto planned = plan_training(job_).arena_bytes;
  StepRecorder recorder;
  run(job_into("run"), recorder);
  EXPECT_EQ(planned, recorder.arena_bytes);
  JobSpec plain = job_;
  plain.preset.training.purpose = TrainingPurpose::images;
  plain.references.clear();
  EXPECT_GT(planned, plan_training(plain).arena_bytes);
  JobSpec unknown = job_;  // without images: as for one at each size
  unknown.images.clear();
  unknown.references.clear();
  EXPECT_EQ(plan_training(unknown).arena_bytes, planned);
}

TEST_F(PairSliderRun, ReplaysItsTrace) {
  JobSpec traced = job_into("traced");
  traced.trace = home_ / "trace.safetensors";
  traced.trace_steps = 4;
  const std::vector<double> first = losses(traced);
  JobSpec replayed = job_into("replayed");
  replayed.replay = traced.trace;
  EXPECT_EQ(losses(replayed), first);
}

TEST_F(PairSliderRun, EveryFamilyAndAdapterTrains) {
  job_.preset.training.steps = 2;
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
      expect_all_train(job);
    }
  }
}

TEST_F(PairSliderRun, EveryPrecisionTrains) {
  job_.preset.training.steps = 2;
  for (const test::Precision& precision : test::precisions_of_a_cpu()) {
    SCOPED_TRACE(precision.name());
    JobSpec job = job_into("run");
    job.preset.precision.compute = precision.compute;
    job.preset.precision.weights.denoiser = precision.weights;
    expect_all_train(job);
  }
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
              HasSubstr("slider.positive is of a slider of prompts"));
  EXPECT_THAT(with([](JobSpec& j) { j.prior = j.images; }), HasSubstr("have no partners"));
  EXPECT_THAT(with([](JobSpec& j) { j.preset.adapter.type = AdapterType::dora; }),
              HasSubstr("training.purpose is pair_slider, whose adapter is used at negative"));
  EXPECT_THAT(with([](JobSpec& j) { j.preset.training.method = TrainingMethod::full; }),
              HasSubstr("training.method full doesn't go with it"));
  EXPECT_THAT(with([](JobSpec& j) { j.preset.adapter.init = AdapterInit::pissa; }),
              HasSubstr("adapter.init pissa doesn't go with it"));
  EXPECT_THAT(with([](JobSpec& j) {
                j.preset.samples.prompts.resize(1);
                j.preset.samples.prompts[0].references = "zorb_01";
              }),
              HasSubstr("--references holds the negative images"));
  EXPECT_THAT(with([](JobSpec& j) { j.references.push_back(j.images[0]); }),
              HasSubstr("zorb_01.png has 2 negative images"));
  EXPECT_FALSE(fs::exists(home_ / "refused/checkpoints"));
}

TEST_F(PairSliderRun, AnImageWithoutItsPartnerIsNamed) {
  fs::rename(home_ / "dark/zorb_02.png", home_ / "dark/other.png");
  EXPECT_THAT(refusal(job_into("refused")), HasSubstr("zorb_02.png has no partner"));
  fs::rename(home_ / "light/zorb_02.png", home_ / "other.png");
  fs::remove(home_ / "light/zorb_02.txt");
  EXPECT_THAT(refusal(job_into("refused")), HasSubstr("other.png has no partner"));
  fs::remove(home_ / "dark/other.png");
  EXPECT_EQ(losses(job_into("run")).size(), 4U);
}

TEST_F(PairSliderRun, APartnerOfAnotherSizeIsNamed) {
  const std::vector<std::uint8_t> pixels(static_cast<std::size_t>(3 * 96 * 64));
  write_png(home_ / "dark/zorb_03.png", pixels, 96, 64);
  EXPECT_THAT(refusal(job_into("refused")),
              testing::AllOf(HasSubstr("zorb_03.png"), HasSubstr("96x64"),
                             HasSubstr("the images of a pair have one size")));
}

class PairSliderSlow : public PairSliderRun {};

TEST_F(PairSliderSlow, MovesItsAttributeWithItsWeight) {
  pair("light", "dark", 22);
  job_.preset.training.steps = 500;
  job_.preset.optimizer.learning_rate = 3e-4;
  job_.preset.adapter.targets = {"linear+conv"};
  const JobSpec job = job_into("run");
  losses(job);
  testing_support::expect_brighter_with_weight("a coral zorb on a hill, two-ink print",
                                               job.out / "test.safetensors", home_);
}

}  // namespace
}  // namespace mantissa
