#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "engine/preset/preset.h"

namespace mantissa {

/// Requests to a running job, from any thread. The engine polls between steps and cache items;
/// state changes are announced through RunObserver::on_state only.
class RunControl {
 public:
  enum class Stop { none, discard, save };
  void request_pause();
  void request_resume();
  void request_stop(Stop how);
  void request_save();
  void request_sample();
  /// For a run waiting for disk space: retry now.
  void request_retry();
  /// For a run waiting for disk space: continue in a new folder of the run below this one.
  void request_folder(const std::filesystem::path& folder);
  /// Applies the live settings of `preset` (see live_settings) after this step.
  void request_settings(const Preset& preset);
  /// Applies these changes to the live settings after this step: `key=value` (see apply_set), after
  /// what was asked for before.
  void request_changes(const std::vector<std::string>& assignments);
  /// For a run of another process that is followed here (follow_run): follows it no longer, while
  /// it goes on.
  void request_leave() { leave_.store(true, std::memory_order_release); }

  /// Stops too when `leader`, which must outlive this, is asked to.
  void stop_with(const RunControl& leader) { leader_ = &leader; }

  Stop stop_requested() const {
    const Stop own = stop_.load(std::memory_order_acquire);
    return own != Stop::none || leader_ == nullptr ? own : leader_->stop_requested();
  }
  bool pause_requested() const { return pause_.load(std::memory_order_acquire); }
  bool take_save_request() { return save_.exchange(false); }
  bool take_sample_request() { return sample_.exchange(false); }
  std::optional<Preset> take_settings();
  std::vector<std::string> take_changes();
  bool leave_requested() const { return leave_.load(std::memory_order_acquire); }
  /// From now on a full disk ends the run, as with OnFullDisk::stop.
  void refuse_waits();
  bool waits_refused() const { return no_waits_.load(std::memory_order_acquire); }
  /// Counts stop requests, so that a wait can detect new ones.
  int stop_requests() const { return stops_.load(std::memory_order_acquire); }
  struct RoomAnswer {
    bool retry = false, stop = false;
    std::optional<std::filesystem::path> folder;
  };
  /// Blocks until there is an answer, at most for `most`. `stops`: stop_requests at the start of
  /// the wait.
  RoomAnswer wait_for_room(std::chrono::milliseconds most, int stops);
  /// Blocks while paused; returns at once on resume, stop, save or sample requests.
  void wait_while_paused();

 private:
  const RunControl* leader_ = nullptr;
  std::atomic<Stop> stop_{Stop::none};
  std::atomic<bool> pause_{false}, save_{false}, sample_{false};
  std::atomic<bool> has_settings_{false}, has_changes_{false};
  std::atomic<bool> no_waits_{false}, leave_{false};
  std::atomic<int> stops_{0};
  std::optional<Preset> settings_;    ///< under the mutex
  std::vector<std::string> changes_;  ///< under the mutex; made to settings_ if it is set
  bool retry_ = false;                ///< under the mutex
  std::optional<std::filesystem::path> folder_;  ///< under the mutex
  std::mutex mutex_;
  std::condition_variable changed_;
};

}  // namespace mantissa
