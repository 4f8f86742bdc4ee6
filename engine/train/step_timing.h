#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/core/message.h"
#include "engine/core/progress.h"
#include "engine/plan/job.h"
#include "engine/programs/step_inputs.h"

namespace mantissa {

struct TimingOptions {
  std::int64_t steps = 20;   ///< timed
  std::int64_t warm_up = 5;  ///< before them: libraries choose kernels, a card records the step
};

struct StepTiming {
  std::string device;            ///< "cpu (avx512, 2 threads)"
  std::string card;              ///< the driver's name of the card; "cpu"
  std::string plan;              ///< PrecisionPlan::summary
  StepShape shape;               ///< of a micro-step
  std::vector<double> seconds;   ///< of each timed optimizer step, in order
  std::uint64_t peak_bytes = 0;  ///< as planned
  bool replayed = false;         ///< the timed steps were replays of a recording
  Message why_not_replayed;      ///< on a card, if they were not

  double median() const;
  double fastest() const;
};

/// Times optimizer steps of `job` on its device: drawing noise, forward, backward, update. Inputs
/// are random, of the preset's resolution; no images are read, nothing is written. Throws Error as
/// run_training does for refused plans and a lack of memory.
StepTiming time_steps(const JobSpec& job, const TimingOptions& options = {},
                      const Progress& progress = {});

}  // namespace mantissa
