#include "fiber.h"

#include <cstddef>
#include <stdexcept>
#include <sys/mman.h>
#include <ucontext.h>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

namespace cuda_on_host {

namespace {

constexpr std::size_t kPage = 4096;
// Room for a kernel's frames, which the sanitizers make several times larger.
constexpr std::size_t kStackBytes = 256 * 1024;

// Stacks begin at different lines of a page; the frames of a warp's lanes would share a few sets of
// the cache otherwise.
std::size_t next_colour() {
  thread_local std::size_t fibers = 0;
  return fibers++ % 32 * 128;
}

#if !defined(__SANITIZE_ADDRESS__)
// A function that calls one of the built-ins may not call the other.
[[noreturn, gnu::noinline]] void jump(void** buffer) {
  __builtin_longjmp(buffer, 1);
}
#endif

}  // namespace

struct Fiber::State {
  std::function<void()> work;
  void* stack = nullptr;  ///< its lowest page is out of bounds
  ucontext_t inside{}, outside{};
#if defined(__SANITIZE_ADDRESS__)
  void *fake_inside = nullptr, *fake_outside = nullptr;
  const void* outside_bottom = nullptr;
  std::size_t outside_bytes = 0;
#else
  // swapcontext makes a system call for the signal mask each time; once the stack exists, jumps
  // suffice: the compiler's own, as the library's mangle pointers and look for cleanups.
  void *jump_inside[5] = {}, *jump_outside[5] = {};
#endif
  bool started = false;

  static void enter(unsigned high, unsigned low) {
    const auto address = (static_cast<std::uintptr_t>(high) << 32) | low;
    auto* state = reinterpret_cast<State*>(address);
    state->arrive_inside();
    while (true) {
      state->work();
      state->leave();
    }
  }
  void arrive_inside() {
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_finish_switch_fiber(fake_inside, &outside_bottom, &outside_bytes);
#endif
  }
  void leave();
  void go();
};

#if defined(__SANITIZE_ADDRESS__)
void Fiber::State::go() {
  __sanitizer_start_switch_fiber(&fake_outside, static_cast<char*>(stack) + kPage, kStackBytes);
  swapcontext(&outside, &inside);
  __sanitizer_finish_switch_fiber(fake_outside, nullptr, nullptr);
}
void Fiber::State::leave() {
  __sanitizer_start_switch_fiber(&fake_inside, outside_bottom, outside_bytes);
  swapcontext(&inside, &outside);
  arrive_inside();
}
#else
[[gnu::noinline]] void Fiber::State::go() {
  if (__builtin_setjmp(jump_outside) == 0) {
    if (started) {
      jump(jump_inside);
    }
    started = true;
    setcontext(&inside);
  }
}
[[gnu::noinline]] void Fiber::State::leave() {
  if (__builtin_setjmp(jump_inside) == 0) {
    jump(jump_outside);
  }
}
#endif

Fiber::Fiber(std::function<void()> work) : state_(std::make_unique<State>()) {
  state_->work = std::move(work);
  state_->stack = mmap(nullptr, kPage + kStackBytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (state_->stack == MAP_FAILED) {
    throw std::runtime_error("[cuda_on_host] no memory for the stack of a fiber");
  }
  mprotect(state_->stack, kPage, PROT_NONE);
  getcontext(&state_->inside);
  state_->inside.uc_stack.ss_sp = static_cast<char*>(state_->stack) + kPage;
  state_->inside.uc_stack.ss_size = kStackBytes - next_colour();
  state_->inside.uc_link = nullptr;
  const auto address = reinterpret_cast<std::uintptr_t>(state_.get());
  makecontext(&state_->inside, reinterpret_cast<void (*)()>(&State::enter), 2,
              static_cast<unsigned>(address >> 32), static_cast<unsigned>(address));
}

Fiber::~Fiber() {
#if defined(__SANITIZE_ADDRESS__)
  ASAN_UNPOISON_MEMORY_REGION(state_->stack, kPage + kStackBytes);
#endif
  munmap(state_->stack, kPage + kStackBytes);
}

void Fiber::resume() {
  state_->go();
}
void Fiber::pause() {
  state_->leave();
}

}  // namespace cuda_on_host
