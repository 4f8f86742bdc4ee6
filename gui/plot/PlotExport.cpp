#include "gui/plot/PlotExport.h"

#include <QImage>
#include <QPainter>
#include <QSaveFile>
#ifdef MANTISSA_SVG
#include <QSvgGenerator>
#endif
#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/core/error.h"
#include "gui/plot/PlotWidget.h"

namespace mantissa::gui {
namespace {

bool write_png(PlotWidget& plot, QIODevice& out) {
  const double scale = 2 * plot.devicePixelRatioF();
  QImage image(plot.size() * scale, QImage::Format_RGB32);
  image.setDevicePixelRatio(scale);
  plot.render(&image);
  return image.save(&out, "PNG");
}

#ifdef MANTISSA_SVG
bool write_svg(PlotWidget& plot, QIODevice& out) {
  QSvgGenerator svg;
  svg.setOutputDevice(&out);
  svg.setSize(plot.size());
  svg.setViewBox(plot.rect());
  svg.setTitle(plot.title());
  QPainter painter(&svg);
  plot.paint_vector(painter);
  return painter.end();
}
#else
bool write_svg(PlotWidget&, QIODevice&) {
  return false;  // not offered: can_write_svg
}
#endif

bool write_csv(const PlotWidget& plot, QIODevice& out) {
  const QByteArray text = plot_csv(plot);
  return out.write(text) == text.size();
}

}  // namespace

bool can_write_svg() {
#ifdef MANTISSA_SVG
  return true;
#else
  return false;
#endif
}

QString plot_suffix(PlotFormat format) {
  return format == PlotFormat::png   ? QStringLiteral(".png")
         : format == PlotFormat::svg ? QStringLiteral(".svg")
                                     : QStringLiteral(".csv");
}

QByteArray plot_csv(const PlotWidget& plot) {
  const auto& series = plot.series();
  const StepClock* clock = series.empty() ? nullptr : series.front().clock;
  const bool timed =
      clock != nullptr &&
      std::all_of(series.begin(), series.end(), [&](const auto& s) { return s.clock == clock; });
  QByteArray text = timed ? "step,seconds" : "step";
  for (const PlotSeries& s : series) {
    QString name = s.name;
    text += ",\"" + name.replace(QLatin1Char('"'), QStringLiteral("\"\"")).toUtf8() + '"';
  }
  text += '\n';
  std::vector<std::size_t> at(series.size(), 0);
  for (;;) {
    auto step = std::numeric_limits<std::int64_t>::max();
    for (std::size_t i = 0; i < series.size(); ++i) {
      if (at[i] < series[i].raw->size()) {
        step = std::min(step, series[i].raw->steps()[at[i]]);
      }
    }
    if (step == std::numeric_limits<std::int64_t>::max()) {
      return text;
    }
    text += QByteArray::number(static_cast<qlonglong>(step));
    if (timed) {
      text += ',' + QByteArray::number(clock->end_of(step), 'f', 3);
    }
    for (std::size_t i = 0; i < series.size(); ++i) {
      text += ',';
      if (at[i] < series[i].raw->size() && series[i].raw->steps()[at[i]] == step) {
        text += QByteArray::number(series[i].raw->values()[at[i]++], 'g', 17);
      }
    }
    text += '\n';
  }
}

void export_plot(PlotWidget& plot, PlotFormat format, const QString& file) {
  QSaveFile out(file);
  const bool written = out.open(QIODevice::WriteOnly) &&
                       (format == PlotFormat::png   ? write_png(plot, out)
                        : format == PlotFormat::svg ? write_svg(plot, out)
                                                    : write_csv(plot, out)) &&
                       out.commit();
  if (!written) {
    throw Error(message<"can't write {file}: {reason}; choose a folder you may write to.">(
        file.toStdString(), out.errorString().toStdString()));
  }
}

}  // namespace mantissa::gui
