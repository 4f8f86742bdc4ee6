#pragma once

#include <QString>

#include "gui/history/RunLibrary.h"

namespace mantissa::gui {

/// A run as Markdown, for sharing: its settings, course and environment. Paths are omitted except
/// the base's file name; `name` is the run's.
QString run_report(const RunSummary& run, const RunDetail& detail);

}  // namespace mantissa::gui
