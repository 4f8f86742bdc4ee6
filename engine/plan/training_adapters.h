#pragma once
// The training adapters of a job: read, and checked against its settings.

#include <memory>

#include "engine/adapters/training_adapters.h"
#include "engine/io/weights.h"
#include "engine/plan/job.h"

namespace mantissa {

/// Reads a job's training adapters, in the shapes of its base model; null if it has none. Throws
/// Error naming a file that is missing, that can't be read, that changes what no layer multiplies,
/// or that doesn't go with the job's settings.
std::shared_ptr<const TrainingAdapterFiles> read_training_adapters(const JobSpec& job,
                                                                   const WeightSource& source);

}  // namespace mantissa
