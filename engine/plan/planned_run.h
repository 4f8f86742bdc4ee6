#pragma once
// A run, planned once: opened, scanned, its memory known. Nothing of it is loaded or computed yet.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "engine/adapters/training_adapters.h"
#include "engine/core/log_level.h"
#include "engine/core/progress.h"
#include "engine/data/encoded_dataset.h"
#include "engine/diffusion/objective.h"
#include "engine/graph/devices.h"
#include "engine/io/weights.h"
#include "engine/plan/job.h"
#include "engine/plan/memory_plan.h"
#include "engine/plan/plan_report.h"
#include "engine/plan/run_length.h"
#include "engine/precision/plan.h"
#include "engine/programs/trace.h"
#include "kernels/kernels.h"

namespace mantissa {

/// A job and all that is derived from it before its first step, each by the function named.
struct PlannedRun {
  // open_run
  JobSpec job;        ///< its preset with the precision plan's adjustments
  int processes = 1;  ///< that share the micro-steps of each step
  WeightSource source;
  PrecisionPlan precision;  ///< may hold a refusal
  std::shared_ptr<const Objective> objective;
  std::shared_ptr<const TrainingAdapterFiles> training_adapters;  ///< null without any
  // scan_images
  /// Null without images, if the base model makes them, and if a trace is replayed.
  std::unique_ptr<EncodedDataset> data;
  std::optional<TraceReader> replay;  ///< of JobSpec::replay
  TextOptions text;                   ///< before it, texts are as long as the model reads them
  // plan_memory
  RunShapes shapes;
  RunMemory memory;
  PhaseNeeds phases;
  std::set<std::string> streamed;  ///< frozen weights that stay in host memory, by path
  std::size_t arena_bytes = 0;     ///< of the largest step, validation, live caption or sample
  bool keeps_turned = false;       ///< Kernels::keep_turned_codes
  PlanReport report;               ///< without modules, data and disk
  // plan_split, of a run whose layers are split over several devices
  DevicePlaces places;  ///< the index in JobSpec::split of the device that has a weight
  Message split;        ///< in words; empty: one device has all
};

/// How the gradients of a step's micro-steps are added on its device.
GradientCopies gradient_copies(const PlannedRun& run, const Kernels& kernels);

/// Length by the images and the run's preset, or that preset as it has become since.
RunLength run_length(const PlannedRun& run);
RunLength run_length(const PlannedRun& run, const Preset& preset);

/// Receives events during planning; an exception ends it.
class PlanObserver {
 public:
  virtual ~PlanObserver() = default;
  virtual void on_progress(RunPhase phase, std::int64_t done, std::int64_t total) {}
  virtual void on_notice(LogLevel level, const Message& line) {}
  /// Everything but memory is known: a resumed run compares it with its checkpoint.
  virtual void on_scanned(const PlannedRun& run) {}
  /// Memory is known too; the run may be refused for it next.
  virtual void on_planned(const PlannedRun& run) {}
  /// on_progress as a function.
  Progress progress() {
    return [this](RunPhase phase, std::int64_t done, std::int64_t total) {
      on_progress(phase, done, total);
    };
  }
};

/// Opens the base model's headers and makes precision plan and objective. Throws Error if the base
/// or the device can't be used, and for settings that VAE training doesn't support; a precision
/// conflict is a finding of the plan (see refuse_conflicts).
PlannedRun open_run(const JobSpec& job);
/// Opens a run for a card that need not be present.
PlannedRun open_run(const JobSpec& job, const DeviceFacts& device);

/// Finds the job's images and sorts them into buckets, or opens the trace that it replays; a run
/// whose images the base model makes has only prompts.
/// `observer` must outlive the data: it is also notified of later skips. Throws Error for missing
/// or empty folders.
void scan_images(PlannedRun& run, PlanObserver& observer);

/// Whether the run's text encoders read anything: captions, or the prompts of its samples.
bool reads_texts(const PlannedRun& run);
/// Names the samples' prompts that don't fit into the text encoders. For runs without a dataset,
/// which names them together with its captions.
void tell_cut_prompts(const PlannedRun& run, PlanObserver& observer);

/// How the run's phases and steps use `available`, and which weights stay in host memory. Loads
/// nothing. Without images, steps have the preset's resolution. `look`: how closely cached
/// encodings are checked.
void plan_memory(PlannedRun& run, Kernels& kernels, const RunMemory& available,
                 EncodedDataset::Look look, const Progress& progress = {});

/// Device memory a job may use now; any, where several devices share the layers (plan_split).
RunMemory run_memory(const JobSpec& job, const Kernels& kernels);

/// `run` with another preset, on the same base, device and images, none of which is opened again;
/// its memory is planned.
PlannedRun planned_with(const PlannedRun& run, Kernels& kernels, const Preset& preset);
/// The peak of planned_with.
std::uint64_t peak_with(const PlannedRun& run, Kernels& kernels, const Preset& preset);

/// Throws Error if the preset is for another family than the base model's.
void require_family(const WeightSource& source, const Preset& preset);

/// Throws Error, with how they are added, if the base model lacks parts that the job needs.
void require_parts(const WeightSource& source, const JobSpec& job);
/// Throws Error, with how they are added, if tokenizers are missing.
void require_tokenizers(const WeightSource& source, const JobSpec& job);

}  // namespace mantissa
