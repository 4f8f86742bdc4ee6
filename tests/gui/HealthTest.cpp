#include "tests/gui/HealthTest.h"

#include <QAbstractButton>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QTableView>
#include <QtTest>
#include <cmath>

#include "gui/base/Text.h"
#include "gui/precision/ExponentHistogram.h"
#include "gui/precision/HealthDetails.h"
#include "gui/precision/HealthTable.h"
#include "gui/precision/HealthView.h"
#include "gui/precision/HeatMap.h"
#include "gui/run/RunActions.h"
#include "gui/run/RunPage.h"
#include "gui/widgets/BreakRow.h"
#include "gui/widgets/MessageBar.h"
#include "tests/gui/TestSession.h"

namespace mantissa::gui {
namespace {

FakeEngine with_health() {
  FakeEngine fake;
  fake.steps = 500;
  fake.per_step = std::chrono::microseconds(200);
  fake.health_every = 25;
  return fake;
}

/// A finished run with its layer statistics shown.
struct HealthSession : TestSession {
  explicit HealthSession(const FakeEngine& fake = with_health()) : TestSession(fake) {
    show();
    window().actions()->start->trigger();
    if (!wait_for_end(15000)) {
      qFatal("the run did not end");
    }
    window().run_page()->show_view(view());
    view()->refresh();
  }
  HealthView* view() { return window().run_page()->health(); }
};

/// The row of the map whose layer's name contains `part`, -1 for none; the map is in order of use.
int row_of(const HealthSession& s, const QString& part) {
  const HealthData& health = s.session->data().health;
  int row = 0;
  for (const std::size_t layer : health.order()) {
    if (QString::fromStdString(health.layers()[layer]).contains(part)) {
      return row;
    }
    ++row;
  }
  return -1;
}

}  // namespace

void HealthTest::colors_read_without_colour() {
  // Lightness alone must show the order, and bad must stand out from the surface.
  for (const bool dark : {false, true}) {
    const QColor surface = (dark ? Theme::dark_colors() : Theme::light_colors()).surface;
    double last = contrast_ratio(heat_color(0, dark), surface);
    QVERIFY(last < 1.6);
    for (int i = 1; i <= 20; ++i) {
      const double now = contrast_ratio(heat_color(i / 20.0, dark), surface);
      QVERIFY2(now > last, qPrintable(QStringLiteral("%1 at %2").arg(dark).arg(i)));
      last = now;
    }
    QVERIFY(last > 9);
  }
}

void HealthTest::badness_of_known_values() {
  QCOMPARE(measure_badness(HealthMeasure::underflow, 0), 0.0);
  QCOMPARE(measure_badness(HealthMeasure::underflow, 1), 1.0);
  QCOMPARE(measure_badness(HealthMeasure::overflow, 0.01), 0.5);
  QCOMPARE(measure_badness(HealthMeasure::headroom, INFINITY), 0.0);
  QCOMPARE(measure_badness(HealthMeasure::headroom, 2), 0.75);
  QCOMPARE(measure_badness(HealthMeasure::sqnr, 30), 0.5);
  HealthRow scaled{"l", HealthKind::operand, DType::f8_e4m3, {}, 0};
  scaled.statistics.amax = 2;
  scaled.statistics.scaled_amax = 448;
  QCOMPARE(measure_badness(HealthMeasure::headroom, measure_value(HealthMeasure::headroom, scaled)),
           0.0);
  QCOMPARE(measure_badness(HealthMeasure::sqnr, NAN), 1.0);
  QCOMPARE(measure_text(HealthMeasure::underflow, 0.00002), QStringLiteral("< 0.01%"));
  QCOMPARE(measure_text(HealthMeasure::headroom, 3.5), QStringLiteral("3.5 doublings"));
}

void HealthTest::data_keeps_order_and_bounds() {
  HealthData data;
  data.add(fake_health(0));
  data.add(fake_health(50));
  data.add(fake_health(100));
  QCOMPARE(data.size(), std::size_t{3});
  // A stored weight is grouped with its module: twelve layers, the weights of four of them among
  // them.
  QVERIFY(data.layers()[0].ends_with("to_q"));
  QCOMPARE(data.rows(0, 0).size(), std::size_t{1});
  QCOMPARE(data.rows(1, 0).size(), std::size_t{2});
  QCOMPARE(data.rows(1, 0)[1]->kind, HealthKind::gradient);
  // A resume from step 50 removes later records.
  data.add(fake_health(50));
  QCOMPARE(data.size(), std::size_t{2});
  QCOMPARE(data.record(1).step, std::int64_t{50});

  HealthRecord large;
  for (int i = 0; i < 9000; ++i) {
    large.rows.push_back({"layer." + std::to_string(i), HealthKind::output, DType::f16, {}, 0});
  }
  data.clear();
  for (int i = 1; i <= 40; ++i) {
    large.step = i;
    data.add(large);
    QVERIFY(data.size() * large.rows.size() <= HealthData::kMaxRows);
  }
  QCOMPARE(data.record(data.size() - 1).step, std::int64_t{40});
  QCOMPARE(data.record(0).step, std::int64_t{1});
}

void HealthTest::earlier_records_join_later_ones() {
  HealthData data;
  for (const std::int64_t step : {50, 60}) {
    data.add(fake_health(step));
  }
  std::vector<HealthRecord> earlier;
  for (const std::int64_t step : {0, 10, 20, 50}) {
    earlier.push_back(fake_health(step));
  }
  data.add_earlier(std::move(earlier));
  std::vector<std::int64_t> steps;
  for (std::size_t i = 0; i < data.size(); ++i) {
    steps.push_back(data.record(i).step);
  }
  QCOMPARE(steps, (std::vector<std::int64_t>{0, 10, 20, 50, 60}));
  QVERIFY(!data.kinds().empty());
}

void HealthTest::cells_use_the_width() {
  Theme theme;
  HeatMap map(&theme);
  const auto width_of = [&](int columns, int room) {
    map.resize(room, 400);
    std::vector<QString> steps;
    for (int i = 0; i < columns; ++i) {
      steps.push_back(QString::number(50 * i));
    }
    map.set_cells({QStringLiteral("denoiser.mid.attn.0.to_q")}, steps,
                  {std::vector(static_cast<std::size_t>(columns), HeatCell{0.5, true, false})});
    return map.cell_rect(0, columns - 1).right() - map.cell_rect(0, 0).left();
  };
  map.show();
  // Twelve looks at the layers fill a wide window, two are no broad bands.
  QVERIFY2(width_of(12, 2100) > 1800, qPrintable(QString::number(width_of(12, 2100))));
  QVERIFY2(width_of(2, 2100) < 400, qPrintable(QString::number(width_of(2, 2100))));
  QVERIFY2(width_of(12, 700) > 450 && width_of(12, 700) <= 700,
           qPrintable(QString::number(width_of(12, 700))));
}

/// At any width, scrolled too: the labels are of every second, third, … column, and none is cut.
void HealthTest::labelled_columns_are_equally_far() {
  Theme theme;
  HeatMap map(&theme);
  std::vector<QString> columns{QStringLiteral("Weights")};
  for (int step = 50; step <= 1600; step += 50) {
    columns.push_back(QString::number(step));
  }
  map.set_cells({QStringLiteral("denoiser.conv_in")}, columns,
                {std::vector(columns.size(), HeatCell{0.5, true, false})});
  map.show();
  for (int width = 200; width <= 1200; width += 17) {
    map.resize(width, 200);
    const std::vector<int> labelled = map.labelled_columns();
    QVERIFY2(!labelled.empty(), qPrintable(QString::number(width)));
    for (std::size_t i = 0; i < labelled.size(); ++i) {
      const QString& text = columns[static_cast<std::size_t>(labelled[i])];
      const int end =
          map.cell_rect(0, labelled[i]).left() + map.fontMetrics().horizontalAdvance(text);
      QVERIFY(end <= map.viewport()->width());
      if (i > 0) {
        QCOMPARE(labelled[i] - labelled[i - 1], labelled[1] - labelled[0]);
        QVERIFY(end > map.cell_rect(0, labelled[i - 1]).left());
      }
      if (i + 1 < labelled.size()) {
        QVERIFY2(end < map.cell_rect(0, labelled[i + 1]).left(), qPrintable(text));
      }
    }
  }
}

/// SDXL's layers over ten thousand steps: what is not in view is neither measured nor visited.
void HealthTest::a_large_map_costs_what_is_in_view() {
  constexpr int kRows = 800, kColumns = 10'000;
  Theme theme;
  HeatMap map(&theme);
  map.resize(900, 500);
  std::vector<QString> rows, columns;
  for (int i = 0; i < kRows; ++i) {
    rows.push_back(QStringLiteral("unet.down.%1.attn.block.%2.attn1.to_q").arg(i % 7).arg(i));
  }
  for (int i = 0; i < kColumns; ++i) {
    columns.push_back(QString::number(50 * i));
  }
  const auto filled = [](int down, int across) {
    return std::vector(static_cast<std::size_t>(down),
                       std::vector(static_cast<std::size_t>(across), HeatCell{0.5, true, false}));
  };
  map.set_cells(rows, columns, filled(kRows, kColumns));
  map.show();
  QVERIFY(QTest::qWaitForWindowExposed(&map));
  map.grab();
  QCOMPARE(map.measured(), std::int64_t{kRows});
  QVERIFY(map.visited() > 500);
  QVERIFY2(map.visited() < 90 * 40, qPrintable(QString::number(map.visited())));
  // In the middle too, and the cells at both ends of the view are painted.
  map.set_current(kRows / 2, kColumns / 2);
  const QImage image = map.grab().toImage();
  QVERIFY2(map.visited() < 90 * 40, qPrintable(QString::number(map.visited())));
  const QRgb expected = heat_color(0.5, theme.colors().dark).rgb();
  int painted = 0;
  for (int column = kColumns / 2; column < kColumns; ++column, ++painted) {
    const QPoint at = map.cell_rect(kRows / 2 - 1, column).center();
    if (!map.viewport()->rect().adjusted(0, 0, -2, -2).contains(at)) {
      break;  // the frame of the focus is drawn there
    }
    QCOMPARE(image.pixel(map.viewport()->mapTo(&map, at)), expected);
  }
  QVERIFY2(painted > 40, qPrintable(QString::number(painted)));
  // A run in progress adds a step: no label is measured again, a new layer's alone.
  columns.push_back(QStringLiteral("500000"));
  map.set_cells(rows, columns, filled(kRows, kColumns + 1));
  QCOMPARE(map.measured(), std::int64_t{kRows});
  rows.push_back(QStringLiteral("unet.conv_out"));
  map.set_cells(rows, columns, filled(kRows + 1, kColumns + 1));
  map.grab();
  QCOMPARE(map.measured(), std::int64_t{kRows + 1});
}

void HealthTest::run_fills_the_map() {
  HealthSession s;
  HeatMap* map = s.view()->map();
  QCOMPARE(map->columns(), 21);
  QCOMPARE(map->rows(), static_cast<int>(s.session->data().health.layers().size()));
  // The layer that overflows is the worst by headroom; worst first puts it on top.
  s.view()->set_measure(HealthMeasure::headroom);
  s.view()->set_worst_first(true);
  map->set_current(0, map->columns() - 1);
  QVERIFY(s.view()->numbers_text().contains(QStringLiteral("down_blocks.1.attentions.1")));
  s.view()->set_filter(QStringLiteral("to_q"));
  QVERIFY(map->rows() > 0 && map->rows() < 12);
  s.view()->set_filter(QStringLiteral("nothing has this name"));
  QCOMPARE(map->rows(), 0);
  s.view()->set_filter(QString());
  s.view()->set_kind(HealthKind::weight);
  map->set_current(0, 0);
  QVERIFY(s.view()->numbers_text().contains(QStringLiteral("stored weight")));
}

void HealthTest::cell_opens_its_histogram() {
  HealthSession s;
  s.view()->set_measure(HealthMeasure::overflow);
  HeatMap* map = s.view()->map();
  const int row = row_of(s, QStringLiteral("down_blocks.1.attentions.1.transformer_blocks.0.ff"));
  QVERIFY(row >= 0);
  map->grab();
  map->set_current(row, 1);
  map->set_current(row, map->columns() - 1);
  const QRect cell = map->cell_rect(row, 3);
  QTest::mouseClick(map->viewport(), Qt::LeftButton, {}, cell.center());
  QCOMPARE(map->current_row(), row);
  QCOMPARE(map->current_column(), 3);
  QVERIFY(s.view()->histogram()->row().has_value());
  QTest::keyClick(map, Qt::Key_End);
  QCOMPARE(map->current_column(), map->columns() - 1);
  const HealthRow& shown = *s.view()->histogram()->row();
  QCOMPARE(shown.kind, HealthKind::output);
  QVERIFY(shown.statistics.overflow > 0);
  const QString text = s.view()->numbers_text();
  QVERIFY(text.contains(QStringLiteral("F16")) || text.contains(QStringLiteral("fp16")) ||
          text.contains(QStringLiteral("f16")));
  QVERIFY(text.contains(
      measure_text(HealthMeasure::overflow, measure_value(HealthMeasure::overflow, shown))));
  QVERIFY(!s.view()->histogram()->accessibleDescription().isEmpty());
}

void HealthTest::window_follows_the_scale() {
  HealthRow row{"l", HealthKind::operand, DType::f8_e4m3, {}, 0};
  row.statistics.amax = 1.75;
  row.statistics.scaled_amax = 448;
  const auto w = ExponentHistogram::window_of(row);
  // The scale puts the largest value at 448: the window ends where the tensor does.
  QVERIFY(std::abs(w.largest - std::log2(1.75)) < 1e-12);
  QVERIFY(std::abs(w.largest - w.normal - (std::log2(448) + 6)) < 1e-12);
  QVERIFY(std::abs(w.normal - w.subnormal - 3) < 1e-12);
  row.statistics.scaled_amax = row.statistics.amax;
  QVERIFY(std::abs(ExponentHistogram::window_of(row).largest - std::log2(448)) < 1e-12);
}

void HealthTest::table_says_the_same() {
  HealthSession s;
  s.view()->map()->set_current(0, 4);
  s.view()->show_table(true);
  QTableView* table = s.view()->table();
  QVERIFY(table->isVisible());
  const QAbstractItemModel* model = table->model();
  const HealthRecord& record = s.session->data().health.record(4);
  QCOMPARE(model->rowCount(), static_cast<int>(record.rows.size()));
  bool found = false;
  for (int i = 0; i < model->rowCount(); ++i) {
    for (const HealthRow& row : record.rows) {
      if (model->index(i, 0).data().toString() == QString::fromStdString(row.layer) &&
          model->index(i, 1).data().toString() == capitalised(health_kind_text(row.kind))) {
        found = true;
        QCOMPARE(model->index(i, 6).data().toString(),
                 measure_text(HealthMeasure::sqnr, row.statistics.sqnr()));
        QCOMPARE(
            model->index(i, 3).data().toString(),
            measure_text(HealthMeasure::underflow, row.statistics.share(row.statistics.underflow)));
      }
    }
  }
  QVERIFY(found);
  table->selectRow(1);
  QVERIFY(s.view()->histogram()->row().has_value());
}

void HealthTest::report_is_told() {
  FakeEngine fake = with_health();
  fake.overflow_step = 100;
  HealthSession s(fake);
  QVERIFY(s.view()->report_label()->isVisible());
  const QString text = s.view()->report_label()->text();
  for (const char* part : {"100", "ff.net.2", "matmul", "65504"}) {
    QVERIFY2(text.contains(QLatin1String(part)), part);
  }
  HealthSession clean;
  QVERIFY(!clean.view()->report_label()->isVisible());
}

void HealthTest::screenshots() {
  const QString keep = qEnvironmentVariable("MANTISSA_SCREENSHOTS");
  for (const ThemeMode mode : {ThemeMode::light, ThemeMode::dark}) {
    FakeEngine fake = with_health();
    fake.overflow_step = 400;
    HealthSession s(fake);
    s.session->theme().apply(*qobject_cast<QApplication*>(qApp), mode);
    s.view()->set_measure(mode == ThemeMode::dark ? HealthMeasure::headroom
                                                  : HealthMeasure::underflow);
    s.view()->map()->set_current(mode == ThemeMode::dark ? 7 : 3, 18);
    const QImage image = s.window().grab().toImage();
    QVERIFY(!image.isNull());
    if (!keep.isEmpty()) {
      const QString name = mode == ThemeMode::dark ? QStringLiteral("/health-dark")
                                                   : QStringLiteral("/health-light");
      QVERIFY(image.save(keep + name + QStringLiteral(".png")));
      s.view()->show_table(true);
      QVERIFY(s.window().grab().save(keep + name + QStringLiteral("-table.png")));
    }
  }
}

void HealthTest::tools_are_never_cut() {
  HealthSession s;
  for (const int width : {1600, 1280, 1024, 900}) {
    s.window().resize(width, 700);
    QTest::qWait(50);
    auto* tools = s.view()->findChild<BreakRow*>();
    QVERIFY(tools != nullptr);
    for (const QWidget* tool : tools->findChildren<QWidget*>()) {
      const bool counts = qobject_cast<const QAbstractButton*>(tool) != nullptr ||
                          qobject_cast<const QComboBox*>(tool) != nullptr;
      if (!counts || !tool->isVisible() || qobject_cast<QLineEdit*>(tool->parent()) != nullptr) {
        continue;
      }
      const QRect place(tool->mapTo(tools, QPoint()), tool->size());
      QVERIFY2(
          tools->rect().contains(place) && tool->visibleRegion().boundingRect() == tool->rect(),
          qPrintable(QStringLiteral("%1 at %2").arg(tool->accessibleName()).arg(width)));
    }
  }
}

void HealthTest::a_small_window_shows_ten_layers() {
  HealthSession s;
  s.window().messages()->hide();  // the news of the run's end
  s.window().resize(1024, 700);
  QTest::qWait(50);
  HeatMap* map = s.view()->map();
  QVERIFY(map->rows() > 10);
  if (const QString keep = qEnvironmentVariable("MANTISSA_SCREENSHOTS"); !keep.isEmpty()) {
    QVERIFY(s.window().grab().save(keep + QStringLiteral("/health-small.png")));
  }
  const QRect tenth = map->cell_rect(9, 0);
  QVERIFY2(
      tenth.bottom() <= map->viewport()->height(),
      qPrintable(QStringLiteral("%1 of %2").arg(tenth.bottom()).arg(map->viewport()->height())));
  // What a cell holds is all there, and stays where it is when the cell is chosen.
  auto* details = s.view()->findChild<HealthDetails*>();
  const QRect before = details->geometry();
  map->set_current(0, map->columns() - 1);
  QTest::qWait(50);
  QCOMPARE(details->geometry(), before);
  for (const QLabel* label : details->findChildren<QLabel*>()) {
    QVERIFY2(label->visibleRegion().boundingRect() == label->rect() &&
                 label->height() >= label->fontMetrics().height(),
             qPrintable(label->text()));
  }
  QVERIFY(details->histogram()->width() > 150);
}

}  // namespace mantissa::gui
