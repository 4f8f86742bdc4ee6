// How models are sampled where nobody says otherwise, on tiny ones under the names of distilled
// models.
#include "engine/models/sampling_values.h"

#include <filesystem>
#include <gtest/gtest.h>

#include "engine/models/diffusion_model.h"
#include "tests/engine/models/support.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {

namespace fs = std::filesystem;
using testing_support::golden_model;

class SamplingValuesTest : public ::testing::Test {
 protected:
  /// A copy of a tiny model under a name that tells its variant.
  WeightSource called(const std::string& name, const std::string& model) const {
    fs::copy(golden_model(model), folder_ / name, fs::copy_options::overwrite_existing);
    return WeightSource::open(folder_ / name);
  }
  static void expect(const WeightSource& source, SamplingValues want) {
    const SamplingValues found = sampling_values(source);
    EXPECT_EQ(found.steps, want.steps) << source.path();
    EXPECT_EQ(found.guidance, want.guidance) << source.path();
  }
  test::TempFolder folder_;
};

TEST_F(SamplingValuesTest, DistilledModelsTakeFewStepsWithoutGuidance) {
  expect(called("flux1-schnell.safetensors", "flux1_base.safetensors"), {4, 1});
  expect(called("flux-2-klein-4b.safetensors", "flux2_bare.safetensors"), {4, 1});
  expect(WeightSource::open(golden_model("flux3_bare.safetensors")), {16, 1});
  expect(called("chroma1-flash.safetensors", "chroma_base.safetensors"), {8, 1});
  expect(called("krea2_turbo.safetensors", "krea2_bare.safetensors"), {8, 1});
  expect(called("z_image_turbo.safetensors", "z_image_bare.safetensors"), {8, 1});
  expect(called("qwen_image_2.1_turbo.safetensors", "qwen_image21_bare.safetensors"), {8, 1});
  expect(WeightSource::open(golden_model("qwen_image_21")), {40, 1});
  expect(called("qwen_image_lightning.safetensors", "qwen_image_bare.safetensors"), {8, 1});
  expect(called("ernie-image-turbo.safetensors", "ernie_image_bare.safetensors"), {8, 1});
}

TEST_F(SamplingValuesTest, ModelsWithAGuidanceScaleHaveAScaleOfTheirOwn) {
  expect(WeightSource::open(golden_model("flux1")), {28, 3.5});
  expect(called("flux1-krea-dev.safetensors", "flux1_bare.safetensors"), {28, 4.5});
}

// As its pipeline's defaults, with a second pass.
TEST_F(SamplingValuesTest, ChromaHasItsPipelinesValues) {
  expect(WeightSource::open(golden_model("chroma")), {35, 5});
  expect(called("Chroma1-HD.safetensors", "chroma_base.safetensors"), {35, 5});
}

// The same.
TEST_F(SamplingValuesTest, ErnieImageHasItsPipelinesValues) {
  expect(WeightSource::open(golden_model("ernie_image")), {50, 4});
  expect(called("ernie_image_deturbo.safetensors", "ernie_image_bare.safetensors"), {50, 4});
}

TEST_F(SamplingValuesTest, OthersAreSampledAsUsual) {
  const WeightSource undone = called("openflux1.safetensors", "flux1_base.safetensors");
  for (const WeightSource& source :
       {undone, WeightSource::open(golden_model("z_image")), WeightSource::open(golden_model("b")),
        WeightSource::open(golden_model("flux2"))}) {
    expect(source, {20, 6});
    EXPECT_EQ(sampling_values(source, SamplingValues{25, 6}), (SamplingValues{25, 6}));
  }
}

TEST_F(SamplingValuesTest, APromptKeepsWhatItSays) {
  const WeightSource schnell = WeightSource::open(golden_model("flux1_base.safetensors"));
  EXPECT_EQ(sampling_values(schnell, SamplePrompt()), (SamplingValues{4, 1}));
  EXPECT_EQ(sampling_values(schnell, SamplePrompt{.steps = 8}), (SamplingValues{8, 6}));
  EXPECT_EQ(sampling_values(schnell, SamplePrompt{.guidance = 2}), (SamplingValues{20, 2}));
}

TEST_F(SamplingValuesTest, ANegativePromptThatNothingReadsIsTold) {
  const auto dev = DiffusionModel::open_planning(WeightSource::open(golden_model("flux1")));
  const auto schnell =
      DiffusionModel::open_planning(WeightSource::open(golden_model("flux1_base.safetensors")));
  EXPECT_NE(unread_negative(*dev, "blur", 3.5).text().find("FLUX.1 dev takes the guidance scale"),
            std::string::npos);
  EXPECT_NE(unread_negative(*schnell, "blur", 1).text().find("guidance is 1"), std::string::npos);
  EXPECT_TRUE(unread_negative(*schnell, "blur", 2).empty());
  EXPECT_TRUE(unread_negative(*dev, "", 3.5).empty());
}

}  // namespace
}  // namespace mantissa
