#include "engine/run/run_relay.h"

#include <array>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <ostream>
#include <string>
#include <vector>

#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/core/printable.h"
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

/// The values of both enums follow one another from 0.
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

StepRecord step_from(const Json& json) {
  StepRecord r;
  r.step = json.at("step");
  r.loss = number_of(json.at("loss"));
  r.grad_norm = number_of(json.at("grad_norm"));
  r.clip_norm = number_of(json.at("clip_norm"));
  r.loss_scale = number_of(json.at("loss_scale"));
  r.lost_update = number_of(json.at("lost_update"));
  r.update_ratio = number_of(json.at("update_ratio"));
  r.seconds = number_of(json.at("seconds"));
  r.clipped = json.at("clipped");
  r.skipped = json.at("skipped");
  for (const Json& part : json.at("parts")) {
    PartFigures& figures = r.parts[Part(part.at(0).get<std::string>())];
    figures.lr = number_of(part.at(1));
    figures.norm = number_of(part.at(2));
  }
  return r;
}

Json row_json(const HealthRow& row) {
  const TensorStatistics& s = row.statistics;
  Json sums = Json::array();
  for (const double sum : {s.amax, s.scaled_amax, s.signal, s.noise}) {
    sums.push_back(number(sum));
  }
  return {{"layer", row.layer},
          {"kind", health_kind_name(row.kind)},
          {"format", dtype_name(row.format)},
          {"counts", {s.count, s.zeros, s.non_finite, s.underflow, s.subnormal, s.overflow}},
          {"sums", std::move(sums)},
          {"histogram", s.histogram},
          {"drift", number(row.drift)}};
}

HealthRow row_from(const Json& json) {
  HealthRow row;
  row.layer = json.at("layer");
  row.kind = health_kind(json.at("kind").get<std::string>()).value();
  row.format = dtype_from_name(json.at("format").get<std::string>()).value();
  TensorStatistics& s = row.statistics;
  std::int64_t* const counts[] = {&s.count,     &s.zeros,     &s.non_finite,
                                  &s.underflow, &s.subnormal, &s.overflow};
  double* const sums[] = {&s.amax, &s.scaled_amax, &s.signal, &s.noise};
  for (std::size_t i = 0; i < std::size(counts); ++i) {
    *counts[i] = json.at("counts").at(i);
  }
  for (std::size_t i = 0; i < std::size(sums); ++i) {
    *sums[i] = number_of(json.at("sums").at(i));
  }
  s.histogram = json.at("histogram");
  row.drift = number_of(json.at("drift"));
  return row;
}

NonFiniteReport report_from(const Json& json) {
  NonFiniteReport r;
  r.step = json.at("step");
  r.layer = json.at("layer");
  r.op = json.at("op");
  r.tensor = message_from(json.at("tensor"));
  r.phase = json.at("phase");
  r.format = dtype_from_name(json.at("format").get<std::string>()).value();
  r.non_finite = json.at("non_finite");
  r.count = json.at("count");
  r.last_amax = number_of(json.at("last_amax"));
  r.format_max = number_of(json.at("format_max"));
  return r;
}

PlanReport plan_from(const Json& json) {
  PlanReport plan;
  plan.peak_bytes = json.at("peak_bytes");
  plan.arena_bytes = json.at("arena_bytes");
  plan.weight_bytes = json.at("weight_bytes");
  plan.adapter_bytes = json.at("adapter_bytes");
  plan.checkpoint_bytes = json.at("checkpoint_bytes");
  plan.streamed_bytes = json.at("streamed_bytes");
  plan.free_bytes = json.at("free_bytes");
  plan.length.steps = json.at("steps");
  plan.length.batches_per_epoch = json.at("batches_per_epoch");
  plan.length.batches_per_step = json.at("batches_per_step");
  return plan;
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

void RunRelay::on_state(RunState state) {
  write(out_, "state", {{"state", state_name(state)}});
}

void RunRelay::on_progress(RunPhase phase, std::int64_t done, std::int64_t total) {
  write(out_, "progress", {{"phase", phase_name(phase)}, {"done", done}, {"total", total}});
}

void RunRelay::on_log(int level, const Message& line) {
  write(out_, "log", {{"level", level}, {"line", json_of(line)}});
}

void RunRelay::on_plan(const PlanReport& plan) {
  write(out_, "plan",
        {{"peak_bytes", plan.peak_bytes},
         {"arena_bytes", plan.arena_bytes},
         {"weight_bytes", plan.weight_bytes},
         {"adapter_bytes", plan.adapter_bytes},
         {"checkpoint_bytes", plan.checkpoint_bytes},
         {"streamed_bytes", plan.streamed_bytes},
         {"free_bytes", plan.free_bytes},
         {"steps", plan.length.steps},
         {"batches_per_epoch", plan.length.batches_per_epoch},
         {"batches_per_step", plan.length.batches_per_step}});
}

void RunRelay::on_step(const StepRecord& r) {
  Json parts = Json::array();
  for (const PartFigures& part : r.parts) {
    parts.push_back({part.part.name(), number(part.lr), number(part.norm)});
  }
  write(out_, "step",
        {{"step", r.step},
         {"loss", number(r.loss)},
         {"grad_norm", number(r.grad_norm)},
         {"clip_norm", number(r.clip_norm)},
         {"loss_scale", number(r.loss_scale)},
         {"lost_update", number(r.lost_update)},
         {"update_ratio", number(r.update_ratio)},
         {"seconds", number(r.seconds)},
         {"clipped", r.clipped},
         {"skipped", r.skipped},
         {"parts", std::move(parts)}});
}

void RunRelay::on_health(const HealthRecord& record) {
  Json rows = Json::array();
  for (const HealthRow& row : record.rows) {
    rows.push_back(row_json(row));
  }
  write(out_, "health",
        {{"step", record.step}, {"seconds", number(record.seconds)}, {"rows", std::move(rows)}});
}

void RunRelay::on_validation(const ValidationRecord& record) {
  write(out_, "validation",
        {{"step", record.step},
         {"loss", number(record.loss)},
         {"images", record.images},
         {"seconds", number(record.seconds)}});
}

void RunRelay::on_non_finite(const NonFiniteReport& r) {
  write(out_, "non_finite",
        {{"step", r.step},
         {"layer", r.layer},
         {"op", r.op},
         {"tensor", json_of(r.tensor)},
         {"phase", r.phase},
         {"format", dtype_name(r.format)},
         {"non_finite", r.non_finite},
         {"count", r.count},
         {"last_amax", number(r.last_amax)},
         {"format_max", number(r.format_max)}});
}

void RunRelay::on_sample(const SampleRecord& sample) {
  write(out_, "sample",
        {{"step", sample.step},
         {"index", sample.prompt_index},
         {"prompt", sample.prompt},
         {"path", path_to_utf8(sample.path)}});
}

void RunRelay::on_saved(const std::filesystem::path& path, std::int64_t step) {
  write(out_, "saved", {{"path", path_to_utf8(path)}, {"step", step}});
}

void RunRelay::on_disk_full(const FullDisk& full) {
  write(out_, "disk_full",
        {{"folder", path_to_utf8(full.folder)},
         {"step", full.step},
         {"needed", full.needed},
         {"free", full.free},
         {"message", json_of(full.message)},
         {"movable", full.movable}});
}

void RunRelay::ended(const RunResult& result) {
  write(out_, "ended",
        {{"run", result.run_id},
         {"folder", path_to_utf8(result.folder)},
         {"adapter", path_to_utf8(result.adapter)},
         {"steps", result.steps},
         {"loss", number(result.final_loss)}});
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
  if (event == "state") {
    observer_.on_state(state_from(json.at("state")));
  } else if (event == "progress") {
    observer_.on_progress(phase_from(json.at("phase")), json.at("done"), json.at("total"));
  } else if (event == "log") {
    observer_.on_log(json.at("level"), message_from(json.at("line")));
  } else if (event == "plan") {
    observer_.on_plan(plan_from(json));
  } else if (event == "step") {
    observer_.on_step(step_from(json));
  } else if (event == "health") {
    HealthRecord record{json.at("step"), number_of(json.at("seconds")), {}};
    for (const Json& row : json.at("rows")) {
      record.rows.push_back(row_from(row));
    }
    observer_.on_health(record);
  } else if (event == "validation") {
    observer_.on_validation({json.at("step"), number_of(json.at("loss")), json.at("images"),
                             number_of(json.at("seconds"))});
  } else if (event == "non_finite") {
    observer_.on_non_finite(report_from(json));
  } else if (event == "sample") {
    observer_.on_sample(
        {json.at("step"), json.at("index"), json.at("prompt"), path_of(json.at("path"))});
  } else if (event == "saved") {
    observer_.on_saved(path_of(json.at("path")), json.at("step"));
  } else if (event == "disk_full") {
    observer_.on_disk_full({path_of(json.at("folder")), json.at("step"), json.at("needed"),
                            json.at("free"), message_from(json.at("message")), json.at("movable")});
  } else if ((event == "ended" || event == "failed") && !end_) {
    // Of several that failed at the same time, the first.
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
  return {json.at("run"), path_of(json.at("folder")), path_of(json.at("adapter")), json.at("steps"),
          number_of(json.at("loss"))};
}

}  // namespace mantissa
