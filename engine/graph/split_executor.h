#pragma once
// A graph whose tensors are on several devices, run by all of them in turn.

#include <memory>
#include <string>
#include <vector>

#include "engine/graph/device_values.h"
#include "engine/graph/stage_executor.h"
#include "engine/graph/stages.h"

namespace mantissa {

/// Each device runs its stage of the graph until it needs a value from another device, which then
/// takes over. Values are copied through host memory. Results are bit-identical to one device's.
class SplitExecutor {
 public:
  /// `arena` has a part for each device; references must outlive this.
  SplitExecutor(const Graph& graph, const Plan& plan, Arena& arena);

  /// True if every part of it was a replay. The tail runs after all of them, unrecorded.
  bool run(const RunContext& context, const Tail& tail);
  /// As those of Executor; a tail isn't recorded.
  void warm_up(const RunContext& context);
  void record_ahead(const RunContext& context);
  int recordings() const;
  const Message& why_not_recorded() const;
  /// The input on the first device that reads it.
  View input(const std::string& name) const;
  /// Calls `use` with the executor of each stage, or of each that has this input.
  template <typename Use>
  void each(Use&& use) {
    for (const auto& stage : stages_) {
      use(*stage->executor);
    }
  }
  template <typename Use>
  void each_with(const std::string& name, Use&& use) const {
    require_input(name);
    for (const auto& stage : stages_) {
      if (stage->executor->has_input(name)) {
        use(*stage->executor);
      }
    }
  }
  /// The stage that makes a graph's output.
  const StageExecutor& with_output(const std::string& name) const;

 private:
  struct Stage {
    std::unique_ptr<Graph> graph;
    Plan plan;
    std::vector<int> origins;  ///< by node: that of the whole graph
    Kernels* kernels = nullptr;
    std::unique_ptr<StageExecutor> executor;
  };
  /// A value's way from the stage that makes it to one that reads it.
  struct Crossing {
    std::string name;
    std::size_t from = 0, to = 0;
    std::size_t made_at = 0, read_at = 0;  ///< the calls
    bool sent = false;                     ///< while the parts are found
  };
  /// Calls of one stage, then what is sent.
  struct Part {
    std::size_t stage = 0;
    StageExecutor::Calls calls;
    std::vector<Crossing> sends;
    StageExecutor::Repeat repeat;
  };
  void make_stages(Arena& arena);
  void begin_run(const RunContext& context) const;
  static void require_tensors(const Graph& graph, const Node& node, int device);
  std::vector<Crossing> find_crossings() const;
  void find_parts();
  void send(const Crossing& crossing);
  void require_input(const std::string& name) const;

  const Graph& graph_;
  const Plan& plan_;
  std::vector<std::unique_ptr<Stage>> stages_;
  std::vector<Part> parts_;
  DeviceLink link_;
  Message refusal_;
};

}  // namespace mantissa
