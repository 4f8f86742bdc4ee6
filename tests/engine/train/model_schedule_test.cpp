#include <gtest/gtest.h>

#include "engine/io/model_writer.h"
#include "engine/models/new_model.h"
#include "engine/train/backend.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {

/// Says nothing of its schedule.
const char* const kBase = MANTISSA_TEST_DATA "/golden/models/a.safetensors";

// What a model says of its noise schedule must survive writing and reading, as one file and as a
// folder.
class ModelSchedule : public ::testing::TestWithParam<const char*> {
 protected:
  NoiseSchedule written_with(bool v, bool zero_terminal_snr) {
    ModelContents model = new_model({.like = kBase, .dtype = DType::f16});
    set_prediction(model, v, zero_terminal_snr);
    const std::filesystem::path out = folder_ / GetParam();
    write_model(out, model);
    return model_schedule(WeightSource::open(out), {});
  }
  test::TempFolder folder_;
};

TEST_P(ModelSchedule, PureNoiseAtTheEndIsSampledFromTheEnd) {
  const NoiseSchedule schedule = written_with(true, true);
  EXPECT_EQ(schedule.prediction(), Prediction::v);
  EXPECT_TRUE(schedule.config().zero_terminal_snr);
  EXPECT_EQ(schedule.config().spacing, TimestepSpacing::trailing);
  EXPECT_EQ(schedule.alpha_cumprod(schedule.steps() - 1), 0);
}

TEST_P(ModelSchedule, OtherwiseTheFamilysOwnTimesteps) {
  for (const bool v : {false, true}) {
    const NoiseSchedule schedule = written_with(v, false);
    EXPECT_EQ(schedule.prediction(), v ? Prediction::v : Prediction::epsilon);
    EXPECT_FALSE(schedule.config().zero_terminal_snr);
    EXPECT_EQ(schedule.config().spacing, TimestepSpacing::leading);
  }
}

INSTANTIATE_TEST_SUITE_P(FileAndFolder, ModelSchedule,
                         ::testing::Values("base.safetensors", "base"));

TEST(ModelScheduleOfAPreset, AsksForTheEndToo) {
  Preset preset;
  preset.training.prediction = Prediction::v;
  preset.training.zero_terminal_snr = true;
  const auto schedule = model_schedule(WeightSource::open(kBase), preset);
  EXPECT_TRUE(schedule.config().zero_terminal_snr);
  EXPECT_EQ(schedule.config().spacing, TimestepSpacing::trailing);
}

}  // namespace
}  // namespace mantissa
