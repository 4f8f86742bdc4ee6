#pragma once
// defines: Arena, Executor

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

/// Replays a planned graph. Views are bound once; a run only calls kernels.
class Executor {
 public:
  Executor(const Graph& graph, const Plan& plan, Kernels& kernels, Arena& arena);
  /// Where to write input `name` before each run; inputs don't survive a run.
  View input(const std::string& name) const;
  /// Where to read output `name` after a run.
  View output(const std::string& name) const;
  bool has_input(const std::string& name) const;
  void run(const RunContext& context);
  void set_timer(OpTimer timer) { timer_ = std::move(timer); }

 private:
  struct Call {
    const Op* op;
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
};

}  // namespace mantissa
