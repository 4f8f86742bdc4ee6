#pragma once
// A recorded step divided among cards: each has a range of the forward pass, with the gradients and
// recomputations that belong to it.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/graph/plan.h"

namespace mantissa {

/// Places of a graph's forward pass, from 0 to places(). A range [from, to) of them is a stage.
/// Every live node has a place: a node of the forward pass by its order, all others that of the
/// node whose gradient or recomputation they are.
class GraphStages {
 public:
  /// `graph` and `plan` must outlive this.
  GraphStages(const Graph& graph, const Plan& plan);

  int places() const { return static_cast<int>(paths_.size()); }
  /// The module path of the forward node at a place.
  const std::string& path(int place) const { return paths_[static_cast<std::size_t>(place)]; }
  /// The first place that a module's path, or a path below it, has; -1 if it has none.
  int place_of(const std::string& path) const;
  int place_of_node(int node) const { return place_[static_cast<std::size_t>(node)]; }
  /// Bytes that go from one side to the other, in both directions, if the graph is cut before
  /// `place`. What depends on weights alone is computed on both sides instead.
  double bytes_across(int place) const { return across_[static_cast<std::size_t>(place)]; }
  /// A stage as a graph of its own: what comes from other stages is an input, what they need an
  /// output.
  std::unique_ptr<Graph> stage(int from, int to) const;

 private:
  class Copier;
  const Node& node(int index) const { return graph_.nodes()[static_cast<std::size_t>(index)]; }
  const ValueInfo& info(int value) const {
    return graph_.values()[static_cast<std::size_t>(value)];
  }
  void find_places();
  void find_sources();
  void count_bytes();
  /// Whether a value is copied from stage to stage: neither persistent, fed, nor derived from
  /// persistent tensors alone.
  bool travels(int value) const;

  const Graph& graph_;
  const Plan& plan_;
  std::vector<std::string> paths_;  ///< by place
  std::vector<int> place_;          ///< by node; -1 if it is dead
  std::vector<int> source_;         ///< by value: that whose memory it is
  std::vector<bool> local_;         ///< by value: derived from persistent tensors alone
  std::vector<double> across_;      ///< by place
};

}  // namespace mantissa
