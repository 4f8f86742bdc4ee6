// A run takes all the memory that it needs before its first step.
#include "tests/engine/train/steady_run.h"

namespace mantissa {
namespace {

using testing_support::HealthRecorder;

class SteadyMemory : public testing_support::RunFixture {
 protected:
  void SetUp() override {
    RunFixture::SetUp();
    testing_support::keep_busy(job_, home_ / "images");
  }

  void expect_steady() { expect_steady(job_); }
  void expect_steady(const JobSpec& job) {
    HealthRecorder observer;
    run(job, observer);
    EXPECT_THAT(observer.log, testing::HasSubstr(testing_support::kSteady));
  }
};

TEST_F(SteadyMemory, LoraAsItIs) {
  expect_steady();
}

TEST_F(SteadyMemory, AResumedRun) {
  JobSpec first = job_into("run");
  first.preset.training.steps = 4;
  HealthRecorder observer;
  run(first, observer);
  job_.resume = first.out;
  expect_steady();
}

TEST_F(SteadyMemory, DoraInBf16WithAveragesAndAccumulation) {
  job_.preset.adapter.type = AdapterType::dora;
  job_.preset.adapter.dropout = 0.1;
  job_.preset.precision.compute = ComputeType::bf16;
  job_.preset.precision.weights.denoiser = StorageType::bf16;
  job_.preset.precision.adapter = MasterType::bf16;
  job_.preset.training.ema = 0.9;
  job_.preset.training.gradient_accumulation = 2;
  expect_steady();
}

TEST_F(SteadyMemory, CaptionsShuffledInEveryEpoch) {
  job_.preset.data.shuffle_captions = true;
  job_.preset.data.batch_size = 2;
  expect_steady();
}

TEST_F(SteadyMemory, TextEncodersAreTrained) {
  job_.preset.training.parts = {kDenoiser, kTe1};
  job_.preset.training.gradient_checkpointing = true;
  expect_steady();
}

TEST_F(SteadyMemory, QuantisedWeights) {
  for (const auto& [weights, compute] : {std::pair(StorageType::nf4, ComputeType::bf16),
                                         std::pair(StorageType::int8, ComputeType::int8),
                                         std::pair(StorageType::fp8_e4m3, ComputeType::fp8)}) {
    SCOPED_TRACE(enum_name(weights));
    JobSpec job = job_into(std::string(enum_name(weights)).c_str());
    job.preset.precision.weights.denoiser = weights;
    job.preset.precision.compute = compute;
    expect_steady(job);
  }
}

TEST_F(SteadyMemory, UpdatesInsideTheBackwardPass) {
  job_.preset.optimizer.fused_back_pass = true;
  job_.preset.training.max_grad_norm = 0;
  expect_steady();
}

#ifdef __linux__
TEST_F(SteadyMemory, SlowTwoThousandStepsTakeNoMoreThanAHundred) {
  testing_support::run_long(job_);
  testing_support::MemoryRecorder observer(job_.preset.training.steps);
  run(job_, observer);
  EXPECT_THAT(observer.log, testing::HasSubstr(testing_support::kSteady));
  EXPECT_LE(observer.late, 1.01 * observer.early);
  std::printf("%.2f MB at step 100, %.2f at the end\n", observer.early / 1e6, observer.late / 1e6);
}
#endif

/// Every optimizer.
class SteadyOptimizer : public SteadyMemory, public testing::WithParamInterface<OptimizerType> {};

TEST_P(SteadyOptimizer, TakesNothingLater) {
  job_.preset.optimizer.type = GetParam();
  job_.preset.training.steps = 3;
  job_.preset.samples.every = 0;
  job_.preset.data.validation_share = 0;
  job_.health_every = 0;
  expect_steady();
}

constexpr auto kTypes = [] {
  std::array<OptimizerType, kOptimizers.size()> types{};
  std::ranges::transform(kOptimizers, types.begin(), &OptimizerRow::type);
  return types;
}();
INSTANTIATE_TEST_SUITE_P(Optimizers, SteadyOptimizer, testing::ValuesIn(kTypes),
                         [](const auto& info) {
                           return std::string(optimizer_row(info.param).name);
                         });

}  // namespace
}  // namespace mantissa
