#include "engine/store/setting_changes.h"

#include <charconv>

namespace mantissa {
namespace {

/// Whether an event is of this template, with that many values.
bool is_of(const Message& event, const std::string& source, std::size_t values) {
  return event.kind() == Message::Kind::filled && event.source() == source &&
         event.values().size() == values;
}

std::optional<std::int64_t> step_in(const Message& value) {
  const std::string text = value.text();
  std::int64_t step = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), step);
  return read.ec == std::errc() ? std::optional(step) : std::nullopt;
}

std::optional<SettingChange> change_of(const Message& event, const std::string& source) {
  if (!is_of(event, source, 4)) {
    return std::nullopt;
  }
  const auto step = step_in(event.values()[3]);
  SettingChange change{
      event.values()[0].text(), nlohmann::json::parse(event.values()[1].text(), nullptr, false),
      nlohmann::json::parse(event.values()[2].text(), nullptr, false), step.value_or(0)};
  const bool whole = step && !change.before.is_discarded() && !change.after.is_discarded();
  return whole ? std::optional(change) : std::nullopt;
}

std::optional<std::int64_t> step_of_resume(const Message& event, const std::string& source) {
  return is_of(event, source, 2) ? step_in(event.values()[0]) : std::nullopt;
}

}  // namespace

Message setting_changed(const SettingChange& change) {
  return message<"{key}: {before} -> {after} after step {step}">(change.key, change.before.dump(),
                                                                 change.after.dump(), change.step);
}

Message resumed_at_step(std::int64_t step, const std::string& checkpoint) {
  return message<"resumed at step {step} from {file}">(step, checkpoint);
}

std::vector<SettingChange> setting_changes(const std::vector<EventRow>& events) {
  const std::string changed = setting_changed({}).source();
  const std::string resumed = resumed_at_step(0, {}).source();
  std::vector<SettingChange> changes;
  for (const EventRow& event : events) {
    if (auto change = change_of(event.message, changed)) {
      changes.push_back(std::move(*change));
    } else if (const auto step = step_of_resume(event.message, resumed)) {
      std::erase_if(changes, [&](const SettingChange& c) { return c.step > *step; });
    }
  }
  return changes;
}

std::vector<SettingValue> values_by_step(const std::vector<SettingChange>& changes,
                                         const std::string& key, const nlohmann::json& now) {
  std::vector<SettingValue> values;
  for (const SettingChange& change : changes) {
    if (change.key == key) {
      if (values.empty()) {
        values.push_back({change.before, 1});
      }
      values.push_back({change.after, change.step + 1});
    }
  }
  if (values.empty()) {
    values.push_back({now, 1});
  } else if (values.back().value != now) {
    values.push_back({now, std::nullopt});
  }
  return values;
}

}  // namespace mantissa
