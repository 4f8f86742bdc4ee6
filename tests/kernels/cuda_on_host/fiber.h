#pragma once
// A separate call stack that can be suspended and resumed.

#include <functional>
#include <memory>

namespace cuda_on_host {

/// Only the thread that made it may resume it.
class Fiber {
 public:
  /// `work` is called again each time the fiber is resumed after it returned. It must not throw.
  explicit Fiber(std::function<void()> work);
  /// A fiber suspended inside `work` is dropped: no destructors run there.
  ~Fiber();
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;

  /// Continues the fiber until it pauses or `work` returns.
  void resume();
  /// Called inside: back to `resume`.
  void pause();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace cuda_on_host
