#include "engine/run/run_folder.h"

#include <algorithm>
#include <chrono>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <random>
#include <utility>

#include "engine/core/ascii.h"
#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/core/system_message.h"
#include "engine/io/file.h"
#include "engine/io/overwrite.h"
#include "engine/io/program_folder.h"
#include "engine/io/write_access.h"
#include "engine/preset/preset_io.h"
#include "engine/preset/schema.h"
#include "engine/run/checkpoint.h"
#include "engine/run/job_file.h"
#include "engine/run/run_beginning.h"
#include "engine/run/run_name.h"
#include "engine/store/reader.h"
#include "engine/store/store.h"

namespace mantissa {
namespace fs = std::filesystem;
namespace {

/// With its parents; each entry is made durable, or a power loss would lose everything below.
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
  if (is_disk_full(error)) {
    make_folders(folder);  // reports the missing space, and where
  } else if (error) {
    throw Error(
        message<"{path}: the run folder can't be made: {reason}. Choose another folder (--out)">(
            path_to_utf8(folder), system_message(error)));
  }
  sync_folder(parent);
}

/// Throws Error for files that a run would overwrite in a folder without a run.
void refuse_foreign_files(const fs::path& folder, const JobSpec& job) {
  std::error_code none;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, none)) {
    const std::string name = path_to_utf8(entry.path().filename());
    const bool adapter = name.starts_with(job.preset.output.name) &&
                         (entry.path().extension() == ".safetensors" || entry.is_directory(none));
    if (adapter || is_run_entry(name)) {
      refuse_overwrite(entry.path(), job.overwrite);
    }
  }
}

/// Whether `file` is the job.json of a run, possibly damaged.
bool is_run(const fs::path& file) {
  std::error_code none;
  return fs::is_regular_file(file, none) &&
         read_text(file).find("\"mantissa_job\"") != std::string::npos;
}

/// A run with nothing to resume from may be restarted in its place.
bool holds_work(const RunFolder& run) {
  std::error_code none;
  for (const fs::path& folder : {run.path(), run.checkpoints()}) {
    for (const auto& entry : fs::directory_iterator(folder, none)) {
      if (entry.path().extension() == ".safetensors" || checkpoint_step(entry.path())) {
        return true;
      }
    }
  }
  return RunLock::is_held(run.lock());
}

/// A checkpoint holds a copy of its run's job, as if it were one.
void refuse_checkpoint(const fs::path& folder) {
  if (!checkpoint_step(folder) || fs::is_directory(folder / "checkpoints") ||
      !fs::exists(folder / "job.json")) {
    return;
  }
  const bool in_run = folder.parent_path().filename() == "checkpoints";
  const fs::path run = folder.parent_path().parent_path();
  throw Error(
      in_run ? message<"{path} is a checkpoint, not a run. Pass its run, {run}, which continues "
                       "from the newest checkpoint, or begin a new run with the adapter of "
                       "this one (--continue-from)">(path_to_utf8(folder), path_to_utf8(run))
             : message<"{path} is a checkpoint outside its run's folder and can't be continued "
                       "as a run. Move it to `checkpoints` of that folder, or begin a new run "
                       "with its adapter (--continue-from)">(path_to_utf8(folder)));
}

}  // namespace

std::string RunFolder::new_id(const std::string& name) {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::random_device entropy;
  return fmt::format("{:%Y%m%d-%H%M%S}-{}-{:08x}", fmt::gmtime(now), name, entropy());
}

fs::path runs_database() {
  return data_dir() / "runs.db";
}

bool owner_is_alive(const RunRow& run) {
  return !run.lock.empty() && RunLock::is_held(path_from_utf8(run.lock));
}

std::string current_state(const std::string& state, const std::string& lock) {
  const fs::path file = path_from_utf8(lock);
  std::error_code error;
  const bool left = !is_final_state(state) && !lock.empty() &&
                    fs::exists(file.parent_path(), error) && !RunLock::is_held(file);
  return left ? "interrupted" : state;
}

void require_result_name(const Preset& preset) {
  // A file has an extension that none of the run's own files has. A folder has the name alone.
  const bool folder =
      preset.output.format == OutputFormat::peft || preset.training.method == TrainingMethod::full;
  const std::string name = lower_ascii(preset.output.name);  // as in case-insensitive file systems
  if (folder && (is_run_entry(name) || is_set_aside(name))) {
    throw Error(message<"output.name is \"{name}\", which a run's folder holds for the run itself; "
                        "set another">(preset.output.name));
  }
}

void require_writable(const fs::path& folder) {
  if (const std::error_code problem = write_problem(folder)) {
    throw Error(message<"{path}: nothing can be written there: {reason}. Choose another folder "
                        "(--out), or allow it">(path_to_utf8(folder), system_message(problem)));
  }
}

/// Where the run will be; nothing is there yet.
RunFolder RunFolder::placed(const JobSpec& job) {
  require_result_name(job.preset);
  RunFolder run;
  run.id_ = new_id(run_slug(job.preset));
  run.path_ = job.out.empty() ? runs_folder() / run.id_ : whole_path(job.out);
  const bool begun = fs::exists(run.job_file()) || !CheckpointFolder(run.checkpoints()).empty();
  if (begun && holds_work(run)) {
    throw Error(message<"{path} holds a run already. Continue it (--resume), or choose another "
                        "folder (--out)">(path_to_utf8(run.path_)));
  }
  if (!is_run(run.job_file())) {
    refuse_foreign_files(run.path_, job);
  }
  std::error_code none;
  if (fs::exists(run.path_, none) && !fs::is_directory(run.path_, none)) {
    throw Error(message<"{path} is a file; a run needs a folder. Choose another (--out)">(
        path_to_utf8(run.path_)));
  }
  require_writable(run.path_);
  return run;
}

void RunFolder::require_free(const JobSpec& job) {
  placed(job);
}

RunFolder RunFolder::create(const JobSpec& job) {
  std::optional<RunLock> lock;
  return create(job, lock);
}

RunFolder RunFolder::create(const JobSpec& job, std::optional<RunLock>& lock) {
  RunFolder run = placed(job);
  make_folder(run.path_);
  make_folder(run.checkpoints());
  lock.emplace(run.lock());
  run.job_ = job;
  run.started_ = job.preset;
  run.job_id_ = run.id_;
  run.text_ = to_text({run.id_, job});
  std::error_code ignored;
  for (const fs::path& left : {run.copy_note(), run.settings_file(), run.inputs()}) {
    fs::remove(left, ignored);  // of a run that was here before
  }
  atomic_write(run.job_file(), run.text_);
  return run;
}

RunFolder RunFolder::open(const fs::path& folder_or_id) {
  for (const fs::path& candidate : {folder_or_id, runs_folder() / folder_or_id}) {
    if (folder_or_id.empty()) {
      break;
    }
    if (std::optional<RunFolder> run = find(candidate)) {
      return *std::move(run);
    }
  }
  if (folder_or_id == folder_or_id.filename()) {
    if (std::optional<RunFolder> run = find_recorded(path_to_utf8(folder_or_id))) {
      return *std::move(run);
    }
  }
  throw Error(message<"{path}: no such run. Pass a run folder (it holds job.json) or an id of "
                      "`mantissa runs list`">(path_to_utf8(folder_or_id)));
}

std::optional<RunFolder> RunFolder::find(const fs::path& folder) {
  RunFolder run;
  run.path_ = whole_path(folder);
  refuse_checkpoint(run.path_);
  if (!run.find_job()) {
    return std::nullopt;
  }
  const fs::path now = followed(run.path_, run.job_id_);
  return now == run.path_ ? run : open(now);
}

std::optional<RunFolder> RunFolder::find_recorded(const std::string& id) {
  RunReader reader(runs_database());
  const std::optional<RunRow> row = reader.run(id);
  if (!row) {
    refuse_several(reader, id);
    return std::nullopt;
  }
  std::optional<RunFolder> run = find(path_from_utf8(row->out));
  if (!run || run->id() != row->id) {
    throw Error(
        run ? message<"the run {run} was in {folder}, which holds another run now. Pass the folder "
                      "that it is in">(row->id, row->out)
            : message<
                  "the run {run} was in {folder}, where it is no longer. Pass the folder that it "
                  "is in">(row->id, row->out));
  }
  return run;
}

bool RunFolder::find_job() {
  const std::string label = path_to_utf8(job_file());
  const bool there = fs::is_regular_file(job_file());
  const auto copy = CheckpointFolder(checkpoints()).newest_member("job.json");
  if (!there && !copy) {
    return false;
  }
  const std::string from = copy ? path_to_utf8(copy->checkpoint) : "";
  notice_ = message<"{file} is missing: the copy in {checkpoint} is used">(label, from);
  if (there) {
    try {
      take_job(read_text(job_file()), label);
      notice_ = {};
      if (copy && text_ != copy->text) {
        notice_ = message<
            "{file} is not the one that the run was started with: the copy in "
            "{checkpoint} is used">(label, from);
      }
    } catch (const Error& e) {
      if (!copy) {
        throw Error(message<"{reason}. No checkpoint holds an intact copy of it, so the run can't "
                            "be resumed">(e.message()));
      }
      notice_ = message<"{file} can't be used ({reason}): the copy in {checkpoint} is used">(
          label, e.message(), from);
    }
  }
  if (!notice_.empty()) {
    take_job(copy->text, path_to_utf8(copy->checkpoint / "job.json"));
  }
  find_settings();
  return true;
}

void RunFolder::take_job(const std::string& text, const std::string& label) {
  const JobFile file = parse_job_file(text, label);
  text_ = text;
  job_ = file.job;
  started_ = file.job.preset;
  job_id_ = file.id;
  id_ = id_of_copy().value_or(job_id_);
}

void RunFolder::repair() {
  std::error_code none;
  if (fs::is_regular_file(job_file(), none)) {
    if (read_text(job_file()) == text_) {
      return;
    }
    fs::path aside = path_ / "job.damaged.json";
    for (int i = 2; fs::exists(aside); ++i) {
      aside = path_ / fmt::format("job.damaged-{}.json", i);
    }
    rename_durably(job_file(), aside);
  }
  atomic_write(job_file(), text_);
}

JobSpec RunFolder::frozen_job() const {
  JobSpec job = job_;
  job.out = path_;
  job.resume = path_;
  return job;
}

/// Files may have moved; their number and weights stay.
static std::vector<TrainingAdapter> resumed_adapters(const JobSpec& frozen, const JobSpec& wanted) {
  if (wanted.training_adapters.empty()) {
    return frozen.training_adapters;
  }
  if (!std::ranges::equal(frozen.training_adapters, wanted.training_adapters, {},
                          &TrainingAdapter::weight, &TrainingAdapter::weight)) {
    std::vector<std::string> weights;
    for (const TrainingAdapter& adapter : frozen.training_adapters) {
      weights.push_back(
          fmt::format("{}:{}", path_to_utf8(adapter.file.filename()), adapter.weight));
    }
    throw Error(weights.empty()
                    ? message<"--training-adapter: the run was started without one, and a resumed "
                              "run can't change that. Leave the option out, or start a new run">()
                    : message<"--training-adapter: a resumed run has the training adapters it was "
                              "started with, at their weights: {adapters}. Only their places may "
                              "be others">(fmt::format("{}", fmt::join(weights, ", "))));
  }
  return wanted.training_adapters;
}

JobSpec resumed_job(const JobSpec& frozen, const JobSpec& wanted) {
  JobSpec job = frozen;
  std::vector<Message> refused;
  for (const PresetChange& change : diff_presets(frozen.preset, wanted.preset)) {
    if (require_setting(change.key).change == Change::never) {
      refused.push_back(
          message<"{key} ({before} -> {after})">(change.key, change.a.dump(), change.b.dump()));
    }
  }
  if (!refused.empty()) {
    throw Error(message<"a resumed run can't change {changes}. Start a new run, or resume with the "
                        "preset the run was started with">(joined<", ">(std::move(refused))));
  }
  job.preset = wanted.preset;
  // Files may have moved: their content is compared with the checkpoint.
  job.base = wanted.base.empty() ? frozen.base : wanted.base;
  for (const auto folders :
       {&JobSpec::images, &JobSpec::prior, &JobSpec::validation, &JobSpec::references}) {
    job.*folders = (wanted.*folders).empty() ? frozen.*folders : wanted.*folders;
  }
  job.training_adapters = resumed_adapters(frozen, wanted);
  job.accept_changed = wanted.accept_changed;
  job.start_over = wanted.start_over;
  job.trace = wanted.trace;
  job.trace_steps = wanted.trace_steps;
  job.overwrite = wanted.overwrite;
  job.device = wanted.device;
  job.deterministic = frozen.deterministic || wanted.deterministic;
  job.split = wanted.split;
  job.health_every = wanted.health_every;
  job.memory_budget = wanted.memory_budget;
  job.on_full_disk = wanted.on_full_disk;
  return job;
}

}  // namespace mantissa
