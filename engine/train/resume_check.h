#pragma once
// What resuming a run compares before it begins: shared by the run's start and by a check, which
// writes nothing.

#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/core/log_level.h"
#include "engine/core/progress.h"
#include "engine/plan/planned_run.h"
#include "engine/run/begun_inputs.h"
#include "engine/run/checkpoint.h"
#include "engine/run/run_folder.h"
#include "engine/run/run_identity.h"

namespace mantissa {

/// Receives what resuming logs.
using ResumeNotice = std::function<void(LogLevel level, const Message&)>;

/// The newest intact checkpoint, from which a resumed job continues; none if there is none at all,
/// or if the job starts over. `folder`: the run's, in messages. Throws ResumeRefused if all are
/// damaged, Error if --start-over doesn't apply.
std::optional<std::filesystem::path> checkpoint_to_resume(const JobSpec& job,
                                                          const CheckpointFolder& checkpoints,
                                                          const std::filesystem::path& folder,
                                                          const ResumeNotice& notice);

/// The checkpoint's accepted changes and those that the job accepts now: "step 6: base: …". Throws
/// ResumeRefused if an input differs that the job doesn't accept.
std::vector<std::string> accepted_changes(const CheckpointState& saved,
                                          const std::filesystem::path& checkpoint,
                                          const RunIdentity& now, const JobSpec& job,
                                          const ResumeNotice& notice);

/// The inputs that a run without a checkpoint began with; none if it recorded none, or starts over.
/// A record that can't be read is told to `notice`.
std::optional<BegunInputs> begun_inputs(const JobSpec& job, const RunFolder& folder,
                                        const ResumeNotice& notice);

/// As accepted_changes, beside those inputs.
std::vector<std::string> accepted_since_begun(const BegunInputs& begun, const RunIdentity& now,
                                              const JobSpec& job, const ResumeNotice& notice);

/// Throws Error if the images or captions, by `fingerprint`, are others than the checkpoint's,
/// unless the identities tell of an accepted change.
void require_same_dataset(const CheckpointState& saved, const std::filesystem::path& checkpoint,
                          const RunIdentity& now, const std::string& fingerprint);

/// Throws Error if the run, which is to have this length, has more steps already; tells `notice` if
/// it has as many.
void require_steps_left(const CheckpointState& saved, const std::filesystem::path& checkpoint,
                        const RunLength& length, const ResumeNotice& notice);

/// The fingerprint of a run's images and captions, as checkpoints hold it.
std::string dataset_fingerprint(const PlannedRun& run);

/// Adds the run's images to the identity of its files.
void add_images(RunIdentity& identity, const PlannedRun& run);

/// All of these comparisons, of a run that is scanned; hashes its files. Throws their errors, with
/// the option that would continue nevertheless.
void check_resume(const PlannedRun& run, const RunFolder& folder, const ResumeNotice& notice,
                  const Progress& progress);

}  // namespace mantissa
