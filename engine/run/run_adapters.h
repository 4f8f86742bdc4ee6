#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "engine/preset/preset.h"

namespace mantissa {

/// An adapter that a run has written.
struct RunAdapter {
  std::int64_t step = 0;  ///< of its checkpoint; -1: the result
  std::filesystem::path file;
};
/// Adapters of the run's checkpoints, the oldest first, then its result. None of a run that trains
/// a whole model.
std::vector<RunAdapter> run_adapters(const std::filesystem::path& run, const Preset& preset);

/// The adapter that a path stands for, wherever one is asked for: in a checkpoint's folder its own;
/// in a run's folder its result, before there is one that of its newest checkpoint. Any other path
/// is returned as it is. Throws Error if there is none.
std::filesystem::path adapter_at(const std::filesystem::path& path);

/// A short name for a checkpoint or adapter file: "step 500", or the file's.
std::string checkpoint_label(const std::filesystem::path& path);

}  // namespace mantissa
