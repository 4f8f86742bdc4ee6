#pragma once

#include <cstdint>

#include "engine/probe/probe_report.h"
#include "engine/run/run.h"
#include "engine/run/run_control.h"

namespace mantissa {

struct ProbeOptions {
  std::int64_t steps = 4;
  int pins = 3;  ///< at most this many modules tried as pins; 0: none
};

/// Runs the first steps twice on the same inputs, from the same adapters: in the job's precision
/// plan and with everything in FP32; then searches for modules that would be closer to FP32 in a
/// wider type. Writes nothing: no run, no cache, no database. `observer` receives progress and
/// plan. Throws Error for refused plans and bad input as run_training does.
ProbeReport run_probe(const JobSpec& job, const ProbeOptions& options, RunControl& control,
                      RunObserver& observer);

}  // namespace mantissa
