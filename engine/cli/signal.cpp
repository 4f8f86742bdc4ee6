// defines: InterruptGuard

#include "engine/cli/signal.h"

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <thread>

#ifdef _WIN32
#include <windows.h>
#else
#include <unistd.h>
#endif

namespace mantissa {
namespace {

// A handler can reach nothing but what has static storage.
std::atomic<int> interrupts{0};
static_assert(std::atomic<int>::is_always_lock_free);

#ifdef _WIN32
BOOL WINAPI handle(DWORD event) {
  if (event != CTRL_C_EVENT && event != CTRL_BREAK_EVENT && event != CTRL_CLOSE_EVENT) {
    return FALSE;
  }
  if (interrupts.fetch_add(1) > 0) {
    TerminateProcess(GetCurrentProcess(), 130);
  }
  return TRUE;
}
#else
extern "C" void handle_interrupt(int) {
  if (interrupts.fetch_add(1) > 0) {
    _exit(130);
  }
}
#endif

}  // namespace

struct InterruptGuard::State {
  std::atomic<bool> done{false};
  std::thread watcher;
#ifndef _WIN32
  struct sigaction before_int {
  }, before_term{};
#endif
};

InterruptGuard::InterruptGuard(std::function<void()> on_first) : state_(std::make_unique<State>()) {
  interrupts = 0;
#ifdef _WIN32
  SetConsoleCtrlHandler(handle, TRUE);
#else
  struct sigaction action {};
  action.sa_handler = handle_interrupt;
  action.sa_flags = SA_RESTART;
  sigaction(SIGINT, &action, &state_->before_int);
  sigaction(SIGTERM, &action, &state_->before_term);
#endif
  // Stopping takes a lock, which a handler may not: so a thread waits for the count to change.
  state_->watcher = std::thread([state = state_.get(), on_first = std::move(on_first)] {
    while (!state->done) {
      if (interrupts > 0) {
        on_first();
        return;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
  });
}

InterruptGuard::~InterruptGuard() {
  state_->done = true;
  state_->watcher.join();
#ifdef _WIN32
  SetConsoleCtrlHandler(handle, FALSE);
#else
  sigaction(SIGINT, &state_->before_int, nullptr);
  sigaction(SIGTERM, &state_->before_term, nullptr);
#endif
}

}  // namespace mantissa
