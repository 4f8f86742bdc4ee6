#include "engine/train/run.h"

#include <algorithm>
#include <utility>

#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/core/system.h"
#include "engine/io/file.h"
#include "engine/io/image.h"
#include "engine/io/mapped_file.h"
#include "engine/io/overwrite.h"
#include "engine/io/run_lock.h"
#include "engine/preset/names.h"
#include "engine/preset/preset_io.h"
#include "engine/store/reader.h"
#include "engine/train/backend.h"
#include "engine/train/device_error.h"
#include "engine/train/disk_plan.h"
#include "engine/train/memory_plan.h"
#include "engine/train/run_identity.h"
#include "engine/train/run_plan.h"
#include "engine/train/trainer.h"
#include "kernels/check.h"

namespace mantissa {
namespace {

/// Training the VAE looks at whole pictures and nothing else.
void refuse_vae_conflicts(const JobSpec& job) {
  if (!trains_vae(job.preset)) {
    return;
  }
  const char* what = job.preset.data.masks != MaskMode::off ? "data.masks"
                     : !job.prior.empty()                   ? "--prior"
                     : !job.validation.empty()              ? "--validation"
                     : job.preset.data.validation_share > 0 ? "data.validation_share"
                                                            : nullptr;
  if (what != nullptr) {
    throw Error(message<"{option} is for training a denoiser; leave it out where training.parts "
                        "is vae">(what));
  }
}

PlannedData planned_data(const TrainingData& data) {
  const DatasetReport& r = data.dataset().report;
  return {r.images, r.prior, r.held_out, r.masks, std::ssize(r.skipped), data.batches_per_epoch()};
}

/// The VAE is trained alone, and its steps are none of a denoiser's.
void check_vae_training(const JobSpec& job) {
  const Preset::Training& training = job.preset.training;
  if (!trains_vae(job.preset)) {
    return;
  }
  if (training.parts.size() > 1) {
    throw Error(
        message<"training.parts holds vae and others, which learn from the latents that it makes: "
                "it is trained alone, and before them. Set training.parts to [\"vae\"]">());
  }
  if (training.method != TrainingMethod::full) {
    throw Error(
        message<"training.parts is [\"vae\"] and training.method adapter: a VAE has no adapters. "
                "Set training.method to full">());
  }
  if (job.trace || job.replay) {
    throw Error(
        message<"training.parts is [\"vae\"]: --trace and --replay know only a denoiser's steps. "
                "Leave them out">());
  }
}

/// What can be known before a run folder is made.
void check_job(const JobSpec& job) {
  check_vae_training(job);
  refuse_vae_conflicts(job);
  if (job.trace) {
    refuse_overwrite(*job.trace, job.overwrite);
  }
  const WeightSource source = WeightSource::open(resolve_base(job.base));
  const ModelFamily family = job.preset.model.family;
  if (family != ModelFamily::automatic && family != source.family().id) {
    throw Error(message<"{path} holds a model of the family {family}, but model.family says "
                        "{wanted}; set it to auto, or give the base it is for">(
        path_to_utf8(source.path()), enum_name(source.family().id), enum_name(family)));
  }
  refuse_conflicts(job_precision(job.preset, source, job.device));
  if (!job.replay) {
    const SetFolders folders = job_folders(job);
    for (const auto* set : {&folders.images, &folders.prior, &folders.validation}) {
      for (const std::filesystem::path& folder : *set) {
        if (!std::filesystem::is_directory(folder)) {
          throw Error(message<"{path}: no such folder of images">(path_to_utf8(folder)));
        }
      }
    }
  }
}

void announce(RunStore& store, const RunFolder& folder, const JobSpec& job) {
  if (job.resume && RunReader(store.file()).run(folder.id())) {
    // The trainer tells at which step. The folder may be one that the run moved to.
    store.move_run(folder.id(), path_to_utf8(folder.path()), path_to_utf8(folder.lock()));
    return;
  }
  RunRow row;
  row.id = folder.id();
  row.name = job.preset.output.name;
  row.state = state_name(RunState::preparing);
  row.base = path_to_utf8(job.base);
  row.out = path_to_utf8(folder.path());
  row.preset_json = to_json(job.preset, WriteMode::full);
  row.seed = job.preset.training.seed;
  row.host = host_name();
  row.process = process_id();
  row.lock = path_to_utf8(folder.lock());
  store.create_run(row);
}

Message with_checkpoint(Message said, const Trainer& trainer) {
  return trainer.last_checkpoint() ? message<"{message}. Last good checkpoint: {file}">(
                                         std::move(said), path_to_utf8(*trainer.last_checkpoint()))
                                   : said;
}

/// A stop, with what it leaves.
Message stopped_text(const Message& said, const Trainer& trainer) {
  return trainer.last_checkpoint()
             ? message<"{message}. Saved in {file}; continue with --resume {folder}">(
                   said, path_to_utf8(*trainer.last_checkpoint()), path_to_utf8(trainer.folder()))
             : message<"{message}. No checkpoint was saved">(said);
}

/// The plan fitted: another program took memory of the card since.
Message out_of_memory_text(const OutOfDeviceMemory& e, const Preset& preset) {
  return preset.training.gradient_checkpointing
             ? message<
                   "{message}. Close other programs that use the card, or lower "
                   "data.resolution">(message_of(e))
             : message<
                   "{message}. Close other programs that use the card, or turn on "
                   "training.gradient_checkpointing">(message_of(e));
}

/// A mapped file that failed is the reason for whatever else went wrong, and for what did not.
RunResult train(Trainer& trainer) {
  try {
    RunResult result = trainer.run();
    require_intact_files();
    return result;
  } catch (...) {
    require_intact_files();
    throw;
  }
}

}  // namespace

RunResult run_training(const JobSpec& wanted, RunControl& control, RunObserver& observer) {
  const bool resuming = wanted.resume.has_value();
  std::optional<RunFolder> folder;
  JobSpec job = wanted;
  if (resuming) {
    folder = RunFolder::open(*wanted.resume);
    job = resumed_job(folder->frozen_job(), wanted);
  }
  check_job(job);
  if (!folder) {
    folder = RunFolder::create(job);
  }
  const ImageLibrary images;
  RunLock lock(folder->lock());
  if (resuming) {
    folder->repair();
  }
  RunStore store(runs_database(), owner_is_alive);
  const std::optional<RunRow> before = RunReader(store.file()).run(folder->id());
  announce(store, *folder, job);
  DiskWait disk(control, observer, job.on_full_disk);
  RunLog log(observer, store, *folder, disk);
  for (const Message& notice : store.notices()) {
    log.line(1, notice);
  }
  if (!folder->notice().empty()) {
    log.line(2, folder->notice());
  }
  Trainer trainer(job, *folder, lock, control, log);
  try {
    RunResult result = train(trainer);
    log.finish("finished", RunState::finished);
    return result;
  } catch (const ResumeRefused& e) {
    log.last_line(3, e.message());
    log.finish(before && is_final_state(before->state) ? before->state : "failed",
               RunState::failed);
    throw;
  } catch (const Error& e) {
    if (e.kind() == ErrorKind::interrupted) {
      const Message told = stopped_text(e.message(), trainer);
      log.last_line(1, told);
      log.finish("stopped", RunState::finished);
      throw Error(ErrorKind::interrupted, told);
    }
    const Message told = with_checkpoint(e.message(), trainer);
    log.last_line(3, told);
    log.finish("failed", RunState::failed);
    throw Error(e.kind(), told, e.id());
  } catch (const OutOfDeviceMemory& e) {
    const Message told = with_checkpoint(out_of_memory_text(e, job.preset), trainer);
    log.last_line(3, told);
    log.finish("failed", RunState::failed);
    throw Error(ErrorKind::out_of_memory, told);
  } catch (const DeviceLost& e) {
    const Message told = with_checkpoint(
        device_lost(message<"device {device}">(job.device), message_of(e)), trainer);
    log.last_line(3, told);
    log.finish("failed", RunState::failed);
    throw RunDeviceLost(told);
  } catch (const std::exception& e) {
    log.last_line(3, message_of(e));
    log.finish("failed", RunState::failed);
    throw;
  }
}

PlanReport plan_training(const JobSpec& job) {
  check_vae_training(job);
  refuse_vae_conflicts(job);
  const auto kernels = make_backend(job.device, job.deterministic);
  const std::uint64_t free = free_memory(*kernels);
  const WeightSource source = WeightSource::open(resolve_base(job.base));
  const PrecisionPlan precision = job_precision(job.preset, source, job.device);
  const Preset& preset = precision.effective;
  const auto planned = DiffusionModel::open_planning(source, nullptr, precision.rules);
  DiffusionModel& model = *planned;
  model.set_text_options(TextOptions::of(preset));
  const std::int64_t tokens = model.text_tokens();
  const int factor = model.latent_factor(), quantum = bucket_quantum(model);
  RunShapes steps;
  std::optional<PlannedData> pictures;
  if (job.images.empty()) {
    const int side = std::max(preset.data.resolution / quantum, 1) * quantum;
    steps.shapes.push_back({preset.data.batch_size, side / factor, side / factor, tokens});
    steps.work = {side, side, true};
  } else {
    const ImageLibrary images;
    TrainingData data(preset, job_folders(job), quantum, [](int, const Message&) {}, {});
    steps.shapes = data.shapes(tokens, factor);
    steps.held_out = data.validation_shapes(tokens, factor);
    steps.work = data.missing(model, TrainingData::Look::headers, {});
    pictures = planned_data(data);
  }
  const RunMemory memory{free, job.memory_budget, !kernels->host_memory()};
  PlanReport report = plan_run(*kernels, source, precision, steps, memory).report;
  report.modules = planned_modules(source, precision.rules);
  report.data = pictures;
  report.disk = plan_disk(job.out.empty() ? runs_folder() : job.out, report.checkpoint_bytes,
                          preset.output.keep);
  return report;
}

}  // namespace mantissa
