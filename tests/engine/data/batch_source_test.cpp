// The inputs of a step: the random stream and axis of each number.
#include "engine/data/batch_source.h"

#include <gtest/gtest.h>
#include <set>

#include "engine/core/random.h"
#include "engine/diffusion/model_objective.h"
#include "engine/diffusion/timesteps.h"
#include "engine/graph/device_values.h"
#include "tests/engine/data/encoded_fixture.h"

namespace mantissa {
namespace {

class BatchSources : public testing_support::EncodedFixture {
 protected:
  void SetUp() override {
    EncodedFixture::SetUp();
    preset_.data.batch_size = 2;
    demo_ = encoded(MANTISSA_SOURCE_DIR "/resources/demo/images");
  }
  BatchSource batches(const EncodedDataset& data) {
    return {data, model_objective(source_, preset_), *kernels_};
  }
  /// The demo's images again, with the current `preset_`.
  BatchSource demo_again() {
    demo_ = encoded(MANTISSA_SOURCE_DIR "/resources/demo/images");
    return batches(*demo_);
  }
  std::vector<float> draws(RandomStream stream, std::int64_t count, std::uint64_t micro_step,
                           std::uint64_t sample) {
    return normal_values(
        *kernels_, count,
        random_key(static_cast<std::uint64_t>(preset_.training.seed), stream, micro_step, sample));
  }

  std::unique_ptr<EncodedDataset> demo_;
};

TEST_F(BatchSources, NoiseIsDrawnFromItsOwnStreamForEachSample) {
  BatchSource source = batches(*demo_);
  for (const std::uint64_t micro_step : {0U, 5U}) {
    const StepInputs in = source.inputs(static_cast<std::int64_t>(micro_step));
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

TEST_F(BatchSources, OffsetNoiseIsOneNumberForEachChannelOfASample) {
  const StepInputs plain = batches(*demo_).inputs(3);
  preset_.training.noise_offset = 0.25;
  const StepInputs in = demo_again().inputs(3);
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

TEST_F(BatchSources, EachTimestepOfValidationHasItsOwnNoise) {
  preset_.data.validation_share = 0.2;
  BatchSource source = demo_again();
  ASSERT_FALSE(demo_->images().validation().empty());
  std::set<std::vector<float>> seen;
  for (std::size_t which = 0; which < BatchSource::kValidationDraws; ++which) {
    const StepInputs in = source.validation_inputs(0, which);
    EXPECT_EQ(in.timesteps, std::vector<double>{125 + 250.0 * static_cast<double>(which)});
    EXPECT_EQ(in.noise, source.validation_inputs(0, which).noise) << "asked again";
    EXPECT_TRUE(seen.insert(in.noise).second) << "timestep " << which;
  }
}

TEST_F(BatchSources, TheDistributionOfTimestepsIsThatOfTrainingAlone) {
  preset_.data.validation_share = 0.2;
  const StepInputs uniform = demo_again().inputs(1);
  preset_.training.timesteps = TimestepDistribution::logit_normal;
  BatchSource source = demo_again();
  const std::vector<double> drawn = source.inputs(1).timesteps;
  EXPECT_NE(drawn, uniform.timesteps);
  EXPECT_EQ(drawn, draw_timesteps(*model_objective(source_, preset_), level_distribution(preset_),
                                  0, static_cast<std::uint64_t>(preset_.training.seed), 1, 2));
  EXPECT_EQ(source.validation_inputs(0, 1).timesteps, std::vector<double>{375});
}

TEST_F(BatchSources, ABatchIsTheSameWhicheverWasAskedForBefore) {
  BatchSource source = batches(*demo_), other = batches(*demo_);
  const StepInputs first = source.inputs(7);
  other.inputs(2);
  const StepInputs second = other.inputs(7);
  EXPECT_EQ(first.sources, second.sources);
  EXPECT_EQ(first.latents, second.latents);
  EXPECT_EQ(first.noise, second.noise);
  EXPECT_EQ(first.timesteps, second.timesteps);
  EXPECT_EQ(first.text, second.text);
}

TEST_F(BatchSources, AnAutoencoderIsFedImagesAndNoiseAlone) {
  preset_.training.method = TrainingMethod::full;
  preset_.training.parts = {kVae};
  const StepInputs in = demo_again().inputs(0);
  EXPECT_EQ(std::ssize(in.images), in.batch * in.height * in.width * 64 * 3);
  EXPECT_EQ(std::ssize(in.noise), in.batch * in.height * in.width * in.channels);
  EXPECT_TRUE(in.latents.empty() && in.text.empty() && in.tokens.empty());
  const auto each = in.height * in.width * in.channels;
  EXPECT_EQ(std::vector<float>(in.noise.begin() + each, in.noise.end()),
            draws(RandomStream::vae, each, 0, 1));
}

TEST_F(BatchSources, APreservedCaptionWeighsNothingWhereNothingIsReplaced) {
  preset_.data.cache = CacheMode::none;
  preset_.data.caption_dropout = 0.3;
  preset_.training.preservation = Preservation::class_word;
  preset_.training.preservation_weight = 0.5;
  preset_.training.trigger_word = "teal";
  preset_.training.class_word = "pink";
  BatchSource source = demo_again();
  std::set<float> weights;
  for (std::int64_t micro_step = 0; micro_step < 8; ++micro_step) {
    const StepInputs in = source.inputs(micro_step);
    ASSERT_EQ(in.preservation_weight.size(), 2U);
    const BatchPlan plan = demo_->images().plan(micro_step);
    std::vector<float> preserved;
    for (std::size_t b = 0; b < 2; ++b) {
      std::string caption = demo_->images().dataset().items[plan.items[b]].caption;
      const std::size_t at = caption.find("teal");
      EXPECT_EQ(in.preservation_weight[b], at == std::string::npos ? 0.0F : 0.5F) << caption;
      weights.insert(in.preservation_weight[b]);
      if (at != std::string::npos) {
        caption.replace(at, 4, "pink");
      }
      const std::vector<float> own = demo_->text(caption).at("context").data;
      preserved.insert(preserved.end(), own.begin(), own.end());
    }
    EXPECT_EQ(in.text.at("preserved.context"), preserved);
  }
  EXPECT_EQ(weights.size(), 2U);
  preset_.training.preservation = Preservation::empty;
  BatchSource blank = demo_again();
  bool dropped = false;
  for (std::int64_t micro_step = 0; micro_step < 8; ++micro_step) {
    const StepInputs in = blank.inputs(micro_step);
    const BatchPlan plan = demo_->images().plan(micro_step);
    for (std::size_t b = 0; b < 2; ++b) {
      dropped = dropped || plan.drop_caption[b];
      EXPECT_EQ(in.preservation_weight[b], plan.drop_caption[b] ? 0.0F : 0.5F);
    }
  }
  EXPECT_TRUE(dropped);
}

}  // namespace
}  // namespace mantissa
