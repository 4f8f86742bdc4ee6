#pragma once
// The training adapters of a job: read, and checked against its settings.

#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/adapters/training_adapters.h"
#include "engine/io/weights.h"
#include "engine/plan/job.h"

namespace mantissa {

/// Reads a job's training adapters, in the shapes of its base model; null if it has none. Throws
/// Error naming a file that is missing, that can't be read, that changes what no layer multiplies,
/// or that doesn't go with the job's settings.
std::shared_ptr<const TrainingAdapterFiles> read_training_adapters(const JobSpec& job,
                                                                   const WeightSource& source);

/// The files of an adapter, which is a file or PEFT's folder, with their names in it; in order.
std::vector<std::pair<std::string, std::filesystem::path>> files_of_adapter(
    const std::filesystem::path& adapter);

}  // namespace mantissa
