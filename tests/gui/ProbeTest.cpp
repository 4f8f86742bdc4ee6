#include "tests/gui/ProbeTest.h"

#include <QPushButton>
#include <QTableView>
#include <QTranslator>
#include <QtTest>
#include <cmath>

#include "gui/app/SetupPage.h"
#include "gui/base/Language.h"
#include "gui/base/Text.h"
#include "gui/precision/FrontPlot.h"
#include "gui/precision/FrontTable.h"
#include "gui/precision/FrontView.h"
#include "gui/precision/PrecisionPanel.h"
#include "gui/precision/ProbeTable.h"
#include "gui/precision/ProbeView.h"
#include "gui/precision/RatePlot.h"
#include "gui/precision/RateTestView.h"
#include "gui/preset/SchemaForm.h"
#include "gui/run/JobPanel.h"
#include "gui/run/RunActions.h"
#include "gui/widgets/NoWheelSpin.h"
#include "gui/widgets/SciSpin.h"
#include "tests/gui/TestSession.h"

namespace mantissa::gui {
namespace {

ProbeView* open_probe(TestSession& t) {
  t.show();
  QPushButton* button = t.window().setup_page()->precision()->probe_button();
  button->click();  // below the fold in a small window
  return t.window().setup_page()->probe();
}

bool probe(TestSession& t, ProbeView* view) {
  QTest::mouseClick(view->run_button(), Qt::LeftButton);
  return t.engine().is_probing() &&
         QTest::qWaitFor([&] { return !t.engine().is_busy() && view->report().has_value(); });
}

bool solve(TestSession& t, ProbeView* view) {
  QTest::mouseClick(view->solve_button(), Qt::LeftButton);
  return t.engine().is_probing() &&
         QTest::qWaitFor([&] { return !t.engine().is_busy() && view->found().has_value(); });
}

QStringList layers(const ProbeView* view) {
  QStringList names;
  for (int row = 0; row < view->model()->rowCount(); ++row) {
    names << view->model()->index(row, ProbeTable::layer).data().toString();
  }
  return names;
}

/// Opens the test by the button below the learning rate.
RateTestView* open_rates(TestSession& t) {
  t.show();
  SetupPage* setup = t.window().setup_page();
  setup->form()->jump_to(QStringLiteral("optimizer.learning_rate"));
  QTest::qWait(50);
  QTest::mouseClick(setup->rate_button(), Qt::LeftButton);
  return setup->rates();
}

bool test_rates(TestSession& t, RateTestView* view) {
  QTest::mouseClick(view->run_button(), Qt::LeftButton);
  return t.engine().is_testing_rates() &&
         QTest::qWaitFor([&] { return !t.engine().is_busy() && view->test().has_value(); });
}

/// A click on the row's check box.
void click_pin(ProbeView* view, int row) {
  const QRect cell = view->table()->visualRect(view->model()->index(row, ProbeTable::pin));
  QTest::mouseClick(view->table()->viewport(), Qt::LeftButton, {},
                    QPoint(cell.left() + 12, cell.center().y()));
}

Qt::CheckState check_state(const ProbeView* view, int row) {
  return view->model()
      ->index(row, ProbeTable::pin)
      .data(Qt::CheckStateRole)
      .value<Qt::CheckState>();
}

}  // namespace

/// Other tests read the sources' texts.
void ProbeTest::cleanup() {
  for (QTranslator* words : qApp->findChildren<QTranslator*>(Qt::FindDirectChildrenOnly)) {
    delete words;
  }
}

void ProbeTest::ranks_layers_by_damage() {
  TestSession t{FakeEngine{}};
  ProbeView* view = open_probe(t);
  QVERIFY(view->isVisible());
  QVERIFY(!view->table()->isVisible());
  QVERIFY(probe(t, view));
  const QStringList ranked = layers(view);
  QCOMPARE(ranked.size(), 4);  // conv_in has no adapter
  QCOMPARE(ranked[0], QStringLiteral("denoiser.worst"));
  QVERIFY(ranked[1].startsWith(QStringLiteral("denoiser.middle")));
  QCOMPARE(ranked[2], QStringLiteral("denoiser.mild"));
  QCOMPARE(ranked[3], QStringLiteral("denoiser.exact"));
  QCOMPARE(view->verdict(), QStringLiteral("It loses denoiser.worst."));
  QCOMPARE(view->model()->index(0, ProbeTable::gradient).data().toString(), QStringLiteral("60%"));
  QCOMPARE(view->model()->index(0, ProbeTable::output).data().toString(), QStringLiteral("12 dB"));
  QCOMPARE(view->model()->index(3, ProbeTable::output).data().toString(), QStringLiteral("Exact"));
  QVERIFY(view->note().isEmpty());
  // What they are ranked by is in sight in the smallest window.
  t.window().resize(900, 600);
  QTest::qWait(30);
  const QRect ranks = view->table()->visualRect(view->model()->index(0, ProbeTable::gradient));
  QVERIFY(view->table()->viewport()->rect().contains(ranks));
  t.session->document().edit("adapter.rank", 8);
  QVERIFY(view->note().contains(QStringLiteral("changed")));
}

void ProbeTest::a_click_pins_a_layer_and_undo_takes_it_back() {
  TestSession t{FakeEngine{}};
  PresetDocument& document = t.session->document();
  document.edit("precision.pins", {{"unet.*.norm", "fp32"}});
  ProbeView* view = open_probe(t);
  QVERIFY(probe(t, view));
  const auto pins = [&] { return document.preset().precision.pins; };
  QCOMPARE(check_state(view, 0), Qt::Unchecked);
  click_pin(view, 0);
  QCOMPARE(pins().size(), std::size_t{2});
  QCOMPARE(pins().at("denoiser.worst"), StorageType::bf16);
  QCOMPARE(pins().at("unet.*.norm"), StorageType::fp32);
  QCOMPARE(check_state(view, 0), Qt::Checked);
  QTest::keyClick(&t.window(), Qt::Key_Z, Qt::ControlModifier);
  QCOMPARE(pins().size(), std::size_t{1});
  QCOMPARE(check_state(view, 0), Qt::Unchecked);
  // By key, and the pin is taken away by another click.
  view->table()->setFocus();
  view->table()->setCurrentIndex(view->model()->index(2, ProbeTable::pin));
  QTest::keyClick(view->table(), Qt::Key_Space);
  QCOMPARE(pins().count("denoiser.mild"), std::size_t{1});
  click_pin(view, 2);
  QCOMPARE(pins().count("denoiser.mild"), std::size_t{0});
  // A layer that is in FP32 already offers none.
  QVERIFY(
      !(view->model()->flags(view->model()->index(3, ProbeTable::pin)) & Qt::ItemIsUserCheckable));
}

void ProbeTest::suggested_pins_with_one_button() {
  TestSession t{FakeEngine{}};
  ProbeView* view = open_probe(t);
  QVERIFY(probe(t, view));
  QVERIFY(view->pin_all_button()->isVisible());
  QTest::mouseClick(view->pin_all_button(), Qt::LeftButton);
  // As the engine writes them.
  QCOMPARE(t.session->document().to_text().count(QStringLiteral("\"denoiser.worst\": \"bf16\"")),
           1);
  QVERIFY(!view->pin_all_button()->isVisible());
  QVERIFY(probe(t, view));
  QCOMPARE(layers(view).indexOf(QStringLiteral("denoiser.worst")), 2);
  QVERIFY(!view->pin_all_button()->isVisible());
  t.session->document().undo_stack()->undo();
  QVERIFY(t.session->document().preset().precision.pins.empty());
}

void ProbeTest::finds_types_and_writes_the_one_chosen() {
  TestSession t{FakeEngine{}};
  PresetDocument& document = t.session->document();
  const Preset before = document.preset();
  ProbeView* view = open_probe(t);
  QTest::mouseClick(view->solve_button(), Qt::LeftButton);
  QVERIFY(t.engine().is_probing());
  QVERIFY(view->cancel_button()->isVisible());
  QVERIFY(QTest::qWaitFor([&] { return !t.engine().is_busy(); }));
  FrontView* front = view->front();
  QVERIFY(front->isVisible());
  QVERIFY(view->verdict().contains(QStringLiteral("Of 14 choices measured, 3")));
  QVERIFY(view->verdict().contains(QStringLiteral("this card has no FP8.")));
  QCOMPARE(front->model()->rowCount(), 4);
  QCOMPARE(front->model()->index(2, FrontTable::memory).data().toString(),
           QStringLiteral("6.0 GB"));
  QCOMPARE(front->model()->index(2, FrontTable::layers).data().toString(),
           QStringLiteral("10 in BF16, 50 in NF4"));
  // What is as it is can't be chosen; a point on the plot can.
  front->table()->selectRow(0);
  QVERIFY(!front->use_button()->isEnabled());
  QTest::mouseClick(front->plot(), Qt::LeftButton, {}, front->plot()->place(2).toPoint());
  QCOMPARE(front->table()->selectionModel()->selectedRows().value(0).row(), 2);
  QTest::mouseClick(front->use_button(), Qt::LeftButton);
  QCOMPARE(document.preset().precision.weights.denoiser, StorageType::nf4);
  QCOMPARE(document.preset().precision.pins.at("denoiser.worst"), StorageType::bf16);
  QVERIFY(view->note().contains(QStringLiteral("changed")));
  document.undo_stack()->undo();
  QVERIFY(document.preset() == before);
  // A probe takes its place.
  QVERIFY(probe(t, view));
  QVERIFY(!front->isVisible());
}

void ProbeTest::is_cancelled_with_a_button() {
  TestSession t{FakeEngine{}};
  ProbeView* view = open_probe(t);
  view->steps()->set_value(1000);
  QTest::mouseClick(view->run_button(), Qt::LeftButton);
  QVERIFY(t.engine().is_probing());
  QVERIFY(view->cancel_button()->isVisible());
  QVERIFY(!view->run_button()->isVisible());
  QVERIFY(!t.window().actions()->check->isEnabled());
  const auto* bar = view->findChild<QProgressBar*>();
  QVERIFY(QTest::qWaitFor([&] { return bar->isVisible() && bar->value() > 1; }));
  QCOMPARE(bar->maximum(), 2000);
  QTest::mouseClick(view->cancel_button(), Qt::LeftButton);
  QVERIFY(QTest::qWaitFor([&] { return !t.engine().is_busy(); }, 1000));
  QVERIFY(!view->report().has_value());
  QVERIFY(view->verdict().isEmpty());
  QVERIFY(view->run_button()->isVisible());
  QVERIFY(t.window().actions()->check->isEnabled());
}

void ProbeTest::a_run_takes_precedence() {
  TestSession t{FakeEngine{.steps = 100000}};
  ProbeView* view = open_probe(t);
  view->steps()->set_value(1000);
  QTest::mouseClick(view->run_button(), Qt::LeftButton);
  QVERIFY(t.engine().is_probing());
  t.window().actions()->start->trigger();
  QVERIFY(t.wait_for(RunState::training));
  QVERIFY(!t.engine().is_probing());
  QVERIFY(!view->run_button()->isEnabled());
  QVERIFY(view->note().contains(QStringLiteral("run is in progress")));
  t.engine().request_stop(RunControl::Stop::discard);
  QVERIFY(t.wait_for_end());
  QVERIFY(view->run_button()->isEnabled());
}

void ProbeTest::problems_are_told_in_place() {
  TestSession t{FakeEngine{}, false};
  ProbeView* view = open_probe(t);
  QVERIFY(!view->run_button()->isEnabled());
  QVERIFY(!view->note().isEmpty());
  t.window().setup_page()->job()->set_paths(QStringLiteral("missing"), {QStringLiteral("demo")});
  QVERIFY(view->run_button()->isEnabled());
  QTest::mouseClick(view->run_button(), Qt::LeftButton);
  QVERIFY(QTest::qWaitFor([&] { return !t.engine().is_busy(); }));
  QVERIFY(view->verdict().contains(QStringLiteral("no such file")));
}

void ProbeTest::tests_learning_rates_and_uses_the_suggestion() {
  TestSession t{FakeEngine{}};
  PresetDocument& document = t.session->document();
  RateTestView* view = open_rates(t);
  QVERIFY(view->isVisible());
  QVERIFY(!view->plot()->isVisible());
  QVERIFY(view->run_button()->hasFocus());
  view->from()->set_value(1e-6);
  QVERIFY(test_rates(t, view));
  QVERIFY(view->plot()->isVisible());
  QCOMPARE(view->test()->points.front().rate, 1e-6);
  // A decade is as wide everywhere.
  const RatePlot* plot = view->plot();
  QVERIFY(std::abs((plot->place(1e-4) - plot->place(1e-5)) -
                   (plot->place(1e-3) - plot->place(1e-4))) < 0.01);
  // The smoothed curve is a line in full colour; the steps' points are fainter.
  const QImage drawn = view->plot()->grab().toImage();
  const QColor line = t.session->theme().colors().series[0];
  for (const double rate : {3e-6, 1.1e-5, 3e-5}) {  // where it is flat
    const int x = qRound(plot->place(rate) * drawn.devicePixelRatio());
    int found = 0;
    for (int y = 0; y < drawn.height(); ++y) {
      found += drawn.pixelColor(x, y) == line;
    }
    QVERIFY2(found > 0, qPrintable(QString::number(rate)));
  }
  QCOMPARE(view->use_button()->text(), QStringLiteral("Use 3e-4"));
  QTest::mouseClick(view->use_button(), Qt::LeftButton);
  QCOMPARE(document.preset().optimizer.learning_rate, 3e-4);
  QVERIFY(!view->use_button()->isVisible());
  QVERIFY(view->note().isEmpty());  // the rate isn't what was tested
  QTest::keyClick(&t.window(), Qt::Key_Z, Qt::ControlModifier);
  QCOMPARE(document.preset().optimizer.learning_rate, 1e-4);
  document.edit("adapter.rank", 8);
  QVERIFY(view->note().contains(QStringLiteral("changed")));
  // It stays in another language.
  QSignalSpy changed(t.session.get(), &Session::window_changed);
  t.session->change_language(QStringLiteral("ja"));
  QVERIFY(changed.wait());
  QVERIFY(t.window().setup_page()->rates()->test().has_value());
}

void ProbeTest::a_rate_test_is_cancelled_and_refused() {
  TestSession t{FakeEngine{}};
  RateTestView* view = open_rates(t);
  view->steps()->set_value(1000);
  QTest::mouseClick(view->run_button(), Qt::LeftButton);
  QVERIFY(t.engine().is_testing_rates());
  QVERIFY(view->cancel_button()->isVisible());
  const auto* bar = view->findChild<QProgressBar*>();
  QVERIFY(QTest::qWaitFor([&] { return bar->isVisible() && bar->value() > 1; }));
  QTest::mouseClick(view->cancel_button(), Qt::LeftButton);
  QVERIFY(QTest::qWaitFor([&] { return !t.engine().is_busy(); }, 1000));
  QVERIFY(!view->test().has_value());
  QVERIFY(view->verdict().isEmpty());
  // Bounds in the wrong order, and an optimizer that finds its rate.
  view->from()->setFocus();
  view->from()->selectAll();
  QTest::keyClicks(view->from(), QStringLiteral("1"));
  QVERIFY(!view->run_button()->isEnabled());
  QVERIFY(view->note().contains(QStringLiteral("below the last")));
  view->from()->selectAll();
  QTest::keyClicks(view->from(), QStringLiteral("1e-6"));
  QVERIFY(view->run_button()->isEnabled());
  t.session->document().edit("optimizer.type", "prodigy");
  QVERIFY(!view->run_button()->isEnabled());
  QVERIFY(view->note().contains(QStringLiteral("by itself")));
}

void ProbeTest::a_curve_without_a_suggestion_offers_none() {
  TestSession t{FakeEngine{}};
  t.session->document().edit("optimizer.type", "sgd");
  RateTestView* view = open_rates(t);
  QVERIFY(test_rates(t, view));
  QCOMPARE(view->verdict(), QStringLiteral("It is flat."));
  QVERIFY(!view->use_button()->isVisible());
  QVERIFY(view->plot()->isVisible());
}

void ProbeTest::screenshots() {
  const QString keep = qEnvironmentVariable("MANTISSA_SCREENSHOTS");
  if (keep.isEmpty()) {
    QSKIP("MANTISSA_SCREENSHOTS names no folder");
  }
  for (const char* language : {"en", "zh_CN", "ja"}) {
    for (const ThemeMode mode : {ThemeMode::light, ThemeMode::dark}) {
      QVERIFY(load_language(*qobject_cast<QApplication*>(qApp), QString::fromLatin1(language)));
      TestSession t{FakeEngine{}};
      t.session->theme().apply(*qobject_cast<QApplication*>(qApp), mode);
      ProbeView* view = open_probe(t);
      for (const QSize& size : {QSize(900, 600), QSize(1600, 1000)}) {
        t.window().resize(size);
        QVERIFY(probe(t, view));
        t.window().show_info(view->verdict());
        QTest::qWait(100);
        const auto grab = [&](const QString& what) {
          const QString name =
              QStringLiteral("%1-%2-%3-%4.png")
                  .arg(what, QString::fromLatin1(language),
                       mode == ThemeMode::dark ? QStringLiteral("dark") : QStringLiteral("light"))
                  .arg(size.width());
          return t.window().grab().save(keep + QLatin1Char('/') + name);
        };
        QVERIFY(grab(QStringLiteral("probe")));
        QVERIFY(solve(t, view));
        view->front()->table()->selectRow(2);
        QTest::qWait(100);
        QVERIFY(grab(QStringLiteral("types")));
        RateTestView* rates = open_rates(t);
        QVERIFY(test_rates(t, rates));
        QTest::qWait(100);
        QVERIFY(grab(QStringLiteral("rates")));
        t.window().setup_page()->show_view(SetupPage::form_view);
        QTest::qWait(100);
        QVERIFY(grab(QStringLiteral("rate-button")));
        t.window().setup_page()->show_view(SetupPage::probe_view);
      }
    }
  }
}

void ProbeTest::survives_another_language() {
  TestSession t{FakeEngine{}};
  ProbeView* view = open_probe(t);
  QVERIFY(probe(t, view));
  const QStringList before = layers(view);
  QSignalSpy changed(t.session.get(), &Session::window_changed);
  t.session->change_language(QStringLiteral("ja"));
  QVERIFY(changed.wait());
  view = t.window().setup_page()->probe();
  QCOMPARE(layers(view), before);
  QVERIFY(solve(t, view));
  t.session->change_language(QStringLiteral("en"));
  QVERIFY(changed.wait());
  view = t.window().setup_page()->probe();
  QVERIFY(view->found().has_value());
  QCOMPARE(view->front()->model()->rowCount(), 4);
}

}  // namespace mantissa::gui
