#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "engine/plan/planned_run.h"

namespace mantissa {

/// The peak of a run with another preset.
using PeakFunction = std::function<std::uint64_t(const Preset&)>;

/// Linear layers or convolutions of the denoiser that are alike, and the type chosen for them.
struct FittedWeights {
  std::string pattern;  ///< their paths, "*" for numbers
  StorageType type = StorageType::nf4;
  double sqnr = 0;          ///< dB of what is stored in that type, the mean noise of the layers
  std::uint64_t bytes = 0;  ///< of that type
};

/// Types of the denoiser's weights that fit a memory limit.
struct WeightFit {
  std::vector<FittedWeights> groups;  ///< by pattern
  std::uint64_t least_bytes = 0;      ///< peak with all of them in NF4
  std::uint64_t peak_bytes = 0;       ///< peak with the types chosen
  std::string patch_json;             ///< preset patch: NF4, and pins of what is wider
};

/// Chooses among NF4, INT8 and BF16 (FP16, FP32, by what is computed in) for every group of weights
/// that the preset leaves open: all in NF4 at first, then, while the planned peak stays within
/// `limit`, the type that takes away most of the noise for each byte. Noise is measured: each
/// weight is stored in each type, and compared with the file. `run` is planned. Throws
/// Error(out_of_memory) if NF4 alone needs more, and Error for compute in 8 bits, whose weights
/// have its own type.
WeightFit fit_weights(const PlannedRun& run, Kernels& kernels, std::uint64_t limit,
                      const PeakFunction& peak, const Progress& progress = {});
/// Chooses likewise for several limits; every weight is measured once.
std::vector<WeightFit> fit_weights(const PlannedRun& run, Kernels& kernels,
                                   std::span<const std::uint64_t> limits, const PeakFunction& peak,
                                   const Progress& progress = {});

/// Fits a job on its device, opened, scanned and planned first. Loads weights, trains
/// nothing.
WeightFit fit_job(const JobSpec& job, std::uint64_t limit, PlanObserver& observer);

}  // namespace mantissa
