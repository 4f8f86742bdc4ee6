// training.loss through whole runs.
#include <gtest/gtest.h>

#include "tests/engine/train/run_fixture.h"

namespace mantissa {
namespace {

class LossTest : public testing_support::RunFixture {
 protected:
  std::vector<double> losses(const char* folder, LossType loss, double c) {
    struct Losses : RunObserver {
      void on_step(const StepRecord& r) override { values.push_back(r.loss); }
      std::vector<double> values;
    } observer;
    JobSpec job = job_into(folder);
    job.preset.training.loss = loss;
    job.preset.training.huber_c = c;
    job.preset.training.huber_schedule = HuberSchedule::constant;
    run(job, observer);
    return observer.values;
  }
};

TEST_F(LossTest, HuberOfGreatWidthIsTheSquaredError) {
  const auto squared = losses("mse", LossType::mse, 0.1),
             wide = losses("wide", LossType::huber, 50);
  ASSERT_EQ(wide.size(), squared.size());
  for (std::size_t i = 0; i < wide.size(); ++i) {
    EXPECT_NEAR(wide[i], squared[i], 2e-3 * squared[i]) << "step " << i;
  }
}

TEST_F(LossTest, HuberCountsLargeErrorsLess) {
  const double squared = losses("mse", LossType::mse, 0.1)[0];
  const double huber = losses("huber", LossType::huber, 0.1)[0];
  EXPECT_LT(huber, 0.3 * squared);
  EXPECT_NEAR(losses("smooth", LossType::smooth_l1, 0.1)[0], huber / 0.1, 1e-6 * huber / 0.1);
}

TEST_F(LossTest, HuberResumesToTheBit) {
  const auto whole = losses("whole", LossType::huber, 0.2);
  job_.preset.training.steps = 3;
  auto halves = losses("halves", LossType::huber, 0.2);
  job_.preset.training.steps = static_cast<std::int64_t>(whole.size());
  job_.resume = home_ / "halves";
  const auto rest = losses("halves", LossType::huber, 0.2);
  halves.insert(halves.end(), rest.begin(), rest.end());
  EXPECT_EQ(halves, whole);
}

}  // namespace
}  // namespace mantissa
