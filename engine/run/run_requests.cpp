#include "engine/run/run_requests.h"

#include <chrono>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/core/printable.h"
#include "engine/preset/preset_io.h"

namespace mantissa {
namespace {

constexpr std::string_view kPause = "pause", kResume = "resume", kSave = "save", kSample = "sample",
                           kRetry = "retry", kStop = "stop", kDiscard = "discard",
                           kNoWaits = "refuse_waits", kFolder = "folder ", kSettings = "settings ",
                           kChange = "change ";

/// Removes the word from the front of `rest` if it begins with it.
bool take(std::string_view& rest, std::string_view word) {
  const bool begins = rest.starts_with(word);
  rest.remove_prefix(begins ? word.size() : 0);
  return begins;
}

/// The text behind "folder ", which is JSON; empty if the line is something else.
std::optional<std::string> folder_of(std::string_view line) {
  if (!take(line, kFolder)) {
    return std::nullopt;
  }
  const auto folder = nlohmann::json::parse(line, nullptr, false);
  return folder.is_string() ? std::optional(folder.get<std::string>()) : std::nullopt;
}

/// The texts behind "change ", a JSON array; empty if the line is something else. Throws Error for
/// a change that no preset takes.
std::vector<std::string> changes_of(std::string_view line) {
  std::vector<std::string> changes;
  if (take(line, kChange)) {
    Preset scratch;
    for (const nlohmann::json& change : nlohmann::json::parse(line, nullptr, false)) {
      if (!change.is_string()) {
        return {};
      }
      apply_set(scratch, changes.emplace_back(change.get<std::string>()));
    }
  }
  return changes;
}

}  // namespace

std::vector<std::string> RequestLines::take(RunControl& control) {
  std::vector<std::string> lines;
  const auto ask = [&lines](std::string_view word, const std::string& value = {}) {
    lines.push_back(std::string(word) + value);
  };
  if (control.waits_refused() && !std::exchange(no_waits_, true)) {
    ask(kNoWaits);
  }
  if (const std::optional<Preset> preset = control.take_settings()) {
    ask(kSettings, nlohmann::json::parse(to_json(*preset, WriteMode::full)).dump());
  }
  if (const std::vector<std::string> changes = control.take_changes(); !changes.empty()) {
    lines.push_back(change_request(changes));
  }
  const RunControl::RoomAnswer answer = control.wait_for_room(std::chrono::milliseconds(0), stops_);
  if (answer.folder) {
    ask(kFolder, nlohmann::json(path_to_utf8(*answer.folder)).dump());
  }
  if (answer.retry) {
    ask(kRetry);
  }
  if (control.take_save_request()) {
    ask(kSave);
  }
  if (control.take_sample_request()) {
    ask(kSample);
  }
  if (const bool pause = control.pause_requested(); std::exchange(pause_, pause) != pause) {
    ask(pause ? kPause : kResume);
  }
  if (const int stops = control.stop_requests(); std::exchange(stops_, stops) != stops) {
    ask(control.stop_requested() == RunControl::Stop::discard ? kDiscard : kStop);
  }
  return lines;
}

std::string change_request(const std::vector<std::string>& assignments) {
  return std::string(kChange) + nlohmann::json(assignments).dump();
}

void RequestLines::settle_pause(RunControl& control, bool paused) {
  pause_ = paused;
  if (paused) {
    control.request_pause();
  } else {
    control.request_resume();
  }
}

void apply_request(std::string_view line, RunControl& control) {
  std::string_view rest = line;
  if (rest == kPause) {
    control.request_pause();
  } else if (rest == kResume) {
    control.request_resume();
  } else if (rest == kSave) {
    control.request_save();
  } else if (rest == kSample) {
    control.request_sample();
  } else if (rest == kRetry) {
    control.request_retry();
  } else if (rest == kStop) {
    control.request_stop(RunControl::Stop::save);
  } else if (rest == kDiscard) {
    control.request_stop(RunControl::Stop::discard);
  } else if (rest == kNoWaits) {
    control.refuse_waits();
  } else if (const std::optional<std::string> folder = folder_of(rest)) {
    control.request_folder(path_from_utf8(*folder));
  } else if (take(rest, kSettings)) {
    control.request_settings(parse_preset(std::string(rest), "settings"));
  } else if (const std::vector<std::string> changes = changes_of(rest); !changes.empty()) {
    control.request_changes(changes);
  } else {
    throw Error(message<"'{line}' is no request to a run; expected one of: pause, resume, save, "
                        "sample, retry, stop, discard, refuse_waits, folder \"PATH\", settings "
                        "PRESET, change [\"KEY=VALUE\", ...]">(printable(line)));
  }
}

}  // namespace mantissa
