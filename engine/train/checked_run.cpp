#include "engine/train/checked_run.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "engine/core/error.h"
#include "engine/data/reference_files.h"
#include "engine/io/mapped_file.h"
#include "engine/io/overwrite.h"
#include "engine/plan/backend.h"
#include "engine/plan/card_split.h"
#include "engine/plan/device_error.h"
#include "engine/plan/job_paths.h"
#include "engine/plan/job_precision.h"
#include "engine/plan/split_run.h"
#include "engine/plan/trainable_parts.h"
#include "engine/run/run_failure.h"
#include "kernels/check.h"

namespace mantissa {
namespace {

bool is_below(const std::filesystem::path& file, const std::filesystem::path& folder) {
  const auto relative = std::filesystem::absolute(file).lexically_normal().lexically_relative(
      std::filesystem::absolute(folder).lexically_normal());
  return !relative.empty() && *relative.begin() != "..";
}

/// The card, or those that share the layers: which of them failed isn't known.
Message device_name(const JobSpec& job) {
  return message<"device {device}">(job.split.empty() ? job.device : device_of(devices_of(job)));
}

/// The plan fitted: another program has since used memory of the card.
Message out_of_memory_text(const OutOfDeviceMemory& e, const Preset& preset) {
  const Preset::Training& training = preset.training;
  if (!training.gradient_checkpointing) {
    return message<
        "{message}. Close other programs that use the card, or turn on "
        "training.gradient_checkpointing">(message_of(e));
  }
  return training.checkpointing_scope == CheckpointingScope::blocks
             ? message<
                   "{message}. Close other programs that use the card, or lower "
                   "data.resolution">(message_of(e))
             : message<
                   "{message}. Close other programs that use the card, or set "
                   "training.checkpointing_scope to blocks">(message_of(e));
}

/// A failed mapped file takes precedence over any other error, and over success.
RunResult train_on_intact_files(PlannedRun opened, RunHome& home, RunControl& control, RunLog& log,
                                Ranks& ranks, FirstStepsReplay* replay) {
  try {
    RunResult result = train(std::move(opened), home, control, log, ranks, replay);
    require_intact_files();
    return result;
  } catch (...) {
    require_intact_files();
    throw;
  }
}

}  // namespace

PlannedRun open_checked(const JobSpec& job, const Ranks& ranks) {
  PlannedRun run = open_run(job);
  run.processes = ranks.size();
  if (job.trace) {
    std::vector inputs{resolve_base(job.base), job.replay.value_or(""),
                       job.continue_from.value_or("")};
    for (const TrainingAdapter& adapter : job.training_adapters) {
      inputs.push_back(adapter.file);
    }
    refuse_input(*job.trace, inputs);
    refuse_overwrite(*job.trace, job.overwrite);
    // The run's own folder may not be there yet.
    if (job.out.empty() || !is_below(*job.trace, job.out)) {
      require_place(*job.trace, OutputKind::file);
    }
  }
  require_family(run.source, job.preset);
  require_parts(run.source, job);
  if (const auto refused = untrainable_part(run.source, job.preset)) {
    throw Error(refused->message);
  }
  require_splittable(job);
  refuse_conflicts(run.precision);
  if (!job.replay && !trains_own_images(job.preset)) {
    const SetFolders folders = job_folders(job);
    for (const auto& [set, option] :
         {std::pair{&folders.images, "--images"}, std::pair{&folders.prior, "--prior"},
          std::pair{&folders.validation, "--validation"}}) {
      for (const std::filesystem::path& folder : *set) {
        require_image_folder(folder, job.resume ? option : "");
      }
    }
    for (const std::filesystem::path& source : folders.references) {
      require_references(source);
    }
  }
  return run;
}

RunResult train_on_device(PlannedRun opened, const JobSpec& job, RunHome& home, RunControl& control,
                          RunLog& log, Ranks& ranks, FirstStepsReplay* replay) {
  try {
    return train_on_intact_files(std::move(opened), home, control, log, ranks, replay);
  } catch (const RankDeviceLost&) {
    throw;
  } catch (const DeviceLost& e) {
    throw RunDeviceLost(device_lost(device_name(job), message_of(e)));
  } catch (const OutOfDeviceMemory& e) {
    throw Error(ErrorKind::out_of_memory, out_of_memory_text(e, job.preset));
  }
}

}  // namespace mantissa
