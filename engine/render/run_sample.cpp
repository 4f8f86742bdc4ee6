#include "engine/render/run_sample.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <iterator>

#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/data/reference_files.h"
#include "engine/data/tags.h"
#include "engine/models/sampling_values.h"
#include "engine/plan/job_paths.h"
#include "engine/run/run_files.h"
#include "engine/run/run_folder.h"

namespace mantissa {
namespace fs = std::filesystem;

namespace {

/// As the run samples it. A base model that can't be read is told when the image is made.
SamplingValues values_in_run(const fs::path& base, const SamplePrompt& prompt) {
  try {
    return sampling_values(WeightSource::open(resolve_base(base)), prompt);
  } catch (const Error&) {
    return {prompt.steps, prompt.guidance};
  }
}

/// The files that a prompt names.
std::vector<fs::path> references_of(const JobSpec& job, const SamplePrompt& prompt) {
  std::vector<fs::path> files;
  if (prompt.references.empty()) {
    return files;
  }
  ReferenceFiles folders(job.references);
  for (const std::string& name : caption_tags(prompt.references, false)) {
    std::ranges::move(folders.named(name), std::back_inserter(files));
  }
  return files;
}

/// A prompt's settings, with the run's base model, for an image below the run's samples.
SampleRequest request_of_run(const fs::path& run, const Preset& preset, const SamplePrompt& prompt,
                             const std::string& device) {
  const int side = preset.data.resolution;
  SampleRequest request;
  const JobSpec job = RunFolder::open(run).frozen_job();
  request.base = job.base;
  request.references = references_of(job, prompt);
  request.prompt = prompt.prompt;
  request.negative = prompt.negative;
  const SamplingValues values = values_in_run(request.base, prompt);
  request.steps = values.steps;
  request.guidance = values.guidance;
  request.seed = prompt.seed;
  request.width = prompt.width > 0 ? prompt.width : side;
  request.height = prompt.height > 0 ? prompt.height : side;
  request.weighted = preset.data.weighted_captions;
  request.clip_skip = preset.training.clip_skip;
  request.device = device;
  std::error_code error;
  fs::create_directories(run / "samples", error);
  if (error) {
    throw Error(message<"can't make the folder {folder}; choose a place you may write to">(
        path_to_utf8(run / "samples")));
  }
  return request;
}

/// The first free name of free-001.png, free-002.png, …
fs::path next_free_image(const fs::path& folder) {
  std::error_code none;
  for (int number = 1;; ++number) {
    const fs::path file = folder / fmt::format("free-{:03}.png", number);
    if (!fs::exists(file, none)) {
      return file;
    }
  }
}

}  // namespace

SampleRequest sample_of_run(const fs::path& run, const Preset& preset, int prompt, double weight,
                            const std::string& device) {
  const auto& prompts = preset.samples.prompts;
  if (prompt < 0 || prompt >= static_cast<int>(prompts.size())) {
    throw Error(message<"the run's preset has no prompt {number}">(prompt + 1));
  }
  SampleRequest request =
      request_of_run(run, preset, prompts[static_cast<std::size_t>(prompt)], device);
  request.loras = {{adapter_path(run, preset.output.name, preset.output.format), weight}};
  request.out =
      run / "samples" /
      fmt::format("strength-{:02}-{:03}.png", prompt, static_cast<int>(std::lround(100 * weight)));
  return request;
}

SampleRequest free_sample_of_run(const fs::path& run, const Preset& preset,
                                 const FreeSample& sample, const std::string& device) {
  if (sample.prompts.empty() || sample.adapters.empty() || sample.strengths.empty()) {
    throw Error(message<"a prompt and an adapter of the run are needed">());
  }
  const auto& prompts = preset.samples.prompts;
  SampleRequest request =
      request_of_run(run, preset, prompts.empty() ? SamplePrompt() : prompts.front(), device);
  request.prompt = sample.prompts.front();
  request.negative = sample.negative;
  request.seed = sample.seed;
  request.out = next_free_image(run / "samples");
  for (const std::string& prompt : sample.prompts) {
    request.samples.push_back({prompt, sample.seed, request.out});
  }
  for (const RunAdapter& adapter : sample.adapters) {
    for (const double strength : sample.strengths) {
      const std::string percent = fmt::format("{:.0f}%", 100 * strength);
      const std::string name = checkpoint_label(adapter.file);
      request.columns.push_back({sample.strengths.size() == 1  ? name
                                 : sample.adapters.size() == 1 ? percent
                                                               : name + " · " + percent,
                                 {{adapter.file, strength}}});
    }
  }
  if (request.columns.size() == 1 && request.samples.size() == 1) {
    request.loras = std::move(request.columns.front().loras);
    request.columns.clear();
    request.samples.clear();
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
