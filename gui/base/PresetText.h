#pragma once
// Names of built-in presets in the window's language.

#include <QString>

#include "engine/preset/preset_library.h"

namespace mantissa::gui {

/// The name of a preset of the library; its id if it has none.
QString preset_title(const PresetEntry& entry);
/// What it is good for and what it needs; may be empty.
QString preset_description(const PresetEntry& entry);

}  // namespace mantissa::gui
