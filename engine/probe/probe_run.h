#pragma once
// The first steps of a job, compared with those in FP32. Private to the probe.

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/data/batch_source.h"
#include "engine/io/image.h"
#include "engine/plan/planned_run.h"
#include "engine/probe/probe_report.h"
#include "engine/probe/probe_side.h"
#include "engine/run/plan_events.h"
#include "engine/run/run.h"
#include "engine/run/run_control.h"

namespace mantissa {

/// A job opened for its probe, with its images encoded and its first steps recorded in FP32.
class ProbeRun {
 public:
  /// A weight as a plan stores it.
  struct Weight {
    DType dtype = DType::f32;
    std::int64_t count = 0;
  };

  /// Opens the job, encodes its images and runs `steps` in FP32. Throws Error for a refused plan
  /// and bad input as run_training does, and Error(interrupted) if `control` asks for a stop.
  ProbeRun(const JobSpec& job, std::int64_t steps, RunControl& control, RunObserver& observer);

  const PlannedRun& run() const { return run_; }
  const Preset& preset() const { return run_.job.preset; }
  Kernels& kernels() const { return *kernels_; }
  std::int64_t steps() const { return steps_; }
  /// The losses in FP32, by step.
  std::vector<double> reference_losses() const;
  /// That `count` more measurements will follow, for the progress told.
  void expect(std::size_t count) { total_ += steps_ * static_cast<std::int64_t>(count); }

  /// Runs the steps with `preset`; returns the mean error of the gradients, infinite on failure.
  /// Fills what is measured of `report` if given, and weights().
  double measure(const Preset& preset, ProbeReport* report);
  /// Weights in the last plan measured with a report, by module.
  const std::map<std::string, Weight>& weights() const { return weights_; }

 private:
  struct Comparison;

  void read_data();
  StepInputs inputs(std::int64_t micro_step);
  void run_reference();
  void advance();
  void add_modules(const ProbeStep& step, const ProbeStep& wanted,
                   const std::map<std::string, Comparison>& gradients,
                   std::map<std::string, ProbeModule>& modules) const;
  void add_weights(ProbeSide& side, std::map<std::string, ProbeModule>& modules);

  std::int64_t steps_;
  RunControl& control_;
  RunObserver& observer_;
  PlanEvents told_;
  const ImageLibrary images_;
  std::unique_ptr<Kernels> kernels_;
  PlannedRun run_;
  std::optional<BatchSource> batches_;
  std::optional<ProbeSource> shared_;
  std::vector<ProbeStep> reference_;
  std::vector<std::string> order_, adapter_modules_;
  std::map<std::string, Weight> weights_;
  std::int64_t done_ = 0, total_ = 0;
};

}  // namespace mantissa
