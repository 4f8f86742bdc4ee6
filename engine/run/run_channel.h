#pragma once
// What other processes see of a run, and ask of it, by files in its folder.

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "engine/run/forwarding_observer.h"
#include "engine/run/run_control.h"

namespace mantissa {

class RunRelay;

/// The side of the process that trains: keeps the latest event of each kind in the folder's
/// status.jsonl, as lines of RunRelay, and passes requests on to a RunControl, each once. It writes
/// on a thread of its own. A status that can't be written is written later: no run ends by it.
class RunChannel : public ForwardingObserver {
 public:
  /// Tells `next` that the run has begun. Removes requests to earlier processes of the run.
  RunChannel(const std::string& run_id, std::filesystem::path folder, RunControl& control,
             RunObserver& next);
  ~RunChannel() override;

  void on_begun(const std::string& run_id, const std::filesystem::path& folder) override;
  void on_state(RunState state) override;
  void on_progress(RunPhase phase, std::int64_t done, std::int64_t total) override;
  void on_plan(const PlanReport& plan) override;
  void on_settings(const Preset& preset) override;
  void on_non_finite(const NonFiniteReport& report) override;
  void on_disk_full(const FullDisk& full) override;
  /// The run's end, once all of it is recorded.
  void ended(const RunResult& result);
  void failed(const std::exception_ptr& why);

 private:
  using Event = std::function<void(RunRelay&)>;
  void note(const char* kind, Event event);
  void work();
  void write_status();
  void answer_requests();
  void answer(const std::filesystem::path& request);
  std::filesystem::path folder() const;

  RunControl& control_;
  const std::string owner_;
  std::atomic<RunPhase> phase_{RunPhase::loading};  ///< the last one noted
  std::atomic<std::int64_t> total_{0};              ///< of that phase
  mutable std::mutex mutex_;
  std::condition_variable wake_;
  std::filesystem::path folder_;         ///< under the mutex, as what follows
  std::map<std::string, Event> events_;  ///< by kind
  bool changed_ = true, over_ = false;
  std::thread thread_;
};

/// What a run's process last wrote of itself.
struct RunStatus {
  std::string owner;               ///< a name that no other process of the run has
  std::vector<std::string> lines;  ///< of RunRelay
};
/// Empty if there is none, as of a run by an earlier version.
std::optional<RunStatus> read_status(const std::filesystem::path& folder);

/// Makes a request (run_requests.h) of the process that trains the run in `folder`; returns once it
/// has taken it. Throws Error if none trains it, if it refuses the request, or if it hasn't
/// answered after `patience`.
void ask_run(const std::filesystem::path& folder, std::string_view request,
             std::chrono::milliseconds patience = std::chrono::seconds(10));

}  // namespace mantissa
