#pragma once
// Placement of a graph's tensors in one arena.

#include <cstdint>
#include <map>
#include <vector>

#include "engine/graph/graph.h"

namespace mantissa {

struct PlanOptions {
  bool reuse = true;  ///< false gives every tensor its own memory: for testing the planner
};

/// A weight in host memory and its place in the arena.
struct StreamedWeight {
  Tensor* tensor = nullptr;
  std::int64_t offset = 0;
};

/// Streamed weights that are copied together while the previous batch is in use. Batches alternate
/// between two slots of the arena.
struct StreamBatch {
  int step = 0;  ///< index in `Plan::order` of the first op that uses them
  std::vector<StreamedWeight> weights;
};

/// Memory plan and execution order of a recorded graph. Exact: nothing is allocated while it runs.
struct Plan {
  static constexpr std::size_t kAlignment = 64;
  std::vector<int> order;             ///< live nodes, in execution order
  std::vector<std::int64_t> offset;   ///< per value: byte offset in the arena, -1 if absent
  std::size_t arena_bytes = 0;        ///< the exact peak, including slots of streamed weights
  std::size_t lower_bound_bytes = 0;  ///< peak of live bytes: no plan can need less
  std::vector<StreamBatch> stream;    ///< in order; empty where all weights are on the device
  /// By node whose result is only encoded (Op::gives_codes): the node that encodes it
  /// (Op::encodes). The codes have their place from the first one on, so that it can write them
  /// itself.
  std::map<int, int> encoders;
};

/// Drops dead nodes, finds each tensor's lifetime, merges tensors that can be written in place, and
/// places blocks largest first at the lowest free offset.
Plan make_plan(const Graph& graph, const PlanOptions& options = {});

}  // namespace mantissa
