// Trainer: going on from a checkpoint, with what the run was made of.
#include <algorithm>
#include <fmt/format.h>

#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/core/system.h"
#include "engine/io/file.h"
#include "engine/train/trainer.h"

namespace mantissa {
namespace fs = std::filesystem;

void Trainer::find_checkpoint() {
  std::vector<Message> damaged;
  resume_from_ = checkpoints_.newest_valid([&](const Message& text) {
    damaged.push_back(text);
    log_.line(2, text);
  });
  if (job_.start_over && (resume_from_ || damaged.empty())) {
    const std::string folder = path_to_utf8(folder_.path());
    throw Error(
        resume_from_
            ? message<"{folder}: there is an intact checkpoint, {checkpoint}. Leave out "
                      "--start-over to continue from it">(folder,
                                                          path_to_utf8(resume_from_->filename()))
            : message<"{folder}: there is no checkpoint to set aside. Leave --start-over away: the "
                      "run begins at step 0">(folder));
  }
  if (!damaged.empty() && !resume_from_ && !job_.start_over) {
    throw ResumeRefused(
        message<"no checkpoint is intact: {reasons}. Nothing was changed. Restore one from a "
                "backup, or start the run over, which sets the damaged ones aside">(
            joined<"; ">(std::move(damaged))),
        {});
  }
}

void Trainer::check_identity() {
  const ContentHashes hashes = ContentHashes::shared();
  identity_ = identify_files(source_, job_, hashes,
                             [this](std::string_view phase, std::int64_t done, std::int64_t total) {
                               tell_progress(phase_of(phase), done, total);
                             });
  if (data_) {
    add_images(identity_, "images", data_->dataset().items);
    add_images(identity_, "validation", data_->validation());
  }
  if (!resume_from_) {
    return;
  }
  const CheckpointState saved = CheckpointFolder::load_state(*resume_from_);
  accepted_ = saved.accepted;
  if (saved.identity.empty()) {
    log_.line(2,
              message<"{checkpoint} was saved by an older version, which didn't record the base "
                      "model: whether it is the same is not checked">(path_to_utf8(*resume_from_)));
    return;
  }
  for (const IdentityChange& change :
       require_same(saved.identity, identity_, job_.accept_changed)) {
    accepted_.push_back(fmt::format("step {}: {}", saved.step, change.text.text()));
    log_.line(2, message<"continues with a changed file, as accepted: {change}">(change.text));
  }
}

void Trainer::begin_again() {
  if (job_.start_over) {
    log_.line(2, message<"the damaged checkpoints were set aside in {folder}">(
                     path_to_utf8(checkpoints_.set_aside())));
  }
  log_.line(2, message<"the run has no valid checkpoint: it starts again from step 0">());
  log_.store().resume_run(folder_.id(), 0, state_name(RunState::preparing), host_name(),
                          process_id());
}

void Trainer::restore() {
  const std::vector<NamedBuffer> buffers = state_buffers();
  const CheckpointState s = CheckpointFolder::load(*resume_from_, buffers);
  model_->fp8_scales().push();
  const std::string dataset = data_ ? data_->dataset().fingerprint() : "replay";
  const std::vector<IdentityChange> accepted =
      s.identity.empty() ? std::vector<IdentityChange>() : changes_between(s.identity, identity_);
  const bool other_images =
      std::any_of(accepted.begin(), accepted.end(), [](const IdentityChange& change) {
        return change.part == "images" || change.part == "prior";
      });
  // Also the same files may come to another order of batches: one that could be decoded then can't.
  if (!other_images && s.dataset != dataset) {
    throw Error(message<"{path}: the images or captions have changed since this checkpoint, so the "
                        "run can't continue exactly. Restore them, or start a new run">(
        path_to_utf8(*resume_from_)));
  }
  step_ = s.step;
  updates_ = s.updates;
  skips_in_row_ = s.skips_in_row;
  scaler_.restore(s.loss_scale, s.growth_counter);
  for (OptimizerPart& g : groups_) {
    const auto updates = s.optimizer_updates.find(g.name());
    if (updates == s.optimizer_updates.end()) {
      throw Error(message<"{file}: field 'optimizer_updates' lacks {part}. Resume with the preset "
                          "the run was started with">(path_to_utf8(*resume_from_ / "state.json"),
                                                      g.name()));
    }
    g.optimizer->set_updates(updates->second);
  }
  last_checkpoint_ = resume_from_;
  log_.store().resume_run(folder_.id(), step_, state_name(RunState::preparing), host_name(),
                          process_id());
  log_.line(1, message<"resumed at step {step} from {file}">(step_, path_to_utf8(*resume_from_)));
}

}  // namespace mantissa
