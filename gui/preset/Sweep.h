#pragma once
// Runs that differ in one or two settings.

#include <QString>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "engine/preset/preset.h"
#include "engine/preset/setting.h"

namespace mantissa::gui {

/// A setting and the values that it has in turn.
struct SweptSetting {
  std::string key;
  std::vector<nlohmann::json> values;
};

constexpr int kMostSwept = 64;  ///< runs of one sweep

/// Settings of a single number, choice or switch that have an effect in `preset`, those first that
/// are shown at once.
std::vector<const Setting*> sweepable_settings(const Preset& preset);

/// "1e-4, 2e-4" as numbers for a setting, without repetition. Throws Error naming the one that it
/// doesn't accept.
std::vector<nlohmann::json> swept_numbers(const Setting& setting, const QString& text);

/// `preset` with each combination of the values, the first setting's in the outer order. Every one
/// has its values in its output's name: "cat-learning_rate-0.0002". Throws Error for values that a
/// setting refuses.
std::vector<Preset> swept(const Preset& preset, const std::vector<SweptSetting>& settings);

}  // namespace mantissa::gui
