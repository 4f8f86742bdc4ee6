// Time of one frame of the plot widget: 4 series of 1,000,000 points, raw and smoothed.
// plot_bench [points] [width] [height] [scale]

#include <QApplication>
#include <QElapsedTimer>
#include <QImage>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

#include "gui/plot/PlotWidget.h"

int main(int argc, char** argv) {
  using namespace mantissa::gui;
  qputenv("QT_QPA_PLATFORM", "offscreen");
  QApplication app(argc, argv);
  const auto argument = [&](int i, double otherwise) {
    return argc > i ? std::atof(argv[i]) : otherwise;
  };
  const auto points = static_cast<std::int64_t>(argument(1, 1e6));
  const int width = static_cast<int>(argument(2, 1000)),
            height = static_cast<int>(argument(3, 300));
  const double scale = argument(4, 1);

  Theme theme;
  PlotLink link;
  std::vector<SeriesStore> stores(4);
  std::vector<SmoothedSeries> smooth(4);
  std::mt19937_64 rng(1);
  std::normal_distribution<double> noise(0, 0.05);
  QElapsedTimer timer;
  timer.start();
  for (std::size_t s = 0; s < 4; ++s) {
    smooth[s].set_beta(0.99);
    for (std::int64_t i = 0; i < points; ++i) {
      stores[s].append(
          i, 0.1 * static_cast<double>(s) + noise(rng) + std::exp(-static_cast<double>(i) / 2e5));
    }
  }
  std::printf("append: %.1f ns a value\n",
              static_cast<double>(timer.nsecsElapsed()) / (4.0 * static_cast<double>(points)));
  timer.start();
  for (std::size_t s = 0; s < 4; ++s) {
    smooth[s].update(stores[s]);
  }
  std::printf("smoothing again: %.2f ms a series\n",
              static_cast<double>(timer.nsecsElapsed()) / 4e6);

  PlotWidget plot(QStringLiteral("Loss"), &link, &theme);
  std::vector<PlotSeries> series;
  for (int s = 0; s < 4; ++s) {
    series.push_back({.name = QStringLiteral("run %1").arg(s),
                      .color = s,
                      .raw = &stores[static_cast<std::size_t>(s)],
                      .smoothed = &smooth[static_cast<std::size_t>(s)]});
  }
  plot.set_series(series);
  plot.resize(width, height);
  link.set_data_range(0, points - 1);
  QImage target(plot.size() * scale, QImage::Format_RGB32);
  target.setDevicePixelRatio(scale);

  const auto measure = [&](const char* name, auto&& move) {
    std::vector<double> times;
    for (int i = 0; i < 120; ++i) {
      move(i);
      plot.render(&target);
      times.push_back(static_cast<double>(plot.last_paint_ns()) / 1e6);
    }
    std::sort(times.begin(), times.end());
    std::printf("%-28s median %.2f ms, 95 %% %.2f ms, worst %.2f ms\n", name, times[60], times[113],
                times[119]);
  };
  measure("whole run", [](int) {});
  measure("panning a tenth", [&](int i) {
    const double at = static_cast<double>(points) * (0.1 + 0.004 * i);
    link.set_view(at, at + static_cast<double>(points) / 10);
  });
  measure("zoomed to 1,500 steps", [&](int i) {
    link.set_view(static_cast<double>(points) / 2 + i, static_cast<double>(points) / 2 + i + 1500);
  });
  return 0;
}
