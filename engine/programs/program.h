#pragma once

#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "engine/graph/executor.h"

namespace mantissa {

/// A recorded graph with its plan and, once used, its executor. Programs that run in turn share an
/// arena; when it moves for a larger program, the others rebind on their next use.
class Program {
 public:
  Program(Kernels& kernels, Arena& arena) : kernels_(kernels), arena_(arena) {}
  Graph& graph() { return graph_; }
  /// Call once, after everything is recorded.
  void make_plan() { plan_ = mantissa::make_plan(graph_); }
  const Plan& plan() const { return plan_; }
  Executor& executor() {
    if (arena_.devices() == nullptr) {
      arena_.reserve(plan_.arena_bytes);
    }
    if (!executor_ || bound_ != arena_.moves()) {
      earlier_recordings_ = recordings();
      executor_.emplace(graph_, plan_, kernels_, arena_);
      bound_ = arena_.moves();
    }
    return *executor_;
  }
  /// How often the work was recorded; more than once or twice (with and without a tail) costs time.
  int recordings() const { return earlier_recordings_ + (executor_ ? executor_->recordings() : 0); }

 private:
  Kernels& kernels_;
  Arena& arena_;
  Graph graph_;
  Plan plan_;
  std::optional<Executor> executor_;
  int bound_ = 0;  ///< Arena::moves at the executor's construction
  int earlier_recordings_ = 0;
};

/// Programs by shape, recorded on first use. One whose recording throws (no room for a network's
/// weights, say) is not kept, so that its next use throws or records again.
template <typename Key>
class ProgramsByShape {
 public:
  ProgramsByShape(Kernels& kernels, Arena& arena) : kernels_(kernels), arena_(arena) {}
  /// `record(graph)` records the program of this shape, unless there is one.
  template <typename Record>
  Program& of(const Key& key, Record&& record) {
    const auto known = programs_.find(key);
    if (known != programs_.end()) {
      return *known->second;
    }
    auto program = std::make_unique<Program>(kernels_, arena_);
    record(program->graph());
    program->make_plan();
    return *programs_.emplace(key, std::move(program)).first->second;
  }
  /// Executor::record_ahead of each, all of which have run.
  void record_ahead() {
    for (const auto& [key, program] : programs_) {
      program->executor().record_ahead({}, {});
    }
  }

 private:
  Kernels& kernels_;
  Arena& arena_;
  std::map<Key, std::unique_ptr<Program>> programs_;
};

}  // namespace mantissa
