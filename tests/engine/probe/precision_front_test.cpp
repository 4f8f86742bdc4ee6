// Precision solved for: the front is one, its points are what they say, and none of the uniform
// choices is better.
#include "engine/probe/precision_front.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/core/error.h"
#include "engine/plan/plan_run.h"
#include "engine/preset/preset_io.h"
#include "engine/probe/probe.h"
#include "tests/engine/train/run_fixture.h"

namespace mantissa {
namespace {

class PrecisionFrontTest : public testing_support::RunFixture {
 protected:
  void SetUp() override {
    RunFixture::SetUp();
    job_.preset.adapter.targets = {"*.attn1.to_q", "*.attn2.to_k"};
    job_.preset.precision.compute = ComputeType::bf16;
    job_.preset.precision.weights.denoiser = StorageType::bf16;
  }
  PrecisionFront solve() {
    RunControl control;
    testing_support::HealthRecorder observer;
    return solve_precision(job_, kSteps, control, observer);
  }
  /// The job with a preset patch.
  JobSpec patched(const std::string& patch) const {
    JobSpec job = job_;
    apply_patch(job.preset, nlohmann::json::parse(patch));
    return job;
  }
  double error_of(const JobSpec& job) {
    RunControl control;
    testing_support::HealthRecorder observer;
    return run_probe(job, {.steps = kSteps, .pins = 0}, control, observer).gradient_error;
  }
  static constexpr std::int64_t kSteps = 2;
};

PrecisionPoint point(std::uint64_t bytes, double seconds, double error) {
  PrecisionPoint p;
  p.peak_bytes = bytes;
  p.step_seconds = seconds;
  p.gradient_error = error;
  return p;
}

TEST(ParetoFront, HoldsWhatNothingBeats) {
  const double broken = std::numeric_limits<double>::infinity();
  const std::vector<PrecisionPoint> front =
      pareto_front({point(30, 1, 0.1), point(10, 2, 0.3), point(10, 2, 0.3), point(20, 2, 0.3),
                    point(25, 0.5, 0.4), point(5, 1, broken)});
  ASSERT_EQ(front.size(), 3u);
  EXPECT_EQ(front[0].peak_bytes, 10u) << "once, and not the one that takes 20";
  EXPECT_EQ(front[1].peak_bytes, 25u) << "the fastest";
  EXPECT_EQ(front[2].peak_bytes, 30u) << "the most exact";
}

TEST(ParetoFront, TheBestWithinLimits) {
  PrecisionFront front;
  front.points = {point(10, 2, 0.3), point(25, 0.5, 0.4), point(30, 1, 0.1)};
  EXPECT_EQ(best_within(front, {})->peak_bytes, 30u);
  EXPECT_EQ(best_within(front, {.bytes = 29})->peak_bytes, 10u);
  EXPECT_EQ(best_within(front, {.bytes = 29, .step_seconds = 1})->peak_bytes, 25u);
  EXPECT_EQ(best_within(front, {.bytes = 9}), nullptr);
  EXPECT_FALSE(PrecisionLimits().given());
}

TEST_F(PrecisionFrontTest, PointsAreWhatTheySayAndBeatUniformTypes) {
  const PrecisionFront front = solve();
  EXPECT_GE(front.tried, 8);
  ASSERT_GE(front.points.size(), 4u);
  for (const PrecisionPoint& p : front.points) {
    const JobSpec job = patched(p.patch_json);
    EXPECT_EQ(plan_training(job).peak_bytes, p.peak_bytes) << p.patch_json;
    EXPECT_EQ(job.preset.precision.compute, p.compute);
  }
  const PrecisionPoint& middle = front.points[front.points.size() / 2];
  EXPECT_EQ(error_of(patched(middle.patch_json)), middle.gradient_error);
  EXPECT_TRUE(std::ranges::is_sorted(front.points, {}, &PrecisionPoint::peak_bytes));
  for (const StorageType type : {StorageType::nf4, StorageType::int8, StorageType::bf16}) {
    JobSpec uniform = job_;
    uniform.preset.precision.weights.denoiser = type;
    const std::uint64_t bytes = plan_training(uniform).peak_bytes;
    const double error = error_of(uniform);
    EXPECT_TRUE(std::ranges::any_of(front.points, [&](const PrecisionPoint& p) {
      return p.peak_bytes <= bytes && p.gradient_error <= error;
    })) << enum_name(type);
  }
  EXPECT_EQ(front.now.patch_json, "{}");
  EXPECT_EQ(front.now.peak_bytes, plan_training(job_).peak_bytes);
  EXPECT_EQ(front.now.gradient_error, error_of(job_));
}

TEST_F(PrecisionFrontTest, InFp32Bf16IsTriedToo) {
  job_.preset.precision.compute = ComputeType::fp32;
  job_.preset.precision.weights.denoiser = StorageType::fp32;
  const PrecisionFront front = solve();
  EXPECT_EQ(front.now.gradient_error, 0) << "beside itself";
  for (const ComputeType compute : {ComputeType::fp32, ComputeType::bf16}) {
    EXPECT_TRUE(std::ranges::any_of(front.points, [&](const PrecisionPoint& p) {
      return p.compute == compute;
    })) << enum_name(compute);
  }
  EXPECT_TRUE(front.refused.empty());
}

TEST_F(PrecisionFrontTest, WhatIsRefusedIsNamedOnce) {
  job_.preset.training.method = TrainingMethod::full;
  const PrecisionFront front = solve();
  ASSERT_FALSE(front.refused.empty());
  EXPECT_EQ(front.refused[0].weights, StorageType::nf4);
  EXPECT_NE(front.refused[0].reason.text().find("Quantised weights cannot be trained"),
            std::string::npos)
      << front.refused[0].reason;
  for (std::size_t i = 1; i < front.refused.size(); ++i) {
    EXPECT_NE(front.refused[i].weights, StorageType::nf4) << "once";
  }
  EXPECT_FALSE(front.points.empty());
}

TEST_F(PrecisionFrontTest, APresetInEightBitsIsComparedWithWideOnes) {
  job_.preset.precision.compute = ComputeType::int8;
  job_.preset.precision.pins["denoiser.*.attn1.to_q"] = StorageType::bf16;
  const PrecisionFront front = solve();
  EXPECT_EQ(front.now.compute, ComputeType::int8);
  EXPECT_TRUE(std::ranges::any_of(
      front.points, [](const PrecisionPoint& p) { return p.compute == ComputeType::bf16; }));
  for (const PrecisionPoint& p : front.points) {
    EXPECT_EQ(patched(p.patch_json).preset.precision.pins.at("denoiser.*.attn1.to_q"),
              StorageType::bf16)
        << "the preset's own pin stays";
  }
}

}  // namespace
}  // namespace mantissa
