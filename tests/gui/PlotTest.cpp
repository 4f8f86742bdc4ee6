#include "tests/gui/PlotTest.h"

#include <QHelpEvent>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QToolTip>
#include <QtTest>
#include <cmath>
#include <limits>
#include <set>

#include "engine/core/error.h"
#include "gui/plot/PlotExport.h"
#include "gui/plot/PlotWidget.h"

namespace mantissa::gui {
namespace {

/// One plot with one series on a separate page.
struct Plot {
  Theme theme;
  PlotLink link;
  SeriesStore store;
  SmoothedSeries smooth;
  PlotWidget widget{QStringLiteral("Loss"), &link, &theme};

  explicit Plot(bool smoothed = false) {
    widget.set_series({{.name = QStringLiteral("loss"),
                        .color = 0,
                        .raw = &store,
                        .smoothed = smoothed ? &smooth : nullptr}});
    widget.resize(600, 260);
  }
  QImage grab() {
    if (!store.empty()) {
      link.set_data_range(store.steps().front(), store.steps().back());
    }
    return widget.grab().toImage();
  }
  QColor line() const { return theme.colors().series[0]; }
};

bool is_near(const QColor& a, const QColor& b, int slack) {
  return std::abs(a.red() - b.red()) <= slack && std::abs(a.green() - b.green()) <= slack &&
         std::abs(a.blue() - b.blue()) <= slack;
}

/// Pixels of about that colour in a rectangle.
int count(const QImage& image, const QRect& area, const QColor& color, int slack = 40) {
  int n = 0;
  for (int y = area.top(); y <= area.bottom(); ++y) {
    for (int x = area.left(); x <= area.right(); ++x) {
      n += is_near(image.pixelColor(x, y), color, slack);
    }
  }
  return n;
}

}  // namespace

void PlotTest::init() {
  qApp->setStyleSheet(QString());
}

void PlotTest::draws_a_lone_point() {
  Plot plot;
  plot.store.append(10, 1.0);
  const QImage image = plot.grab();
  QVERIFY2(count(image, plot.widget.plot_area().toRect(), plot.line()) >= 6,
           "a single value must be visible");
}

void PlotTest::marks_and_skips_nan() {
  Plot plot;
  for (int i = 0; i < 100; ++i) {
    plot.store.append(i,
                      i >= 40 && i < 60 ? std::numeric_limits<double>::quiet_NaN() : 1.0 + i % 2);
  }
  const QImage image = plot.grab();
  const QRect area = plot.widget.plot_area().toRect();
  const int left = area.left() + static_cast<int>(area.width() * 0.44);
  const int wide = static_cast<int>(area.width() * 0.12);
  QCOMPARE(count(image, {left, area.top() + 14, wide, area.height() - 14}, plot.line(), 25), 0);
  QVERIFY(count(image, {area.left() + area.width() * 2 / 5, area.top() - 10, area.width() / 5, 30},
                plot.theme.colors().error) > 20);
}

void PlotTest::outliers_leave_the_view_but_not_the_plot() {
  Plot plot;
  for (int i = 0; i < 500; ++i) {
    plot.store.append(i, i == 250 ? 1000.0 : 1.0 + 0.1 * std::sin(i));
  }
  plot.grab();
  QVERIFY(plot.widget.y_high() > 900);
  plot.widget.set_clip_outliers(true);
  const QImage image = plot.grab();
  QVERIFY(plot.widget.y_high() < 2);
  // The line still runs up and out of the view where the outlier is.
  const QRect area = plot.widget.plot_area().toRect();
  const QRect top{area.left() + area.width() / 2 - 25, area.top() + 12, 50, 20};
  QVERIFY(count(image, top, plot.line(), 60) > 10);
}

void PlotTest::spike_survives_a_million_points() {
  Plot plot(true);
  plot.smooth.set_beta(0.99);
  for (int i = 0; i < 1000000; ++i) {
    plot.store.append(i, i == 314159 ? 5.0 : 1.0);
  }
  plot.grab();
  QVERIFY(plot.widget.y_high() > 5);
  const QImage image = plot.grab();
  const QRect area = plot.widget.plot_area().toRect();
  const int x = area.left() + static_cast<int>(0.314159 * area.width());
  const QColor surface = plot.theme.colors().surface, grid = plot.theme.colors().grid;
  int drawn = 0;
  for (int dx = -6; dx <= 6; ++dx) {
    for (int y = area.top() + 30; y < area.top() + 80; ++y) {
      const QColor c = image.pixelColor(x + dx, y);
      drawn += !is_near(c, surface, 12) && !is_near(c, grid, 12);
    }
  }
  QVERIFY2(drawn > 30, "one step in a million must still show");
}

void PlotTest::log_axis_keeps_zero_below() {
  Plot plot;
  for (int i = 0; i < 50; ++i) {
    plot.store.append(i, i == 20 ? 0.0 : std::pow(10.0, -i / 10.0));
  }
  plot.widget.set_log_y(true);
  plot.grab();
  QVERIFY(plot.widget.y_low() > 0);
  QVERIFY(plot.widget.y_low() < 1.5e-5 && plot.widget.y_high() >= 1.0);
}

void PlotTest::zoom_pan_and_reset() {
  Plot plot;
  for (int i = 0; i < 1000; ++i) {
    plot.store.append(i, 1.0 + i);
  }
  plot.widget.show();
  plot.grab();
  QVERIFY(plot.link.following());
  const double span = plot.link.to() - plot.link.from();
  QWheelEvent wheel(QPointF(300, 120), plot.widget.mapToGlobal(QPointF(300, 120)), {}, {0, 120},
                    Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
  QCoreApplication::sendEvent(&plot.widget, &wheel);
  QVERIFY(!plot.link.following());
  QVERIFY(plot.link.to() - plot.link.from() < span);
  // New data does not change a view set by the user.
  const double from = plot.link.from();
  plot.link.set_data_range(0, 5000);
  QCOMPARE(plot.link.from(), from);
  QTest::mousePress(&plot.widget, Qt::LeftButton, {}, {300, 120});
  QTest::mouseMove(&plot.widget, {360, 120});
  QTest::mouseRelease(&plot.widget, Qt::LeftButton, {}, {360, 120});
  QVERIFY(plot.link.from() < from);
  const double low = plot.widget.y_low(), high = plot.widget.y_high();
  QTest::mousePress(&plot.widget, Qt::LeftButton, Qt::ShiftModifier, {200, 80});
  QTest::mouseMove(&plot.widget, {400, 160});
  QTest::mouseRelease(&plot.widget, Qt::LeftButton, Qt::ShiftModifier, {400, 160});
  plot.widget.grab();
  QVERIFY(plot.widget.y_low() > low && plot.widget.y_high() < high);
  QTest::mouseDClick(&plot.widget, Qt::LeftButton, {}, {300, 120});
  plot.widget.grab();
  QVERIFY(plot.link.following());
  QVERIFY(plot.widget.y_high() > 1000);
  QTest::keyClick(&plot.widget, Qt::Key_Plus);
  QVERIFY(!plot.link.following());
  QTest::keyClick(&plot.widget, Qt::Key_0);
  QVERIFY(plot.link.following());
}

void PlotTest::zoom_and_pan_are_exact() {
  Plot plot;
  for (int i = 0; i < 1000; ++i) {
    plot.store.append(i, 1.0 + i);
  }
  plot.widget.show();
  plot.grab();
  const QRectF area = plot.widget.plot_area();
  const double x0 = plot.link.from(), x1 = plot.link.to();
  const double y0 = plot.widget.y_low(), y1 = plot.widget.y_high();
  const auto is_near = [](double a, double b, double span) {
    return std::abs(a - b) <= 1e-9 * span;
  };
  // A box that is not in the middle: what is above it and below it differs.
  const QPoint a(static_cast<int>(area.left()) + 40, static_cast<int>(area.top()) + 20);
  const QPoint b(a.x() + 100, a.y() + 50);
  const auto step_at = [&](int x) { return x0 + (x - area.left()) / area.width() * (x1 - x0); };
  const auto value_at = [&](int y) { return y0 + (area.bottom() - y) / area.height() * (y1 - y0); };
  QTest::mousePress(&plot.widget, Qt::LeftButton, Qt::ShiftModifier, a);
  QTest::mouseMove(&plot.widget, b);
  QTest::mouseRelease(&plot.widget, Qt::LeftButton, Qt::ShiftModifier, b);
  plot.widget.grab();
  QVERIFY(is_near(plot.link.from(), step_at(a.x()), x1 - x0));
  QVERIFY(is_near(plot.link.to(), step_at(b.x()), x1 - x0));
  QVERIFY(is_near(plot.widget.y_low(), value_at(b.y()), y1 - y0));
  QVERIFY(is_near(plot.widget.y_high(), value_at(a.y()), y1 - y0));

  // Dragging moves the values along: down shows what was above, right what was on the left.
  const double low = plot.widget.y_low(), high = plot.widget.y_high();
  const double from = plot.link.from(), to = plot.link.to();
  QTest::mousePress(&plot.widget, Qt::LeftButton, {}, a);
  QTest::mouseMove(&plot.widget, a + QPoint(60, 30));
  QTest::mouseRelease(&plot.widget, Qt::LeftButton, {}, a + QPoint(60, 30));
  plot.widget.grab();
  const double up = 30 / area.height() * (high - low);
  const double back = 60 / area.width() * (to - from);
  QVERIFY(is_near(plot.widget.y_low(), low + up, high - low));
  QVERIFY(is_near(plot.widget.y_high(), high + up, high - low));
  QVERIFY(is_near(plot.link.from(), from - back, to - from));
  QVERIFY(is_near(plot.link.to(), to - back, to - from));

  // The wheel keeps what is under the pointer; with Ctrl, the value there.
  plot.widget.reset_view();
  plot.grab();
  const auto wheel = [&](Qt::KeyboardModifiers modifiers) {
    QWheelEvent event(QPointF(b), plot.widget.mapToGlobal(QPointF(b)), {}, {0, 120}, Qt::NoButton,
                      modifiers, Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(&plot.widget, &event);
    plot.widget.grab();
  };
  wheel(Qt::ControlModifier);
  QVERIFY(is_near(plot.widget.y_low(), value_at(b.y()) + 0.8 * (y0 - value_at(b.y())), y1 - y0));
  QVERIFY(is_near(plot.widget.y_high(), value_at(b.y()) + 0.8 * (y1 - value_at(b.y())), y1 - y0));
  wheel(Qt::NoModifier);
  QVERIFY(is_near(plot.link.from(), step_at(b.x()) + 0.8 * (x0 - step_at(b.x())), x1 - x0));
  QVERIFY(is_near(plot.link.to(), step_at(b.x()) + 0.8 * (x1 - step_at(b.x())), x1 - x0));

  // Keys zoom about the middle: plus shows less, minus restores it.
  const double span = plot.link.to() - plot.link.from();
  QTest::keyClick(&plot.widget, Qt::Key_Plus);
  QVERIFY(is_near(plot.link.to() - plot.link.from(), 0.8 * span, span));
  QTest::keyClick(&plot.widget, Qt::Key_Minus);
  QVERIFY(is_near(plot.link.to() - plot.link.from(), span, span));
  const double left = plot.link.from();
  QTest::keyClick(&plot.widget, Qt::Key_Right);
  QVERIFY(is_near(plot.link.from(), left + span / 10, span));
}

void PlotTest::crosshair_is_shared() {
  Plot plot;
  PlotWidget other(QStringLiteral("Other"), &plot.link, &plot.theme);
  for (int i = 0; i < 1000; ++i) {
    plot.store.append(i * 10, 1.0 + i);
  }
  plot.widget.show();
  plot.grab();
  QMouseEvent move(QEvent::MouseMove, QPointF(300, 120), plot.widget.mapToGlobal(QPointF(300, 120)),
                   Qt::NoButton, Qt::NoButton, Qt::NoModifier);
  QCoreApplication::sendEvent(&plot.widget, &move);
  QVERIFY(plot.link.hover().has_value());
  QCOMPARE(*plot.link.hover() % 10, std::int64_t{0});
  QVERIFY(other.link()->hover() == plot.link.hover());
  QEvent leave(QEvent::Leave);
  QCoreApplication::sendEvent(&plot.widget, &leave);
  QVERIFY(!plot.link.hover().has_value());
}

void PlotTest::writes_csv_and_png() {
  Plot plot;
  plot.store.append(1, 0.1);
  plot.store.append(2, std::numeric_limits<double>::quiet_NaN());
  plot.store.append(5, 1e-300);
  QCOMPARE(plot_csv(plot.widget),
           QByteArray("step,\"loss\"\n1,0.10000000000000001\n2,nan\n5,1e-300\n"));
  QTemporaryDir folder;
  const QString png = folder.filePath(QStringLiteral("a.png"));
  export_plot(plot.widget, PlotFormat::png, png);
  QCOMPARE(QImage(png).width(), 1200);
  const QString bad = folder.filePath(QStringLiteral("no/such/folder/a.csv"));
  try {
    export_plot(plot.widget, PlotFormat::csv, bad);
    QFAIL("a file in a folder that is not there was written");
  } catch (const Error& e) {
    QVERIFY(QString::fromUtf8(e.what()).contains(bad));
  }
}

void PlotTest::writes_svg() {
  if (!can_write_svg()) {
    QSKIP("built without Qt's SVG module");
  }
  QTemporaryDir folder;
  const QString file = folder.filePath(QStringLiteral("a.svg"));
  const auto written = [&](Plot& plot) {
    plot.link.set_data_range(1, plot.store.steps().back());
    export_plot(plot.widget, PlotFormat::svg, file);
    QFile svg(file);
    return svg.open(QIODevice::ReadOnly) ? svg.readAll() : QByteArray();
  };
  Plot few;
  for (int step = 1; step <= 40; ++step) {
    few.store.append(step, step == 20 ? std::numeric_limits<double>::quiet_NaN() : 1.0 / step);
  }
  const QByteArray lines = written(few);
  // Grid and axes are lines of two points; the curve has one before the NaN and one after it.
  const QRegularExpression curve(QStringLiteral("<polyline[^>]*points=\"(?:[^ \"]+ ){10,}"));
  QRegularExpressionMatchIterator curves = curve.globalMatch(QString::fromUtf8(lines));
  int found = 0;
  for (; curves.hasNext(); curves.next()) {
    ++found;
  }
  QCOMPARE(found, 2);
  QVERIFY(lines.contains(">Loss<") && lines.contains(">loss "));
  QVERIFY(!lines.contains("<image"));
  // A long run is no longer than its plot is wide.
  Plot many;
  for (int step = 1; step <= 200000; ++step) {
    many.store.append(step, step % 7);
  }
  QVERIFY(written(many).size() < 200000);
}

void PlotTest::time_axis_follows_the_clock() {
  Plot plot;
  StepClock clock;
  for (int step = 1; step <= 1000; ++step) {
    plot.store.append(step, step);
    clock.append(step, step <= 500 ? 1 : 3);  // 500 s, then 1500 s
  }
  QVERIFY(!plot.widget.has_time());
  plot.widget.set_series({{.name = QStringLiteral("loss"), .raw = &plot.store, .clock = &clock}});
  QVERIFY(plot.widget.has_time());
  plot.link.set_by_time(true);
  plot.link.set_time_range(clock.total(), clock.seconds_per_step());
  plot.widget.grab();
  QCOMPARE(plot.link.from(), 0.0);
  QCOMPARE(plot.link.to(), 2001.0);
  // A quarter of the way is step 500, though half of the steps lie before it.
  const QRectF area = plot.widget.plot_area();
  const auto hover_at = [&](double share) {
    const QPointF at(area.left() + share * area.width(), area.center().y());
    QMouseEvent move(QEvent::MouseMove, at, at, Qt::NoButton, Qt::NoButton, Qt::NoModifier);
    QApplication::sendEvent(&plot.widget, &move);
    return *plot.link.hover();
  };
  QVERIFY(std::abs(hover_at(500 / 2001.0) - 500) <= 2);
  QVERIFY(std::abs(hover_at(1250 / 2001.0) - 750) <= 2);
  // A spike in one step isn't lost between columns.
  plot.store.truncate(1000);
  plot.store.append(1000, 1e6);
  plot.widget.grab();
  QVERIFY(plot.widget.y_high() > 9e5);
  QCOMPARE(plot_csv(plot.widget).left(40).split('\n').value(1), QByteArray("1,1.000,1"));
}

void PlotTest::clocks_of_several_runs() {
  StepClock clock;
  QCOMPARE(clock.seconds_per_step(), 0.0);
  clock.append(11, 2);
  clock.append(12, 4);
  clock.append(15, 1);  // 13 and 14 weren't recorded: as long as 15
  QCOMPARE(clock.total(), 9.0);
  QCOMPARE(clock.end_of(10), 0.0);
  QCOMPARE(clock.end_of(12), 6.0);
  QCOMPARE(clock.end_of(14), 8.0);
  QCOMPARE(clock.first_ending_from(6.0), std::int64_t{12});
  QCOMPARE(clock.first_ending_from(6.1), std::int64_t{15});
  QCOMPARE(clock.nearest(2.5), std::int64_t{11});
  QCOMPARE(clock.nearest(1e9), std::int64_t{15});
  // Resumed from step 11.
  clock.append(12, 1);
  QCOMPARE(clock.total(), 3.0);
  // The crosshair of two runs marks what they had reached at the same time.
  Plot plot;
  StepClock slow, fast;
  SeriesStore other;
  for (int step = 1; step <= 100; ++step) {
    plot.store.append(step, 1);
    other.append(step, step);
    slow.append(step, 4);
    fast.append(step, 1);
  }
  plot.widget.set_series(
      {{.name = QStringLiteral("slow"), .raw = &plot.store, .clock = &slow},
       {.name = QStringLiteral("fast"), .color = 1, .raw = &other, .clock = &fast}});
  plot.link.set_by_time(true);
  plot.link.set_time_range(400, 4);
  plot.link.set_hover(20);  // 80 s
  const QImage image = plot.widget.grab().toImage();
  const QRectF area = plot.widget.plot_area();
  const double share = 80.0 / (plot.link.to() - plot.link.from());
  const double y = area.bottom() - (80 - plot.widget.y_low()) /
                                       (plot.widget.y_high() - plot.widget.y_low()) * area.height();
  const QPoint at(qRound(area.left() + share * area.width()), qRound(y));
  QVERIFY(count(image, QRect(at - QPoint(2, 2), at + QPoint(2, 2)),
                plot.theme.colors().series[1]) >= 9);
}

void PlotTest::ticks_are_round() {
  const auto ticks = linear_ticks(0.013, 0.187, 5);
  QVERIFY(ticks.size() >= 3 && ticks.size() <= 10);
  std::set<QString> labels;
  for (const Tick& t : ticks) {
    QVERIFY(t.value >= 0.0129 && t.value <= 0.1871);
    QVERIFY(labels.insert(t.label).second);
    QCOMPARE(t.label.toDouble(), t.value);
  }
  for (const Tick& t : linear_ticks(0, 3, 20, true)) {
    QCOMPARE(t.value, std::floor(t.value));
  }
  for (const double high : {1.1e-5, 3.0, 1e9}) {
    bool labelled = false;
    for (const Tick& t : log_ticks(1e-6, high, 5)) {
      labelled = labelled || !t.label.isEmpty();
      QVERIFY(t.value > 0.99e-6 && t.value < 1.01 * high);
    }
    QVERIFY(labelled);
  }
  for (double high = 1.01; high < 12; high *= 1.07) {
    for (const int wanted : {1, 2, 3}) {
      QVERIFY(linear_ticks(0.3, high, wanted).size() >= 2);
    }
  }
  QVERIFY(linear_ticks(1, 1, 5).empty());
  QVERIFY(log_ticks(0, 1, 5).empty());
}

void PlotTest::time_ticks_are_round() {
  const auto labels = [](double low, double high, int target) {
    QStringList out;
    for (const Tick& tick : time_ticks(low, high, target)) {
      out << tick.label;
    }
    return out.join(QLatin1Char(' '));
  };
  QCOMPARE(labels(0, 100, 4), QStringLiteral("0:00 0:30 1:00 1:30"));
  QCOMPARE(labels(0, 7200, 4), QStringLiteral("0:00 0:30:00 1:00:00 1:30:00 2:00:00")
                                   .replace(QStringLiteral("0:30:00"), QStringLiteral("30:00")));
  QCOMPARE(labels(0, 1, 4), QStringLiteral("0.0 s 0.5 s 1.0 s"));
  QVERIFY(labels(0, 20.0 * 86400, 4).contains(QStringLiteral("10 d 0 h")));
  QVERIFY(labels(5, 5, 4).isEmpty());
}

void PlotTest::grid_meets_its_labels() {
  // Painted twice: the second time the widget uses its kept image. Also run at a scale of 2.
  Plot plot;
  plot.store.append(0, 0.0);
  plot.store.append(1000, 10.0);
  plot.grab();
  const QImage image = plot.grab();
  const double scale = plot.widget.devicePixelRatioF();
  const QRectF area = plot.widget.plot_area();
  const double low = plot.widget.y_low(), high = plot.widget.y_high();
  int lines = 0;
  for (const Tick& t : linear_ticks(low, high, std::max(2, static_cast<int>(area.height() / 42)))) {
    const double y = (area.bottom() - (t.value - low) / (high - low) * area.height()) * scale;
    if (y < area.top() * scale + 3 || y > area.bottom() * scale - 3) {
      continue;
    }
    ++lines;
    int best = 0;
    for (int row = static_cast<int>(y) - 1; row <= static_cast<int>(y) + 1; ++row) {
      int n = 0;
      for (int x = 0; x < image.width(); ++x) {
        n += image.pixelColor(x, row) == plot.theme.colors().grid;
      }
      best = std::max(best, n);
    }
    QVERIFY2(best > 0.9 * area.width() * scale, qPrintable(t.label));
  }
  QVERIFY(lines >= 2);
}

void PlotTest::a_moved_view_is_drawn_as_by_a_fresh_plot() {
  // Panned by odd amounts, zoomed and fed on the way: no pixel of an earlier view may be left.
  const auto value = [](int i) { return 1 + std::sin(i * 0.37) / (1 + i % 11) + i * 1e-5; };
  Plot moved(true);
  moved.smooth.set_beta(0.98);
  int steps = 0;
  for (int frame = 0; frame < 12; ++frame) {
    for (; steps < 30000 + 2500 * frame; ++steps) {
      moved.store.append(steps, value(steps));
    }
    moved.grab();
    const double from = 997.3 * frame + 11, span = frame % 4 == 3 ? 700.5 : 23456.7;
    moved.link.set_view(from, from + span);
    const QImage panned = moved.widget.grab().toImage();
    Plot fresh(true);
    fresh.smooth.set_beta(0.98);
    for (int i = 0; i < steps; ++i) {
      fresh.store.append(i, value(i));
    }
    fresh.link.set_data_range(0, steps - 1);
    fresh.link.set_view(from, from + span);
    QCOMPARE(panned, fresh.widget.grab().toImage());
    const QRect area = moved.widget.plot_area().toRect();
    QVERIFY(count(panned, area, moved.line(), 60) > 200);
  }
}

void PlotTest::raster_keeps_area() {
  // A sloped line of width 2 covers 2·√(1+s²) pixels in each column, wherever it lies.
  for (const double slope : {0.0, 0.3, -1.0, 2.5}) {
    QImage image(60, 200, QImage::Format_RGB32);
    image.fill(Qt::white);
    CurveRaster raster(image);
    const QPointF points[] = {{-5, 100.3 - 30 * slope}, {65, 100.3 + 40 * slope}};
    raster.line(points, 2.0, Qt::black);
    for (int x = 5; x < 55; x += 10) {
      double ink = 0;
      for (int y = 0; y < 200; ++y) {
        ink += (255 - qRed(image.pixel(x, y))) / 255.0;
      }
      QVERIFY(std::abs(ink - 2 * std::sqrt(1 + slope * slope)) < 0.06);
    }
  }
}

void PlotTest::markers_of_one_step_are_all_in_reach() {
  Plot p;
  for (int i = 0; i <= 100; ++i) {
    p.store.append(i, 1.0 + 0.01 * i);
  }
  using Kind = PlotMarker::Kind;
  std::vector<PlotMarker> markers;
  for (const Kind kind : {Kind::sample, Kind::saved, Kind::paused}) {
    PlotMarker marker;
    marker.kind = kind;
    marker.step = 50;
    markers.push_back(marker);
  }
  p.widget.set_markers(markers);
  p.widget.show();
  p.grab();
  std::set<Kind> clicked;
  connect(&p.widget, &PlotWidget::marker_activated, this,
          [&](const PlotMarker& marker) { clicked.insert(marker.kind); });
  const QRectF area = p.widget.plot_area();
  for (int up = 0; up < 60; ++up) {
    QTest::mouseClick(&p.widget, Qt::LeftButton, {},
                      QPointF(area.center().x(), area.bottom() - up).toPoint());
  }
  QCOMPARE(clicked.size(), std::size_t{3});
}

/// What each is, what good looks like, what to do; over the curves nothing hides them.
void PlotTest::title_and_markers_are_explained() {
  Plot p;
  for (int i = 0; i <= 100; ++i) {
    p.store.append(i, 1.0 + 0.01 * i);
  }
  const QString lines = QStringLiteral("How far off it is.\nGood: <b>low</b>.\nElse lower it.");
  p.widget.set_explanation(lines);
  p.widget.set_markers({{50, PlotMarker::Kind::saved, {}, {}}});
  p.widget.show();
  p.grab();
  const QRectF area = p.widget.plot_area();
  const auto tip_at = [&](QPointF at) {
    QHelpEvent asked(QEvent::ToolTip, at.toPoint(), p.widget.mapToGlobal(at.toPoint()));
    QCoreApplication::sendEvent(&p.widget, &asked);
    return QToolTip::isVisible() ? QToolTip::text() : QString();
  };
  const QString title = tip_at({area.left() + 10, area.top() / 2});
  QVERIFY(title.contains(QStringLiteral("<p>Good: &lt;b&gt;low&lt;/b&gt;.</p>")));
  QString marker;
  for (int up = 0; up < 20 && !marker.contains(QStringLiteral("checkpoint")); ++up) {
    marker = tip_at({area.center().x(), area.bottom() - up});
  }
  QVERIFY2(marker.contains(QStringLiteral("A checkpoint was saved.")), qPrintable(marker));
  QTRY_COMPARE(tip_at(area.center()), QString());
  using Kind = PlotMarker::Kind;
  for (const Kind kind :
       {Kind::skipped, Kind::saved, Kind::sample, Kind::overflow, Kind::nan, Kind::paused}) {
    QCOMPARE(marker_explanation(kind).count(QLatin1Char('\n')), 1);
  }
}

}  // namespace mantissa::gui
