#pragma once

#include <QString>

namespace mantissa::gui {

class PlotWidget;

/// Writes the plot as it is shown, at twice its size. Throws Error naming the file.
void export_plot_png(PlotWidget& plot, const QString& file);

/// Writes every value of every series, full precision, in the order of the steps. Throws Error
/// naming the file.
void export_plot_csv(const PlotWidget& plot, const QString& file);

/// The text of that file: "step,<series>,…"; NaN is written as "nan", a missing step as empty.
QByteArray plot_csv(const PlotWidget& plot);

}  // namespace mantissa::gui
