// Plots, markers and cards of the train page.
#include "tests/gui/TrainPageTest.h"

#include <QLabel>
#include <QPushButton>
#include <QtTest>
#include <chrono>

#include "engine/precision/run_findings.h"
#include "gui/base/Text.h"
#include "gui/plot/PlotWidget.h"
#include "gui/run/DiskCard.h"
#include "gui/run/MarkerCard.h"
#include "gui/run/PlotsPanel.h"
#include "gui/run/ProcessCard.h"
#include "gui/run/RunActions.h"
#include "gui/run/RunPage.h"
#include "gui/widgets/CardArea.h"
#include "gui/widgets/ElideLabel.h"
#include "tests/gui/TestSession.h"

namespace mantissa::gui {
namespace {

using MarkerKind = PlotMarker::Kind;

void run_to_the_end(TestSession& t) {
  t.show();
  t.window().actions()->start->trigger();
  QVERIFY(t.wait_for_end(15000));
}

const PlotMarker* find(const RunData& data, MarkerKind kind) {
  for (const PlotMarker& m : data.markers()) {
    if (m.kind == kind) {
      return &m;
    }
  }
  return nullptr;
}

}  // namespace

void TrainPageTest::plots_are_chosen_and_remembered() {
  TestSession t{FakeEngine{}};
  t.show();
  t.window().actions()->start->trigger();
  QVERIFY(t.wait_for_end());
  t.window().show_page(t.window().run_page());
  PlotsPanel* plots = t.window().run_page()->plots();
  for (std::size_t i = 0; i < kRunPlots; ++i) {
    plots->set_shown(static_cast<RunPlot>(i), true);
    QVERIFY(plots->plot(static_cast<RunPlot>(i))->isVisible());
  }
  QVERIFY(t.session->settings().hidden_plots().isEmpty());
  plots->set_shown(RunPlot::update_ratio, false);
  plots->set_shown(RunPlot::learning_rate, false);
  QVERIFY(!plots->plot(RunPlot::update_ratio)->isVisible());
  QCOMPARE(t.session->settings().hidden_plots(),
           (QStringList{QStringLiteral("learning_rate"), QStringLiteral("update_ratio")}));
  PlotsPanel again(&t.session->data(), &t.session->settings(), &t.session->theme());
  QVERIFY(!again.is_shown(RunPlot::update_ratio));
  QVERIFY(again.is_shown(RunPlot::lost_update));
  plots->set_shown(RunPlot::update_ratio, true);
  QVERIFY(plots->plot(RunPlot::update_ratio)->isVisible());
}

/// By default what is of use: the learning rate always, the loss scale of a run that has one.
/// As the device page and the probe write it, in every language.
void TrainPageTest::times_of_a_step_are_written_alike() {
  TestSession t{FakeEngine{}};
  t.show();
  run_to_the_end(t);
  t.window().show_page(t.window().run_page());
  const QString time = format_step_time(t.session->data().last().seconds);
  QTRY_VERIFY2(std::ranges::any_of(t.window().run_page()->findChildren<QLabel*>(),
                                   [&](const QLabel* label) { return label->text() == time; }),
               qPrintable(time));
}

void TrainPageTest::plots_are_shown_by_use() {
  FakeEngine fake;
  fake.steps = 40;
  fake.overflow_step = 20;
  TestSession t{fake};
  PlotsPanel* plots = t.window().run_page()->plots();
  QVERIFY(plots->is_shown(RunPlot::learning_rate) && plots->is_shown(RunPlot::lost_update));
  QVERIFY(!plots->is_shown(RunPlot::loss_scale));  // before it is known
  run_to_the_end(t);
  QTRY_VERIFY(plots->is_shown(RunPlot::loss_scale));
  // A run without one: what it skipped is marked on the loss.
  RunData& data = t.session->data();
  data.begin(10);
  plots->begin();
  StepRecord step;
  step.step = 1;
  step.loss = 0.5;
  step.loss_scale = 1;
  step.skipped = true;
  data.append({&step, 1});
  plots->on_frame();
  QVERIFY(!plots->is_shown(RunPlot::loss_scale));
  QCOMPARE(plots->plot(RunPlot::loss)->markers().size(), std::size_t{1});
}

void TrainPageTest::every_series_is_fed() {
  FakeEngine fake;
  fake.steps = 80;
  fake.overflow_step = 30;
  fake.validate_every = 20;
  TestSession t{fake};
  run_to_the_end(t);
  const RunData& d = t.session->data();
  QCOMPARE(d.validation.size(), std::size_t{4});
  QCOMPARE(d.validation.steps()[3], std::int64_t{80});
  QTRY_COMPARE(t.window().run_page()->plots()->plot(RunPlot::loss)->series().size(),
               std::size_t{2});
  QCOMPARE(d.trained_parts(), std::size_t{1});
  QCOMPARE(d.learning_rates[0].series.size(), std::size_t{80});
  // A skipped step moves nothing: no measurement.
  QCOMPARE(d.update_ratio.size(), std::size_t{79});
  QCOMPARE(d.lost_update.size(), std::size_t{79});
  QVERIFY(d.lost_update.values()[0] > 0.1 && d.lost_update.values()[0] < 1);
  for (const PlotWidget* plot : t.window().run_page()->plots()->findChildren<PlotWidget*>()) {
    QVERIFY(!plot->series().empty() && !plot->series()[0].raw->empty());
    QCOMPARE(plot->link(), t.window().run_page()->link());
  }
}

void TrainPageTest::markers_open_their_cards() {
  FakeEngine fake;
  fake.steps = 200;
  fake.nan_step = 100;
  fake.save_every = 80;
  fake.sample_every = 50;
  TestSession t{fake};
  fake.sample_file = make_test_image(t.folder.path(), 1);
  TestSession s{fake};
  s.session->document().edit("precision.compute", "fp16");
  run_to_the_end(s);
  RunPage* page = s.window().run_page();
  MarkerCard* card = page->marker_card();
  QVERIFY(!card->isVisible());
  PlotWidget* loss = page->loss_plot();
  loss->grab();
  // A click on the NaN's mark, at the top of its step.
  const QRectF area = loss->plot_area();
  const auto x_of = [&](double step) {
    return area.left() + (step - page->link()->from()) /
                             (page->link()->to() - page->link()->from()) * area.width();
  };
  QTest::mouseClick(loss, Qt::LeftButton, {}, QPointF(x_of(100), area.top() + 8).toPoint());
  QVERIFY(card->isVisible());
  QVERIFY(card->title().contains(QStringLiteral("100")));
  const QString text = card->text();
  QVERIFY(text.contains(QStringLiteral("S14")));
  QVERIFY(text.contains(QStringLiteral("ff.net.2")));
  QVERIFY(text.contains(QStringLiteral("matmul")));
  QVERIFY(text.contains(QStringLiteral("51200")));
  QVERIFY(text.contains(QStringLiteral("65504")));
  // The step before it in the list is a sample, the card after the skip a save or a sample.
  card->step(-1);
  QVERIFY2(card->title().contains(QStringLiteral("sample")), qPrintable(card->title()));
  QVERIFY(card->text().contains(QStringLiteral("a red disc on a wall")));
  page->show_marker(*find(s.session->data(), MarkerKind::saved));
  QVERIFY(card->text().contains(QStringLiteral("step-80")));
  // A click beside any marker opens nothing.
  card->hide();
  QTest::mouseClick(loss, Qt::LeftButton, {}, QPointF(x_of(30), area.top() + 60).toPoint());
  QVERIFY(!card->isVisible());
}

void TrainPageTest::cards_leave_the_curves_their_place() {
  FakeEngine fake;
  fake.steps = 40;
  fake.nan_step = 20;
  fake.fail_step = 30;
  fake.save_every = 10;
  TestSession t{fake};
  run_to_the_end(t);
  RunPage* page = t.window().run_page();
  t.window().resize(1280, 720);
  page->show_marker(*find(t.session->data(), MarkerKind::nan));
  page->disk_card()->show_full(
      {"/runs/fake", 20, 3'000'000, 1'000, Message::verbatim("the disk is full"), true});
  QTest::qWait(50);
  CardArea* cards = page->cards();
  QVERIFY(cards->isVisible());
  QVERIFY(cards->height() <= CardArea::kShare * page->height() + 1);
  const int curve = page->loss_plot()->visibleRegion().boundingRect().height();
  QVERIFY2(curve >= 100, qPrintable(QString::number(curve)));
  QVERIFY(cards->verticalScrollBar()->maximum() > 0);
  // Each of them can be reached.
  for (QWidget* card : std::initializer_list<QWidget*>{page->disk_card(), page->failure_card(),
                                                       page->marker_card()}) {
    cards->bring_up(card);
    QVERIFY(card->visibleRegion().boundingRect().height() > 20);
  }
  // A card alone is shown whole, and none leaves no gap.
  page->marker_card()->hide();
  page->hide_failure();
  QTest::qWait(30);
  QVERIFY(page->disk_card()->isVisible());
  QCOMPARE(cards->verticalScrollBar()->maximum(), 0);
  QVERIFY(page->disk_card()->visibleRegion().boundingRect().height() ==
          page->disk_card()->height());
  page->disk_card()->hide();
  QVERIFY(!cards->isVisible());
}

void TrainPageTest::normal_skips_need_no_change() {
  FakeEngine fake;
  fake.steps = 60;
  fake.overflow_step = 5;
  TestSession t{fake};
  run_to_the_end(t);
  MarkerCard* card = t.window().run_page()->marker_card();
  t.window().run_page()->show_marker(*find(t.session->data(), MarkerKind::overflow));
  QVERIFY(card->text().contains(QStringLiteral("Nothing to change")));
  QVERIFY(!card->text().contains(QStringLiteral("S11")));

  fake.overflows = 4;
  TestSession many{fake};
  run_to_the_end(many);
  const RunData& data = many.session->data();
  QCOMPARE(data.skips_in_row(8), std::int64_t{4});
  for (const PlotMarker& m : data.markers()) {
    if (m.step == 8) {
      many.window().run_page()->show_marker(m);
    }
  }
  QVERIFY(many.window().run_page()->marker_card()->text().contains(QStringLiteral("S11")));
}

void TrainPageTest::fix_goes_to_the_draft() {
  FakeEngine fake;
  fake.steps = 60;
  fake.nan_step = 30;
  TestSession t{fake};
  t.session->document().edit("precision.compute", "fp16");
  run_to_the_end(t);
  t.window().run_page()->show_marker(*find(t.session->data(), MarkerKind::nan));
  QPushButton* fix = nullptr;
  for (QPushButton* b : t.window().run_page()->marker_card()->findChildren<QPushButton*>()) {
    if (b->accessibleName().contains(QStringLiteral("S14"))) {
      fix = b;
    }
  }
  QVERIFY(fix != nullptr);
  fix->click();
  QCOMPARE(t.session->document().preset().precision.compute, ComputeType::bf16);
  QCOMPARE(t.engine().job().preset.precision.compute, ComputeType::fp16);
  t.session->document().undo_stack()->undo();
  QCOMPARE(t.session->document().preset().precision.compute, ComputeType::fp16);
}

void TrainPageTest::keyboard_walks_the_markers() {
  FakeEngine fake;
  fake.steps = 100;
  fake.save_every = 40;
  TestSession t{fake};
  run_to_the_end(t);
  PlotWidget* loss = t.window().run_page()->loss_plot();
  loss->setFocus();
  QTest::keyClick(loss, Qt::Key_N);
  QCOMPARE(*t.window().run_page()->link()->hover(), std::int64_t{40});
  QTest::keyClick(loss, Qt::Key_N);
  QCOMPARE(*t.window().run_page()->link()->hover(), std::int64_t{80});
  QTest::keyClick(loss, Qt::Key_P);
  QCOMPARE(*t.window().run_page()->link()->hover(), std::int64_t{40});
  QTest::keyClick(loss, Qt::Key_Return);
  QVERIFY(t.window().run_page()->marker_card()->isVisible());
  QVERIFY(t.window().run_page()->marker_card()->title().contains(QStringLiteral("40")));
}

void TrainPageTest::resume_voids_later_markers() {
  RunData data;
  data.begin(100);
  std::vector<StepRecord> steps(60);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    steps[i].step = static_cast<std::int64_t>(i) + 1;
    steps[i].loss = i == 54 ? std::nan("") : 1.0;
  }
  data.append(steps);
  data.add_marker(MarkerKind::saved, 50, QStringLiteral("kept"));
  data.add_marker(MarkerKind::saved, 60, QStringLiteral("void"));
  data.append(std::span(steps).subspan(50, 2));
  QCOMPARE(data.markers().size(), std::size_t{1});
  QCOMPARE(data.markers()[0].text, QStringLiteral("kept"));
  QCOMPARE(data.loss.size(), std::size_t{52});
}

void TrainPageTest::a_fatal_step_has_a_marker_and_a_fix() {
  FakeEngine fake;
  fake.fail_step = 30;
  Preset preset;
  preset.precision.compute = ComputeType::fp16;
  const std::vector<std::string> files{"step-20"};
  fake.failure = finding_error(ErrorKind::non_finite, non_finite_loss(preset, 31, files));
  TestSession t{fake};
  t.session->document().edit("precision.compute", "fp16");
  run_to_the_end(t);
  const PlotMarker* marker = find(t.session->data(), MarkerKind::nan);
  QVERIFY(marker != nullptr);
  QCOMPARE(marker->step, std::int64_t{30});
  QFrame* card = t.window().run_page()->failure_card();
  QString text;
  for (const QLabel* label : card->findChildren<QLabel*>()) {
    text += label->text();
  }
  QVERIFY2(!text.contains(QLatin1Char('{')) && !text.contains(QStringLiteral("precision.")),
           qPrintable(text));
  QPushButton* fix = nullptr;
  for (QPushButton* button : card->findChildren<QPushButton*>()) {
    if (button->isVisible() && button->text() == QStringLiteral("Apply the fix to the draft")) {
      fix = button;
    }
  }
  QVERIFY(fix != nullptr);
  QTest::mouseClick(fix, Qt::LeftButton);
  QCOMPARE(t.session->document().preset().precision.compute, ComputeType::bf16);
}

void TrainPageTest::plots_count_training_time() {
  TestSession t{FakeEngine{}};
  t.show();
  RunData& data = t.session->data();
  data.begin(4);
  std::vector<StepRecord> steps(4);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    steps[i].step = static_cast<std::int64_t>(i) + 1;
    steps[i].loss = 1;
    steps[i].seconds = i == 3 ? 70 : 10;  // 10, 20, 30 and 100 s
  }
  data.append(steps);
  RunPage* page = t.window().run_page();
  page->begin();
  PlotLink* link = page->link();
  QCOMPARE(link->from(), 1.0);
  link->set_by_time(true);
  QCOMPARE(link->from(), 0.0);
  QVERIFY(link->to() >= 100 && link->to() < 125);
  QVERIFY(t.session->settings().plots_by_time());
  link->set_by_time(false);
  QCOMPARE(link->from(), 1.0);
  QVERIFY(!t.session->settings().plots_by_time());
}

void TrainPageTest::processes_have_their_rates() {
  FakeEngine fake;
  fake.per_step = std::chrono::milliseconds(2);
  TestSession t{fake};
  t.session->document().edit("data.batch_size", 4);
  t.session->document().edit("training.gradient_accumulation", 2);
  run_to_the_end(t);
  RunPage* page = t.window().run_page();
  const auto text = [&](const QWidget* widget) {
    QStringList all;
    for (const QWidget* child : widget->findChildren<QWidget*>()) {
      if (const auto* label = qobject_cast<const QLabel*>(child)) {
        all << label->text();
      } else if (const auto* elided = qobject_cast<const ElideLabel*>(child)) {
        all << elided->text();
      }
    }
    return all.join(QLatin1Char('|'));
  };
  // Images, not steps, tell how fast several cards are.
  const double rate = t.session->data().rate();
  QVERIFY(rate > 0);
  QCOMPARE(t.session->data().images_rate(), 8 * rate);
  QVERIFY(text(page).contains(format_number(8 * rate, 3)));
  QVERIFY(!page->processes()->isVisible());

  const auto rate_at = [&](const RunRates& rates) {
    emit t.engine().rated(rates);
    page->on_labels();
  };
  rate_at({20, 55.5, {{0, "node-a", 30.5, 0.9, false}, {1, "node-b", 25, 0.85, false}}});
  QVERIFY(page->processes()->isVisible());
  QVERIFY2(
      text(page->processes()).contains(QStringLiteral("|0|node-a|30.5/s|90%|1|node-b|25/s|85%")),
      qPrintable(text(page->processes())));
  rate_at({40, 40, {{0, "node-a", 30, 0.6, false}, {1, "node-b", 12, 1, true}}});
  // The slow one comes first, and is named.
  const QString slow = text(page->processes());
  QVERIFY2(slow.indexOf(QStringLiteral("1 on node-b, slow|12/s|100%")) <
               slow.indexOf(QStringLiteral("node-a")),
           qPrintable(slow));
  QVERIFY(slow.contains(QStringLiteral("slow")));
  rate_at({50, 40, {{0, "cuda:0", 30, 0.6, false}, {1, "cuda:2", 12, 1, true}}});
  const QString cards = text(page->processes());
  QVERIFY2(cards.contains(QStringLiteral("2 card")) &&
               cards.contains(QStringLiteral("|cuda:0|30/s|60%")) &&
               cards.contains(QStringLiteral("|cuda:2, slow|12/s|100%")),
           qPrintable(cards));
  RunRates many{60, 100, {}};
  for (int i = 0; i < 64; ++i) {
    many.processes.push_back({i, "node", 2, 1, false});
  }
  rate_at(many);
  QVERIFY(text(page->processes()).contains(QStringLiteral("and 56 more")));
  t.window().actions()->start->trigger();
  QVERIFY(!page->processes()->isVisible() || t.wait_for_end());
  page->on_labels();
  QVERIFY(!page->processes()->isVisible());
}

}  // namespace mantissa::gui
