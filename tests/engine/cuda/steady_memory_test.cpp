// The card's memory is taken before a run's first step, and every step is recorded by then.
#include "tests/engine/cuda/card.h"
#include "tests/engine/train/steady_run.h"

namespace mantissa {
namespace {

using testing_support::CardMemory;
using testing_support::HealthRecorder;

class SteadyCard : public testing_support::CudaFixture {
 protected:
  void SetUp() override {
    CudaFixture::SetUp();
    testing_support::keep_busy(job_, home_ / "images");
    job_.device = "cuda:0";
    job_.preset.training.steps = 5;
    job_.preset.training.validate_every = 2;
    job_.preset.samples.every = 2;
    job_.health_every = 4;
  }

  /// Watches the card's own counters from the first step to the last.
  class Watch : public HealthRecorder {
   public:
    explicit Watch(const CardMemory& card) : card_(card) {}
    void on_step(const StepRecord& record) override {
      HealthRecorder::on_step(record);
      if (card_.visible()) {
        used.push_back(card_.used());
        recordings.push_back(card_.recordings());
      }
    }
    std::vector<std::size_t> used;  ///< bytes after each step
    std::vector<std::int64_t> recordings;

   private:
    const CardMemory& card_;
  };

  void expect_steady() {
    Watch watch(card_);
    run(job_, watch);
    EXPECT_THAT(watch.log, testing::HasSubstr(testing_support::kSteady));
    ASSERT_EQ(std::ssize(watch.steps), job_.preset.training.steps);
    if (card_.visible()) {
      EXPECT_EQ(watch.used.front(), watch.used.back());
      EXPECT_GT(watch.recordings.front(), 0);
      EXPECT_EQ(watch.recordings.front(), watch.recordings.back());
    }
  }

  CardMemory card_;
};

TEST_F(SteadyCard, Fp32) {
  expect_steady();
}

TEST_F(SteadyCard, DoraInBf16WithAveragesAndAccumulation) {
  job_.preset.adapter.type = AdapterType::dora;
  job_.preset.adapter.dropout = 0.1;
  job_.preset.precision.compute = ComputeType::bf16;
  job_.preset.precision.weights.denoiser = StorageType::bf16;
  job_.preset.precision.adapter = MasterType::bf16;
  job_.preset.training.ema = 0.9;
  job_.preset.training.gradient_accumulation = 2;
  expect_steady();
}

TEST_F(SteadyCard, QuantisedWeightsWithAnEightBitOptimizer) {
  job_.preset.precision.weights.denoiser = StorageType::fp8_e4m3;
  job_.preset.precision.compute = ComputeType::fp8;
  job_.preset.optimizer.type = OptimizerType::adamw8bit;
  job_.preset.data.shuffle_captions = true;
  expect_steady();
}

TEST_F(SteadyCard, NightlyTwoThousandStepsTakeNoMoreThanAHundred) {
  testing_support::run_long(job_);
  testing_support::MemoryRecorder observer(job_.preset.training.steps);
  const std::size_t planned = card_.visible() ? card_.used() : 0;
  run(job_, observer);
  EXPECT_THAT(observer.log, testing::HasSubstr(testing_support::kSteady));
  EXPECT_LE(observer.late, 1.01 * observer.early);
  EXPECT_EQ(card_.visible() ? card_.used() : 0, planned) << "given back after the run";
  std::printf("%.2f MB at step 100, %.2f at the end\n", observer.early / 1e6, observer.late / 1e6);
}

}  // namespace
}  // namespace mantissa
