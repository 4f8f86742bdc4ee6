#pragma once

#include <QString>
#include <string>

#include "engine/preset/preset.h"

namespace mantissa::gui {

/// A fix in a few words: "Compute type → BF16, Batch size → 1", or "5 changed".
QString change_text(const std::string& patch_json);
/// Its changes, a line each: "Compute type: FP16 → BF16".
QString changes_text(const std::string& patch_json, const Preset& now);
/// A fix by name: the id of a finding that can be looked up in the catalogue, else what it changes.
QString fix_name(const QString& id, const std::string& patch_json);

}  // namespace mantissa::gui
