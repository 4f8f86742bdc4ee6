#pragma once
// Settings that were changed in a running run, as its events tell them.

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
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
/// The event of a resume: "resumed at step 80 from run/checkpoints/step-00000080".
Message resumed_at_step(std::int64_t step, const std::string& checkpoint);
/// The changes among a run's events, in their order; without those of steps that a resume at an
/// earlier one has undone. Those of a file older than its sixth format, whose events are text
/// alone, aren't known.
std::vector<SettingChange> setting_changes(const std::vector<EventRow>& events);
/// A value that a setting had in a run.
struct SettingValue {
  nlohmann::json value;
  std::optional<std::int64_t> from_step;  ///< none: since a resume, whose step no change names
};
/// A setting's values in their order, the first from step 1; one alone if it never changed. `now`:
/// the one in force.
std::vector<SettingValue> values_by_step(const std::vector<SettingChange>& changes,
                                         const std::string& key, const nlohmann::json& now);

}  // namespace mantissa
