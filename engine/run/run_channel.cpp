#include "engine/run/run_channel.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <random>
#include <sstream>
#include <system_error>
#include <utility>

#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/core/printable.h"
#include "engine/core/shell_words.h"
#include "engine/core/system.h"
#include "engine/io/file.h"
#include "engine/io/run_lock.h"
#include "engine/run/run_relay.h"
#include "engine/run/run_requests.h"
#include "engine/store/message_json.h"

namespace mantissa {
namespace fs = std::filesystem;
namespace {

using Json = nlohmann::json;
using ChannelClock = std::chrono::steady_clock;

constexpr auto kChannelGap = std::chrono::milliseconds(100);
constexpr auto kStatusGap = std::chrono::milliseconds(250);
constexpr std::uint64_t kMostRequest = 4u << 20;
constexpr const char *kAsked = ".ask", *kAnswered = ".answer";

fs::path status_file(const fs::path& folder) {
  return folder / "status.jsonl";
}
fs::path requests_folder(const fs::path& folder) {
  return folder / "requests";
}
fs::path run_lock(const fs::path& folder) {
  return folder / "run.lock";
}

/// A process id may be used again, so it isn't enough.
std::string new_owner() {
  std::random_device entropy;
  return fmt::format("{}-{}-{:08x}{:08x}", host_name(), process_id(), entropy(), entropy());
}

/// The whole requests; one that is still being written has a name with a dot in front.
std::vector<fs::path> requests_in(const fs::path& folder) {
  std::vector<fs::path> found;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(requests_folder(folder), none)) {
    const std::string name = path_to_utf8(entry.path().filename());
    if (!name.starts_with('.') && name.ends_with(kAsked)) {
      found.push_back(entry.path());
    }
  }
  return found;
}

/// Removes requests and answers, and their folder if nothing else is in it.
void clear_requests(const fs::path& folder) {
  std::error_code none;
  std::vector<fs::path> all;
  for (const auto& entry : fs::directory_iterator(requests_folder(folder), none)) {
    const std::string name = path_to_utf8(entry.path().filename());
    if (name.ends_with(kAsked) || name.ends_with(kAnswered)) {
      all.push_back(entry.path());
    }
  }
  for (const fs::path& file : all) {
    fs::remove(file, none);
  }
  fs::remove(requests_folder(folder), none);
}

Json refusal(const Message& why) {
  return {{"refused", Json::parse(message_json(why))}};
}

}  // namespace

RunChannel::RunChannel(const std::string& run_id, fs::path folder, RunControl& control,
                       RunObserver& next)
    : ForwardingObserver(next), control_(control), owner_(new_owner()), folder_(std::move(folder)) {
  clear_requests(folder_);
  note("begun", [run_id, at = folder_](RunRelay& relay) { relay.on_begun(run_id, at); });
  write_status();
  next.on_begun(run_id, folder_);
  thread_ = std::thread([this] { work(); });
}

RunChannel::~RunChannel() {
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
    wake_.notify_all();
  }
  thread_.join();
  clear_requests(folder_);  // who waits for an answer sees that the run has ended
}

void RunChannel::note(const char* kind, Event event) {
  const std::lock_guard lock(mutex_);
  events_[kind] = std::move(event);
  changed_ = true;
}

fs::path RunChannel::folder() const {
  const std::lock_guard lock(mutex_);
  return folder_;
}

void RunChannel::on_begun(const std::string& run_id, const fs::path& folder) {
  note("begun", [=](RunRelay& relay) { relay.on_begun(run_id, folder); });
  // Those who follow the run in the folder that it left learn where it is.
  write_status();
  {
    const std::lock_guard lock(mutex_);
    folder_ = folder;
  }
  write_status();
  ForwardingObserver::on_begun(run_id, folder);
}

void RunChannel::on_state(RunState state) {
  {
    const std::lock_guard lock(mutex_);
    events_.erase("disk_full");
  }
  note("state", [state](RunRelay& relay) { relay.on_state(state); });
  ForwardingObserver::on_state(state);
}

void RunChannel::on_progress(RunPhase phase, std::int64_t done, std::int64_t total) {
  // The steps themselves are in the runs database.
  const bool longer = total_.exchange(total) != total;
  if (phase_.exchange(phase) != phase || longer || phase != RunPhase::training) {
    note("progress", [=](RunRelay& relay) { relay.on_progress(phase, done, total); });
  }
  ForwardingObserver::on_progress(phase, done, total);
}

void RunChannel::on_plan(const PlanReport& plan) {
  note("plan", [plan](RunRelay& relay) { relay.on_plan(plan); });
  ForwardingObserver::on_plan(plan);
}

void RunChannel::on_settings(const Preset& preset) {
  note("settings", [preset](RunRelay& relay) { relay.on_settings(preset); });
  ForwardingObserver::on_settings(preset);
}

void RunChannel::on_non_finite(const NonFiniteReport& report) {
  note("non_finite", [report](RunRelay& relay) { relay.on_non_finite(report); });
  ForwardingObserver::on_non_finite(report);
}

void RunChannel::on_disk_full(const FullDisk& full) {
  note("disk_full", [full](RunRelay& relay) { relay.on_disk_full(full); });
  ForwardingObserver::on_disk_full(full);
}

void RunChannel::ended(const RunResult& result) {
  note("ended", [result](RunRelay& relay) { relay.ended(result); });
}

void RunChannel::failed(const std::exception_ptr& why) {
  note("ended", [why](RunRelay& relay) { relay.failed(why); });
}

void RunChannel::work() {
  ChannelClock::time_point written{};
  bool over = false;
  while (!over) {
    answer_requests();
    bool changed = false;
    {
      std::unique_lock lock(mutex_);
      wake_.wait_for(lock, kChannelGap, [this] { return over_; });
      over = over_;
      changed = changed_;
    }
    if (changed && (over || ChannelClock::now() - written > kStatusGap)) {
      write_status();
      written = ChannelClock::now();
    }
  }
}

void RunChannel::write_status() {
  std::map<std::string, Event> events;
  {
    const std::lock_guard lock(mutex_);
    events = events_;
    changed_ = false;
  }
  std::ostringstream text;
  text << Json{{"event", "owner"}, {"owner", owner_}}.dump() << '\n';
  RunRelay relay(text);
  for (const auto& [kind, event] : events) {
    event(relay);
  }
  try {
    AtomicFile file(status_file(folder()));
    file.write(text.str());
    file.commit(AtomicFile::Durable::no);
  } catch (const std::exception&) {  // a full disk: written once there is room
    const std::lock_guard lock(mutex_);
    changed_ = true;
  }
}

void RunChannel::answer_requests() {
  for (const fs::path& request : requests_in(folder())) {
    try {
      answer(request);
    } catch (const std::exception&) {  // gone again, or no room for the answer
    }
  }
}

void RunChannel::answer(const fs::path& request) {
  const Json asked = Json::parse(read_text(request, kMostRequest), nullptr, false);
  if (!fs::remove(request)) {
    return;
  }
  Json answer = {{"taken", true}};
  try {
    if (asked.at("to") != owner_) {
      answer = refusal(message<"another process trains the run by now; ask again">());
    } else {
      apply_request(asked.at("request").get<std::string>(), control_);
    }
  } catch (const Error& e) {
    answer = refusal(e.message());
  } catch (const std::exception&) {
    answer = refusal(message<"this is no request to a run">());
  }
  atomic_write(fs::path(request).replace_extension(kAnswered), answer.dump());
}

std::optional<RunStatus> read_status(const fs::path& folder) {
  try {
    std::istringstream text(read_text(status_file(folder)));
    RunStatus status;
    std::string line;
    std::getline(text, line);
    status.owner = Json::parse(line).at("owner").get<std::string>();
    while (std::getline(text, line)) {
      status.lines.push_back(line);
    }
    return status;
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

namespace {

Error not_training(const fs::path& folder) {
  return Error(message<"no process trains the run in {folder}; continue it with mantissa train "
                       "--resume {folder}">(shell_word(path_to_utf8(folder))));
}

/// Whether a process that has begun since took the place of `owner`: it removes what it finds.
bool is_replaced(const fs::path& folder, const std::string& owner) {
  const std::optional<RunStatus> now = read_status(folder);
  return now && now->owner != owner;
}

/// A process that begins just now clears what is there, a request that is being written too: the
/// second time it has begun.
void leave_request(const fs::path& file, const std::string& text) {
  for (int attempt = 1;; ++attempt) {
    try {
      make_folders(file.parent_path());
      return atomic_write(file, text);
    } catch (const Error&) {
      if (attempt == 2) {
        throw;
      }
    }
  }
}

/// Waits for the answer to a request to `owner`, and removes it.
std::optional<Json> await_answer(const fs::path& folder, const fs::path& asked,
                                 const fs::path& file, const std::string& owner,
                                 std::chrono::milliseconds patience) {
  const auto until = ChannelClock::now() + patience;
  std::error_code none;
  while (true) {
    // An answer that was written before the process ended counts.
    const bool late = ChannelClock::now() >= until || !RunLock::is_held(run_lock(folder)) ||
                      (!fs::exists(asked, none) && is_replaced(folder, owner));
    if (fs::exists(file, none)) {
      Json answer = Json::parse(read_text(file, kMostRequest), nullptr, false);
      fs::remove(file, none);
      return answer;
    }
    if (late) {
      return std::nullopt;
    }
    std::this_thread::sleep_for(kChannelGap / 2);
  }
}

/// A process that has just taken the lock writes its status next.
std::optional<RunStatus> await_status(const fs::path& folder) {
  constexpr auto kAtMost = std::chrono::seconds(1);
  std::optional<RunStatus> status = read_status(folder);
  for (const auto until = ChannelClock::now() + kAtMost; !status && ChannelClock::now() < until;) {
    std::this_thread::sleep_for(kChannelGap / 2);
    status = read_status(folder);
  }
  return status;
}

}  // namespace

void ask_run(const fs::path& folder, std::string_view request, std::chrono::milliseconds patience) {
  if (!RunLock::is_held(run_lock(folder))) {
    throw not_training(folder);
  }
  const std::optional<RunStatus> status = await_status(folder);
  if (!status) {
    throw Error(message<"the process that trains the run in {folder} takes no requests: it is of "
                        "an earlier version. Stop it where it was started">(path_to_utf8(folder)));
  }
  std::random_device entropy;
  const fs::path asked =
      requests_folder(folder) / fmt::format("{}-{:08x}{}", process_id(), entropy(), kAsked);
  const fs::path answered = fs::path(asked).replace_extension(kAnswered);
  leave_request(asked, Json{{"to", status->owner}, {"request", request}}.dump());
  const std::optional<Json> answer = await_answer(folder, asked, answered, status->owner, patience);
  if (!answer) {
    std::error_code none;
    fs::remove(asked, none);
    if (!RunLock::is_held(run_lock(folder))) {
      throw not_training(folder);
    }
    if (is_replaced(folder, status->owner)) {
      throw Error(message<"another process trains the run by now; ask again">());
    }
    throw Error(message<"the process that trains the run in {folder} has not answered within "
                        "{seconds} s; the request is withdrawn">(
        path_to_utf8(folder), std::chrono::duration_cast<std::chrono::seconds>(patience).count()));
  }
  if (answer->contains("refused")) {
    throw Error(parse_message(answer->at("refused").dump()));
  }
}

}  // namespace mantissa
