// Settings that change during a run.
#include "engine/run/live_settings.h"

#include <gtest/gtest.h>

#include "engine/preset/preset_io.h"
#include "engine/train/run_training.h"
#include "tests/engine/train/run_fixture.h"

namespace mantissa {
namespace {

using testing_support::HealthRecorder;
using LiveSettingsTest = testing_support::RunFixture;

/// Asks for other settings once a step is done.
class Changer : public HealthRecorder {
 public:
  Changer(RunControl& control, std::int64_t at, Preset wanted)
      : control_(control), at_(at), wanted_(std::move(wanted)) {}
  void on_step(const StepRecord& r) override {
    HealthRecorder::on_step(r);
    if (r.step == at_) {
      control_.request_settings(wanted_);
    }
  }
  void on_saved(const std::filesystem::path&, std::int64_t step) override { saved.push_back(step); }
  std::vector<std::int64_t> saved;

 private:
  RunControl& control_;
  std::int64_t at_;
  Preset wanted_;
};

TEST_F(LiveSettingsTest, HoldAfterTheStep) {
  Preset wanted = job_.preset;
  wanted.training.steps = 6;
  wanted.output.save_every = 3;
  wanted.adapter.rank = 64;  // not a live setting: unchanged
  RunControl control;
  Changer changer(control, 2, wanted);
  const RunResult result = run_training(job_, control, changer);
  EXPECT_EQ(result.steps, 6);
  EXPECT_EQ(changer.steps.size(), 6u);
  ASSERT_FALSE(changer.saved.empty());
  EXPECT_EQ(changer.saved.front(), 3);
  EXPECT_NE(changer.log.find("training.steps: 4 -> 6 after step 2"), std::string::npos)
      << changer.log;
  EXPECT_EQ(changer.log.find("rank"), std::string::npos) << changer.log;
}

TEST_F(LiveSettingsTest, FewerStepsThanAreDoneEndTheRun) {
  Preset wanted = job_.preset;
  wanted.training.steps = 2;
  RunControl control;
  Changer changer(control, 3, wanted);
  const RunResult result = run_training(job_, control, changer);
  EXPECT_EQ(result.steps, 3);
  EXPECT_TRUE(std::filesystem::exists(result.adapter));
}

TEST_F(LiveSettingsTest, OnlyTheListedKeysAreTaken) {
  Preset wanted = job_.preset;
  wanted.training.steps = 77;
  wanted.output.save_every = 5;
  wanted.output.save_minutes = 7;
  wanted.samples.every = 9;
  wanted.training.epochs = 3;
  wanted.output.save_epochs = 2;
  wanted.samples.every_epochs = 4;
  wanted.samples.every_minutes = 6;
  wanted.adapter.rank = 64;
  wanted.optimizer.learning_rate = 1;
  const Preset taken = with_live_settings(job_.preset, wanted);
  std::vector<std::string> changed;
  for (const PresetChange& change : diff_presets(job_.preset, taken)) {
    changed.push_back(change.key);
  }
  ASSERT_EQ(changed.size(), live_settings().size());
  for (const std::string_view key : live_settings()) {
    EXPECT_NE(std::find(changed.begin(), changed.end(), key), changed.end()) << key;
  }
}

TEST_F(LiveSettingsTest, ThePlannedPresetStays) {
  const Preset planned = job_.preset;
  LiveSettings settings(planned);
  Preset wanted = planned;
  wanted.training.steps = 77;
  wanted.adapter.rank = 64;
  const std::vector<PresetChange> changes = settings.take(wanted);
  ASSERT_EQ(changes.size(), 1U);
  EXPECT_EQ(changes[0].key, "training.steps");
  EXPECT_EQ(changes[0].b, 77);
  EXPECT_EQ(settings.preset().training.steps, 77);
  EXPECT_EQ(settings.preset().adapter.rank, planned.adapter.rank);
  EXPECT_TRUE(settings.take(wanted).empty());
  EXPECT_EQ(job_.preset, planned);
}

}  // namespace
}  // namespace mantissa
