#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "engine/preset/preset.h"
#include "engine/preset/preset_io.h"

namespace mantissa {

/// Settings that can change in a running job without a restart: keys of the schema.
std::vector<std::string_view> live_settings();
/// `running` with those settings from `wanted`.
Preset with_live_settings(const Preset& running, const Preset& wanted);
/// `running` with those of the settings that differ between `before` and `after`, from `after`.
Preset with_live_edits(const Preset& running, const Preset& before, const Preset& after);

/// A run's current preset: the planned one, with the current values of those settings.
class LiveSettings {
 public:
  explicit LiveSettings(Preset planned) : preset_(std::move(planned)) {}
  const Preset& preset() const { return preset_; }
  /// Adopts those of `wanted`; returns what changed, in the schema's order.
  std::vector<PresetChange> take(const Preset& wanted);

 private:
  Preset preset_;
};

}  // namespace mantissa
