#pragma once

#include <QString>

namespace mantissa::gui {

class PlotWidget;
enum class PlotFormat;

/// Whether this build has Qt's SVG module.
bool can_write_svg();

/// ".png", ".svg" or ".csv".
QString plot_suffix(PlotFormat format);

/// Writes the plot: as an image of twice its size; as lines and texts that a drawing program can
/// edit; or every value of every series in full precision, in the order of the steps. Throws Error
/// naming the file.
void export_plot(PlotWidget& plot, PlotFormat format, const QString& file);

/// The text of the last one: "step,<series>,…"; NaN is written as "nan", a missing step as empty.
/// If all series are of one run, "seconds" follows "step": the training time at its end.
QByteArray plot_csv(const PlotWidget& plot);

}  // namespace mantissa::gui
