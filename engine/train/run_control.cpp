#include "engine/train/run.h"

namespace mantissa {

// Every request is stored under the mutex, so that wait_while_paused can't miss its wake-up.

void RunControl::request_pause() {
  const std::lock_guard lock(mutex_);
  pause_.store(true, std::memory_order_release);
  changed_.notify_all();
}

void RunControl::request_resume() {
  const std::lock_guard lock(mutex_);
  pause_.store(false, std::memory_order_release);
  changed_.notify_all();
}

void RunControl::request_stop(Stop how) {
  const std::lock_guard lock(mutex_);
  stop_.store(how, std::memory_order_release);
  changed_.notify_all();
}

void RunControl::request_save() {
  const std::lock_guard lock(mutex_);
  save_.store(true, std::memory_order_release);
  changed_.notify_all();
}

void RunControl::request_sample() {
  const std::lock_guard lock(mutex_);
  sample_.store(true, std::memory_order_release);
  changed_.notify_all();
}

void RunControl::wait_while_paused() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] {
    return !pause_.load(std::memory_order_acquire) ||
           stop_.load(std::memory_order_acquire) != Stop::none ||
           save_.load(std::memory_order_acquire) || sample_.load(std::memory_order_acquire);
  });
}

}  // namespace mantissa
