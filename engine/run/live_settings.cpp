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

}  // namespace mantissa
