#include "engine/cli/signal.h"

#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <string_view>
#include <thread>

#ifdef _WIN32
#include <windows.h>
#else
#include <unistd.h>
#endif

namespace mantissa {
namespace {

// A handler can only access static storage.
std::atomic<int> interrupts{0};
std::atomic<bool> guarded{false};
std::atomic<bool> told{false};
static_assert(std::atomic<int>::is_always_lock_free);

constexpr std::string_view kNoRun = "\nmantissa: interrupted; nothing was written\n";
constexpr std::string_view kAgain =
    "\nmantissa: stopped at once; what came after the last checkpoint is lost\n";

/// What an interrupt that ends the process has to say.
std::string_view last_words() {
  if (told) {
    return {};
  }
  return guarded ? kAgain : kNoRun;
}

#ifdef _WIN32
BOOL WINAPI handle(DWORD event) {
  const bool again = interrupts.fetch_add(1) > 0;
  if (!guarded || again) {
    const std::string_view text = last_words();
    DWORD written = 0;
    WriteFile(GetStdHandle(STD_ERROR_HANDLE), text.data(), static_cast<DWORD>(text.size()),
              &written, nullptr);
    TerminateProcess(GetCurrentProcess(), 130);
  }
  if (event != CTRL_C_EVENT && event != CTRL_BREAK_EVENT) {
    // The console closes or the session ends: the process ends when this returns, so wait until the
    // run is saved and main has returned. The system waits a few seconds.
    Sleep(INFINITE);
  }
  return TRUE;
}

/// Never removed: the system calls it under a lock that removing also takes, and it doesn't return
/// when the console closes.
void install() {
  static const BOOL installed = SetConsoleCtrlHandler(handle, TRUE);
  (void)installed;
}
#else
// SIGUSR1: batch systems send it ahead of the end, and mpirun passes it on.
constexpr std::array kInterrupts{SIGINT, SIGTERM, SIGHUP, SIGUSR1};

extern "C" void handle_interrupt(int) {
  const bool again = interrupts.fetch_add(1) > 0;
  if (!guarded || again) {
    const std::string_view text = last_words();
    (void)!write(STDERR_FILENO, text.data(), text.size());
    _exit(130);
  }
}

void set_handler(int signal, void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  sigaction(signal, &action, nullptr);
}

/// Signals ignored from the start stay ignored, as nohup and shells expect.
bool is_ignored(int signal) {
  struct sigaction now {};
  return sigaction(signal, nullptr, &now) == 0 && now.sa_handler == SIG_IGN;
}
#endif

}  // namespace

void prepare_signals() {
#ifdef _WIN32
  install();
#else
  for (const int signal : {SIGPIPE, SIGXFSZ}) {
    set_handler(signal, SIG_IGN);
  }
  for (const int signal : kInterrupts) {
    if (!is_ignored(signal)) {
      set_handler(signal, handle_interrupt);
    }
  }
#endif
}

void silence_interrupts() {
  told = true;
}

struct InterruptGuard::State {
  std::atomic<bool> done{false};
  std::thread watcher;
#ifndef _WIN32
  std::array<struct sigaction, kInterrupts.size()> before{};
#endif
};

InterruptGuard::InterruptGuard(std::function<void()> on_first) : state_(std::make_unique<State>()) {
  interrupts = 0;
  told = false;
  // Stopping takes a lock, which a handler must not, so a thread waits for the count to change.
  state_->watcher = std::thread([state = state_.get(), on_first = std::move(on_first)] {
    while (!state->done) {
      if (interrupts > 0) {
        on_first();
        return;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
  });
  guarded = true;
#ifdef _WIN32
  install();
#else
  for (std::size_t i = 0; i < kInterrupts.size(); ++i) {
    sigaction(kInterrupts[i], nullptr, &state_->before[i]);
    if (state_->before[i].sa_handler != SIG_IGN) {
      set_handler(kInterrupts[i], handle_interrupt);
    }
  }
#endif
}

InterruptGuard::~InterruptGuard() {
  state_->done = true;
  state_->watcher.join();
  silence_interrupts();
  guarded = false;
#ifndef _WIN32
  for (std::size_t i = 0; i < kInterrupts.size(); ++i) {
    sigaction(kInterrupts[i], &state_->before[i], nullptr);
  }
#endif
}

}  // namespace mantissa
