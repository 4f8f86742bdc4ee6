#pragma once
// Measures every layer's tensors while a step runs.

#include <cstddef>
#include <string>
#include <vector>

#include "engine/graph/executor.h"
#include "engine/precision/health.h"

namespace mantissa {

/// Statistics queued on any devices, and taken in their order.
class StatisticsQueue {
 public:
  /// As Kernels::queue_statistics.
  void add(Kernels& kernels, const View& x, const View& column_factor, DType format,
           const View& scale);
  std::vector<TensorStatistics> take();

 private:
  std::vector<Kernels*> order_;
};

/// The values of a recorded step to measure: each module path's last forward result and its
/// gradient, and both operands of FP8 GEMMs with their actual scales.
class HealthWatch {
 public:
  /// `graph` (its backward emitted) must outlive this.
  explicit HealthWatch(const Graph& graph);

  /// For Executor::set_watch: adds a row per measured value to `record`, in execution order, and
  /// the time taken. The statistics are queued; `take_statistics` fills them in. All must outlive
  /// the watch. Never ends a run.
  OpWatch look(HealthRecord& record, StatisticsQueue& queue) const;

  /// The modules whose output is among the results of `call`, by path, and where it lies.
  std::vector<std::pair<std::string, View>> outputs_of(const OpCall& call) const;
  /// Every module path in execution order.
  std::vector<std::string> paths() const;

 private:
  struct Wanted {
    HealthKind kind;
    std::string layer;
    int value;  ///< the op's result, or a slice of it
  };
  void want(int value, HealthKind kind, const std::string& layer);
  View view_of(const Wanted& wanted, const View& written) const;
  void rows_of(const OpCall& call, std::vector<HealthRow>& rows, StatisticsQueue& queue) const;
  void rows_of_codes(const OpCall& call, std::vector<HealthRow>& rows,
                     StatisticsQueue& queue) const;

  const Graph& graph_;
  std::vector<std::vector<Wanted>> wanted_;          ///< by the value that an op writes
  std::vector<std::pair<std::string, int>> layers_;  ///< path and output
};

/// Waits for the queued statistics, one per row of `record` in order, and fills them in.
void take_statistics(StatisticsQueue& queue, HealthRecord& record);

}  // namespace mantissa
