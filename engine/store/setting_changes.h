#pragma once
// Settings that were changed in a running run, as its events tell them.

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "engine/core/message.h"
#include "engine/store/rows.h"

namespace mantissa {

/// A setting changed in mid-run: its value up to `step`, and from the step after it.
struct SettingChange {
  std::string key;
  nlohmann::json before, after;
  std::int64_t step = 0;
};

/// The event of a change: "training.steps: 300 -> 400 after step 100".
Message setting_changed(const SettingChange& change);
/// The changes among a run's events, in their order. Those of a file older than its sixth format,
/// whose events are text alone, aren't known.
std::vector<SettingChange> setting_changes(const std::vector<EventRow>& events);
/// Changes of one setting.
std::vector<SettingChange> changes_of(const std::vector<SettingChange>& changes,
                                      const std::string& key);

}  // namespace mantissa
