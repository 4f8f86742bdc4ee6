#include "engine/train/job.h"

#include <array>
#include <chrono>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <random>

#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/io/file.h"
#include "engine/preset/preset_io.h"
#include "engine/store/store.h"

namespace mantissa {
namespace fs = std::filesystem;
namespace {

constexpr const char* kDemo = "demo";

/// A new name for a run, sortable by time. The only use of a clock and of system randomness here.
std::string new_run_id(const std::string& name) {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::random_device entropy;
  return fmt::format("{:%Y%m%d-%H%M%S}-{}-{:04x}", fmt::gmtime(now), name, entropy() & 0xffffU);
}

/// With its parents; each entry made durable, or a power loss would take whatever is saved below.
void make_folder(const fs::path& folder) {
  std::error_code error;
  if (fs::is_directory(folder, error)) {
    return;
  }
  const fs::path parent = folder.parent_path();
  if (!parent.empty() && parent != folder) {
    make_folder(parent);
  }
  fs::create_directory(folder, error);
  if (error) {
    throw Error(fmt::format("{}: the run folder can't be made: {}. Choose another with --out",
                            path_to_utf8(folder), error.message()));
  }
  sync_folder(parent);
}

std::vector<fs::path> resolve_folders(const std::vector<fs::path>& folders) {
  std::vector<fs::path> resolved;
  for (const fs::path& folder : folders) {
    resolved.push_back(folder == kDemo ? resource_path("demo/images") : folder);
  }
  return resolved;
}

nlohmann::json folder_list(const std::vector<fs::path>& folders) {
  nlohmann::json list = nlohmann::json::array();
  for (const fs::path& folder : folders) {
    list.push_back(path_to_utf8(folder == kDemo ? folder : fs::absolute(folder)));
  }
  return list;
}

std::vector<fs::path> read_folders(const nlohmann::json& list) {
  std::vector<fs::path> folders;
  for (const nlohmann::json& folder : list) {
    folders.push_back(path_from_utf8(folder.get<std::string>()));
  }
  return folders;
}

/// A run that left nothing to continue from may be begun again in its place.
bool holds_work(const RunFolder& run) {
  std::error_code none;
  for (const fs::path& folder : {run.path(), run.checkpoints()}) {
    for (const auto& entry : fs::directory_iterator(folder, none)) {
      if (entry.path().extension() == ".safetensors" ||
          path_to_utf8(entry.path().filename()).starts_with("step-")) {
        return true;
      }
    }
  }
  return !RunLock::try_acquire(run.lock());
}

}  // namespace

SetFolders job_folders(const JobSpec& job) {
  return {resolve_images(job.images), resolve_folders(job.prior), resolve_folders(job.validation)};
}

fs::path resolve_base(const fs::path& base) {
  if (base == kDemo) {
    return resource_path("demo/mini-sdxl.safetensors");
  }
  if (base.empty()) {
    throw Error(
        "no base model given. Pass --base with a .safetensors file, a diffusers folder or demo");
  }
  if (!fs::exists(base)) {
    throw Error(path_to_utf8(base) +
                ": no such base model. Pass a .safetensors file or a diffusers folder");
  }
  return base;
}

std::vector<fs::path> resolve_images(const std::vector<fs::path>& images) {
  std::vector<fs::path> resolved = resolve_folders(images);
  if (resolved.empty()) {
    throw Error("no images given. Pass --images with a folder of pictures, or demo");
  }
  return resolved;
}

fs::path runs_database() {
  return data_dir() / "runs.db";
}

fs::path runs_folder() {
  return data_dir() / "runs";
}

bool owner_is_alive(const RunRow& run) {
  const fs::path lock = path_from_utf8(run.lock);
  std::error_code error;
  return !run.lock.empty() && fs::exists(lock, error) && !RunLock::try_acquire(lock);
}

std::string current_state(const std::string& state, const std::string& lock) {
  const fs::path file = path_from_utf8(lock);
  std::error_code error;
  const bool left = !is_final_state(state) && !lock.empty() && fs::exists(file, error) &&
                    RunLock::try_acquire(file);
  return left ? "interrupted" : state;
}

RunFolder RunFolder::create(const JobSpec& job) {
  RunFolder run;
  run.id_ = new_run_id(job.preset.output.name);
  run.path_ = job.out.empty() ? data_dir() / "runs" / run.id_ : fs::absolute(job.out);
  const fs::path file = run.path_ / "job.json";
  if (fs::exists(file) && holds_work(run)) {
    throw Error(path_to_utf8(run.path_) +
                " holds a run already. Pass --resume to continue it, or another --out");
  }
  make_folder(run.path_);
  make_folder(run.checkpoints());
  nlohmann::json json;
  json["mantissa_job"] = 1;
  json["id"] = run.id_;
  json["base"] = path_to_utf8(job.base == kDemo ? job.base : fs::absolute(job.base));
  json["device"] = job.device;
  json["deterministic"] = job.deterministic;
  if (job.memory_budget > 0) {
    json["memory_budget"] = job.memory_budget;
  }
  json["images"] = folder_list(job.images);
  if (!job.prior.empty()) {
    json["prior"] = folder_list(job.prior);
  }
  if (!job.validation.empty()) {
    json["validation"] = folder_list(job.validation);
  }
  if (job.continue_from) {
    json["continue_from"] = path_to_utf8(fs::absolute(*job.continue_from));
  }
  if (job.replay) {
    json["replay"] = path_to_utf8(fs::absolute(*job.replay));
  }
  json["preset"] = nlohmann::json::parse(to_json(job.preset, WriteMode::full));
  atomic_write(file, json.dump(2) + "\n");
  return run;
}

RunFolder RunFolder::open(const fs::path& folder_or_id) {
  for (const fs::path& candidate : {folder_or_id, data_dir() / "runs" / folder_or_id}) {
    const fs::path file = candidate / "job.json";
    if (!fs::is_regular_file(file)) {
      continue;
    }
    RunFolder run;
    run.path_ = fs::absolute(candidate);
    const nlohmann::json json = nlohmann::json::parse(read_text(file), nullptr, false);
    if (json.is_discarded() || !json.is_object() || json.value("mantissa_job", 0) != 1 ||
        !json.contains("id") || !json["id"].is_string()) {
      throw Error(path_to_utf8(file) +
                  " is not a job file of this version; the run can't be resumed");
    }
    run.id_ = json["id"].get<std::string>();
    run.path_ = followed(run.path_, run.id_);
    return run;
  }
  throw Error(
      path_to_utf8(folder_or_id) +
      ": no such run. Pass a run folder (it holds job.json) or an id of `mantissa runs list`");
}

JobSpec RunFolder::frozen_job() const {
  const fs::path file = path_ / "job.json";
  try {
    const nlohmann::json json = nlohmann::json::parse(read_text(file));
    JobSpec job;
    job.base = path_from_utf8(json.at("base").get<std::string>());
    job.device = json.at("device").get<std::string>();
    job.deterministic = json.value("deterministic", false);
    job.memory_budget = json.value("memory_budget", std::uint64_t{0});
    job.images = read_folders(json.at("images"));
    job.prior = read_folders(json.value("prior", nlohmann::json::array()));
    job.validation = read_folders(json.value("validation", nlohmann::json::array()));
    if (json.contains("continue_from")) {
      job.continue_from = path_from_utf8(json["continue_from"].get<std::string>());
    }
    if (json.contains("replay")) {
      job.replay = path_from_utf8(json["replay"].get<std::string>());
    }
    job.preset = parse_preset(json.at("preset").dump(2), path_to_utf8(file));
    job.out = path_;
    job.resume = path_;
    return job;
  } catch (const nlohmann::json::exception& e) {
    throw Error(fmt::format("{}: damaged job file ({}); the run can't be resumed",
                            path_to_utf8(file), e.what()));
  }
}

JobSpec resumed_job(const JobSpec& frozen, const JobSpec& wanted) {
  constexpr std::array<std::string_view, 13> kMayChange{"name",
                                                        "description",
                                                        "author",
                                                        "tags",
                                                        "training.steps",
                                                        "output.name",
                                                        "output.save_every",
                                                        "output.save_minutes",
                                                        "output.keep",
                                                        "output.format",
                                                        "output.dtype",
                                                        "samples.every",
                                                        "training.validate_every"};
  JobSpec job = frozen;
  std::string refused;
  for (const PresetChange& change : diff_presets(frozen.preset, wanted.preset)) {
    const bool allowed =
        change.key == "samples.prompts" ||
        std::find(kMayChange.begin(), kMayChange.end(), change.key) != kMayChange.end();
    if (!allowed) {
      refused += fmt::format("{}{} ({} -> {})", refused.empty() ? "" : ", ", change.key,
                             change.a.dump(), change.b.dump());
    }
  }
  if (!refused.empty()) {
    throw Error("a resumed run can't change " + refused +
                ". Start a new run, or resume with the preset the run was started with");
  }
  job.preset = wanted.preset;
  job.trace = wanted.trace;
  job.trace_steps = wanted.trace_steps;
  job.device = wanted.device;
  job.health_every = wanted.health_every;
  job.memory_budget = wanted.memory_budget;
  job.on_full_disk = wanted.on_full_disk;
  return job;
}

}  // namespace mantissa
