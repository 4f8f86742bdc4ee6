// Types of weights chosen for a memory limit: within it, exactly planned, and better than one type
// for all.
#include "engine/plan/fit_weights.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <gtest/gtest.h>
#include <map>
#include <nlohmann/json.hpp>

#include "engine/core/error.h"
#include "engine/plan/backend.h"
#include "engine/plan/job_precision.h"
#include "engine/plan/plan_run.h"
#include "engine/preset/preset_io.h"
#include "tests/engine/train/run_fixture.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {

class FitWeights : public testing_support::RunFixture {
 protected:
  void SetUp() override {
    RunFixture::SetUp();
    job_.preset.precision.compute = ComputeType::bf16;
    job_.preset.precision.weights.denoiser = StorageType::bf16;
  }
  std::uint64_t peak_in(StorageType type) const {
    JobSpec job = job_;
    job.preset.precision.weights.denoiser = type;
    return plan_training(job).peak_bytes;
  }
  WeightFit fit(std::uint64_t limit) { return fit_job(job_, limit, observer_); }
  Preset patched(const WeightFit& fit) const {
    Preset preset = job_.preset;
    apply_patch(preset, nlohmann::json::parse(fit.patch_json));
    return preset;
  }
  /// Mean noise of the layers over their signal.
  static double noise(const WeightFit& fit) {
    double sum = 0;
    for (const FittedWeights& g : fit.groups) {
      sum += std::pow(10, -g.sqnr / 10);
    }
    return sum;
  }
  PlanObserver observer_;
};

TEST_F(FitWeights, TakesTheMemoryItIsGiven) {
  const std::uint64_t least = peak_in(StorageType::nf4), most = peak_in(StorageType::bf16);
  ASSERT_LT(least, most);
  double before = 1e9;
  std::uint64_t took = 0;
  for (const double share : {0.0, 0.2, 0.5, 1.0}) {
    const std::uint64_t limit =
        least + static_cast<std::uint64_t>(share * static_cast<double>(most - least));
    const WeightFit found = fit(limit);
    EXPECT_EQ(found.least_bytes, least);
    EXPECT_LE(found.peak_bytes, limit);
    EXPECT_GE(found.peak_bytes, took);
    took = found.peak_bytes;
    EXPECT_LE(noise(found), before) << "more memory, no more noise";
    before = noise(found);
    JobSpec job = job_;
    job.preset = patched(found);
    EXPECT_EQ(plan_training(job).peak_bytes, found.peak_bytes) << "the plan of the patched preset";
  }
}

// In NF4 they take more memory than in wider types: the map of scales is larger than the codes.
TEST_F(FitWeights, SmallLayersAreWidenedWhereNothingIsLeft) {
  job_.base = std::filesystem::path(MANTISSA_TEST_DATA) / "golden/models/b";
  const std::uint64_t least = peak_in(StorageType::nf4);
  const WeightFit found = fit(least);
  EXPECT_LE(found.peak_bytes, least);
  EXPECT_TRUE(std::ranges::any_of(
      found.groups, [](const FittedWeights& g) { return g.type != StorageType::nf4; }));
}

TEST_F(FitWeights, ThePatchGivesEachLayerItsType) {
  const std::uint64_t least = peak_in(StorageType::nf4), most = peak_in(StorageType::bf16);
  const WeightFit found = fit(least + (most - least) / 3);
  const Preset preset = patched(found);
  EXPECT_EQ(preset.precision.weights.denoiser, StorageType::nf4);
  EXPECT_FALSE(preset.precision.pins.empty());
  std::map<StorageType, int> types;
  for (const FittedWeights& g : found.groups) {
    ++types[g.type];
    EXPECT_EQ(preset.precision.pins.contains(g.pattern), g.type != StorageType::nf4) << g.pattern;
    EXPECT_GT(g.bytes, 0u);
  }
  EXPECT_GT(types.size(), 1u);
  JobSpec job = job_;
  job.preset = preset;
  std::map<std::string, int> stored;
  for (const PlannedModule& m : plan_training(job).modules) {
    if (m.path.starts_with("denoiser.") && (m.kind == "linear" || m.kind == "conv")) {
      ++stored[m.storage];
    }
  }
  EXPECT_GT(stored["nf4"] + stored["int8"], 0);
  EXPECT_GT(stored["bf16"], 0);
}

TEST_F(FitWeights, LimitsMayComeInAnyOrder) {
  const std::uint64_t least = peak_in(StorageType::nf4), most = peak_in(StorageType::bf16);
  const std::unique_ptr<Kernels> kernels = make_backend(job_.device);
  PlannedRun run = open_run(job_);
  scan_images(run, observer_);
  plan_memory(run, *kernels, {}, EncodedDataset::Look::headers);
  const std::array<std::uint64_t, 2> limits{most, least};
  const std::vector<WeightFit> fits = fit_weights(run, *kernels, limits, [&](const Preset& preset) {
    return peak_with(run, *kernels, preset);
  });
  EXPECT_EQ(fits.at(0).patch_json, fit(most).patch_json);
  EXPECT_EQ(fits.at(1).patch_json, fit(least).patch_json);
}

TEST_F(FitWeights, LeavesThePresetsOwnPins) {
  job_.preset.precision.pins["unet.*.attn1.to_q"] = StorageType::fp8_e4m3;
  const WeightFit found = fit(peak_in(StorageType::bf16));
  EXPECT_EQ(patched(found).precision.pins.at("unet.*.attn1.to_q"), StorageType::fp8_e4m3);
  EXPECT_TRUE(std::ranges::none_of(
      found.groups, [](const FittedWeights& g) { return g.pattern.ends_with("attn1.to_q"); }));
}

TEST_F(FitWeights, TooLittleMemoryAndEightBitComputeAreErrors) {
  try {
    fit(1 << 16);
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.kind(), ErrorKind::out_of_memory);
    EXPECT_NE(std::string(e.what()).find("65.5 kB"), std::string::npos) << e.what();
  }
  job_.preset.precision.compute = ComputeType::int8;
  test::expect_error_with([&] { fit(std::uint64_t{1} << 40); }, {"precision.compute is int8"});
}

}  // namespace
}  // namespace mantissa
