#include "engine/store/setting_changes.h"

#include <charconv>

namespace mantissa {
namespace {

std::optional<SettingChange> change_of(const Message& event, const std::string& source) {
  if (event.kind() != Message::Kind::filled || event.source() != source ||
      event.values().size() != 4) {
    return std::nullopt;
  }
  const std::string step = event.values()[3].text();
  SettingChange change{event.values()[0].text(),
                       nlohmann::json::parse(event.values()[1].text(), nullptr, false),
                       nlohmann::json::parse(event.values()[2].text(), nullptr, false)};
  const auto read = std::from_chars(step.data(), step.data() + step.size(), change.step);
  const bool whole =
      read.ec == std::errc() && !change.before.is_discarded() && !change.after.is_discarded();
  return whole ? std::optional(change) : std::nullopt;
}

}  // namespace

Message setting_changed(const SettingChange& change) {
  return message<"{key}: {before} -> {after} after step {step}">(change.key, change.before.dump(),
                                                                 change.after.dump(), change.step);
}

std::vector<SettingChange> setting_changes(const std::vector<EventRow>& events) {
  const std::string source = setting_changed({}).source();
  std::vector<SettingChange> changes;
  for (const EventRow& event : events) {
    if (auto change = change_of(event.message, source)) {
      changes.push_back(std::move(*change));
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
