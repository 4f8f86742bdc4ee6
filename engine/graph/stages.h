#pragma once
// A recorded step divided among cards: each has a range of the forward pass, with the gradients and
// recomputations that belong to it.

#include <cstdint>
#include <map>
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
  /// Whether a cut before `place` leaves every frozen tensor, and every module that has gradients,
  /// on one side.
  bool may_cut(int place) const { return !inside_[static_cast<std::size_t>(place)]; }
  /// Bytes that go from one side to the other, in both directions, if the graph is cut before
  /// `place`. What depends on weights alone is computed on both sides instead.
  double bytes_across(int place) const { return across_[static_cast<std::size_t>(place)]; }
  /// A stage as a graph of its own: what comes from other stages is an input, what they need an
  /// output, both of the same name. `origins`, if given, gets the index here of each of its nodes.
  std::unique_ptr<Graph> stage(int from, int to, std::vector<int>* origins = nullptr) const;
  /// The stages of tensors that are on several devices (Tensor::device): the end of each device's,
  /// where the least bytes cross. Throws std::logic_error if the forward pass returns to a device,
  /// or if a module is divided.
  std::vector<int> ends_by_device(int devices) const;

 private:
  class Copier;
  const Node& node(int index) const { return graph_.nodes()[static_cast<std::size_t>(index)]; }
  const ValueInfo& info(int value) const {
    return graph_.values()[static_cast<std::size_t>(value)];
  }
  std::string path_of_node(const Node& n) const;
  void find_places();
  void find_sources();
  void count_bytes();
  void find_modules();
  /// The forward nodes of a module, or of the nearest around it.
  std::map<std::string, std::vector<int>>::const_iterator module_of(std::string path) const;
  /// The first and last place of the modules that have a tensor.
  std::pair<int, int> places_of(const Tensor& tensor) const;
  void keep_together(int first, int last);
  int device_of_place(int place) const;
  /// Whether a value is copied from stage to stage: neither persistent, fed, nor derived from
  /// persistent tensors alone.
  bool travels(int value) const;

  const Graph& graph_;
  const Plan& plan_;
  std::vector<std::string> paths_;  ///< by place
  std::vector<int> place_;          ///< by node; -1 if it is dead
  std::vector<int> node_at_;        ///< by place
  std::vector<int> source_;         ///< by value: that whose memory it is
  std::vector<bool> local_;         ///< by value: derived from persistent tensors alone
  std::vector<double> across_;      ///< by place
  std::vector<bool> inside_;        ///< by place: a cut before it is inside a module
  /// The forward nodes of each module, in order.
  std::map<std::string, std::vector<int>> of_path_;
};

}  // namespace mantissa
