#include "engine/train/run_sample.h"

#include <cmath>
#include <fmt/format.h>

#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/train/run_files.h"
#include "engine/train/run_folder.h"

namespace mantissa {
namespace fs = std::filesystem;

SampleRequest sample_of_run(const fs::path& run, const Preset& preset, int prompt, double weight,
                            const std::string& device) {
  const auto& prompts = preset.samples.prompts;
  if (prompt < 0 || prompt >= static_cast<int>(prompts.size())) {
    throw Error(message<"the run's preset has no prompt {number}">(prompt + 1));
  }
  const SamplePrompt& wanted = prompts[static_cast<std::size_t>(prompt)];
  const int side = preset.data.resolution;
  const RunFolder folder = RunFolder::open(run);
  SampleRequest request;
  request.base = folder.frozen_job().base;
  request.loras = {{adapter_path(run, preset.output.name, preset.output.format), weight}};
  request.prompt = wanted.prompt;
  request.negative = wanted.negative;
  request.steps = wanted.steps;
  request.guidance = wanted.guidance;
  request.seed = wanted.seed;
  request.width = wanted.width > 0 ? wanted.width : side;
  request.height = wanted.height > 0 ? wanted.height : side;
  request.device = device;
  const fs::path samples = run / "samples";
  request.out = samples / fmt::format("strength-{:02}-{:03}.png", prompt,
                                      static_cast<int>(std::lround(100 * weight)));
  std::error_code error;
  fs::create_directories(samples, error);
  if (error) {
    throw Error(message<"can't make the folder {folder}; choose a place you may write to">(
        path_to_utf8(samples)));
  }
  return request;
}

bool is_rendered(const SampleRequest& request) {
  std::error_code missing, unknown;
  const auto made = fs::last_write_time(request.out, missing);
  const auto adapter = fs::last_write_time(request.loras.at(0).file, unknown);
  return !missing && !unknown && made >= adapter;
}

}  // namespace mantissa
