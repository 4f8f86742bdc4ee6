#include "engine/train/run_start.h"

#include <algorithm>
#include <fmt/format.h>

#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/io/input_file.h"

namespace mantissa {

RunStart::RunStart(const JobSpec& job, RunHome& home, RunLog& log)
    : job_(job), home_(home), log_(log) {
  if (job_.resume) {
    find_checkpoint();
  }
}

void RunStart::find_checkpoint() {
  saved_files_ = home_.checkpoints().stamps();
  std::vector<Message> damaged;
  checkpoint_ = home_.checkpoints().newest_valid([&](const Message& text) {
    damaged.push_back(text);
    log_.line(2, text);
  });
  if (job_.start_over && (checkpoint_ || damaged.empty())) {
    const std::string folder = path_to_utf8(home_.folder().path());
    throw Error(
        checkpoint_
            ? message<"{folder}: there is an intact checkpoint, {checkpoint}. Leave out "
                      "--start-over to continue from it">(folder,
                                                          path_to_utf8(checkpoint_->filename()))
            : message<"{folder}: there is no checkpoint to set aside. Leave --start-over away: the "
                      "run begins at step 0">(folder));
  }
  if (!damaged.empty() && !checkpoint_ && !job_.start_over) {
    throw ResumeRefused(
        message<"no checkpoint is intact: {reasons}. Nothing was changed. Restore one from a "
                "backup, or start the run over, which sets the damaged ones aside">(
            joined<"; ">(std::move(damaged))),
        {});
  }
}

void RunStart::check_identity(const PlannedRun& run, bool hashed_at_once,
                              const Progress& progress) {
  listed_ = list_files(run.source, run.job);
  watched_.watch(listed_);
  if (hashed_at_once || checkpoint_) {
    identity_ = hash_files(listed_, ContentHashes::shared(), progress);
    watched_.know(identity_);
    listed_.clear();
  }
  if (run.data) {
    add_images(identity_, "images", run.data->images().dataset().items);
    add_images(identity_, "validation", run.data->images().validation());
  }
  if (!checkpoint_) {
    return;
  }
  const CheckpointState saved = CheckpointFolder::load_state(*checkpoint_);
  stacks_adapters_ = saved.stacked_adapters;
  accepted_ = saved.accepted;
  if (saved.identity.empty()) {
    log_.line(2,
              message<"{checkpoint} was saved by an older version, which didn't record the base "
                      "model: whether it is the same is not checked">(path_to_utf8(*checkpoint_)));
    return;
  }
  for (const IdentityChange& change :
       require_same(saved.identity, identity_, job_.accept_changed)) {
    accepted_.push_back(fmt::format("step {}: {}", saved.step, change.text.text()));
    log_.line(2, message<"continues with a changed file, as accepted: {change}">(change.text));
  }
}

void RunStart::hash_meanwhile() {
  if (!listed_.empty()) {
    hashing_ = std::make_unique<FileHashing>(std::move(listed_));
    listed_.clear();
  }
}

void RunStart::notice_changed_files() {
  constexpr std::chrono::seconds kBetweenLooks(1);
  if (hashing_ && hashing_->done()) {
    identity();
  }
  const auto now = std::chrono::steady_clock::now();
  if (now - looked_ >= kBetweenLooks) {
    looked_ = now;
    require_unchanged_files();
  }
}

const RunIdentity& RunStart::identity() {
  hash_meanwhile();
  if (hashing_) {
    const RunIdentity& files = hashing_->result();  // after a failure no identity is ever whole
    identity_.insert(identity_.begin(), files.begin(), files.end());
    watched_.know(files);
    hashing_.reset();
  }
  return identity_;
}

void RunStart::begin(const RunParts& parts, TrainingState& state) {
  if (checkpoint_) {
    restore(parts, state);
  } else if (job_.resume) {
    begin_again();
  }
  require_unchanged_files();
  watched_.forget("continue_from");  // its values are in the state by now
}

void RunStart::begin_again() {
  if (job_.start_over && home_.writes()) {
    log_.line(2, message<"the damaged checkpoints were set aside in {folder}">(
                     path_to_utf8(home_.checkpoints().set_aside())));
  }
  log_.line(2, message<"the run has no valid checkpoint: it starts again from step 0">());
  log_.resumed_at(0);
}

void RunStart::require_unchanged_checkpoint() {
  for (auto& [file, stamp] : saved_files_) {
    if (file.parent_path() == *checkpoint_) {
      require_unchanged(file, stamp, {});
    }
  }
}

void RunStart::restore(const RunParts& parts, TrainingState& state) {
  const CheckpointState saved = CheckpointFolder::load(*checkpoint_, state.buffers());
  const std::vector<IdentityChange> accepted = saved.identity.empty()
                                                   ? std::vector<IdentityChange>()
                                                   : changes_between(saved.identity, identity_);
  const bool other_images =
      std::any_of(accepted.begin(), accepted.end(), [](const IdentityChange& change) {
        return change.part == "images" || change.part == "prior";
      });
  // Even the same files may give another batch order, if one can no longer be decoded.
  if (!other_images && saved.dataset != parts.dataset_fingerprint()) {
    throw Error(message<"{path}: the images or captions have changed since this checkpoint, so the "
                        "run can't continue exactly. Restore them, or start a new run">(
        path_to_utf8(*checkpoint_)));
  }
  require_unchanged_checkpoint();
  state.restore(saved, *checkpoint_);
  home_.last_checkpoint = checkpoint_;
  log_.resumed_at(state.step);
  log_.line(1,
            message<"resumed at step {step} from {file}">(state.step, path_to_utf8(*checkpoint_)));
}

}  // namespace mantissa
