#pragma once

#include <functional>
#include <memory>

namespace mantissa {

/// For the whole process, called first. A closed pipe, a full disk and a file at its size limit are
/// errors of the write call and never kill the process. Ctrl+C, SIGTERM, SIGUSR1 and SIGHUP (unless
/// ignored by the caller, as with nohup) end it with status 130 and a message when no run is
/// active.
void prepare_signals();

/// From now on an interrupt ends the process without a message: a command has reported its end, so
/// "nothing was written" would be untrue, and one of several processes reports. Launchers send
/// SIGTERM to all when the first has ended.
void silence_interrupts();

/// While one lives, the first Ctrl+C, SIGTERM, SIGUSR1, SIGHUP or closing of the console calls
/// `on_first` once, from a separate thread; the second ends the process at once with status 130.
/// At most one exists at a time; the run has reported its end when it is destroyed.
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
