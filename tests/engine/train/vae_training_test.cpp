// training.parts ["vae"]: whole runs that train an autoencoder, the scale of its latents, and what
// is refused.
#include <cmath>
#include <gtest/gtest.h>

#include "engine/data/buckets.h"
#include "engine/io/model_writer.h"
#include "engine/io/part_names.h"
#include "engine/io/resample.h"
#include "engine/io/weights.h"
#include "engine/models/new_model.h"
#include "engine/plan/plan_run.h"
#include "engine/plan/planned_run.h"
#include "engine/programs/latent_scale.h"
#include "engine/programs/reconstruction.h"
#include "engine/run/run_folder.h"
#include "kernels/cpu/cpu.h"
#include "tests/engine/train/run_fixture.h"

namespace mantissa {
namespace {
namespace fs = std::filesystem;
using testing_support::HealthRecorder;

std::vector<float> weight(const WeightSource& source, Part part, const std::string& name) {
  std::vector<float> values(static_cast<std::size_t>(source.shape(part, name).count()));
  source.read_f32(part, name, values);
  return values;
}

/// A base model's VAE in FP32, and the demo's images.
class VaeOfFile {
 public:
  explicit VaeOfFile(const fs::path& file)
      : model_(DiffusionModel::open(*kernels_, WeightSource::open(file))), arena_(*kernels_) {
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(resolve_images({"demo"}).front())) {
      if (entry.path().extension() == ".png") {
        files.push_back(entry.path());
      }
    }
    std::sort(files.begin(), files.end());
    for (const fs::path& path : files) {
      const Image image = load_image(path);
      const Placement p = place_image({64, 64}, image.width, image.height);
      images_.push_back(resize_crop(image, p.scaled_width, p.scaled_height, p.left, p.top, 64, 64));
    }
  }
  LatentStatistics latents() {
    LatentEncoder encoder(*kernels_, *model_);
    LatentMeter meter;
    for (const Image& image : images_) {
      meter.add(encoder.encode(image));
    }
    return meter.result();
  }
  std::vector<std::uint8_t> reconstruction(std::size_t index) {
    return Reconstructor(*kernels_, arena_, *model_).beside(images_.at(index)).pixels;
  }
  double scaling_factor() const { return model_->vae_config().scaling_factor; }

 private:
  const ImageLibrary library_;
  std::unique_ptr<Kernels> kernels_ = make_cpu_kernels(2);
  std::unique_ptr<DiffusionModel> model_;
  Arena arena_;
  std::vector<Image> images_;
};

void expect_unit_latents(const fs::path& file) {
  VaeOfFile vae(file);
  const LatentStatistics s = vae.latents();
  ASSERT_EQ(s.mean.size(), 4U);
  for (std::size_t c = 0; c < 4; ++c) {
    EXPECT_NEAR(vae.scaling_factor() * s.mean[c], 0, 0.02) << c;
    EXPECT_NEAR(vae.scaling_factor() * s.deviation[c], 1, 0.02) << c;
  }
}

class VaeTrainingTest : public testing_support::RunFixture {
 protected:
  void SetUp() override {
    RunFixture::SetUp();
    job_.base = untrained();
    job_.preset.training.method = TrainingMethod::full;
    job_.preset.training.parts = {kVae};
    job_.preset.data.buckets = false;
    job_.preset.data.batch_size = 2;
    job_.preset.optimizer.learning_rate = 2e-3;
  }
  /// The demo's base with random weights everywhere.
  fs::path untrained() const {
    NewModel wanted;
    wanted.like = resolve_base("demo");
    wanted.seed = 3;
    const fs::path file = home_ / "new.safetensors";
    write_model(file, new_model(wanted));
    return file;
  }
  static std::string refusal(const JobSpec& job) {
    HealthRecorder r;
    std::string planned;
    try {
      plan_training(job);
    } catch (const Error& e) {
      planned = e.what();
    }
    try {
      run(job, r);
    } catch (const Error& e) {
      EXPECT_EQ(planned, e.what());
      return e.what();
    }
    return {};
  }
};

double mean_loss(const std::vector<StepRecord>& steps, std::size_t from, std::size_t count) {
  double sum = 0;
  for (std::size_t i = from; i < from + count; ++i) {
    sum += steps.at(i).loss / static_cast<double>(count);
  }
  return sum;
}

TEST_F(VaeTrainingTest, LearnsFromScratchAndWritesABaseModel) {
  job_.preset.training.steps = 80;
  job_.preset.output.save_every = 40;
  HealthRecorder r;
  const RunResult result = run(job_, r);
  EXPECT_LT(mean_loss(r.steps, 70, 10), 0.6 * mean_loss(r.steps, 0, 3));
  for (const StepRecord& s : r.steps) {
    EXPECT_TRUE(std::isfinite(s.loss) && s.grad_norm > 0 && s.parts.size() == 1 &&
                s.parts.of(kVae).lr > 0);
  }
  const WeightSource before = WeightSource::open(job_.base),
                     after = WeightSource::open(result.adapter);
  EXPECT_TRUE(after.unknown().empty());
  for (Part part : {kDenoiser, kTe1, kTe2, kVae}) {
    ASSERT_EQ(before.names(part), after.names(part));
    for (const std::string& name : before.names(part)) {
      const bool same = weight(before, part, name) == weight(after, part, name);
      EXPECT_EQ(same, part != kVae) << part_name(part) << " " << name;
    }
  }
  expect_unit_latents(result.adapter);
  expect_unit_latents(result.folder / "checkpoints/step-00000040/test.safetensors");
  EXPECT_EQ(r.log.find("S8"), std::string::npos) << "every part got gradients";
}

TEST_F(VaeTrainingTest, TheResultIsABaseForTheDenoiser) {
  job_.preset.training.steps = 2;
  HealthRecorder r;
  const RunResult vae = run(job_into("vae"), r);
  JobSpec next = job_into("unet");
  next.base = vae.adapter;
  next.preset.training.parts = {kDenoiser};
  HealthRecorder denoiser;
  EXPECT_EQ(run(next, denoiser).steps, 2);
  EXPECT_GT(denoiser.steps.at(0).grad_norm, 0);
}

TEST_F(VaeTrainingTest, TheScaleIsSettledAndImagesStay) {
  job_.preset.optimizer.learning_rate = 0;
  job_.preset.training.steps = 1;
  HealthRecorder r;
  const RunResult result = run(job_, r);
  VaeOfFile before(job_.base), after(result.adapter);
  EXPECT_GT(std::fabs(before.scaling_factor() * before.latents().deviation[0] - 1), 0.1)
      << "there is something to settle";
  expect_unit_latents(result.adapter);
  for (std::size_t index : {0, 3}) {
    const auto a = before.reconstruction(index), b = after.reconstruction(index);
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
      ASSERT_LE(std::abs(a[i] - b[i]), 1) << i;
    }
  }
}

TEST_F(VaeTrainingTest, LatentsStayWhereOnlyTheDecoderLearns) {
  job_.preset.training.weights = {"vae.decoder.*", "vae.post_quant_conv"};
  HealthRecorder r;
  const WeightSource before = WeightSource::open(job_.base),
                     after = WeightSource::open(run(job_, r).adapter);
  for (const std::string& name : before.names(kVae)) {
    const bool same = weight(before, kVae, name) == weight(after, kVae, name);
    EXPECT_EQ(same, name.starts_with("encoder.") || name.starts_with("quant_conv.")) << name;
  }
}

TEST_F(VaeTrainingTest, ResumeIsBitExactWithAveragedWeights) {
  job_.preset.training.ema = 0.9;
  job_.preset.data.flip = true;
  job_.preset.training.steps = 6;
  job_.preset.output.save_every = 3;  // a checkpoint measures with averages instead of the weights
  HealthRecorder whole;
  const RunResult straight = run(job_into("straight"), whole);
  JobSpec first = job_into("stopped");
  first.preset.training.steps = 3;
  HealthRecorder half;
  run(first, half);
  JobSpec again = first;
  again.preset.training.steps = 6;
  again.resume = first.out;
  HealthRecorder rest;
  const RunResult resumed = run(again, rest);
  ASSERT_EQ(rest.steps.size(), 3U);
  EXPECT_EQ(rest.steps[2].loss, whole.steps[5].loss);
  const WeightSource a = WeightSource::open(straight.adapter),
                     b = WeightSource::open(resumed.adapter);
  for (const std::string& name : a.names(kVae)) {
    ASSERT_EQ(weight(a, kVae, name), weight(b, kVae, name)) << name;
  }
  JobSpec plain = job_into("plain");
  plain.preset.output.save_every = 0;
  HealthRecorder undisturbed;
  run(plain, undisturbed);
  EXPECT_EQ(undisturbed.steps[5].loss, whole.steps[5].loss) << "measuring changes nothing";
}

TEST_F(VaeTrainingTest, NarrowComputeAndMastersTrain) {
  job_.preset.training.steps = 10;
  for (const auto& [compute, masters, checkpointing] :
       {std::tuple{ComputeType::bf16, MasterType::fp32, false},
        {ComputeType::bf16, MasterType::bf16, true},
        {ComputeType::tf32, MasterType::fp32, false}}) {
    JobSpec job = job_into(("run" + std::to_string(static_cast<int>(compute)) + "-" +
                            std::to_string(static_cast<int>(masters)))
                               .c_str());
    job.preset.precision.compute = compute;
    job.preset.precision.adapter = masters;
    job.preset.training.gradient_checkpointing = checkpointing;
    HealthRecorder r;
    EXPECT_EQ(run(job, r).steps, 10);
    EXPECT_LT(r.steps.at(9).loss, r.steps.at(0).loss);
    const PlanReport plan = plan_training(job);
    const bool in_bf16 = compute == ComputeType::bf16;
    for (const PlannedModule& m : plan.modules) {
      if (m.path == "vae.encoder.conv_in" && m.kind == "conv") {
        EXPECT_EQ(m.compute, in_bf16 ? "bf16" : "tf32");
        EXPECT_EQ(m.storage, masters == MasterType::bf16 ? "bf16" : "fp32");
      }
    }
  }
}

TEST_F(VaeTrainingTest, SamplesShowImagesBesideTheirReconstructions) {
  struct Samples : HealthRecorder {
    void on_sample(const SampleRecord& s) override { samples.push_back(s); }
    std::vector<SampleRecord> samples;
  } r;
  job_.preset.samples.every = 2;
  run(job_, r);
  ASSERT_EQ(r.samples.size(), 12U) << "four images before, in between and at the end";
  EXPECT_EQ(r.samples[5].step, 2);
  EXPECT_EQ(r.samples[5].prompt_index, 1);
  const ImageLibrary library;
  const Image sample = load_image(r.samples[5].path);
  EXPECT_EQ(sample.width, 128);
  EXPECT_EQ(sample.height, 64);
}

TEST_F(VaeTrainingTest, ThePlanIsThatOfTheRun) {
  struct Plans : HealthRecorder {
    void on_plan(const PlanReport& p) override { plan = p; }
    PlanReport plan;
  } r;
  job_.preset.training.ema = 0.9;
  run(job_, r);
  const PlanReport plan = plan_training(job_);
  EXPECT_EQ(plan.arena_bytes, r.plan.arena_bytes);
  EXPECT_EQ(plan.adapter_bytes, r.plan.adapter_bytes);
  EXPECT_EQ(plan.peak_bytes, r.plan.peak_bytes);
}

TEST_F(VaeTrainingTest, WhatAVaeIsNotTrainedWithIsRefused) {
  JobSpec mixed = job_;
  mixed.preset.training.parts = {kDenoiser, kVae};
  EXPECT_NE(refusal(mixed).find("it is trained alone"), std::string::npos) << refusal(mixed);
  JobSpec adapter = job_;
  adapter.preset.training.method = TrainingMethod::adapter;
  EXPECT_NE(refusal(adapter).find("a VAE has no adapters"), std::string::npos) << refusal(adapter);
  JobSpec traced = job_;
  traced.trace = home_ / "trace.safetensors";
  EXPECT_NE(refusal(traced).find("--trace"), std::string::npos) << refusal(traced);
  JobSpec narrow = job_;
  narrow.preset.precision.weights.vae = StorageType::fp8_e4m3;
  HealthRecorder r;
  try {
    run(narrow, r);
    FAIL() << "trained FP8 weights";
  } catch (const Error& e) {
    EXPECT_EQ(e.id(), "Q9");
  }
}

TEST(LatentScale, TheBorderSettlesExactlyWhatWasMeasured) {
  // Two channels whose values are known: 1, 3 and 10, 10 with different deviations.
  LatentMeter meter;
  meter.add({{{1, 2, 2}, {1, 10, 3, 10}}, {{1, 2, 2}, {0, 2, 0, 2}}});
  const LatentStatistics s = meter.result();
  EXPECT_NEAR(s.mean[0], 2, 1e-12);
  EXPECT_NEAR(s.deviation[0], 1, 1e-12);
  EXPECT_NEAR(s.mean[1], 10, 1e-12);
  EXPECT_NEAR(s.deviation[1], 2, 1e-12) << "the posterior's own deviation counts";

  LatentBorder border;
  for (int i = 0; i < 16; ++i) {
    border.quant_weight.push_back(0.25F * static_cast<float>(i % 5) - 0.3F);
  }
  border.quant_bias = {0.5F, -1, 0.25F, 2};
  border.post_weight = {1, 0.5F, -2, 3};
  border.post_bias = {0.1F, -0.2F};
  const LatentBorder old = border;
  settle_scale(border, s, 0.5);
  const std::vector<double> x{0.3, -1.2, 2, 0.7}, gain{2, 1}, shift{2, 10};
  const auto encode = [&](const LatentBorder& b) {
    std::vector<double> y;
    for (std::size_t row = 0; row < 4; ++row) {
      y.push_back(b.quant_bias[row]);
      for (std::size_t i = 0; i < 4; ++i) {
        y[row] += b.quant_weight[row * 4 + i] * x[i];
      }
    }
    return y;
  };
  const auto decode = [](const LatentBorder& b, const std::vector<double>& z) {
    return std::vector<double>{b.post_bias[0] + b.post_weight[0] * z[0] + b.post_weight[1] * z[1],
                               b.post_bias[1] + b.post_weight[2] * z[0] + b.post_weight[3] * z[1]};
  };
  const auto before = encode(old), after = encode(border);
  for (std::size_t c = 0; c < 2; ++c) {
    EXPECT_NEAR(after[c], gain[c] * (before[c] - shift[c]), 1e-5);
    EXPECT_NEAR(after[2 + c], before[2 + c] + 2 * std::log(gain[c]), 1e-5);
    EXPECT_NEAR(decode(border, after)[c], decode(old, before)[c], 1e-5);
  }
}

}  // namespace
}  // namespace mantissa
