#include "engine/cli/json_observer.h"

#include <cmath>
#include <filesystem>
#include <string_view>
#include <utility>

#include "engine/cli/health_figures.h"
#include "engine/cli/record_json.h"
#include "engine/core/paths.h"
#include "engine/core/printable.h"
#include "engine/core/utf8.h"
#include "engine/precision/plan.h"
#include "engine/preset/names.h"
#include "engine/preset/preset_io.h"
#include "engine/run/live_settings.h"

namespace mantissa {
namespace {

using Json = nlohmann::ordered_json;

/// Text of the engine as JSON; an empty object if it isn't JSON.
Json parsed(const std::string& text) {
  Json value = Json::parse(text, nullptr, false);
  return value.is_discarded() ? Json::object() : value;
}

/// JSON is UTF-8 only: invalid bytes are shown as \xNN.
void make_utf8(Json& value) {
  if (auto* text = value.get_ptr<Json::string_t*>()) {
    if (utf8_error_offset(*text) != std::string::npos) {
      *text = printable(*text);
    }
  } else if (value.is_structured()) {
    for (Json& inner : value) {
      make_utf8(inner);
    }
  }
}

template <typename Record>
Json event_of(const char* event, const Record& record) {
  Json json{{"event", event}};
  json.update(record_json(record));
  return json;
}

Json disk_json(const PlannedDisk& disk) {
  return {{"folder", path_to_utf8(disk.folder)},
          {"needed_bytes", disk.needed_bytes},
          {"free_bytes", disk.free_bytes}};
}

Json resolutions_json(const std::vector<ResolutionUse>& uses) {
  Json list = Json::array();
  for (const ResolutionUse& use : uses) {
    Json sizes = Json::array();
    for (const auto& [size, images] : use.sizes) {
      sizes.push_back({{"width", size.width}, {"height", size.height}, {"images", images}});
    }
    list.push_back({{"resolution", use.resolution}, {"images", use.images}, {"sizes", sizes}});
  }
  return list;
}

}  // namespace

Json plan_event(const PlanReport& plan) {
  Json findings = Json::array();
  for (const Finding& f : plan.findings) {
    findings.push_back({{"id", f.id},
                        {"verdict", verdict_name(f.verdict)},
                        {"fields", f.fields},
                        {"message", with_changes(f.message, f.changes).text()},
                        {"fix", parsed(f.fix_json)}});
  }
  Json precision = parsed(plan.precision_json);
  precision.erase("findings");  // already listed separately
  Json data;
  if (plan.data) {
    const PlannedData& d = *plan.data;
    data = {{"images", d.images},
            {"prior", d.prior},
            {"held_out", d.held_out},
            {"masks", d.masks},
            {"references", d.references},
            {"skipped", d.skipped},
            {"batches_per_epoch", d.batches_per_epoch},
            {"copies", d.copies.text()},
            {"resolutions", resolutions_json(d.resolutions)}};
  }
  Json memory = Json::object();
  each_field_of(PlanReport::memory(), plan,
                [&](const char* name, std::uint64_t bytes) { memory[name] = bytes; });
  Json notices = Json::array();
  for (const PlanNotice& notice : plan.notices) {
    notices.push_back({{"level", static_cast<int>(notice.level)}, {"message", notice.text.text()}});
  }
  const RunLength& length = plan.length;
  const double epochs = length.epochs_after(length.steps);
  return {{"event", "plan"},
          {"precision", std::move(precision)},
          {"memory", std::move(memory)},
          {"step_seconds", plan.step_seconds > 0 ? Json(plan.step_seconds) : Json()},
          {"run_seconds", plan.run_seconds() > 0 ? Json(plan.run_seconds()) : Json()},
          {"disk", disk_json(plan.disk)},
          {"cache", disk_json(plan.cache)},
          {"length",
           {{"steps", length.steps > 0 ? Json(length.steps) : Json()},
            {"epochs", epochs > 0 ? Json(epochs) : Json()}}},
          {"levels", plan.levels},
          {"data", std::move(data)},
          {"notices", std::move(notices)},
          {"findings", std::move(findings)}};
}

Json step_event(const StepRecord& s) {
  Json event = event_of("step", s);
  Json lr = Json::object(), norms = Json::object();
  const double clip = s.clipped ? s.clip_norm / s.grad_norm : 1;
  for (const PartFigures& p : s.parts) {
    const std::string name(p.part.name());
    lr[name] = p.lr;
    norms[name] = {{"before_clip", p.norm}, {"after_clip", p.norm * clip}};
  }
  event.erase("parts");  // in a form that is easier to read by name
  event["lr"] = std::move(lr);
  event["norms"] = std::move(norms);
  return event;
}

Json health_event(const HealthRecord& record) {
  Json layers = Json::array();
  for (const HealthRow& row : record.rows) {
    Json layer = record_json(health_figures(row));
    if (std::isnan(row.drift)) {
      layer.erase("drift");
    }
    layer["first_exponent"] = TensorStatistics::kFirstExponent;
    layer["histogram"] = row.statistics.histogram;
    layers.push_back(std::move(layer));
  }
  return {{"event", "health"},
          {"step", record.step},
          {"seconds", record.seconds},
          {"layers", std::move(layers)}};
}

Json validation_event(const ValidationRecord& record) {
  return event_of("validation", record);
}

Json rates_event(const RunRates& rates) {
  return event_of("rates", rates);
}

Json pause_event(const PauseRecord& pause) {
  return event_of("pause", pause);
}

Json done_event(const RunResult& result) {
  return event_of("done", result);
}

Json error_event(int exit, const std::string& id, const std::string& message) {
  Json event{{"event", "error"}, {"exit", exit}};
  if (!id.empty()) {
    event["id"] = id;
  }
  event["message"] = message;
  return event;
}

void write_event(std::ostream& out, Json event) {
  make_utf8(event);
  // Object keys may still contain anything.
  out << printable_json(event.dump(-1, ' ', false, Json::error_handler_t::replace)) << std::endl;
}

void JsonObserver::on_plan(const PlanReport& plan) {
  write_event(out_, plan_event(plan));
  ForwardingObserver::on_plan(plan);
}

void JsonObserver::on_settings(const Preset& preset) {
  Json live = Json::object();
  for (const std::string_view key : live_settings()) {
    live[std::string(key)] = get_setting(preset, key);
  }
  write_event(out_, {{"event", "settings"}, {"settings", std::move(live)}});
  ForwardingObserver::on_settings(preset);
}

void JsonObserver::on_step(const StepRecord& step) {
  write_event(out_, step_event(step));
  ForwardingObserver::on_step(step);
}

void JsonObserver::on_health(const HealthRecord& record) {
  write_event(out_, health_event(record));
  ForwardingObserver::on_health(record);
}

void JsonObserver::on_non_finite(const NonFiniteReport& report) {
  write_event(out_, event_of("non_finite", report));
  ForwardingObserver::on_non_finite(report);
}

void JsonObserver::on_validation(const ValidationRecord& record) {
  write_event(out_, validation_event(record));
  ForwardingObserver::on_validation(record);
}

void JsonObserver::on_rates(const RunRates& rates) {
  write_event(out_, rates_event(rates));
  ForwardingObserver::on_rates(rates);
}

void JsonObserver::on_pause(const PauseRecord& pause) {
  write_event(out_, pause_event(pause));
  ForwardingObserver::on_pause(pause);
}

void JsonObserver::on_sample(const SampleRecord& sample) {
  write_event(out_, event_of("sample", sample));
  ForwardingObserver::on_sample(sample);
}

void JsonObserver::on_saved(const std::filesystem::path& path, std::int64_t step) {
  write_event(out_, {{"event", "saved"}, {"path", path_to_utf8(path)}, {"step", step}});
  ForwardingObserver::on_saved(path, step);
}

void JsonObserver::on_disk_full(const FullDisk& full) {
  write_event(out_, event_of("disk_full", full));
  ForwardingObserver::on_disk_full(full);
}

}  // namespace mantissa
