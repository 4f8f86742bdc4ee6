#include "engine/plan/memory_plan.h"

#include <gtest/gtest.h>

#include "engine/plan/job_precision.h"
#include "engine/plan/plan_run.h"
#include "engine/plan/planned_run.h"
#include "kernels/cpu/cpu.h"

namespace mantissa {
namespace {

/// A small model whose UNet needs more than its VAE, so that denoising determines the samples'
/// arena.
constexpr const char* kModel = MANTISSA_TEST_DATA "/golden/models/sd15.safetensors";

SamplePrompt prompt(double guidance, int width, int height) {
  SamplePrompt p;
  p.prompt = "a disc";
  p.guidance = guidance;
  p.width = width;
  p.height = height;
  return p;
}

PhaseNeeds needs_of(const std::vector<SamplePrompt>& prompts) {
  const auto kernels = make_cpu_kernels();
  const WeightSource source = WeightSource::open(kModel);
  Preset preset;
  preset.data.resolution = 64;
  preset.precision.compute = ComputeType::fp32;
  preset.samples.prompts = prompts;
  return phase_needs(*kernels, source, job_precision(preset, source), {}, {}, {});
}

TEST(MemoryPlan, GuidanceTakesTwoSamplesAtOnce) {
  const std::size_t plain = needs_of({prompt(1, 64, 64)}).sample_arena;
  const std::size_t guided = needs_of({prompt(7, 64, 64)}).sample_arena;
  EXPECT_GT(guided, plain * 3 / 2) << plain << " without guidance";
  EXPECT_LE(guided, plain * 2);
}

TEST(MemoryPlan, TheLargestSampleDecides) {
  const std::size_t wide = needs_of({prompt(7, 128, 64)}).sample_arena;
  const std::size_t tall = needs_of({prompt(7, 64, 128)}).sample_arena;
  const std::size_t square = needs_of({prompt(7, 64, 64)}).sample_arena;
  EXPECT_GT(wide, square);
  EXPECT_GT(tall, square);
  EXPECT_EQ(needs_of({prompt(7, 64, 64), prompt(7, 128, 64)}).sample_arena, wide);
  EXPECT_EQ(needs_of({prompt(7, 0, 0)}).sample_arena, square) << "0 is the resolution";
  EXPECT_EQ(needs_of({}).sample_arena, 0u);
}

TEST(MemoryPlan, AveragedWeightsAreCounted) {
  JobSpec job;
  job.base = "demo";
  job.preset.data.resolution = 64;
  job.preset.precision.compute = ComputeType::fp32;
  const std::uint64_t plain = plan_training(job).adapter_bytes;
  job.preset.training.ema = 0.999;
  const std::uint64_t averaged = plan_training(job).adapter_bytes;
  // A weight, its gradient, two moments and its previous value: its average is the sixth.
  EXPECT_NEAR(static_cast<double>(averaged) / static_cast<double>(plain), 6.0 / 5, 0.01);
  job.preset.training.ema = 0;
  job.preset.optimizer.type = OptimizerType::adamw_schedule_free;
  EXPECT_NEAR(static_cast<double>(plan_training(job).adapter_bytes), static_cast<double>(averaged),
              4096)
      << "room for the parameters while their average replaces them";
}

TEST(MemoryPlan, MuonsIterationIsCounted) {
  JobSpec job;
  job.base = "demo";
  job.preset.data.resolution = 64;
  job.preset.precision.compute = ComputeType::fp32;
  job.preset.optimizer.type = OptimizerType::sgd;
  const std::uint64_t momentum_alone = plan_training(job).adapter_bytes;
  job.preset.optimizer.type = OptimizerType::muon;
  EXPECT_GT(plan_training(job).adapter_bytes, momentum_alone);
}

TEST(MemoryPlan, TransposedCodesAreKeptWhereThereIsRoom) {
  const auto kernels = make_cpu_kernels();
  const auto planned = [&](ComputeType compute, std::uint64_t free) {
    JobSpec job;
    job.base = "demo";
    job.preset.data.resolution = 64;
    job.preset.precision.compute = compute;
    job.preset.precision.weights.denoiser = StorageType::fp8_e4m3;
    PlannedRun run = open_run(job, {"RTX 4070", 89});
    plan_memory(run, *kernels, {free, 0, /*may_stream=*/true}, EncodedDataset::Look::headers);
    return run;
  };
  constexpr std::uint64_t kPlenty = std::uint64_t{1} << 33;
  const PlannedRun ample = planned(ComputeType::fp8, kPlenty);
  EXPECT_TRUE(ample.keeps_turned);
  const PlannedRun unknown = planned(ComputeType::fp8, 0);
  EXPECT_FALSE(unknown.keeps_turned) << "of memory that nobody knows";
  const std::uint64_t copies = ample.report.weight_bytes - unknown.report.weight_bytes;
  EXPECT_GT(copies, unknown.report.weight_bytes / 10);
  EXPECT_LT(copies, unknown.report.weight_bytes);
  EXPECT_GE(ample.report.peak_bytes, ample.report.weight_bytes + ample.report.arena_bytes);
  EXPECT_FALSE(planned(ComputeType::bf16, kPlenty).keeps_turned) << "no products of codes";
  // The reserve is an eighth, at least 8 MiB.
  const std::uint64_t steps =
      ample.report.weight_bytes + ample.report.arena_bytes + ample.report.adapter_bytes;
  const std::uint64_t least = std::max(steps + (8 << 20), steps * 8 / 7 + 8);
  EXPECT_TRUE(planned(ComputeType::fp8, least).keeps_turned);
  const PlannedRun tight = planned(ComputeType::fp8, least - (std::uint64_t{16} << 10));
  EXPECT_FALSE(tight.keeps_turned);
  EXPECT_TRUE(tight.streamed.empty()) << "the weights themselves still fit";
  EXPECT_EQ(tight.report.weight_bytes, unknown.report.weight_bytes);
}

}  // namespace
}  // namespace mantissa
