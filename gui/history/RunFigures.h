#pragma once

#include <QString>
#include <QStringList>
#include <vector>

#include "gui/history/RunLibrary.h"

namespace mantissa::gui {

/// A line of the comparison: what it is about, and each run's value of it.
struct FigureRow {
  QString name;
  QStringList values{};
  QStringList reasons{};  ///< why each value is as it is; empty: there is nothing to say of them
};

/// What the runs have come to, in words and numbers: state, losses, rates, the checkpoint suggested
/// and signs of memorising. A line that no run has a value of is left out.
std::vector<FigureRow> run_figures(const std::vector<const RunDetail*>& runs);

}  // namespace mantissa::gui
