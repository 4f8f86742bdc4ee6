#include "engine/train/resume_check.h"

#include <algorithm>
#include <fmt/format.h>

#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/io/file.h"

namespace mantissa {
namespace fs = std::filesystem;

std::optional<fs::path> checkpoint_to_resume(const JobSpec& job,
                                             const CheckpointFolder& checkpoints,
                                             const fs::path& folder, const ResumeNotice& notice) {
  std::vector<Message> damaged;
  std::optional<fs::path> found = checkpoints.newest_valid([&](const Message& text) {
    damaged.push_back(text);
    notice(LogLevel::warning, text);
  });
  if (job.start_over && (found || damaged.empty())) {
    const std::string name = path_to_utf8(folder);
    throw Error(
        found ? message<"{folder}: there is an intact checkpoint, {checkpoint}. Leave out "
                        "--start-over to continue from it">(name, path_to_utf8(found->filename()))
              : message<"{folder}: there is no checkpoint to set aside. Leave --start-over away: "
                        "the run begins at step 0">(name));
  }
  if (!damaged.empty() && !found && !job.start_over) {
    throw ResumeRefused(
        message<"no checkpoint is intact: {reasons}. Nothing was changed. Restore one from a "
                "backup, or start the run over, which sets the damaged ones aside">(
            joined<"; ">(std::move(damaged))),
        {});
  }
  return found;
}

namespace {

/// Adds to `accepted` what differs between the inputs of `step` and those of now.
void accept_changes(std::int64_t step, const RunIdentity& then, const RunIdentity& now,
                    const JobSpec& job, const ResumeNotice& notice,
                    std::vector<std::string>& accepted) {
  for (const IdentityChange& change : require_same(then, now, job.accept_changed)) {
    accepted.push_back(fmt::format("step {}: {}", step, change.text.text()));
    notice(LogLevel::warning,
           message<"continues with a changed file, as accepted: {change}">(change.text));
  }
}

}  // namespace

std::vector<std::string> accepted_changes(const CheckpointState& saved, const fs::path& checkpoint,
                                          const RunIdentity& now, const JobSpec& job,
                                          const ResumeNotice& notice) {
  std::vector<std::string> accepted = saved.accepted;
  if (saved.identity.empty()) {
    notice(LogLevel::warning,
           message<"{checkpoint} was saved by an older version, which didn't record the base "
                   "model: whether it is the same is not checked">(path_to_utf8(checkpoint)));
    return accepted;
  }
  accept_changes(saved.step, saved.identity, now, job, notice, accepted);
  return accepted;
}

std::optional<BegunInputs> begun_inputs(const JobSpec& job, const RunFolder& folder,
                                        const ResumeNotice& notice) {
  std::error_code none;
  const fs::path file = folder.inputs();
  if (job.start_over || !fs::is_regular_file(file, none)) {
    return std::nullopt;
  }
  try {
    return parse_begun_inputs(read_text(file), path_to_utf8(file));
  } catch (const Error& e) {
    notice(LogLevel::warning,
           message<"whether the run's files are those that it began with is not checked: {reason}">(
               e.message()));
    return std::nullopt;
  }
}

std::vector<std::string> accepted_since_begun(const BegunInputs& begun, const RunIdentity& now,
                                              const JobSpec& job, const ResumeNotice& notice) {
  std::vector<std::string> accepted = begun.accepted;
  accept_changes(0, begun.identity, comparable_with(begun, now), job, notice, accepted);
  return accepted;
}

void require_same_dataset(const CheckpointState& saved, const fs::path& checkpoint,
                          const RunIdentity& now, const std::string& fingerprint) {
  const std::vector<IdentityChange> changes =
      saved.identity.empty() ? std::vector<IdentityChange>() : changes_between(saved.identity, now);
  const bool other_images =
      std::any_of(changes.begin(), changes.end(), [](const IdentityChange& change) {
        return change.part == "images" || change.part == "prior";
      });
  // Even the same files may give another batch order, if one can no longer be decoded.
  if (!other_images && saved.dataset != fingerprint) {
    throw Error(message<"{path}: the images or captions have changed since this checkpoint, so the "
                        "run can't continue exactly. Restore them, or start a new run">(
        path_to_utf8(checkpoint)));
  }
}

void require_steps_left(const CheckpointState& saved, const fs::path& checkpoint,
                        const RunLength& length, const ResumeNotice& notice) {
  if (length.steps > 0 && saved.step > length.steps) {
    throw Error(message<"{path}: the run has {done} steps already and can't be shortened to "
                        "{steps}. Set training.steps to {done} or more (training.epochs likewise), "
                        "or start a new run">(path_to_utf8(checkpoint), saved.step, length.steps));
  }
  if (saved.step == length.steps) {
    notice(LogLevel::warning,
           message<"the run has all its {steps} steps: nothing is left to train, and its result is "
                   "written again. To train on, raise training.steps (or training.epochs)">(
               length.steps));
  }
}

std::string dataset_fingerprint(const PlannedRun& run) {
  return run.data                        ? run.data->images().dataset().fingerprint()
         : run.replay                    ? "replay"
         : trains_slider(run.job.preset) ? "slider"
                                         : "base images";
}

void add_images(RunIdentity& identity, const PlannedRun& run) {
  if (run.data) {
    add_images(identity, "images", run.data->images().dataset().items);
    add_images(identity, "validation", run.data->images().validation());
  }
}

namespace {

void compare_all(const PlannedRun& run, const RunFolder& folder, const ResumeNotice& notice,
                 const Progress& progress) {
  const auto checkpoint =
      checkpoint_to_resume(run.job, CheckpointFolder(folder.checkpoints()), folder.path(), notice);
  const auto begun = checkpoint ? std::nullopt : begun_inputs(run.job, folder, notice);
  if (!checkpoint && !begun) {
    return;
  }
  RunIdentity now = hash_files(list_files(run.source, run.job), ContentHashes::shared(), progress);
  add_images(now, run);
  if (begun) {
    accepted_since_begun(*begun, now, run.job, notice);
    return;
  }
  const CheckpointState saved = CheckpointFolder::load_state(*checkpoint);
  accepted_changes(saved, *checkpoint, now, run.job, notice);
  require_steps_left(saved, *checkpoint, run_length(run), notice);
  require_same_dataset(saved, *checkpoint, now, dataset_fingerprint(run));
}

}  // namespace

void check_resume(const PlannedRun& run, const RunFolder& folder, const ResumeNotice& notice,
                  const Progress& progress) {
  try {
    compare_all(run, folder, notice, progress);
  } catch (const ResumeRefused& e) {
    throw Error(e.with_option());
  }
}

}  // namespace mantissa
