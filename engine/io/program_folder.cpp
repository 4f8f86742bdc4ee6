#include "engine/io/program_folder.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <system_error>

#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/io/file.h"

namespace mantissa {

namespace fs = std::filesystem;

namespace {

constexpr std::array<std::string_view, 19> kRunEntries{
    "job.json",     "log.txt",          "dataset.txt",    "dataset.json",
    "checkpoints",  "samples",          "run.lock",       "before-after.png",
    "moved.json",   "copy.json",        "settings.json",  "result.json",
    "tensorboard",  "first-steps.json", "slider.latents", "base-images.latents",
    "status.jsonl", "requests",         "inputs.json"};
constexpr std::array<std::string_view, 2> kSetAside{"damaged-checkpoints", "job.damaged"};

bool is_file(const fs::path& path) {
  std::error_code none;
  return fs::is_regular_file(path, none);
}

bool is_folder(const fs::path& path) {
  std::error_code none;
  return fs::is_directory(path, none);
}

bool is_job(const fs::path& file) {
  constexpr std::size_t kHead = 64u << 10;
  try {
    return is_file(file) && read_bytes(file, kHead).find("\"mantissa_job\"") != std::string::npos;
  } catch (const Error&) {
    return false;
  }
}

}  // namespace

ProgramFolder program_folder(const fs::path& folder) {
  if (is_job(folder / "job.json") ||
      (is_file(folder / "run.lock") && is_folder(folder / "checkpoints"))) {
    return ProgramFolder::run;
  }
  return is_folder(folder / "tensors") && is_folder(folder / "hashes") ? ProgramFolder::cache
                                                                       : ProgramFolder::none;
}

bool is_run_entry(std::string_view name) {
  return std::ranges::find(kRunEntries, name) != kRunEntries.end();
}

bool is_set_aside(std::string_view name) {
  return std::ranges::any_of(kSetAside,
                             [&](std::string_view start) { return name.starts_with(start); });
}

bool is_runs_own(const fs::path& entry) {
  const std::string name = path_to_utf8(entry.filename());
  return is_run_entry(name) || is_set_aside(name) || name.ends_with(".safetensors") ||
         is_file(entry / "adapter_config.json") || is_file(entry / "model_index.json");
}

}  // namespace mantissa
