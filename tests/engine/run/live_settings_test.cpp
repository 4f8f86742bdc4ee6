// Settings that change during a run.
#include "engine/run/live_settings.h"

#include <algorithm>
#include <fstream>
#include <gtest/gtest.h>

#include "engine/io/file.h"
#include "engine/io/safetensors.h"
#include "engine/preset/preset_io.h"
#include "engine/run/run_adapters.h"
#include "engine/run/run_folder.h"
#include "engine/store/reader.h"
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
  void on_settings(const Preset& preset) override { told.push_back(preset); }
  std::vector<std::int64_t> saved;
  std::vector<Preset> told;

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
  wanted.adapter.rank = job_.preset.adapter.rank;
  EXPECT_EQ(changer.told, std::vector<Preset>{wanted}) << "whoever shows the run learns of it";
}

/// The schedule is a factor: it scales the new rate from then on. A part's own rate stays.
TEST_F(LiveSettingsTest, TheLearningRateIsScaledFromTheNextStepOn) {
  job_.preset.schedule.type = ScheduleType::linear;
  job_.preset.training.parts = {kDenoiser, kTe1};
  job_.preset.optimizer.groups = {{kTe1, {}, 5e-4, {}}};
  HealthRecorder plain;
  run(job_into("plain"), plain);
  Preset wanted = job_.preset;
  wanted.optimizer.learning_rate = 4e-3;  // of 1e-3
  RunControl control;
  Changer changer(control, 2, wanted);
  run_training(job_, control, changer);
  ASSERT_EQ(changer.steps.size(), 4U);
  for (std::size_t i = 0; i < 4; ++i) {
    const auto rate = [i](const HealthRecorder& of, Part part) {
      return of.steps[i].parts.of(part).lr;
    };
    EXPECT_DOUBLE_EQ(rate(changer, kDenoiser), (i < 2 ? 1 : 4) * rate(plain, kDenoiser)) << i;
    EXPECT_DOUBLE_EQ(rate(changer, kTe1), rate(plain, kTe1)) << i;
  }
  EXPECT_NE(changer.log.find("optimizer.learning_rate: 0.001 -> 0.004 after step 2"),
            std::string::npos)
      << changer.log;
  const std::string id = RunFolder::open(job_.out).id();
  const std::vector<EventRow> events = RunReader(runs_database()).events(id);
  EXPECT_TRUE(std::any_of(events.begin(), events.end(), [](const EventRow& event) {
    return event.message.text().find("0.001 -> 0.004") != std::string::npos;
  })) << "the change is recorded with the run";
  EXPECT_EQ(RunFolder::open(job_.out).frozen_job().preset.optimizer.learning_rate, 4e-3);
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

// A run of a sweep has values of its own, which an edit of another setting must leave alone.
TEST_F(LiveSettingsTest, OnlyWhatWasEditedIsTaken) {
  Preset running = job_.preset;
  running.optimizer.learning_rate = 3e-3;
  const Preset before = job_.preset;
  EXPECT_EQ(with_live_edits(running, before, before), running);
  Preset after = before;
  after.training.steps = 77;
  after.adapter.rank = 64;
  const Preset taken = with_live_edits(running, before, after);
  EXPECT_EQ(taken.training.steps, 77);
  EXPECT_EQ(taken.optimizer.learning_rate, 3e-3);
  EXPECT_EQ(taken.adapter.rank, running.adapter.rank);
}

TEST_F(LiveSettingsTest, StepsAndEpochsAreOneEdit) {
  Preset running = job_.preset;
  running.training.epochs = 5;  // as a run of a sweep may have it
  Preset after = job_.preset;
  after.training.steps = 77;
  const Preset by_steps = with_live_edits(running, job_.preset, after);
  EXPECT_EQ(by_steps.training.steps, 77);
  EXPECT_EQ(by_steps.training.epochs, 0) << "epochs would take precedence";
  after = job_.preset;
  after.training.epochs = 3;
  running.training.steps = 9;
  const Preset by_epochs = with_live_edits(running, job_.preset, after);
  EXPECT_EQ(by_epochs.training.epochs, 3);
  EXPECT_EQ(by_epochs.training.steps, job_.preset.training.steps);
  Preset other = job_.preset;
  other.output.save_every = 5;
  EXPECT_EQ(with_live_edits(running, job_.preset, other).training.epochs, 5) << "not edited";
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

/// A run of four steps whose settings change.
class ChangedSettings : public LiveSettingsTest {
 protected:
  void SetUp() override {
    LiveSettingsTest::SetUp();
    job_.preset.output.save_every = 2;
    job_.preset.output.keep = 20;
  }
  /// The run's job with these changes on resume.
  JobSpec changed(const std::function<void(Preset&)>& change) const {
    JobSpec job = RunFolder::open(job_.out).frozen_job();
    change(job.preset);
    return job;
  }
  /// Stops a run after its third step, as a signal does.
  class Stopper : public HealthRecorder {
   public:
    explicit Stopper(RunControl& control) : control_(control) {}
    void on_step(const StepRecord& r) override {
      HealthRecorder::on_step(r);
      if (steps.size() == 3) {
        control_.request_stop(RunControl::Stop::save);
      }
    }

   private:
    RunControl& control_;
  };
  void stop_in_the_middle(const JobSpec& job) {
    RunControl control;
    Stopper stopper(control);
    EXPECT_THROW(run_training(job, control, stopper), Error);
  }
  std::int64_t recorded_steps() const {
    const auto row = RunReader(runs_database()).run(RunFolder::open(job_.out).id());
    return parse_preset(row->preset_json, "row").training.steps;
  }
};

TEST_F(ChangedSettings, OfAResumeHoldForTheNextOne) {
  HealthRecorder first, last;
  run(job_, first);
  const std::string frozen = read_text(job_.out / "job.json");
  stop_in_the_middle(changed([](Preset& p) {
    p.training.steps = 9;
    p.output.name = "other";
    p.description = "longer";
  }));
  EXPECT_EQ(read_text(job_.out / "job.json"), frozen) << "it is what the checkpoints belong to";
  EXPECT_EQ(recorded_steps(), 9);
  const JobSpec now = RunFolder::open(job_.out).frozen_job();
  EXPECT_EQ(now.preset.training.steps, 9);
  EXPECT_EQ(now.preset.description, "longer");
  const RunResult result = run(now, last);
  EXPECT_EQ(result.steps, 9);
  EXPECT_EQ(result.adapter.filename(), "other.safetensors");
  const auto metadata = SafetensorsFile::open(result.adapter).metadata();
  EXPECT_EQ(parse_preset(metadata.at("mantissa.preset"), "file").training.steps, 9);
  // Checkpoints older than the new name still give their adapters.
  EXPECT_EQ(adapter_at(job_.out / "checkpoints/step-00000004").filename(), "test.safetensors");
}

TEST_F(ChangedSettings, OfALiveRunHoldForAResume) {
  Preset wanted = job_.preset;
  wanted.training.steps = 5;
  wanted.output.save_every = 0;
  RunControl control;
  Changer changer(control, 1, wanted);
  run_training(job_, control, changer);
  const JobSpec now = RunFolder::open(job_.out).frozen_job();
  EXPECT_EQ(now.preset.training.steps, 5);
  EXPECT_EQ(now.preset.output.save_every, 0);
  EXPECT_EQ(recorded_steps(), 5);
}

TEST_F(ChangedSettings, NothingIsRecordedOfAnUnchangedRun) {
  HealthRecorder recorder;
  run(job_, recorder);
  JobSpec same = job_;
  same.resume = job_.out;
  run(same, recorder);
  EXPECT_FALSE(std::filesystem::exists(job_.out / "settings.json"));
}

TEST_F(ChangedSettings, DamagedOnesAreTakenFromTheNewestCheckpoint) {
  HealthRecorder recorder;
  run(job_, recorder);
  run(changed([](Preset& p) { p.training.steps = 6; }), recorder);
  const std::filesystem::path file = job_.out / "settings.json";
  const std::string good = read_text(file);
  for (std::size_t at = 0; at < good.size(); at += 97) {
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ 4);
    std::ofstream(file, std::ios::binary) << bad;
    const RunFolder run = RunFolder::open(job_.out);
    EXPECT_EQ(run.frozen_job().preset.training.steps, 6) << at;
    EXPECT_NE(run.notice(), Message()) << at;
  }
  std::filesystem::remove(file);
  EXPECT_EQ(RunFolder::open(job_.out).frozen_job().preset.training.steps, 6)
      << "as of versions that recorded it in checkpoints only";
  // A change that no checkpoint has yet is not undone by an older one.
  RunFolder folder = RunFolder::open(job_.out);
  Preset later = folder.frozen_job().preset;
  later.training.steps = 7;
  later.adapter.rank = 64;  // can't change
  folder.record_settings(later);
  const Preset found = RunFolder::open(job_.out).frozen_job().preset;
  EXPECT_EQ(found.training.steps, 7);
  EXPECT_EQ(found.adapter.rank, job_.preset.adapter.rank);
  // Nor is one that restores the start's settings.
  folder.record_settings(job_.preset);
  EXPECT_EQ(RunFolder::open(job_.out).frozen_job().preset.training.steps, 4);
}

TEST_F(ChangedSettings, PrunedCheckpointsAreNotListed) {
  job_.preset.output.save_every = 1;
  job_.preset.output.keep = 2;
  HealthRecorder recorder;
  const RunResult result = run(job_, recorder);
  RunReader reader(runs_database());
  const auto steps = [&] {
    std::vector<std::int64_t> listed;
    for (const CheckpointRow& row : reader.checkpoints(result.run_id)) {
      listed.push_back(row.step);
    }
    return listed;
  };
  EXPECT_EQ(steps(), (std::vector<std::int64_t>{3, 4}));
  std::filesystem::remove_all(job_.out / "checkpoints/step-00000003");
  EXPECT_EQ(steps(), std::vector<std::int64_t>{4}) << "deleted by hand";
  std::filesystem::rename(job_.out, home_ / "away");
  EXPECT_EQ(steps(), (std::vector<std::int64_t>{3, 4})) << "a disk that isn't there";
}

}  // namespace
}  // namespace mantissa
