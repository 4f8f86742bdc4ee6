#include "engine/run/run_control.h"

#include <utility>

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
  ++stops_;
  changed_.notify_all();
}

void RunControl::request_save() {
  const std::lock_guard lock(mutex_);
  save_.store(true, std::memory_order_release);
  changed_.notify_all();
}

void RunControl::request_retry() {
  const std::lock_guard lock(mutex_);
  retry_ = true;
  changed_.notify_all();
}

void RunControl::request_folder(const std::filesystem::path& folder) {
  const std::lock_guard lock(mutex_);
  folder_ = folder;
  changed_.notify_all();
}

void RunControl::refuse_waits() {
  const std::lock_guard lock(mutex_);
  no_waits_.store(true, std::memory_order_release);
  changed_.notify_all();
}

RunControl::RoomAnswer RunControl::wait_for_room(std::chrono::milliseconds most, int stops) {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, most, [&] { return retry_ || folder_ || stop_requests() != stops; });
  return {std::exchange(retry_, false), stop_requests() != stops,
          std::exchange(folder_, std::nullopt)};
}

void RunControl::request_sample() {
  const std::lock_guard lock(mutex_);
  sample_.store(true, std::memory_order_release);
  changed_.notify_all();
}

void RunControl::request_settings(const Preset& preset) {
  const std::lock_guard lock(mutex_);
  settings_ = preset;
  changes_.clear();
  has_settings_.store(true, std::memory_order_release);
}

void RunControl::request_changes(const std::vector<std::string>& assignments) {
  const std::lock_guard lock(mutex_);
  changes_.insert(changes_.end(), assignments.begin(), assignments.end());
  has_changes_.store(true, std::memory_order_release);
}

std::optional<Preset> RunControl::take_settings() {
  // Called every step: takes the lock only if there is a request.
  if (!has_settings_.load(std::memory_order_acquire)) {
    return std::nullopt;
  }
  const std::lock_guard lock(mutex_);
  has_settings_.store(false, std::memory_order_release);
  return std::exchange(settings_, std::nullopt);
}

std::vector<std::string> RunControl::take_changes() {
  if (!has_changes_.load(std::memory_order_acquire)) {
    return {};
  }
  const std::lock_guard lock(mutex_);
  has_changes_.store(false, std::memory_order_release);
  return std::exchange(changes_, {});
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
