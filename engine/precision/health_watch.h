#pragma once
// Measures every layer's tensors while a step runs.

#include <cstddef>
#include <string>
#include <vector>

#include "engine/graph/executor.h"
#include "engine/precision/health.h"

namespace mantissa {

/// The values of a recorded step to measure: each module path's last forward result and its
/// gradient, and both operands of FP8 GEMMs with their actual scales.
class HealthWatch {
 public:
  /// `graph` (its backward emitted) and `kernels` must outlive this.
  HealthWatch(const Graph& graph, Kernels& kernels);

  /// For Executor::set_watch: adds a row per measured value to `record`, in execution order, and
  /// the time taken. The statistics are queued; `take_statistics` fills them in. Both must outlive
  /// the watch. Never ends a run.
  OpWatch look(HealthRecord& record) const;

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
  void rows_of(const OpCall& call, std::vector<HealthRow>& rows) const;
  View weight_scale(int value) const;

  const Graph& graph_;
  Kernels& kernels_;
  std::vector<std::vector<Wanted>> wanted_;          ///< by the value that an op writes
  std::vector<std::pair<std::string, int>> layers_;  ///< path and output
};

/// Waits for the queued statistics, one per row of `record` in order, and fills them in.
void take_statistics(Kernels& kernels, HealthRecord& record);

}  // namespace mantissa
