#include "gui/plot/PlotExport.h"

#include <QImage>
#include <QPainter>
#include <QSaveFile>
#include <cmath>
#include <limits>

#include "engine/core/error.h"
#include "gui/plot/PlotWidget.h"

namespace mantissa::gui {
namespace {

[[noreturn]] void refuse(const QString& file, const QString& why) {
  throw Error(message<"can't write {file}: {reason}; choose a folder you may write to.">(
      file.toStdString(), why.toStdString()));
}

}  // namespace

void export_plot_png(PlotWidget& plot, const QString& file) {
  const double scale = 2 * plot.devicePixelRatioF();
  QImage image(plot.size() * scale, QImage::Format_RGB32);
  image.setDevicePixelRatio(scale);
  plot.render(&image);
  QSaveFile out(file);
  if (!out.open(QIODevice::WriteOnly) || !image.save(&out, "PNG") || !out.commit()) {
    refuse(file, out.errorString());
  }
}

QByteArray plot_csv(const PlotWidget& plot) {
  QByteArray text = "step";
  const auto& series = plot.series();
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
    for (std::size_t i = 0; i < series.size(); ++i) {
      text += ',';
      if (at[i] < series[i].raw->size() && series[i].raw->steps()[at[i]] == step) {
        text += QByteArray::number(series[i].raw->values()[at[i]++], 'g', 17);
      }
    }
    text += '\n';
  }
}

void export_plot_csv(const PlotWidget& plot, const QString& file) {
  QSaveFile out(file);
  const QByteArray text = plot_csv(plot);
  if (!out.open(QIODevice::WriteOnly) || out.write(text) != text.size() || !out.commit()) {
    refuse(file, out.errorString());
  }
}

}  // namespace mantissa::gui
