#include "engine/run/run_relay.h"

#include <array>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <ostream>
#include <ranges>
#include <string>
#include <type_traits>
#include <vector>

#include "engine/core/error.h"
#include "engine/core/fields.h"
#include "engine/core/paths.h"
#include "engine/core/printable.h"
#include "engine/preset/preset_io.h"
#include "engine/run/run_failure.h"
#include "engine/store/message_json.h"

namespace mantissa {
namespace {

using Json = nlohmann::json;
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// JSON has no NaN and no infinity.
Json number(double value) {
  return std::isfinite(value) ? Json(value)
         : std::isnan(value)  ? Json("nan")
                              : Json(value > 0 ? "inf" : "-inf");
}
double number_of(const Json& json) {
  if (!json.is_string()) {
    return json.get<double>();
  }
  const std::string text = json;
  return text == "inf" ? kInfinity : text == "-inf" ? -kInfinity : kNaN;
}

Json json_of(const Message& said) {
  return Json::parse(message_json(said));
}
Message message_from(const Json& json) {
  return parse_message(json.dump());
}

std::filesystem::path path_of(const Json& json) {
  return path_from_utf8(json.get<std::string>());
}

void write(std::ostream& out, const char* event, Json fields) {
  fields["event"] = event;
  out << printable_json(fields.dump(-1, ' ', false, Json::error_handler_t::replace)) << std::endl;
}

/// The values of both enums are consecutive from 0.
RunState state_from(const std::string& name) {
  for (int i = 0; i <= static_cast<int>(RunState::failed); ++i) {
    if (state_name(static_cast<RunState>(i)) == name) {
      return static_cast<RunState>(i);
    }
  }
  throw Error(Message::verbatim("'" + name + "' is no state of a run"));
}
RunPhase phase_from(const std::string& name) {
  for (int i = 0; i <= static_cast<int>(RunPhase::probing); ++i) {
    if (phase_name(static_cast<RunPhase>(i)) == name) {
      return static_cast<RunPhase>(i);
    }
  }
  throw Error(Message::verbatim("'" + name + "' is no phase of a run"));
}

/// Any member of a record: itself, its name, or an object or list of its own members.
template <typename T>
Json member_json(const T& value) {
  if constexpr (HasFields<T>) {
    Json object = Json::object();
    each_field(value, [&](const char* name, const auto& m) { object[name] = member_json(m); });
    return object;
  } else if constexpr (RecordList<T>) {
    Json list = Json::array();
    for (const auto& record : value) {
      list.push_back(member_json(record));
    }
    return list;
  } else if constexpr (std::is_same_v<T, double>) {
    return number(value);
  } else if constexpr (std::is_same_v<T, Part>) {
    return value.name();
  } else if constexpr (std::is_same_v<T, DType>) {
    return dtype_name(value);
  } else if constexpr (std::is_same_v<T, HealthKind>) {
    return health_kind_name(value);
  } else if constexpr (std::is_same_v<T, Message>) {
    return json_of(value);
  } else if constexpr (std::is_same_v<T, std::filesystem::path>) {
    return path_to_utf8(value);
  } else {
    return value;
  }
}

/// The value of a name, if there is one.
template <typename T>
T known(const std::optional<T>& value, const Json& name) {
  if (!value) {
    throw Error(Message::verbatim(name.dump() + " is no name of a run's event"));
  }
  return *value;
}

/// Reads what member_json wrote.
template <typename T>
T member_from(const Json& json) {
  if constexpr (HasFields<T>) {
    T record;
    each_field(record, [&](const char* name, auto& member) {
      member = member_from<std::remove_cvref_t<decltype(member)>>(json.at(name));
    });
    return record;
  } else if constexpr (RecordList<T>) {
    T list;
    for (const Json& record : json) {
      list.push_back(member_from<std::ranges::range_value_t<T>>(record));
    }
    return list;
  } else if constexpr (std::is_same_v<T, double>) {
    return number_of(json);
  } else if constexpr (std::is_same_v<T, Part>) {
    return Part(json.get<std::string>());
  } else if constexpr (std::is_same_v<T, DType>) {
    return known(dtype_from_name(json.get<std::string>()), json);
  } else if constexpr (std::is_same_v<T, HealthKind>) {
    return known(health_kind(json.get<std::string>()), json);
  } else if constexpr (std::is_same_v<T, Message>) {
    return message_from(json);
  } else if constexpr (std::is_same_v<T, std::filesystem::path>) {
    return path_of(json);
  } else {
    return json.get<T>();
  }
}

Json failure_json(const RunFailure& failure) {
  return {{"kind", exit_code(failure.kind)},
          {"id", failure.id},
          {"message", json_of(failure.message)},
          {"changed", failure.changed},
          {"start_over", failure.start_over}};
}

RunFailure failure_from(const Json& json) {
  constexpr std::array kKinds{ErrorKind::input,       ErrorKind::precision,
                              ErrorKind::non_finite,  ErrorKind::out_of_memory,
                              ErrorKind::out_of_disk, ErrorKind::device_lost,
                              ErrorKind::rank_lost,   ErrorKind::interrupted};
  RunFailure failure;
  for (const ErrorKind known : kKinds) {
    failure.kind = exit_code(known) == json.at("kind").get<int>() ? known : failure.kind;
  }
  failure.id = json.at("id");
  failure.message = message_from(json.at("message"));
  failure.changed = json.at("changed").get<std::vector<std::string>>();
  failure.start_over = json.at("start_over");
  return failure;
}

}  // namespace

void RunRelay::on_begun(const std::string& run_id, const std::filesystem::path& folder) {
  write(out_, "begun", {{"run", run_id}, {"folder", path_to_utf8(folder)}});
}

void RunRelay::on_state(RunState state) {
  write(out_, "state", {{"state", state_name(state)}});
}

void RunRelay::on_progress(RunPhase phase, std::int64_t done, std::int64_t total) {
  write(out_, "progress", {{"phase", phase_name(phase)}, {"done", done}, {"total", total}});
}

void RunRelay::on_log(LogLevel level, const Message& line) {
  write(out_, "log", {{"level", static_cast<int>(level)}, {"line", json_of(line)}});
}

void RunRelay::on_plan(const PlanReport& plan) {
  write(out_, "plan", member_json(plan));
}

void RunRelay::on_settings(const Preset& preset) {
  write(out_, "settings", {{"preset", Json::parse(to_json(preset, WriteMode::full))}});
}

void RunRelay::on_step(const StepRecord& step) {
  write(out_, "step", member_json(step));
}

void RunRelay::on_health(const HealthRecord& record) {
  write(out_, "health", member_json(record));
}

void RunRelay::on_validation(const ValidationRecord& record) {
  write(out_, "validation", member_json(record));
}

void RunRelay::on_rates(const RunRates& rates) {
  write(out_, "rates", member_json(rates));
}

void RunRelay::on_pause(const PauseRecord& pause) {
  write(out_, "pause", member_json(pause));
}

void RunRelay::on_non_finite(const NonFiniteReport& report) {
  write(out_, "non_finite", member_json(report));
}

void RunRelay::on_sample(const SampleRecord& sample) {
  write(out_, "sample", member_json(sample));
}

void RunRelay::on_saved(const std::filesystem::path& path, std::int64_t step) {
  write(out_, "saved", {{"path", path_to_utf8(path)}, {"step", step}});
}

void RunRelay::on_disk_full(const FullDisk& full) {
  write(out_, "disk_full", member_json(full));
}

void RunRelay::ended(const RunResult& result) {
  write(out_, "ended", member_json(result));
}

void RunRelay::failed(const std::exception_ptr& why) {
  write(out_, "failed", failure_json(classify(why)));
}

struct RelayedRun::End {
  Json event;
};

RelayedRun::RelayedRun(RunObserver& observer) : observer_(observer) {}
RelayedRun::~RelayedRun() = default;

void RelayedRun::take(std::string_view line) {
  const auto refuse = [&] {
    return Error(Message::verbatim("this is no event of a run: " + printable(line.substr(0, 200))));
  };
  const Json json = Json::parse(line, nullptr, false);
  if (!json.is_object() || !json.contains("event")) {
    throw refuse();
  }
  try {
    pass_on(json);
  } catch (const Json::exception&) {  // whose text is of the library
    throw refuse();
  }
}

void RelayedRun::pass_on(const Json& json) {
  const std::string event = json["event"];
  if (event == "begun") {
    observer_.on_begun(json.at("run"), path_of(json.at("folder")));
  } else if (event == "state") {
    observer_.on_state(state_from(json.at("state")));
  } else if (event == "progress") {
    observer_.on_progress(phase_from(json.at("phase")), json.at("done"), json.at("total"));
  } else if (event == "log") {
    observer_.on_log(log_level_of(json.at("level")), message_from(json.at("line")));
  } else if (event == "plan") {
    observer_.on_plan(member_from<PlanReport>(json));
  } else if (event == "settings") {
    observer_.on_settings(parse_preset(json.at("preset").dump(), "settings"));
  } else if (event == "step") {
    observer_.on_step(member_from<StepRecord>(json));
  } else if (event == "health") {
    observer_.on_health(member_from<HealthRecord>(json));
  } else if (event == "validation") {
    observer_.on_validation(member_from<ValidationRecord>(json));
  } else if (event == "rates") {
    observer_.on_rates(member_from<RunRates>(json));
  } else if (event == "pause") {
    observer_.on_pause(member_from<PauseRecord>(json));
  } else if (event == "non_finite") {
    observer_.on_non_finite(member_from<NonFiniteReport>(json));
  } else if (event == "sample") {
    observer_.on_sample(member_from<SampleRecord>(json));
  } else if (event == "saved") {
    observer_.on_saved(path_of(json.at("path")), json.at("step"));
  } else if (event == "disk_full") {
    observer_.on_disk_full(member_from<FullDisk>(json));
  } else if ((event == "ended" || event == "failed") && !end_) {
    // The first of several that failed at the same time.
    end_ = std::make_unique<End>(End{json});
  }
}

bool RelayedRun::has_ended() const {
  return end_ != nullptr;
}

RunResult RelayedRun::result() const {
  const Json& json = end_->event;
  if (json.at("event") != "ended") {
    raise(failure_from(json));
  }
  return member_from<RunResult>(json);
}

}  // namespace mantissa
