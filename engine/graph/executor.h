#pragma once
// defines: Arena, OpCall, Executor

#include <functional>
#include <string>
#include <vector>

#include "engine/graph/graph.h"
#include "engine/graph/plan.h"

namespace mantissa {

/// The one allocation that activations live in; several plans may take turns in it.
class Arena {
 public:
  explicit Arena(Kernels& kernels) : kernels_(kernels) {}
  ~Arena();
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;
  /// Grows to at least `bytes`; moves, so executors bound before must be made anew.
  void reserve(std::size_t bytes);
  std::byte* data() const { return data_; }
  std::size_t bytes() const { return bytes_; }

 private:
  Kernels& kernels_;
  std::byte* data_ = nullptr;
  std::size_t bytes_ = 0;
};

/// Called after each op with its name, path and seconds, when profiling.
using OpTimer = std::function<void(const char* op, const std::string& path, double seconds)>;

/// One op as it was just run. Inputs that it wrote over show the output.
struct OpCall {
  const Node& node;         ///< names the values and the phase
  const std::string& path;  ///< module path; the tensor's name where a gradient is accumulated
  const std::vector<View>& in;
  const std::vector<View>& out;
};
/// Called after each op while somebody watches; false ends the run there.
using OpWatch = std::function<bool(const OpCall&)>;

/// Replays a planned graph. Views are bound once; a run only calls kernels.
class Executor {
 public:
  Executor(const Graph& graph, const Plan& plan, Kernels& kernels, Arena& arena);
  /// Where to write input `name` before each run; inputs don't survive a run.
  View input(const std::string& name) const;
  /// Where to read output `name` after a run.
  View output(const std::string& name) const;
  bool has_input(const std::string& name) const;
  const Graph& graph() const { return graph_; }
  void run(const RunContext& context);
  void set_timer(OpTimer timer) { timer_ = std::move(timer); }
  /// An empty function ends it. Nothing is paid for it while nobody watches.
  void set_watch(OpWatch watch) { watch_ = std::move(watch); }

 private:
  struct Call {
    const Op* op;
    const Node* node;
    std::vector<View> in, out;
    const std::string* path;
  };
  View view_of(int id) const;
  const Graph& graph_;
  const Plan& plan_;
  Kernels& kernels_;
  std::byte* base_;
  std::vector<Call> calls_;
  OpTimer timer_;
  OpWatch watch_;
};

}  // namespace mantissa
