#pragma once
// The largest step of a run, and the parts into which cards can divide it.

#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/adapters/trained_set.h"
#include "engine/graph/devices.h"
#include "engine/graph/stages.h"
#include "engine/plan/card_shares.h"
#include "engine/plan/planned_run.h"
#include "engine/plan/roofline.h"
#include "engine/programs/step_program.h"

namespace mantissa {

/// The largest step of a run, recorded with any choice of weights in host memory.
class LargestStep {
 public:
  LargestStep(const PlannedRun& run, Kernels& kernels, const std::set<std::string>& streamed);
  LargestStep(const LargestStep&) = delete;
  LargestStep& operator=(const LargestStep&) = delete;

  const Graph& graph() const { return program_->graph(); }
  const Plan& plan() const { return program_->plan(); }
  const TrainedSet& adapters() const { return adapters_; }
  const WeightStore& weights() const { return model_->weights(); }
  double ms_of_node(int index, const CardSpec& card, bool tf32) const;
  bool attention_engine() const { return attention_engine_; }

 private:
  TrainedSet adapters_;
  std::unique_ptr<DiffusionModel> model_;
  bool attention_engine_;  ///< Kernels::has_attention_engine
  Arena arena_;
  std::unique_ptr<StepProgram> program_;
};

/// Parts of a step, measured once each.
class SplitStages {
 public:
  /// `whole`: the run on one card. References must outlive this.
  SplitStages(const PlannedRun& run, const MemoryPlan& whole, const LargestStep& step);

  const GraphStages& split() const { return split_; }
  /// The best cut of each of several ranges of the forward pass with about the same work.
  std::vector<int> candidates() const;
  const SplitStage& stage(int from, int to);
  /// Trained values.
  double trained() const;
  double trained_share(int from, int to) const;
  /// The device of every weight if each has the places up to one of `ends`.
  DevicePlaces places(const std::vector<int>& ends) const;

 private:
  bool is_trained(const Tensor& tensor) const;
  void find_trained();
  int recorded(int at, int step) const;
  std::string module_beside(int at, int step) const;
  SplitStage make(int from, int to) const;
  void add_memory(int from, int to, SplitStage& stage) const;

  const PlannedRun& run_;
  const MemoryPlan& whole_;
  const LargestStep& step_;
  GraphStages split_;
  std::set<const Tensor*> buffers_;
  std::vector<double> trained_;  ///< values, by the place of their module
  double frozen_bytes_ = 0;
  std::map<std::pair<int, int>, SplitStage> stages_;
};

}  // namespace mantissa
