#pragma once
// A job opened for a few steps that leave nothing behind. Private to the probe.

#include <cstdint>
#include <memory>
#include <optional>

#include "engine/data/batch_source.h"
#include "engine/io/image.h"
#include "engine/plan/planned_run.h"
#include "engine/probe/probe_side.h"
#include "engine/run/plan_events.h"
#include "engine/run/run.h"
#include "engine/run/run_control.h"

namespace mantissa {

/// A job on one device, with its images encoded and nothing cached.
class ProbeJob {
 public:
  /// Opens the job and encodes its images. Throws Error for a refused plan and bad input as
  /// run_training does, and Error(interrupted) if `control` asks for a stop.
  ProbeJob(const JobSpec& job, RunControl& control, RunObserver& observer);
  ProbeJob(const ProbeJob&) = delete;
  ProbeJob& operator=(const ProbeJob&) = delete;

  const PlannedRun& run() const { return run_; }
  const Preset& preset() const { return run_.job.preset; }
  Kernels& kernels() const { return *kernels_; }
  const ProbeSource& source() const { return *shared_; }
  /// Announces `steps` more steps to the progress.
  void expect(std::int64_t steps) { total_ += steps; }
  /// A step is done. Throws Error(interrupted) if `control` asks for a stop.
  void advance();

 private:
  void read_data();
  void start(TrainedSet& adapters, DiffusionModel& model) const;
  StepInputs inputs(std::int64_t micro_step);
  /// Tells the steps done, by which an observer may cancel too.
  void tell();

  RunControl& control_;
  RunObserver& observer_;
  PlanEvents told_;
  const ImageLibrary images_;
  std::unique_ptr<Kernels> kernels_;
  PlannedRun run_;
  std::optional<BatchSource> batches_;
  std::optional<ProbeSource> shared_;
  std::int64_t done_ = 0, total_ = 0;
};

}  // namespace mantissa
