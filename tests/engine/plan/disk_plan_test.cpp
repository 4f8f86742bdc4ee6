// The planned disk space of checkpoints.
#include "engine/plan/disk_plan.h"

#include <gtest/gtest.h>

#include "engine/plan/plan_run.h"
#include "engine/plan/planned_run.h"
#include "tests/engine/train/run_fixture.h"

namespace mantissa {
namespace {

using DiskPlan = testing_support::RunFixture;
namespace fs = std::filesystem;

std::uint64_t bytes_in(const fs::path& folder) {
  std::uint64_t sum = 0;
  for (const auto& entry : fs::directory_iterator(folder)) {
    sum += entry.file_size();
  }
  return sum;
}

TEST_F(DiskPlan, CoversWhatIsWritten) {
  struct Plans : RunObserver {
    void on_plan(const PlanReport& report) override { plan = report; }
    PlanReport plan;
  } plans;
  job_.preset.training.ema = 0.9;
  job_.preset.adapter.rank = 32;
  job_.preset.output.keep = 3;
  const RunResult result = run(job_, plans);
  const std::uint64_t written = bytes_in(result.folder / "checkpoints/step-00000004");
  EXPECT_EQ(plans.plan.disk.folder, result.folder / "checkpoints");
  EXPECT_GE(plans.plan.disk.needed_bytes, 4 * written) << "three, and the one being written";
  EXPECT_LE(plans.plan.disk.needed_bytes, 6 * written);
  EXPECT_GT(plans.plan.disk.free_bytes, 0U);
  const PlanReport before = plan_training(job_);
  EXPECT_EQ(before.disk.needed_bytes, plans.plan.disk.needed_bytes);
  EXPECT_EQ(before.disk.folder, job_.out);
}

/// A whole model's last save lies beside its checkpoints.
TEST_F(DiskPlan, CountsTheResult) {
  const PlanReport adapter = plan_training(job_);
  EXPECT_GT(adapter.result_bytes, 0U);
  PlanReport without = adapter;
  without.result_bytes = 0;
  EXPECT_EQ(plan_disk(job_.out, adapter, 3).needed_bytes,
            plan_disk(job_.out, without, 3).needed_bytes + adapter.result_bytes);
  job_.preset.training.method = TrainingMethod::full;
  job_.preset.training.parts = {kDenoiser};
  job_.preset.output.dtype = MasterType::fp16;
  const PlanReport full = plan_training(job_);
  // The encoders and the VAE are written too.
  const auto base = fs::file_size(MANTISSA_SOURCE_DIR "/resources/demo/mini-sdxl.safetensors");
  EXPECT_GT(full.result_bytes, base * 9 / 10);
  EXPECT_LT(full.result_bytes, base * 11 / 10);
}

TEST(DiskPlanWarning, NamesFolderAndBytes) {
  const PlannedDisk little{"/full/disk", 500, 20};
  EXPECT_FALSE(little.fits());
  const std::string text = disk_warning(little, 2).text();
  EXPECT_NE(text.find("/full/disk: the checkpoints and the result of this run take up to 500 "
                      "B, 20 B are free"),
            std::string::npos)
      << text;
  EXPECT_EQ(text.find("output.keep"), std::string::npos) << "it is at its least";
  EXPECT_NE(disk_warning(little, 3).text().find("lower output.keep"), std::string::npos);
  EXPECT_TRUE(plan_disk("/no/such/folder/at/all", {}, 2).fits());
}

}  // namespace
}  // namespace mantissa
