#pragma once
// The effective precision plan as text.

#include <QString>
#include <QStringList>
#include <QVector>
#include <string>

#include "engine/preset/preset.h"

namespace mantissa::gui {

/// "Weights: FP8 E4M3 · Activations: BF16 · …" from PlanReport::precision_json.
QString plan_line(const std::string& precision_json, const Preset& preset);

/// Rows of (part, modules, storage, compute, accumulation); kinds treated the same share one.
QVector<QStringList> plan_table(const std::string& precision_json);

}  // namespace mantissa::gui
