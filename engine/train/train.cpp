#include "engine/train/train.h"

#include <memory>
#include <utility>

#include "engine/core/error.h"
#include "engine/io/mapped_file.h"
#include "engine/plan/backend.h"
#include "engine/plan/disk_plan.h"
#include "engine/plan/plan_run.h"
#include "engine/store/setting_changes.h"
#include "engine/train/bound_model.h"
#include "engine/train/prepare_data.h"
#include "engine/train/rank_checks.h"
#include "engine/train/run_start.h"
#include "engine/train/trainer.h"

namespace mantissa {
namespace {

/// The device and its reproducibility.
Message device_text(const Kernels& kernels, bool deterministic) {
  if (kernels.host_memory()) {
    return message<"training on {device}; bit-exact from run to run">(kernels.name());
  }
  return deterministic ? message<
                             "training on {device}; deterministic: bit-exact from run to run "
                             "with this driver">(kernels.name())
                       : message<
                             "training on {device}; fastest kernels: runs agree within "
                             "rounding, not to the bit (--deterministic)">(kernels.name());
}

/// Reports progress of preparing, and ends it on a stop request.
class Preparation : public PlanObserver {
 public:
  Preparation(RunStart& start, Ranks& ranks, RunControl& control, RunLog& log,
              const FirstStepsReplay* replay)
      : start_(start), ranks_(ranks), control_(control), log_(log), replay_(replay) {}

  void on_progress(RunPhase phase, std::int64_t done, std::int64_t total) override {
    log_.progress(phase, done, total);
    ranks_.look_after_others();
    // Loading that is done is the next phase's to handle.
    const bool loaded = phase == RunPhase::loading && done >= total;
    if (!loaded && control_.stop_requested() != RunControl::Stop::none) {
      throw Error(ErrorKind::interrupted, message<"stopped while {phase} ({done} of {count})">(
                                              phase_words(phase), done, total));
    }
  }
  void on_notice(LogLevel level, const Message& line) override { log_.line(level, line); }
  void on_scanned(const PlannedRun& run) override {
    // Several processes compare their inputs before the first step.
    start_.check_identity(run, !ranks_.alone() || replay_ != nullptr, progress());
    if (replay_ != nullptr) {
      require_traced_inputs(replay_->then.identity, start_.identity());
    }
  }
  void on_planned(const PlannedRun& run) override {
    if (!run.report.fits()) {
      log_.plan(run);  // the numbers of a run that is refused; others follow once it is bound
    }
  }

 private:
  RunStart& start_;
  Ranks& ranks_;
  RunControl& control_;
  RunLog& log_;
  const FirstStepsReplay* replay_;
};

void tell_streaming(const PlannedRun& plan, RunLog& log) {
  if (!plan.streamed.empty()) {
    log.line(LogLevel::info,
             message<"{count} weights stay in host memory and are copied to the card for each "
                     "use: the run may take {limit} bytes there">(plan.streamed.size(),
                                                                  plan.memory.bytes()));
  }
  if (!plan.split.empty()) {
    log.line(LogLevel::info, plan.split);
  }
}

/// A resume that is accepted has its settings, each change of which is an event of the run: it may
/// be stopped from now on.
void take_settings(const JobSpec& job, RunHome& home, const RunStart& start, RunLog& log) {
  if (!job.resume || !home.writes()) {
    return;
  }
  for (const PresetChange& c : start.changed_settings()) {
    log.line(LogLevel::info, setting_changed({c.key, c.a, c.b, start.step()}));
  }
  home.record_settings(job.preset, log);
}

void tell_plan(PlannedRun& plan, const RunHome& home, RunLog& log) {
  plan.report.length = run_length(plan);
  plan.report.disk =
      plan_disk(home.folder().checkpoints(), plan.report, plan.job.preset.output.keep);
  plan.report.cache = plan_cache(plan.shapes.work.cache_bytes);
  log.plan(plan);
  if (const std::int64_t epochs = plan.job.preset.training.epochs; epochs > 0) {
    log.line(LogLevel::info,
             message<"{epochs} epochs of {batches} batches: {steps} steps">(
                 epochs, plan.report.length.batches_per_epoch, plan.report.length.steps));
  }
  if (!plan.report.disk.fits() && !plan.job.resume) {  // a resumed run's checkpoints already exist
    log.line(LogLevel::warning, disk_warning(plan.report.disk, plan.job.preset.output.keep));
  }
  if (!plan.report.cache.fits()) {
    log.line(LogLevel::warning, cache_warning(plan.report.cache));
  }
}

/// One process makes the base model's own images, once in a run; all read them.
void prepare_own_images(OwnImageSource& images, const std::filesystem::path& file,
                        BoundModel& bound, RunLog& log, Ranks& ranks, const Progress& progress) {
  log.keep([&] {
    if (ranks.writes() && !std::filesystem::exists(file)) {
      images.make(file, bound.arena, progress);
    }
    ranks.meet();
    images.read(file);
  });
}

}  // namespace

RunResult train(PlannedRun opened, RunHome& home, RunControl& control, RunLog& log, Ranks& ranks,
                FirstStepsReplay* replay) {
  home.allow_moves(log);
  log.state(RunState::preparing);
  log.progress(RunPhase::loading, 0, 1);
  const JobSpec job = opened.job;
  const std::vector<std::unique_ptr<Kernels>> backends = make_backends(job, ranks.here());
  std::vector<Kernels*> all;
  for (const auto& backend : backends) {
    all.push_back(backend.get());
  }
  Kernels* const kernels = all.front();
  require_same_cards(ranks, *kernels);
  log.line(LogLevel::info, device_text(*kernels, job.deterministic));
  RunStart start(job, home, log);
  tell_sharing(ranks, job.preset, log);
  if (!ranks.writes()) {
    ranks.meet();  // by now the files' hashes and the encoded images are in the caches
  }
  Preparation preparation(start, ranks, control, log, replay);
  PlannedRun plan = plan_run(std::move(opened), all, preparation);
  tell_streaming(plan, log);
  take_settings(job, home, start, log);
  PreparedTexts texts = prepare_data(plan, *kernels, home, log, preparation.progress());
  if (ranks.writes()) {
    ranks.meet();
  }
  require_same_inputs(ranks, plan, start);
  start.hash_meanwhile();

  const Devices divided(all, plan.places);
  const Devices* const devices = job.split.empty() ? nullptr : &divided;
  BoundModel bound(plan, *kernels, start.stacks_adapters(), devices);
  std::unique_ptr<BatchSource> batches;
  if (plan.data) {
    batches = std::make_unique<BatchSource>(*plan.data, plan.objective, *kernels);
    batches->read_captions_with(*bound.model, bound.arena);
    batches->restore_encodings_with([&] { restore_encodings(plan, *kernels, log); });
  }
  std::optional<OwnImageSource> own;
  if (trains_own_images(plan.job.preset) && !plan.replay) {
    own.emplace(plan.job.preset, plan.shapes.shapes.front(), plan.objective, *kernels, *bound.model,
                std::move(texts.own));
  }
  load_adapters(plan, bound, start.continues(), log);
  LiveSettings settings(plan.job.preset);
  const RunParts parts{plan,         settings,       *kernels,      bound.arena,
                       *bound.model, bound.adapters, batches.get(), control,
                       log,          ranks,          devices,       own ? &*own : nullptr};
  TrainingState state(plan.job.preset, bound.adapters, bound.model->fp8_scales());
  start.begin(parts, state);
  require_same_state(parts, state);
  tell_plan(plan, home, log);
  if (devices == nullptr) {
    bound.arena.reserve(plan.arena_bytes);
    kernels->keep_turned_codes(plan.keeps_turned);
  }
  if (own) {
    prepare_own_images(*own, home.folder().own_latents(trains_slider(plan.job.preset)), bound, log,
                       ranks, preparation.progress());
  }
  require_intact_files();

  Trainer trainer(parts, settings, state, home, start, std::move(texts.samples));
  std::filesystem::path result;
  if (replay != nullptr) {
    replay->now = trainer.run_first_steps(std::ssize(replay->then.steps));
  } else {
    result = trainer.run();
  }
  return {home.folder().id(), home.folder().path(), result, state.step, state.last_loss};
}

}  // namespace mantissa
