#include "engine/train/run_start.h"

#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/io/file.h"
#include "engine/io/input_file.h"
#include "engine/preset/preset_io.h"
#include "engine/store/setting_changes.h"

namespace mantissa {

RunStart::RunStart(const JobSpec& job, RunHome& home, RunLog& log)
    : job_(job), home_(home), log_(log) {
  if (job_.resume) {
    find_checkpoint();
  }
}

void RunStart::find_checkpoint() {
  saved_files_ = home_.checkpoints().stamps();
  checkpoint_ = checkpoint_to_resume(job_, home_.checkpoints(), home_.folder().path(), logged());
  if (!checkpoint_) {
    begun_ = begun_inputs(job_, home_.folder(), logged());
  }
}

std::int64_t RunStart::step() const {
  return checkpoint_ ? checkpoint_step(*checkpoint_).value_or(0) : 0;
}

std::vector<PresetChange> RunStart::changed_settings() const {
  Preset before = home_.folder().started_with();
  if (checkpoint_) {
    const std::string label = path_to_utf8(*checkpoint_);
    try {
      before = parse_preset(CheckpointFolder::load_state(*checkpoint_).preset, label);
    } catch (const Error&) {  // of another version: those recorded last tell the resume's own
      before = home_.folder().frozen_job().preset;
    }
  }
  return diff_presets(with_changeable_settings(job_.preset, before), job_.preset);
}

ResumeNotice RunStart::logged() const {
  return [this](LogLevel level, const Message& text) { log_.line(level, text); };
}

void RunStart::check_identity(const PlannedRun& run, bool hashed_at_once,
                              const Progress& progress) {
  if (run.training_adapters) {
    for (const TrainingAdapterFile& file : *run.training_adapters) {
      for (auto [path, stamp] : file.stamps) {
        require_unchanged(path, stamp, {});  // since it was read
      }
    }
  }
  listed_ = list_files(run.source, run.job);
  watched_.watch(listed_);
  if (hashed_at_once || checkpoint_ || (begun_ && begun_->whole)) {
    identity_ = hash_files(listed_, ContentHashes::shared(), progress);
    watched_.know(identity_);
    listed_.clear();
  }
  add_images(identity_, run);
  if (checkpoint_) {
    const CheckpointState saved = CheckpointFolder::load_state(*checkpoint_);
    stacks_adapters_ = saved.stacked_adapters;
    accepted_ = accepted_changes(saved, *checkpoint_, identity_, job_, logged());
    require_steps_left(saved, *checkpoint_, run_length(run), logged());
  } else if (begun_) {
    accepted_ = accepted_since_begun(*begun_, identity_, job_, logged());
  }
  record_inputs();
}

void RunStart::record_inputs() {
  const bool whole = listed_.empty() && !hashing_;  // and not only hashed: the hashes are here
  const bool known = recorded_ == home_.folder().inputs() && recorded_whole_ == whole;
  if (!home_.writes() || checkpoint_ || known) {
    return;
  }
  const std::string text = to_text(BegunInputs{identity_, whole, accepted_});
  log_.keep([&] {
    recorded_ = home_.folder().inputs();  // the run may have moved for want of room
    atomic_write(recorded_, text);
  });
  recorded_whole_ = whole;
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
  record_inputs();
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
  watched_.forget("training_adapter");
}

void RunStart::begin_again() {
  if (job_.start_over && home_.writes()) {
    log_.line(LogLevel::warning, message<"the damaged checkpoints were set aside in {folder}">(
                                     path_to_utf8(home_.checkpoints().set_aside())));
  }
  log_.line(LogLevel::warning,
            message<"the run has no valid checkpoint: it starts again from step 0">());
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
  require_same_dataset(saved, *checkpoint_, identity_, dataset_fingerprint(parts.plan));
  require_unchanged_checkpoint();
  state.restore(saved, *checkpoint_);
  home_.last_checkpoint = checkpoint_;
  log_.resumed_at(state.step);
  log_.line(LogLevel::info, resumed_at_step(state.step, path_to_utf8(*checkpoint_)));
}

}  // namespace mantissa
