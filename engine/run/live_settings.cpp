#include "engine/run/live_settings.h"

#include "engine/preset/schema.h"

namespace mantissa {

std::vector<std::string_view> live_settings() {
  std::vector<std::string_view> keys;
  for (const Setting& s : settings()) {
    if (s.change == Change::live) {
      keys.push_back(s.key);
    }
  }
  return keys;
}

Preset with_live_settings(const Preset& running, const Preset& wanted) {
  Preset preset = running;
  for (const Setting& s : settings()) {
    if (s.change == Change::live) {
      s.bind.copy(preset, wanted);
    }
  }
  return preset;
}

Preset with_live_edits(const Preset& running, const Preset& before, const Preset& after) {
  Preset preset = running;
  for (const PresetChange& edit : diff_presets(before, with_live_settings(before, after))) {
    require_setting(edit.key).bind.copy(preset, after);
  }
  // One edit, whichever of the two is changed: epochs take precedence over steps.
  if (before.training.steps != after.training.steps ||
      before.training.epochs != after.training.epochs) {
    preset.training.steps = after.training.steps;
    preset.training.epochs = after.training.epochs;
  }
  return preset;
}

std::vector<PresetChange> LiveSettings::take(const Preset& wanted) {
  Preset changed = with_live_settings(preset_, wanted);
  std::vector<PresetChange> changes = diff_presets(preset_, changed);
  preset_ = std::move(changed);
  return changes;
}

}  // namespace mantissa
