// Whole runs on a card, or without one on the test library: CUDA's kernels on the host.
#include <cstdlib>
#include <gtest/gtest.h>
#include <iostream>

#include "engine/io/file.h"
#include "engine/io/image.h"
#include "engine/plan/backend.h"
#include "engine/plan/plan_run.h"
#include "engine/plan/planned_run.h"
#include "engine/render/sample.h"
#include "tests/engine/cuda/card.h"
#include "tests/golden_families.h"

namespace mantissa {
namespace {

using testing_support::CardMemory;
using testing_support::HealthRecorder;

class CudaRun : public testing_support::CudaFixture {
 protected:
  /// Runs the job on both; losses within `limit` of each other.
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

  /// The state after four steps on the card, at once and in two halves.
  void expect_to_resume() {
    const auto state = [this](const char* folder) {
      return read_text(home_ / folder / "checkpoints" / "step-00000004" / "state.safetensors");
    };
    job_.device = "cuda:0";
    job_.preset.training.steps = 4;
    HealthRecorder observer;
    run(job_into("whole"), observer);
    JobSpec half = job_into("half");
    half.preset.training.steps = 2;
    run(half, observer);
    half.preset.training.steps = 4;
    half.resume = half.out;
    run(half, observer);
    EXPECT_TRUE(state("whole") == state("half")) << "adapters and optimizer, to the bit";
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
  job_.preset.precision.weights.denoiser = StorageType::bf16;
  job_.preset.adapter.dropout = 0.1;
  expect_same_way(1e-2);
}

TEST_F(CudaRun, Fp16WithALossScaleFollowsTheCpu) {
  job_.preset.precision.compute = ComputeType::fp16;
  job_.preset.precision.weights.denoiser = StorageType::fp16;
  expect_same_way(1e-2);
}

TEST_F(CudaRun, Fp8FollowsTheCpu) {
  job_.preset.precision.weights.denoiser = StorageType::fp8_e4m3;
  job_.preset.precision.compute = ComputeType::fp8;
  job_.preset.optimizer.type = OptimizerType::adamw8bit;
  expect_same_way(5e-2);
}

TEST_F(CudaRun, Int8FollowsTheCpu) {
  job_.preset.precision.weights.denoiser = StorageType::int8;
  job_.preset.precision.compute = ComputeType::int8;
  expect_same_way(2e-2);
}

TEST_F(CudaRun, Int8WithFp16BetweenFollowsTheCpu) {
  job_.preset.precision.weights.denoiser = StorageType::int8_convrot;
  job_.preset.precision.compute = ComputeType::int8_fp16;
  expect_same_way(2e-2);
}

/// As above by our own products alone: unasked, a deterministic run has the library's.
class OurProducts : public CudaRun {
 protected:
  void SetUp() override {
    setenv("MANTISSA_CUDA_PRODUCTS", "ours", 1);
    setenv("MANTISSA_CUDA_UNITS", "90", 1);
    CudaRun::SetUp();
  }
  void TearDown() override {
    CudaRun::TearDown();
    unsetenv("MANTISSA_CUDA_PRODUCTS");
    unsetenv("MANTISSA_CUDA_UNITS");
  }
};

TEST_F(OurProducts, Int8FollowsTheCpu) {
  job_.preset.precision.weights.denoiser = StorageType::int8;
  job_.preset.precision.compute = ComputeType::int8;
  expect_same_way(2e-2);
}

TEST_F(OurProducts, Fp8FollowsTheCpu) {
  job_.preset.precision.weights.denoiser = StorageType::fp8_e4m3;
  job_.preset.precision.compute = ComputeType::fp8;
  expect_same_way(5e-2);
}

TEST_F(CudaRun, RotatedInt8DoraFollowsTheCpu) {
  job_.preset.adapter.type = AdapterType::dora;
  job_.preset.precision.weights.denoiser = StorageType::int8_convrot;
  job_.preset.precision.compute = ComputeType::int8;
  expect_same_way(2e-2);
}

TEST_F(CudaRun, Nf4DoraFollowsTheCpu) {
  job_.preset.adapter.type = AdapterType::dora;
  job_.preset.precision.weights.denoiser = StorageType::nf4;
  job_.preset.precision.compute = ComputeType::bf16;
  expect_same_way(2e-2);
}

TEST_F(CudaRun, ResumesToTheBit) {
  job_.preset.training.ema = 0.9;
  job_.preset.adapter.dropout = 0.2;
  expect_to_resume();
}

/// Every optimizer, whose states may lie on the card and in host memory.
class CudaOptimizerRun : public CudaRun, public ::testing::WithParamInterface<OptimizerType> {};

TEST_P(CudaOptimizerRun, SavesAndResumes) {
  job_.preset.optimizer.type = GetParam();
  job_.preset.precision.compute = ComputeType::bf16;
  job_.preset.precision.weights.denoiser = StorageType::bf16;
  expect_to_resume();
}

constexpr auto kTypes = [] {
  std::array<OptimizerType, kOptimizers.size()> types{};
  std::ranges::transform(kOptimizers, types.begin(), &OptimizerRow::type);
  return types;
}();
INSTANTIATE_TEST_SUITE_P(Optimizers, CudaOptimizerRun, ::testing::ValuesIn(kTypes),
                         [](const auto& info) {
                           return std::string(optimizer_row(info.param).name);
                         });

TEST_F(CudaRun, StepsAreReplayedFromARecording) {
  job_.device = "cuda:0";
  job_.preset.training.steps = 6;
  HealthRecorder observer;
  run(job_, observer);
  EXPECT_NE(observer.log.find("as CUDA graphs"), std::string::npos) << observer.log;
}

TEST_F(CudaRun, TheUpdateIsInTheRecording) {
  job_.preset.training.steps = 7;
  job_.preset.precision.compute = ComputeType::fp16;
  job_.preset.precision.weights.denoiser = StorageType::fp16;
  job_.preset.training.gradient_accumulation = 2;
  expect_same_way(2e-2);
}

/// The flow transformers on captions of two lengths: rotary positions of three or four axes, gated
/// units, masked tokens, joint and single streams, grouped keys, states of several text layers, and
/// for Anima a text conditioner.
class CudaFlowRun : public CudaRun, public ::testing::WithParamInterface<std::string> {
 protected:
  void SetUp() override {
    CudaRun::SetUp();
    job_.base = std::filesystem::path(MANTISSA_TEST_DATA) / "golden/models" / GetParam();
    job_.preset.data.batch_size = 2;
    job_.preset.adapter.targets = {"attention+mlp"};
    append_text(job_.images[0] / "zorb_02.txt", std::string(150, 'x') + " zorbs");
  }
};

TEST_P(CudaFlowRun, Fp32FollowsTheCpu) {
  expect_same_way(1e-5);
}

TEST_P(CudaFlowRun, Bf16DoraWithCheckpointingFollowsTheCpu) {
  job_.preset.adapter.type = AdapterType::dora;
  job_.preset.precision.compute = ComputeType::bf16;
  job_.preset.precision.weights.denoiser = StorageType::bf16;
  job_.preset.training.gradient_checkpointing = true;
  expect_same_way(1e-2);
}

INSTANTIATE_TEST_SUITE_P(Families, CudaFlowRun, ::testing::ValuesIn(test::flow_models()),
                         [](const auto& info) { return info.param; });

/// Runs on images of two shapes; how often the card recorded in each.
class RecordingRun : public CudaRun {
 protected:
  void SetUp() override {
    CudaRun::SetUp();
    const std::filesystem::path images = home_ / "images";
    std::filesystem::create_directories(images);
    for (int i = 0; i < 6; ++i) {
      const int width = i % 2 == 0 ? 128 : 192, height = i % 2 == 0 ? 128 : 64;
      std::vector<std::uint8_t> pixels(static_cast<std::size_t>(width * height * 3));
      for (std::size_t k = 0; k < pixels.size(); ++k) {
        pixels[k] = static_cast<std::uint8_t>(k * 7 + static_cast<std::size_t>(i) * 31);
      }
      write_png(images / (std::to_string(i) + ".png"), pixels, width, height);
    }
    job_.images = {images};
    job_.device = "cuda:0";
    job_.preset.data.resolution = 128;
  }

  std::int64_t recordings_of(const char* folder, std::int64_t steps) {
    JobSpec job = job_into(folder);
    job.preset.training.steps = steps;
    const std::int64_t before = card_.visible() ? card_.recordings() : 0;
    HealthRecorder observer;
    run(job, observer);
    EXPECT_EQ(std::ssize(observer.steps), steps);
    EXPECT_NE(observer.log.find("training steps: 2 shapes, 2 recordings"), std::string::npos)
        << observer.log;
    return card_.visible() ? card_.recordings() - before : 0;
  }
  CardMemory card_;
};

TEST_F(RecordingRun, EveryBucketShapeIsRecordedOnce) {
  recordings_of("short", 8);
}

TEST_F(RecordingRun, SamplesCheckpointsAndValidationBetweenRecordNothingAgain) {
  job_.preset.output.save_every = 4;
  job_.preset.samples.every = 3;
  job_.preset.samples.prompts = {{"a red circle", "", 1, 64, 64, 2, 2.0}};
  job_.preset.data.validation_share = 0.34;
  job_.preset.training.validate_every = 4;
  // Encodes the images and texts, which is recorded as well, so that both runs below read the
  // cache.
  JobSpec cached = job_into("cached");
  cached.preset.training.steps = 1;
  HealthRecorder observer;
  run(cached, observer);
  const std::int64_t short_run = recordings_of("short", 12);
  if (card_.visible()) {
    EXPECT_GE(short_run, 2 + 1) << "the steps of both shapes, and samples";
  }
  EXPECT_EQ(recordings_of("long", 18), short_run);
}

/// A run with all weights on the card and one within half of the bytes between: the same bits, and
/// a peak below the budget.
class StreamedRun : public CudaRun {
 protected:
  void SetUp() override {
    CudaRun::SetUp();
    job_.device = "cuda:0";
    job_.preset.training.steps = 5;
    // So that the steps, not the text encoders before them, need the most.
    job_.preset.data.resolution = 128;
    job_.preset.precision.weights.text_encoders = StorageType::fp16;
  }

  std::size_t peak_of(const JobSpec& job, HealthRecorder& observer) {
    if (card_.visible()) {
      card_.reset_peak();
    }
    run(job, observer);
    return card_.visible() ? card_.peak() : 0;
  }
  std::string state(const char* folder) const {
    return read_text(home_ / folder / "checkpoints" / "step-00000005" / "state.safetensors");
  }

  void expect_same_within_budget() {
    HealthRecorder cached, whole, streamed;
    JobSpec job = job_into("cached");  // so that neither of the two encodes anything
    job.preset.training.steps = 1;
    run(job, cached);
    const PlanReport whole_plan = plan_training(job_);
    EXPECT_EQ(whole_plan.streamed_bytes, 0u);
    job_.memory_budget = 1;
    const PlanReport least_plan = plan_training(job_);
    EXPECT_GT(least_plan.streamed_bytes, 0u);
    ASSERT_LT(least_plan.peak_bytes, whole_plan.peak_bytes);
    job_.memory_budget = 0;
    const std::size_t whole_peak = peak_of(job_into("whole"), whole);
    job = job_into("streamed");
    // Most of what streaming can save, and what is kept for workspaces.
    job.memory_budget = least_plan.peak_bytes +
                        (whole_plan.peak_bytes - least_plan.peak_bytes) / 4 +
                        (std::uint64_t{8} << 20);
    const std::size_t streamed_peak = peak_of(job, streamed);
    std::cout << "budget " << job.memory_budget << "; planned " << whole_plan.peak_bytes << ", "
              << least_plan.peak_bytes << "; taken " << whole_peak << ", " << streamed_peak << "\n";
    if (card_.visible()) {
      EXPECT_LE(streamed_peak, job.memory_budget);
      EXPECT_LT(streamed_peak, whole_peak);
      if (job_.preset.precision.weights.denoiser == StorageType::fp32) {
        EXPECT_GT(whole_peak, job.memory_budget) << "a budget that asks for nothing";
      }
    }
    constexpr auto npos = std::string::npos;
    EXPECT_EQ(whole.log.find("stay in host memory"), npos) << whole.log;
    EXPECT_NE(streamed.log.find("stay in host memory"), npos) << streamed.log;
    const char* graph = "as CUDA graphs";
    recorded_ = streamed.log.find(graph) != npos;
    EXPECT_EQ(recorded_, whole.log.find(graph) != npos) << streamed.log;
    ASSERT_EQ(streamed.steps.size(), whole.steps.size());
    for (std::size_t i = 0; i < whole.steps.size(); ++i) {
      EXPECT_EQ(streamed.steps[i].loss, whole.steps[i].loss) << i;
      EXPECT_EQ(streamed.steps[i].grad_norm, whole.steps[i].grad_norm) << i;
    }
    EXPECT_TRUE(state("streamed") == state("whole")) << "adapters and optimizer, to the bit";
  }

  CardMemory card_;
  bool recorded_ = false;  ///< the streamed run's steps became one recording
};

TEST_F(StreamedRun, Fp32) {
  expect_same_within_budget();
  EXPECT_TRUE(recorded_);
}

TEST_F(StreamedRun, Bf16DoraWithCheckpointing) {
  job_.preset.adapter.type = AdapterType::dora;
  job_.preset.precision.compute = ComputeType::bf16;
  job_.preset.precision.weights.denoiser = StorageType::bf16;
  job_.preset.training.gradient_checkpointing = true;
  job_.preset.adapter.dropout = 0.1;
  expect_same_within_budget();
}

TEST_F(StreamedRun, Fp8) {
  job_.preset.precision.weights.denoiser = StorageType::fp8_e4m3;
  job_.preset.precision.compute = ComputeType::fp8;
  expect_same_within_budget();
}

TEST_F(StreamedRun, RotatedInt8) {
  job_.preset.precision.weights.denoiser = StorageType::int8_convrot;
  job_.preset.precision.compute = ComputeType::int8;
  expect_same_within_budget();
}

TEST_F(StreamedRun, Nf4Dora) {
  job_.preset.adapter.type = AdapterType::dora;
  job_.preset.precision.weights.denoiser = StorageType::nf4;
  job_.preset.precision.compute = ComputeType::bf16;
  expect_same_within_budget();
}

TEST_F(StreamedRun, AsWellWithValidationAndLiveCaptions) {
  job_.preset.data.validation_share = 0.1;
  job_.preset.training.validate_every = 2;
  job_.preset.data.shuffle_captions = true;
  expect_same_within_budget();
}

/// Runs whose encoding of images and captions needs more than the steps.
class EncodingRun : public StreamedRun {
 protected:
  void SetUp() override {
    StreamedRun::SetUp();
    job_.preset.data.resolution = 64;
    job_.preset.precision.weights.text_encoders = StorageType::fp32;
    job_.preset.precision.weights.denoiser = StorageType::fp8_e4m3;
    job_.preset.precision.compute = ComputeType::bf16;
    job_.preset.training.gradient_checkpointing = true;
    job_.preset.training.steps = 2;
  }
  /// Empties the caches, for the next run of the job.
  void forget_caches() const { std::filesystem::remove_all(home_ / "cache"); }
};

TEST_F(EncodingRun, TakesNoMoreOfTheCardThanPlanned) {
  if (!card_.visible()) {
    GTEST_SKIP() << "a real card does not tell what was the most";
  }
  for (int resolution : {64, 128}) {
    job_.preset.data.resolution = resolution;
    const std::uint64_t planned = plan_training(job_).peak_bytes;
    HealthRecorder observer;
    const std::size_t peak = peak_of(job_into(std::to_string(resolution).c_str()), observer);
    std::cout << "planned " << planned << "; taken " << peak << "\n";
    EXPECT_LE(peak, planned + (std::uint64_t{8} << 20)) << "more than is kept for workspaces";
  }
}

TEST_F(EncodingRun, WhatIsCachedNeedsNothing) {
  const std::uint64_t before = plan_training(job_).peak_bytes;
  std::cout << "planned with encoding " << before << "\n";
  HealthRecorder first;
  run(job_into("first"), first);
  const PlanReport after = plan_training(job_);
  EXPECT_LT(after.peak_bytes, before);
  EXPECT_EQ(after.peak_bytes, after.arena_bytes + after.weight_bytes + after.adapter_bytes)
      << "the steps alone";
  std::cout << "without " << after.peak_bytes << "\n";
  // Without the encoders it fits where it was refused before, with every weight on the card.
  JobSpec again = job_into("again");
  again.memory_budget = after.peak_bytes + (std::uint64_t{8} << 20);
  HealthRecorder second;
  const std::size_t peak = peak_of(again, second);
  EXPECT_EQ(second.log.find("stay in host memory"), std::string::npos) << second.log;
  if (card_.visible()) {
    EXPECT_LE(peak, again.memory_budget);
  }
  forget_caches();
  EXPECT_EQ(plan_training(job_).peak_bytes, before);
}

TEST_F(EncodingRun, EncodersAreStreamedWithinABudget) {
  const PlanReport whole = plan_training(job_);
  HealthRecorder plain;
  const std::size_t plain_peak = peak_of(job_into("plain"), plain);
  forget_caches();
  // The largest weights of the encoders don't fit.
  job_.memory_budget = whole.peak_bytes - whole.peak_bytes / 8 + (std::uint64_t{8} << 20);
  const PlanReport fitted = plan_training(job_);
  ASSERT_LT(fitted.peak_bytes, whole.peak_bytes);
  ASSERT_LE(fitted.peak_bytes + (std::uint64_t{8} << 20), job_.memory_budget);
  EXPECT_EQ(whole.streamed_bytes, 0u);
  EXPECT_GE(fitted.streamed_bytes, whole.peak_bytes - fitted.peak_bytes)
      << "what left the card is in host memory";
  HealthRecorder streamed;
  const std::size_t peak = peak_of(job_into("streamed"), streamed);
  std::cout << "budget " << job_.memory_budget << "; planned " << whole.peak_bytes << ", "
            << fitted.peak_bytes << "; taken " << plain_peak << ", " << peak << "\n";
  if (card_.visible()) {
    EXPECT_LE(peak, job_.memory_budget);
    EXPECT_LT(peak, plain_peak);
  }
  EXPECT_NE(streamed.log.find("stay in host memory"), std::string::npos) << streamed.log;
  ASSERT_EQ(streamed.steps.size(), plain.steps.size());
  for (std::size_t i = 0; i < plain.steps.size(); ++i) {
    EXPECT_EQ(streamed.steps[i].loss, plain.steps[i].loss) << "the encodings differ, step " << i;
  }
}

TEST_F(StreamedRun, ABudgetThatNothingFitsIsRefusedBeforeTheFirstStep) {
  job_.memory_budget = 1'000'000;
  HealthRecorder observer;
  try {
    run(job_, observer);
    FAIL() << "trained within a megabyte";
  } catch (const Error& e) {
    EXPECT_EQ(e.kind(), ErrorKind::out_of_memory);
    EXPECT_NE(std::string(e.what()).find("1.0 MB are free"), std::string::npos) << e.what();
  }
  EXPECT_TRUE(observer.steps.empty());
}

TEST_F(StreamedRun, MemoryThatIsGoneAfterThePlanIsOneSentence) {
  if (!card_.visible()) {
    GTEST_SKIP() << "nobody takes a real card's memory away";
  }
  /// Another program takes the rest of the card after planning.
  struct Thief : HealthRecorder {
    explicit Thief(const CardMemory& card) : card(card) {}
    void on_plan(const PlanReport&) override { card.limit(1); }
    const CardMemory& card;
  } thief{card_};
  for (bool checkpointing : {false, true}) {
    job_.preset.training.gradient_checkpointing = checkpointing;
    try {
      run(job_into(checkpointing ? "lean" : "plain"), thief);
      FAIL() << "trained without memory";
    } catch (const Error& e) {
      const std::string told = e.what();
      EXPECT_EQ(e.kind(), ErrorKind::out_of_memory) << told;
      EXPECT_NE(told.find("has no room for"), std::string::npos) << told;
      EXPECT_NE(told.find("are free. Close other programs"), std::string::npos) << told;
      EXPECT_EQ(told.find("turn on training.gradient_checkpointing") == std::string::npos,
                checkpointing)
          << told;
    }
    card_.limit(std::size_t{4} << 30);
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
