#pragma once
// Precision solved for: types of the denoiser's layers that no others beat.

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/message.h"
#include "engine/preset/preset.h"
#include "engine/run/run.h"
#include "engine/run/run_control.h"

namespace mantissa {

/// One choice of types, planned and measured.
struct PrecisionPoint {
  ComputeType compute = ComputeType::bf16;
  std::map<std::string, std::int64_t> layers;  ///< of the denoiser, how many are stored in a type
  std::uint64_t peak_bytes = 0;                ///< of the whole run, exact
  double step_seconds = 0;                     ///< estimated; 0: unknown
  /// ‖g - g₃₂‖ / ‖g₃₂‖ of all adapters, mean over the steps; infinite if it breaks.
  double gradient_error = 0;
  std::string patch_json = "{}";  ///< preset patch, with types of single layers as pins
};

/// A choice that the precision plan refuses, and why.
struct RefusedChoice {
  ComputeType compute = ComputeType::bf16;
  StorageType weights = StorageType::bf16;  ///< of the denoiser, where no pin says otherwise
  Message reason;
};

struct PrecisionFront {
  PrecisionPoint now;                  ///< the preset as it is
  std::vector<PrecisionPoint> points;  ///< the front, by memory: no other choice that was tried is
                                       ///< as good in memory, time and error, and better in one
  std::int64_t tried = 0;              ///< choices measured
  std::vector<RefusedChoice> refused;
};

/// What a point may take at most.
struct PrecisionLimits {
  std::uint64_t bytes = std::numeric_limits<std::uint64_t>::max();
  double step_seconds = std::numeric_limits<double>::infinity();

  bool given() const {
    return bytes < PrecisionLimits().bytes || step_seconds < PrecisionLimits().step_seconds;
  }
};

/// The point with the smallest error within the limits; null if there is none. A time that is
/// unknown is within any.
const PrecisionPoint* best_within(const PrecisionFront& front, const PrecisionLimits& limits);

/// The points that no other one beats, by memory.
std::vector<PrecisionPoint> pareto_front(std::vector<PrecisionPoint> points);

/// Solves for the types of a job's denoiser. Candidates: computed in BF16, and in the preset's type
/// where that is another wide one, the types that fit_weights chooses at five memory limits, and
/// INT8 for all; computed in INT8 and FP8, none and those layers in a wider type that add half and
/// nine tenths of the noise measured. Each is planned for memory and time and runs `steps` steps
/// beside FP32. The preset's own pins stay. Writes nothing. Throws Error as run_probe does.
PrecisionFront solve_precision(const JobSpec& job, std::int64_t steps, RunControl& control,
                               RunObserver& observer);

}  // namespace mantissa
