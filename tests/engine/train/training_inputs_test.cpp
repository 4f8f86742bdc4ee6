// What a step is fed: which stream each number is drawn from, and along which axis.
#include <gtest/gtest.h>
#include <set>

#include "engine/core/random.h"
#include "engine/graph/device_values.h"
#include "engine/io/image.h"
#include "engine/train/memory_plan.h"
#include "engine/train/run_folder.h"
#include "engine/train/training_data.h"
#include "kernels/cpu/cpu.h"
#include "tests/engine/train/run_fixture.h"

namespace mantissa {
namespace {
namespace fs = std::filesystem;

class TrainingInputs : public testing_support::RunFixture {
 protected:
  void SetUp() override {
    RunFixture::SetUp();
    preset_ = job_.preset;
    preset_.data.batch_size = 2;
    preset_.data.cache = CacheMode::none;
  }
  /// The demo's data set as `preset_` wants it.
  std::unique_ptr<TrainingData> data() {
    auto made = std::make_unique<TrainingData>(
        preset_, job_folders(job_), bucket_quantum(*model_), [](int, const Message&) {},
        Progress{});
    made->encode(*kernels_, *model_, {});
    return made;
  }
  std::vector<float> draws(RandomStream stream, std::int64_t count, std::uint64_t micro_step,
                           std::uint64_t sample) {
    return normal_values(
        *kernels_, count,
        random_key(static_cast<std::uint64_t>(preset_.training.seed), stream, micro_step, sample));
  }

  const ImageLibrary library_;
  std::unique_ptr<Kernels> kernels_ = make_cpu_kernels();
  const WeightSource source_ =
      WeightSource::open(MANTISSA_SOURCE_DIR "/resources/demo/mini-sdxl.safetensors");
  std::unique_ptr<DiffusionModel> model_ =
      DiffusionModel::open(*kernels_, source_, nullptr, PrecisionRules::uniform(DType::f32));
  Preset preset_;
};

TEST_F(TrainingInputs, NoiseIsDrawnFromItsOwnStreamForEachSample) {
  const auto set = data();
  for (const std::uint64_t micro_step : {0U, 5U}) {
    const StepInputs in = set->inputs(static_cast<std::int64_t>(micro_step), *kernels_);
    const auto each = in.height * in.width * in.channels;
    ASSERT_EQ(std::ssize(in.noise), 2 * each);
    for (std::uint64_t b = 0; b < 2; ++b) {
      const auto first = in.noise.begin() + static_cast<std::ptrdiff_t>(b) * each;
      const std::vector<float> noise(first, first + each);
      EXPECT_EQ(noise, draws(RandomStream::noise, each, micro_step, b)) << b;
      EXPECT_NE(noise, draws(RandomStream::vae, each, micro_step, b)) << "the latents' draw";
    }
  }
}

TEST_F(TrainingInputs, OffsetNoiseIsOneNumberForEachChannelOfASample) {
  const StepInputs plain = data()->inputs(3, *kernels_);
  preset_.training.noise_offset = 0.25;
  const StepInputs in = data()->inputs(3, *kernels_);
  const auto channels = static_cast<std::size_t>(in.channels);
  const auto each = static_cast<std::size_t>(in.height * in.width) * channels;
  for (std::size_t b = 0; b < 2; ++b) {
    const std::vector<float> offset = draws(RandomStream::offset_noise, in.channels, 3, b);
    for (std::size_t i = 0; i < each; ++i) {
      ASSERT_FLOAT_EQ(in.noise[b * each + i],
                      plain.noise[b * each + i] + 0.25F * offset[i % channels])
          << "sample " << b << ", value " << i;
    }
  }
}

TEST_F(TrainingInputs, EachTimestepOfValidationHasItsOwnNoise) {
  preset_.data.validation_share = 0.2;
  const auto set = data();
  ASSERT_GT(set->validation_pictures(), 0);
  std::set<std::vector<float>> seen;
  for (std::size_t which = 0; which < TrainingData::kValidationDraws; ++which) {
    const StepInputs in = set->validation_inputs(0, which, *kernels_);
    EXPECT_EQ(in.timesteps, std::vector<double>{125 + 250.0 * static_cast<double>(which)});
    EXPECT_EQ(in.noise, set->validation_inputs(0, which, *kernels_).noise) << "asked again";
    EXPECT_TRUE(seen.insert(in.noise).second) << "timestep " << which;
  }
}

}  // namespace
}  // namespace mantissa
