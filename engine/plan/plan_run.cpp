#include "engine/plan/plan_run.h"

#include <optional>
#include <utility>

#include "engine/core/error.h"
#include "engine/diffusion/timesteps.h"
#include "engine/io/image.h"
#include "engine/plan/backend.h"
#include "engine/plan/card_split.h"
#include "engine/plan/disk_plan.h"
#include "engine/plan/host_rates.h"
#include "engine/plan/job_paths.h"
#include "engine/plan/job_precision.h"
#include "engine/plan/roofline.h"
#include "engine/plan/run_inputs.h"
#include "engine/plan/run_notices.h"
#include "engine/plan/split_run.h"

namespace mantissa {

namespace {

PlannedData planned_data(const BucketedImages& images) {
  const DatasetReport& r = images.dataset().report;
  return {r.images,
          r.prior,
          r.held_out,
          r.masks,
          r.references,
          r.skipped_files(),
          images.loader().batches_per_epoch(),
          r.copies,
          resolution_uses(images.table(), images.dataset().items)};
}

void tell_opened(const PlannedRun& run, PlanObserver& observer) {
  tell_unknown(run, observer);
  for (const PrecisionFinding& f : run.precision.findings) {
    observer.on_notice(f.verdict == Verdict::works ? LogLevel::debug : LogLevel::warning,
                       message<"{id}: {message}">(f.id, with_changes(f.message, f.changes)));
  }
  observer.on_progress(RunPhase::loading, 1, 1);
}

}  // namespace

double estimated_step(const PlannedRun& run, const Kernels& kernels) {
  if (!run.streamed.empty() || !run.job.split.empty() || trains_vae(run.job.preset)) {
    return 0;
  }
  if (kernels.host_memory()) {
    return 1e-3 * roofline(run, host_rates(), host_efficiency()).ms;
  }
  const CardSpec* card = card_by_device_name(run.precision.device.name);
  return card != nullptr ? 1e-3 * roofline(run, *card).ms : 0;
}

RunNeeds needs_with(const PlannedRun& run, Kernels& kernels, const Preset& preset) {
  const PlannedRun other = planned_with(run, kernels, preset);
  return {other.report.peak_bytes, estimated_step(other, kernels)};
}

void require_memory(const PlannedRun& run, Kernels& kernels) {
  PlanReport report = run.report;
  report.step_seconds = report.fits() ? 0 : estimated_step(run, kernels);
  require_memory(report, [&] {
    return fit_options(run.job.preset, report.free_bytes,
                       [&](const Preset& preset) { return needs_with(run, kernels, preset); });
  });
}

PlannedRun plan_run(PlannedRun run, Kernels& kernels, PlanObserver& observer) {
  Kernels* const device = &kernels;
  return plan_run(std::move(run), {&device, 1}, observer);
}

PlannedRun plan_run(PlannedRun run, std::span<Kernels* const> devices, PlanObserver& observer) {
  Kernels& kernels = *devices.front();
  const RunMemory available = run_memory(run.job, kernels);
  tell_opened(run, observer);
  open_inputs(run);
  tell_training_adapters(run, observer);
  scan_images(run, observer);
  for (const Finding& finding : run_notices(run)) {
    observer.on_notice(LogLevel::warning, finding.message);
  }
  observer.on_scanned(run);
  plan_memory(run, kernels, available, EncodedDataset::Look::whole, observer.progress());
  if (!run.job.split.empty()) {
    plan_split(run, devices);
  }
  observer.on_planned(run);
  require_memory(run, kernels);
  return run;
}

PlanReport planned_report(PlannedRun& run, Kernels& kernels) {
  plan_memory(run, kernels, run_memory(run.job, kernels), EncodedDataset::Look::headers);
  run.report.step_seconds = estimated_step(run, kernels);
  PlanReport report = run.report;
  report.modules = planned_modules(run.source, run.precision.rules);
  if (run.data) {
    report.data = planned_data(run.data->images());
  }
  report.length = run_length(run);
  if (!trains_vae(run.job.preset)) {
    report.levels = level_density(*run.objective, level_distribution(run.job.preset),
                                  run.shapes.image_tokens, kLevelIntervals);
  }
  report.disk = plan_disk(run.job.out.empty() ? runs_folder() : run.job.out, report,
                          run.job.preset.output.keep);
  report.cache = plan_cache(run.shapes.work.cache_bytes);
  return report;
}

PlanReport plan_training(const JobSpec& job) {
  PlanObserver silent;
  std::optional<ImageLibrary> library;
  PlannedRun run = open_run(job);
  const auto kernels = make_backend(job.device, job.deterministic);
  if (job.replay || trains_own_images(job.preset) || !job.images.empty()) {
    library.emplace();
    scan_images(run, silent);
  }
  return planned_report(run, *kernels);
}

}  // namespace mantissa
