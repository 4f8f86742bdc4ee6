#pragma once

#include <cstdint>

#include "engine/preset/preset.h"

namespace mantissa {

/// How long a run is, in steps and in epochs.
struct RunLength {
  std::int64_t steps = 0;              ///< 0: by epochs of images that aren't known
  std::int64_t batches_per_epoch = 0;  ///< 0: unknown
  int batches_per_step = 1;

  /// After this many steps; 0 if unknown.
  double epochs_after(std::int64_t step) const;
  /// Whether `step` is the first after another `every` epochs; an epoch may end within a step.
  bool ends_epochs(std::int64_t step, std::int64_t every) const;
};

/// By training.epochs if set, else by training.steps. `batches_per_epoch`: 0 if unknown.
RunLength run_length(const Preset& preset, std::int64_t batches_per_epoch);

/// The settings of a run of that length, made as long as the `done` steps that it has; epochs are
/// whole.
Preset no_shorter_than(std::int64_t done, Preset preset, const RunLength& length);

}  // namespace mantissa
