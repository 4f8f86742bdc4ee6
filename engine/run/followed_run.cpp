#include "engine/run/followed_run.h"

#include <chrono>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <thread>
#include <utility>

#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/io/run_lock.h"
#include "engine/run/forwarding_observer.h"
#include "engine/run/run_channel.h"
#include "engine/run/run_folder.h"
#include "engine/run/run_relay.h"
#include "engine/run/run_requests.h"
#include "engine/store/reader.h"

namespace mantissa {
namespace fs = std::filesystem;
namespace {

using FollowClock = std::chrono::steady_clock;

constexpr auto kFollowPause = std::chrono::milliseconds(50);
constexpr auto kFollowGap = std::chrono::milliseconds(200);
/// Looking for the process takes its lock briefly, so it is done rarely.
constexpr auto kAliveGap = std::chrono::seconds(2);
constexpr auto kAnswerPatience = std::chrono::seconds(5);
/// Steps read at a time: what a reader of them has room for.
constexpr std::int64_t kMostStepsAtOnce = 2000;
constexpr std::size_t kMostRowsAtOnce = 100'000;

class Follower : public ForwardingObserver {
 public:
  Follower(fs::path folder, const KnownOfRun& known, RunControl& control, RunObserver& observer)
      : ForwardingObserver(observer),
        folder_(std::move(folder)),
        known_(known),
        health_(known.step),
        control_(control),
        observer_(observer),
        relayed_(*this),
        reader_(runs_database()) {}

  void on_begun(const std::string& run_id, const fs::path& folder) override {
    id_ = run_id;
    folder_ = folder;
    ForwardingObserver::on_begun(run_id, folder);
  }

  /// Others may have asked for it: the next request here is one to the state that it is in.
  void on_state(RunState state) override {
    const bool paused = state == RunState::paused;
    if (paused || state_ == RunState::paused) {
      requests_.settle_pause(control_, paused);
    }
    state_ = state;
    ForwardingObserver::on_state(state);
  }

  RunResult follow() {
    for (FollowClock::time_point looked{}; !relayed_.has_ended();) {
      if (control_.leave_requested()) {
        throw Error(ErrorKind::interrupted, message<"the run is followed no longer; it goes on">());
      }
      pass_on_requests();
      if (more_ || FollowClock::now() - looked > kFollowGap) {
        look();
        looked = FollowClock::now();
      }
      std::this_thread::sleep_for(kFollowPause);
    }
    do {
      tell_recorded();
    } while (more_ && !control_.leave_requested());
    return relayed_.result();
  }

 private:
  void pass_on_requests() {
    for (const std::string& line : requests_.take(control_)) {
      try {
        ask_run(folder_, line, kAnswerPatience);
      } catch (const Error& e) {
        observer_.on_log(LogLevel::warning, e.message());
      }
    }
  }

  /// First the process, then what it wrote: it may end in between.
  void look() {
    const bool now = FollowClock::now() - seen_alive_ > kAliveGap;
    const bool alive = !now || RunLock::is_held(folder_ / "run.lock");
    if (now && alive) {
      seen_alive_ = FollowClock::now();
    }
    read_status_lines();
    tell_recorded();
    if (!alive && !relayed_.has_ended()) {
      throw Error(ErrorKind::rank_lost,
                  message<"the process that trained the run {run} is gone: it was killed, or it "
                          "crashed. Resume continues from the last checkpoint">(id_));
    }
  }

  void read_status_lines() {
    const std::optional<RunStatus> status = read_status(folder_);
    if (!status) {
      return;
    }
    for (const std::string& line : status->lines) {
      const auto event = nlohmann::json::parse(line, nullptr, false);
      std::string& last = lines_[event.is_object() ? event.value("event", "") : ""];
      if (last != line) {
        last = line;
        relayed_.take(line);
      }
    }
  }

  void tell_recorded() {
    more_ = false;
    const std::int64_t changes = reader_.changes();
    if (id_.empty() || (changes == std::exchange(changes_, changes) && !unread_)) {
      return;
    }
    tell_events();
    tell_steps();
    tell_others();
    unread_ = more_;
  }

  void tell_events() {
    for (const EventRow& event : reader_.events(id_, known_.event)) {
      observer_.on_log(event.level, event.message);
      known_.event = event.id;
    }
  }

  void tell_steps() {
    const auto steps = reader_.metrics(id_, known_.step, kMostStepsAtOnce);
    for (const StepRow& step : steps) {
      observer_.on_step(step);
    }
    if (!steps.empty()) {
      known_.step = steps.back().step;
    }
    more_ = std::ssize(steps) == kMostStepsAtOnce;
    for (const ValidationRow& row : reader_.validation(id_, known_.validation)) {
      observer_.on_validation(row);
      known_.validation = row.step;
    }
    for (const HealthRecord& record : reader_.health(id_, health_, kMostRowsAtOnce)) {
      observer_.on_health(record);
      health_ = record.step;
    }
  }

  /// Whatever has no number of its own: what was there at the beginning is known.
  void tell_others() {
    const auto is_new = [this](std::int64_t step, const std::string& what) {
      const bool unseen = told_.insert(std::to_string(step) + ' ' + what).second;
      return unseen && (!first_ || step > first_step_);
    };
    for (const SampleRow& s : reader_.samples(id_)) {
      if (is_new(s.step, "sample" + std::to_string(s.prompt_index))) {
        observer_.on_sample({s.step, s.prompt_index, s.prompt, path_from_utf8(s.path)});
      }
    }
    for (const CheckpointRow& c : reader_.checkpoints(id_)) {
      if (is_new(c.step, "saved" + c.path)) {
        observer_.on_saved(path_from_utf8(c.path), c.step);
      }
    }
    for (const PauseRow& pause : reader_.pauses(id_)) {
      if (is_new(pause.step, pause.disk_full ? "disk" : "pause")) {
        observer_.on_pause(pause);
      }
    }
    if (const auto rates = reader_.last_rates(id_); rates && is_new(rates->step, "rates")) {
      observer_.on_rates(*rates);
    }
    first_ = false;
  }

  fs::path folder_;
  std::string id_;
  RunState state_ = RunState::preparing;
  KnownOfRun known_;
  const std::int64_t first_step_ = known_.step;
  std::int64_t health_;
  RunControl& control_;
  RunObserver& observer_;
  RelayedRun relayed_;
  RequestLines requests_;
  RunReader reader_;
  std::map<std::string, std::string> lines_;  ///< the last one of each kind
  std::set<std::string> told_;
  std::int64_t changes_ = -1;
  FollowClock::time_point seen_alive_{};
  bool first_ = true, more_ = false, unread_ = true;
};

}  // namespace

RunResult follow_run(const fs::path& folder, const KnownOfRun& known, RunControl& control,
                     RunObserver& observer) {
  return Follower(folder, known, control, observer).follow();
}

}  // namespace mantissa
