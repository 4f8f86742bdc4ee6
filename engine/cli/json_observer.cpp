#include "engine/cli/json_observer.h"

#include <cmath>

#include "engine/core/paths.h"
#include "engine/core/printable.h"
#include "engine/core/utf8.h"
#include "engine/precision/plan.h"
#include "engine/preset/names.h"

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

Json disk_json(const PlannedDisk& disk) {
  return {{"folder", path_to_utf8(disk.folder)},
          {"needed_bytes", disk.needed_bytes},
          {"free_bytes", disk.free_bytes}};
}

}  // namespace

Json plan_event(const PlanReport& plan) {
  Json findings = Json::array();
  for (const Finding& f : plan.findings) {
    findings.push_back({{"id", f.id},
                        {"verdict", f.verdict},
                        {"fields", f.fields},
                        {"message", with_changes(f.message, f.changes).text()},
                        {"fix", parsed(f.fix_json)}});
  }
  Json precision = parsed(plan.precision_json);
  precision.erase("findings");  // already listed separately
  Json data;
  if (plan.data) {
    const PlannedData& d = *plan.data;
    data = {{"images", d.images},       {"prior", d.prior},
            {"held_out", d.held_out},   {"masks", d.masks},
            {"skipped", d.skipped},     {"batches_per_epoch", d.batches_per_epoch},
            {"copies", d.copies.text()}};
  }
  Json notices = Json::array();
  for (const PlanNotice& notice : plan.notices) {
    notices.push_back({{"level", notice.level}, {"message", notice.text.text()}});
  }
  const RunLength& length = plan.length;
  const double epochs = length.epochs_after(length.steps);
  return {{"event", "plan"},
          {"precision", std::move(precision)},
          {"memory",
           {{"peak_bytes", plan.peak_bytes},
            {"arena_bytes", plan.arena_bytes},
            {"weight_bytes", plan.weight_bytes},
            {"adapter_bytes", plan.adapter_bytes},
            {"streamed_bytes", plan.streamed_bytes},
            {"free_bytes", plan.free_bytes}}},
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
  Json lr = Json::object(), norms = Json::object();
  const double clip = s.clipped ? s.clip_norm / s.grad_norm : 1;
  for (const PartFigures& p : s.parts) {
    const std::string name(p.part.name());
    lr[name] = p.lr;
    norms[name] = {{"before_clip", p.norm}, {"after_clip", p.norm * clip}};
  }
  return {{"event", "step"},
          {"step", s.step},
          {"loss", s.loss},
          {"grad_norm", s.grad_norm},
          {"clipped", s.clipped},
          {"loss_scale", s.loss_scale},
          {"skipped", s.skipped},
          {"lr", std::move(lr)},
          {"lost_update", s.lost_update},
          {"update_ratio", s.update_ratio},
          {"norms", std::move(norms)},
          {"seconds", s.seconds}};
}

Json health_event(const HealthRecord& record) {
  Json layers = Json::array();
  for (const HealthRow& r : record.rows) {
    const TensorStatistics& s = r.statistics;
    // Infinities (nothing lost, all zero) become null, as JSON has none.
    layers.push_back({{"layer", r.layer},
                      {"tensor", health_kind_name(r.kind)},
                      {"format", dtype_name(r.format)},
                      {"values", s.count},
                      {"zeros", s.zeros},
                      {"non_finite", s.non_finite},
                      {"underflow", s.share(s.underflow)},
                      {"subnormal", s.share(s.subnormal)},
                      {"overflow", s.share(s.overflow)},
                      {"amax", s.amax},
                      {"headroom", s.headroom(r.format)},
                      {"sqnr", s.sqnr()}});
    if (!std::isnan(r.drift)) {
      layers.back()["drift"] = r.drift;
    }
    layers.back()["first_exponent"] = TensorStatistics::kFirstExponent;
    layers.back()["histogram"] = s.histogram;
  }
  return {{"event", "health"},
          {"step", record.step},
          {"seconds", record.seconds},
          {"layers", std::move(layers)}};
}

Json validation_event(const ValidationRecord& v) {
  return {{"event", "validation"},
          {"step", v.step},
          {"loss", v.loss},
          {"pictures", v.images},
          {"seconds", v.seconds}};
}

Json done_event(const RunResult& r) {
  return {{"event", "done"},
          {"run", r.run_id},
          {"folder", path_to_utf8(r.folder)},
          {"adapter", path_to_utf8(r.adapter)},
          {"steps", r.steps},
          {"loss", r.final_loss}};
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
  people_.on_plan(plan);
}

void JsonObserver::on_step(const StepRecord& step) {
  write_event(out_, step_event(step));
  people_.on_step(step);
}

void JsonObserver::on_health(const HealthRecord& record) {
  write_event(out_, health_event(record));
  people_.on_health(record);
}

void JsonObserver::on_non_finite(const NonFiniteReport& r) {
  write_event(out_, {{"event", "non_finite"},
                     {"step", r.step},
                     {"layer", r.layer},
                     {"op", r.op},
                     {"tensor", r.tensor.text()},
                     {"phase", r.phase},
                     {"format", dtype_name(r.format)},
                     {"non_finite", r.non_finite},
                     {"values", r.count},
                     {"last_amax", r.last_amax},
                     {"format_max", r.format_max}});
  people_.on_non_finite(r);
}

void JsonObserver::on_validation(const ValidationRecord& record) {
  write_event(out_, validation_event(record));
  people_.on_validation(record);
}

void JsonObserver::on_sample(const SampleRecord& sample) {
  write_event(out_, {{"event", "sample"},
                     {"step", sample.step},
                     {"index", sample.prompt_index},
                     {"prompt", sample.prompt},
                     {"path", path_to_utf8(sample.path)}});
  people_.on_sample(sample);
}

void JsonObserver::on_saved(const std::filesystem::path& path, std::int64_t step) {
  write_event(out_, {{"event", "saved"}, {"path", path_to_utf8(path)}, {"step", step}});
  people_.on_saved(path, step);
}

void JsonObserver::on_disk_full(const FullDisk& full) {
  write_event(out_, {{"event", "disk_full"},
                     {"folder", path_to_utf8(full.folder)},
                     {"needed_bytes", full.needed},
                     {"free_bytes", full.free},
                     {"message", full.message.text()}});
  people_.on_disk_full(full);
}

}  // namespace mantissa
