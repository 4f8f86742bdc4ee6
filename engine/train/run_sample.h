#pragma once

#include <filesystem>
#include <string>

#include "engine/preset/preset.h"
#include "engine/train/sample.h"

namespace mantissa {

/// A prompt of a run's preset with the run's adapter at `weight`, written below the run's samples.
/// Throws Error if the preset has no such prompt, the run can't be read, or the folder for its
/// samples can't be created.
SampleRequest sample_of_run(const std::filesystem::path& run, const Preset& preset, int prompt,
                            double weight, const std::string& device);

/// Whether that image already exists: the same prompt, adapter and strength give the same image, as
/// long as the adapter isn't newer.
bool is_rendered(const SampleRequest& request);

}  // namespace mantissa
