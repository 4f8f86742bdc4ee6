// Runs at several resolutions: their batches, caches, findings, and that they continue to the bit.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <set>

#include "engine/core/paths.h"
#include "engine/io/file.h"
#include "engine/plan/plan_run.h"
#include "engine/plan/planned_run.h"
#include "engine/plan/run_notices.h"
#include "engine/preset/preset_io.h"
#include "engine/run/run_folder.h"
#include "tests/engine/train/run_fixture.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using testing_support::HealthRecorder;

class ResolutionsRun : public testing_support::RunFixture {
 protected:
  void SetUp() override {
    RunFixture::SetUp();
    job_.preset.data.resolution = 128;
    job_.preset.data.further_resolutions = {64};
  }
  static std::set<std::string> cached() {
    std::set<std::string> found;
    for (const fs::directory_entry& e : fs::recursive_directory_iterator(cache_dir() / "tensors")) {
      if (e.is_regular_file()) {
        found.insert(e.path().filename().string());
      }
    }
    return found;
  }
};

TEST_F(ResolutionsRun, AnEpochHasAllSizesAndItsBatchesAreTold) {
  const PlanReport both = plan_training(job_);
  job_.preset.data.further_resolutions.clear();
  const PlanReport one = plan_training(job_);
  EXPECT_EQ(both.length.batches_per_epoch, 2 * one.length.batches_per_epoch);
  EXPECT_EQ(both.arena_bytes, one.arena_bytes) << "the largest size decides";
  ASSERT_TRUE(both.data);
  ASSERT_EQ(both.data->resolutions.size(), 2U);
  for (const ResolutionUse& use : both.data->resolutions) {
    EXPECT_EQ(use.images, both.data->images);
    EXPECT_TRUE(use.sizes.contains({use.resolution, use.resolution}));
  }
}

TEST_F(ResolutionsRun, TheFirstSizeNeedNotBeTheLargest) {
  const PlanReport first = plan_training(job_);
  std::swap(job_.preset.data.resolution, job_.preset.data.further_resolutions[0]);
  const PlanReport last = plan_training(job_);
  EXPECT_EQ(first.length.batches_per_epoch, last.length.batches_per_epoch);
  job_.images.clear();
  EXPECT_EQ(plan_training(job_).arena_bytes >= last.arena_bytes, true);
}

TEST_F(ResolutionsRun, CachesAreSharedBySize) {
  JobSpec small = job_into("small");
  small.preset.data.resolution = 64;
  small.preset.data.further_resolutions.clear();
  HealthRecorder recorder;
  run(small, recorder);
  const std::set<std::string> before = cached();
  run(job_into("both"), recorder);
  const std::set<std::string> after = cached();
  EXPECT_TRUE(std::ranges::includes(after, before));
  JobSpec large = job_into("large");
  large.preset.data.further_resolutions.clear();
  run(large, recorder);
  EXPECT_EQ(cached(), after) << "nothing is encoded again";
}

TEST_F(ResolutionsRun, ContinuesAsIfNeverStopped) {
  job_.preset.training.steps = 8;
  job_.preset.output.save_every = 4;
  const auto state_of = [](const JobSpec& job) {
    return sha256_file(job.out / "checkpoints/step-00000008/state.safetensors");
  };
  HealthRecorder recorder;
  const JobSpec straight = job_into("straight");
  run(straight, recorder);
  JobSpec stopped = job_into("stopped");
  stopped.preset.training.steps = 4;
  run(stopped, recorder);
  JobSpec resumed = RunFolder::open(stopped.out).frozen_job();
  EXPECT_EQ(resumed.preset.data.further_resolutions, std::vector<int>{64});
  resumed.preset.training.steps = 8;
  run(resumed, recorder);
  EXPECT_EQ(state_of(stopped), state_of(straight));
}

TEST_F(ResolutionsRun, EnlargedImagesAreCountedForEachSize) {
  job_.preset.data.resolution = 256;
  job_.preset.data.further_resolutions = {64, 512};
  PlanObserver silent;
  const ImageLibrary library;
  PlannedRun plan = open_run(job_);
  scan_images(plan, silent);
  std::vector<std::string> told;
  for (const Finding& finding : enlarged_findings(plan)) {
    told.push_back(finding.message.text());
  }
  ASSERT_FALSE(told.empty());
  EXPECT_THAT(told.back(), HasSubstr("for the resolution 512 and are enlarged"));
  for (const std::string& text : told) {
    EXPECT_THAT(text, ::testing::Not(HasSubstr("resolution 64 ")));
  }
}

TEST_F(ResolutionsRun, ADraftKnowsTheFoldersOwn) {
  const ImageLibrary library;
  job_.images = {fs::path(MANTISSA_SOURCE_DIR) / "resources/demo/images"};
  job_.preset.data.resolution = 512;
  job_.preset.data.further_resolutions.clear();
  EXPECT_EQ(enlarged_findings(open_run(job_)).size(), 1U);
  FolderRule rule{"images"};
  rule.resolution = 64;
  job_.preset.data.folders = {rule};
  EXPECT_TRUE(enlarged_findings(open_run(job_)).empty());
  job_.preset.data.folders.front().resolution = 256;  // which is the one to lower
  const std::vector<Finding> found = enlarged_findings(open_run(job_));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found.front().fields, std::vector<std::string>{"data.folders"});
  EXPECT_THAT(found.front().message.text(),
              HasSubstr("lower the resolution of its folder in data.folders (256)"));
}

TEST_F(ResolutionsRun, SidesThatTheModelDoesNotTakeAreTold) {
  FolderRule rule{"images"};
  rule.resolution = 200;
  job_.preset.data.folders = {rule};
  job_.preset.data.further_resolutions = {100, 64};
  const std::vector<Finding> found = resolution_findings(open_run(job_));
  ASSERT_EQ(found.size(), 2U);
  EXPECT_THAT(found[0].message.text(), HasSubstr("data.further_resolutions gives 100"));
  EXPECT_THAT(found[0].message.text(), HasSubstr("64 × 64"));
  apply_patch(job_.preset, nlohmann::json::parse(found[0].fix_json));
  EXPECT_EQ(job_.preset.data.further_resolutions, std::vector<int>{64}) << "each once";
  EXPECT_THAT(found[1].message.text(), HasSubstr("data.folders gives 200"));
  apply_patch(job_.preset, nlohmann::json::parse(found[1].fix_json));
  EXPECT_EQ(job_.preset.data.folders[0].resolution, 192);
  EXPECT_TRUE(resolution_findings(open_run(job_)).empty());
}

TEST_F(ResolutionsRun, AVaeIsTrainedAtEachSize) {
  job_.preset.training.parts = {kVae};
  job_.preset.training.method = TrainingMethod::full;
  job_.preset.training.steps = 44;
  HealthRecorder recorder;
  run(job_, recorder);
  EXPECT_EQ(recorder.steps.size(), 44U);
}

TEST(ResolutionSettings, AreAListOfDistinctSizes) {
  Preset preset;
  apply_set(preset, "data.further_resolutions=512,768");
  EXPECT_EQ(preset.data.further_resolutions, (std::vector<int>{512, 768}));
  apply_set(preset, "data.further_resolutions=640");
  EXPECT_EQ(preset.data.further_resolutions, std::vector<int>{640});
  apply_set(preset, "data.further_resolutions=[256, 384]");
  EXPECT_EQ(preset.data.further_resolutions, (std::vector<int>{256, 384}));
  test::expect_error_with([&] { apply_set(preset, "data.further_resolutions=512,512"); },
                          {"data.further_resolutions[1] is 512, which is in the list already"});
  test::expect_error_with([&] { apply_set(preset, "data.further_resolutions=many"); },
                          {"data.further_resolutions"});
  test::expect_error_with([&] { apply_set(preset, "data.further_resolutions=8"); },
                          {"a whole number from 16 to 4096"});
  const Preset again = parse_preset(to_json(preset, WriteMode::full), "again");
  EXPECT_EQ(again.data.further_resolutions, preset.data.further_resolutions);
}

}  // namespace
}  // namespace mantissa
