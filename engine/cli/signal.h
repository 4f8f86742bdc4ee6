#pragma once
// defines: InterruptGuard

#include <functional>
#include <memory>

namespace mantissa {

/// While one lives, the first Ctrl+C (or SIGTERM) calls `on_first` once, from a thread of its own;
/// the second ends the process at once with status 130. One at a time.
class InterruptGuard {
 public:
  explicit InterruptGuard(std::function<void()> on_first);
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace mantissa
