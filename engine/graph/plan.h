#pragma once
// Where every tensor of a graph lives in one arena.

#include <cstdint>
#include <vector>

#include "engine/graph/graph.h"

namespace mantissa {

struct PlanOptions {
  bool reuse = true;  ///< false gives every tensor its own bytes: for checking the planner
};

/// A weight from host memory on its place in the arena.
struct StreamedWeight {
  Tensor* tensor = nullptr;
  std::int64_t offset = 0;
};

/// Streamed weights that are copied together while the batch before is computed with. Batches take
/// turns in two slots of the arena.
struct StreamBatch {
  int step = 0;  ///< of `Plan::order`: the first that finds them in place
  std::vector<StreamedWeight> weights;
};

/// Memory and order of one recorded graph. Exact: nothing is allocated while it runs.
struct Plan {
  static constexpr std::size_t kAlignment = 64;
  std::vector<int> order;             ///< live nodes, in execution order
  std::vector<std::int64_t> offset;   ///< per value: byte offset in the arena, -1 if not there
  std::size_t arena_bytes = 0;        ///< the exact peak, slots of streamed weights included
  std::size_t lower_bound_bytes = 0;  ///< most bytes alive at one time: no plan can need less
  std::vector<StreamBatch> stream;    ///< in order; empty where all weights are on the device
};

/// Drops nodes nobody needs, finds each tensor's lifetime, merges tensors that can be written in
/// place, and places blocks largest first at the lowest free offset.
Plan make_plan(const Graph& graph, const PlanOptions& options = {});

}  // namespace mantissa
