#pragma once
// The first steps of a job, compared with those in FP32. Private to the probe.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/probe/probe_job.h"
#include "engine/probe/probe_report.h"
#include "engine/probe/probe_side.h"

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

  const PlannedRun& run() const { return job_.run(); }
  const Preset& preset() const { return job_.preset(); }
  Kernels& kernels() const { return job_.kernels(); }
  std::int64_t steps() const { return steps_; }
  /// The losses in FP32, by step.
  std::vector<double> reference_losses() const;
  /// Announces `count` more measurements to the progress.
  void expect(std::size_t count) { job_.expect(steps_ * static_cast<std::int64_t>(count)); }

  /// Runs the steps with `preset`; returns the mean error of the gradients, infinite on failure.
  /// Fills what is measured of `report` if given, and weights().
  double measure(const Preset& preset, ProbeReport* report);
  /// Weights in the last plan measured with a report, by module.
  const std::map<std::string, Weight>& weights() const { return weights_; }

 private:
  struct Comparison;

  void run_reference();
  void add_modules(const ProbeStep& step, const ProbeStep& wanted,
                   const std::map<std::string, Comparison>& gradients,
                   std::map<std::string, ProbeModule>& modules) const;
  void add_weights(ProbeSide& side, std::map<std::string, ProbeModule>& modules);

  std::int64_t steps_;
  ProbeJob job_;
  std::vector<ProbeStep> reference_;
  std::vector<std::string> order_, adapter_modules_;
  std::map<std::string, Weight> weights_;
};

}  // namespace mantissa
