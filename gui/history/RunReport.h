#pragma once

#include <QString>

#include "gui/history/RunLibrary.h"

namespace mantissa::gui {

/// A run as Markdown, for sharing: what it was, how it went, what it was made with. Paths are left
/// out but for the base's file name; `name` is the run's.
QString run_report(const RunSummary& run, const RunDetail& detail);

}  // namespace mantissa::gui
