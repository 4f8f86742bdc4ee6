#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/core/message.h"
#include "engine/graph/arena.h"
#include "engine/graph/graph.h"
#include "engine/graph/plan.h"
#include "engine/graph/stage_executor.h"

namespace mantissa {

class SplitExecutor;

/// Replays a planned graph. Views are bound once; a run only calls kernels.
class Executor {
 public:
  /// `kernels` is that of `arena`, or of the first of its devices: then each device runs its stage
  /// of the graph (SplitExecutor).
  Executor(const Graph& graph, const Plan& plan, Kernels& kernels, Arena& arena);
  ~Executor();
  /// Writes input `name` from the host before a run: with exactly its type and number of values.
  /// Inputs don't survive a run.
  void feed(const std::string& name, std::span<const float> values) const;
  void feed(const std::string& name, std::span<const std::int32_t> values) const;
  /// An fp32 output on the host, after a run.
  std::vector<float> read(const std::string& name) const;
  /// Their views in the backend's memory.
  View input(const std::string& name) const;
  View output(const std::string& name) const;
  bool has_input(const std::string& name) const;
  const Graph& graph() const { return graph_; }
  /// The first runs launch kernel by kernel; if the backend can record, later ones are a single
  /// replay. `tail` runs after the last op, in the same recording: every run with a tail must
  /// launch the same work in it. May be empty.
  void run(const RunContext& context, const Tail& tail = {});
  /// Runs once on zeros, so that scratch is taken and libraries choose their algorithms now. Leaves
  /// outputs and gradients undefined.
  void warm_up(const RunContext& context);
  /// After `warm_up`: records the run with this tail, if the backend can, without running it.
  void record_ahead(const RunContext& context, const Tail& tail);
  /// Whether the latest run was a replay, and if not, why. Of several devices: of all their parts.
  bool replayed() const { return replayed_; }
  const Message& why_not_recorded() const;
  /// Number of recordings so far: one, and another if some runs have a tail, unless memory that
  /// they use is released.
  int recordings() const;
  void set_timer(OpTimer timer);
  /// An empty function removes it. No cost while unset.
  void set_watch(OpWatch watch);

 private:
  const Graph& graph_;
  bool replayed_ = false;
  std::unique_ptr<StageExecutor> one_;    ///< null if several devices share the graph
  std::unique_ptr<SplitExecutor> split_;  ///< null on one device
};

}  // namespace mantissa
