#pragma once

#include <filesystem>
#include <string>

#include "engine/preset/preset.h"
#include "engine/render/sample.h"
#include "engine/run/run_adapters.h"

namespace mantissa {

/// A prompt of a run's preset with the run's adapter at `weight`, written below the run's samples.
/// Throws Error if the preset has no such prompt, the run can't be read, or the folder for its
/// samples can't be created.
SampleRequest sample_of_run(const std::filesystem::path& run, const Preset& preset, int prompt,
                            double weight, const std::string& device);

/// Prompts beside those of the preset.
struct FreeSample {
  std::vector<std::string> prompts;
  std::string negative;
  std::int64_t seed = 42;
  std::vector<RunAdapter> adapters;  ///< of the run; several are columns of one image
  std::vector<double> strengths{1};  ///< the same
};
/// Steps, guidance and size are those of the preset's first prompt. `out` is a new file below the
/// run's samples. Throws Error as sample_of_run does, and without a prompt or an adapter.
SampleRequest free_sample_of_run(const std::filesystem::path& run, const Preset& preset,
                                 const FreeSample& sample, const std::string& device);

/// Whether the image of sample_of_run already exists: the same prompt, adapter and strength give
/// the same image, as long as the adapter isn't newer.
bool is_rendered(const SampleRequest& request);

}  // namespace mantissa
