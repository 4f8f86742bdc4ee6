#pragma once

#include <QString>
#include <string>

#include "engine/preset/preset.h"

namespace mantissa::gui {

/// A fix in a few words: "Compute type → BF16", or "2 changes".
QString change_text(const std::string& patch_json);
/// Its changes, a line each: "Compute type: FP16 → BF16".
QString changes_text(const std::string& patch_json, const Preset& now);

}  // namespace mantissa::gui
