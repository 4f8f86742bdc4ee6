// Whole runs on a card. Where there is none, on the library of tests: CUDA's kernels on the host.
#include <cstdlib>
#include <gtest/gtest.h>

#include "engine/io/file.h"
#include "engine/train/backend.h"
#include "engine/train/sample.h"
#include "tests/engine/train/run_fixture.h"

namespace mantissa {
namespace {

using testing_support::HealthRecorder;

class CudaRun : public testing_support::RunFixture {
 protected:
  void SetUp() override {
    RunFixture::SetUp();
    if (std::getenv("MANTISSA_TEST_DEVICE") == nullptr) {
      setenv("MANTISSA_CUDA_LIBRARY", MANTISSA_CUDA_ON_HOST_PLUGIN, 1);
    }
    unsetenv("MANTISSA_CUDA_PROTECTED");
    job_.preset.training.steps = 3;
    job_.preset.samples.every = 0;
    job_.deterministic = true;
    job_.health_every = 0;
  }

  /// The same job on both; losses within `limit` of each other.
  void expect_same_way(double limit) {
    HealthRecorder cpu, card;
    JobSpec job = job_into("cpu");
    run(job, cpu);
    job = job_into("card");
    job.device = "cuda:0";
    run(job, card);
    ASSERT_EQ(card.steps.size(), cpu.steps.size());
    for (std::size_t i = 0; i < cpu.steps.size(); ++i) {
      const StepRecord &ours = card.steps[i], &theirs = cpu.steps[i];
      EXPECT_NEAR(ours.loss, theirs.loss, limit * theirs.loss) << "step " << i;
      EXPECT_NEAR(ours.grad_norm, theirs.grad_norm, 20 * limit * theirs.grad_norm) << "step " << i;
      EXPECT_EQ(ours.skipped, theirs.skipped) << "step " << i;
    }
  }
};

TEST_F(CudaRun, Fp32FollowsTheCpu) {
  expect_same_way(1e-5);
}

TEST_F(CudaRun, Fp32FollowsTheCpuWhichKeepsOffTheCardsMemory) {
  setenv("MANTISSA_CUDA_PROTECTED", "1", 1);
  job_.preset.training.steps = 1;
  expect_same_way(1e-5);
}

TEST_F(CudaRun, Bf16DoraFollowsTheCpu) {
  job_.preset.adapter.type = AdapterType::dora;
  job_.preset.precision.compute = ComputeType::bf16;
  job_.preset.precision.weights.unet = StorageType::bf16;
  job_.preset.adapter.dropout = 0.1;
  expect_same_way(1e-2);
}

TEST_F(CudaRun, Fp16WithALossScaleFollowsTheCpu) {
  job_.preset.precision.compute = ComputeType::fp16;
  job_.preset.precision.weights.unet = StorageType::fp16;
  expect_same_way(1e-2);
}

TEST_F(CudaRun, Fp8FollowsTheCpu) {
  job_.preset.precision.weights.unet = StorageType::fp8_e4m3;
  job_.preset.precision.compute = ComputeType::fp8;
  job_.preset.optimizer.type = OptimizerType::adamw8bit;
  expect_same_way(5e-2);
}

TEST_F(CudaRun, ResumesToTheBit) {
  const auto state = [this](const char* folder) {
    return read_text(home_ / folder / "checkpoints" / "step-00000004" / "state.safetensors");
  };
  job_.device = "cuda:0";
  job_.preset.training.steps = 4;
  job_.preset.training.ema = 0.9;
  job_.preset.adapter.dropout = 0.2;
  HealthRecorder observer;
  run(job_into("whole"), observer);
  JobSpec half = job_into("half");
  half.preset.training.steps = 2;
  run(half, observer);
  half.preset.training.steps = 4;
  half.resume = half.out;
  run(half, observer);
  EXPECT_EQ(state("whole"), state("half"));
}

TEST_F(CudaRun, StepsAreReplayedFromARecording) {
  job_.device = "cuda:0";
  job_.preset.training.steps = 6;
  HealthRecorder observer;
  run(job_, observer);
  EXPECT_NE(observer.log.find("one CUDA graph"), std::string::npos) << observer.log;
}

TEST_F(CudaRun, TheUpdateIsInTheRecording) {
  job_.preset.training.steps = 7;
  job_.preset.precision.compute = ComputeType::fp16;
  job_.preset.precision.weights.unet = StorageType::fp16;
  job_.preset.training.gradient_accumulation = 2;
  expect_same_way(2e-2);
}

TEST_F(CudaRun, WeightsAreStreamedWhereTheBudgetAsksForIt) {
  job_.device = "cuda:0";
  job_.preset.training.steps = 5;
  HealthRecorder whole, streamed;
  run(job_into("whole"), whole);
  const PlanReport plan = plan_training(job_);
  JobSpec job = job_into("streamed");
  job.memory_budget = plan.peak_bytes - plan.weight_bytes / 2;
  run(job, streamed);
  EXPECT_NE(streamed.log.find("stay in host memory"), std::string::npos) << streamed.log;
  EXPECT_NE(streamed.log.find("one CUDA graph"), std::string::npos) << streamed.log;
  ASSERT_EQ(streamed.steps.size(), whole.steps.size());
  for (std::size_t i = 0; i < whole.steps.size(); ++i) {
    EXPECT_EQ(streamed.steps[i].loss, whole.steps[i].loss) << i;
    EXPECT_EQ(streamed.steps[i].grad_norm, whole.steps[i].grad_norm) << i;
  }
}

TEST_F(CudaRun, RendersSamples) {
  job_.device = "cuda:0";
  job_.preset.training.steps = 1;
  job_.preset.samples.every = 1;
  job_.preset.samples.prompts = {{"a red circle", "", 1, 64, 64, 2, 2.0}};
  HealthRecorder observer;
  run(job_, observer);
  EXPECT_TRUE(std::filesystem::exists(job_.out / "samples" / "step-000001-00.png")) << observer.log;
}

TEST_F(CudaRun, ACardThatIsNotThereIsOneSentence) {
  job_.device = "cuda:7";
  HealthRecorder observer;
  try {
    run(job_, observer);
    FAIL() << "trained on a card that is not there";
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("card"), std::string::npos) << e.what();
  }
}

}  // namespace
}  // namespace mantissa
