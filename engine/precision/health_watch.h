#pragma once
// Takes the statistics of every layer's tensors while a step runs.

#include <cstddef>
#include <string>
#include <vector>

#include "engine/graph/executor.h"
#include "engine/precision/health.h"

namespace mantissa {

/// Which values of one recorded step are looked at: of each module path the last forward result
/// and its gradient, and of FP8 products both operands with the scales they really use.
class HealthWatch {
 public:
  /// `graph` (its backward emitted) and `kernels` must outlive this.
  HealthWatch(const Graph& graph, Kernels& kernels);

  /// For Executor::set_watch: adds a row for each value looked at to `record`, in execution order,
  /// and the seconds that took. Both must outlive the watching. Never ends a run.
  OpWatch look(HealthRecord& record) const;

  /// The value that module `path` gives on, -1 where the path is unknown.
  int output_of(const std::string& path) const;
  /// Every module path in execution order.
  std::vector<std::string> paths() const;

 private:
  struct Wanted {
    HealthKind kind;
    std::string layer;
  };
  void rows_of(const OpCall& call, std::vector<HealthRow>& rows) const;
  View weight_scale(int value) const;

  const Graph& graph_;
  Kernels& kernels_;
  std::vector<std::vector<Wanted>> wanted_;          ///< by value
  std::vector<std::pair<std::string, int>> layers_;  ///< path and output
};

}  // namespace mantissa
