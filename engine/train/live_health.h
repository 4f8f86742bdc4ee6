#pragma once
// Layer statistics of a run, every N steps.

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "engine/adapters/trained_set.h"
#include "engine/graph/device_values.h"
#include "engine/models/diffusion_model.h"
#include "engine/precision/health_watch.h"
#include "engine/programs/step_program.h"

namespace mantissa {

/// Measures every layer in the first step and every few steps after it. Doesn't affect training.
class LiveHealth {
 public:
  /// `every` 0: never. References must outlive this.
  LiveHealth(const TrainedSet& adapters, std::int64_t every) : adapters_(adapters), every_(every) {}

  bool on() const { return every_ > 0; }
  /// The first step and every N-th.
  bool due(std::int64_t step) const { return on() && (step == 1 || step % every_ == 0); }

  /// The frozen weights compared with their file, if storing rounded them: step 0.
  HealthRecord weights(DiffusionModel& model) const;

  /// Measures the layers during the next run of `program`, which outlives this.
  void start(StepProgram& program);
  /// Ends that.
  void stop(StepProgram& program) { program.executor().set_watch({}); }
  /// What was measured, with the adapters' accumulated gradients (times the loss scale).
  HealthRecord finish(std::int64_t step);

 private:
  void add_gradients(HealthRecord& record);
  void add_magnitudes(HealthRecord& record);
  HealthRow magnitude_row(const Adapter& adapter);

  const TrainedSet& adapters_;
  std::int64_t every_;
  std::map<const StepProgram*, std::unique_ptr<HealthWatch>> watches_;
  HealthRecord record_;
  StatisticsQueue queue_;
  DeviceRoom ratios_;
};

}  // namespace mantissa
