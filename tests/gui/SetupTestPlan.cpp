#include <QApplication>
#include <QDialog>
#include <QLabel>
#include <QPushButton>
#include <QRegularExpression>
#include <QtTest>
#include <algorithm>
#include <chrono>
#include <climits>
#include <thread>

#include "engine/plan/draft_plan.h"
#include "engine/preset/preset_io.h"
#include "engine/preset/schema.h"
#include "gui/app/DropTarget.h"
#include "gui/app/PresetFiles.h"
#include "gui/app/SetupPage.h"
#include "gui/base/Text.h"
#include "gui/device/DevicePage.h"
#include "gui/engine/AppSettings.h"
#include "gui/history/HistoryPage.h"
#include "gui/precision/FindingCard.h"
#include "gui/precision/PlanLine.h"
#include "gui/precision/PlanWatcher.h"
#include "gui/precision/PrecisionPanel.h"
#include "gui/preset/DiffTable.h"
#include "gui/preset/FieldRow.h"
#include "gui/preset/ImportDialog.h"
#include "gui/preset/PresetDiff.h"
#include "gui/preset/PresetPicker.h"
#include "gui/preset/PresetTextView.h"
#include "gui/preset/SchemaForm.h"
#include "gui/preset/SchemaText.h"
#include "gui/run/JobPanel.h"
#include "gui/run/RunActions.h"
#include "gui/widgets/ElideLabel.h"
#include "gui/widgets/MessageBar.h"
#include "gui/widgets/NoWheelSpin.h"
#include "gui/widgets/PathEdit.h"
#include "tests/gui/SetupTest.h"
#include "tests/gui/TestSession.h"

namespace mantissa::gui {

void SetupTest::plan_follows_every_edit() {
  Preflight p(FakeEngine::plan);
  p.document().edit("precision.compute", "bf16");
  p.document().edit("precision.weights.denoiser", "fp8_e4m3");
  const auto has = [&](const char* text) {
    return QTest::qWaitFor([&] {
      for (const QLabel* label : p.panel()->findChildren<QLabel*>()) {
        if (label->isVisible() && label->text().contains(QString::fromLatin1(text))) {
          return true;
        }
      }
      return false;
    });
  };
  QVERIFY(has("Weights: FP8 E4M3"));
  QVERIFY2(has("Q2"), "the adjustment of an FP8 base");
  QVERIFY2(has("No base model given"), "the memory needs a base");
  // "Q2" can be looked up in the catalogue; a name inside the program is nothing to show.
  static const QRegularExpression inside(QStringLiteral("· [a-z]"));
  for (const FindingCard* card : p.panel()->findChildren<FindingCard*>()) {
    for (const QLabel* label : card->findChildren<QLabel*>()) {
      QVERIFY2(!label->text().contains(inside), qPrintable(label->text()));
    }
  }
  p.document().edit("precision.adapter", "fp16");
  QVERIFY(has("S4"));
  QVERIFY(QTest::qWaitFor([&] { return p.panel()->refused() == 2; }));
  p.document().undo_stack()->undo();
  QVERIFY(QTest::qWaitFor([&] { return p.panel()->refused() == 1; }));
  p.session->window().setup_page()->job()->use_demo();
  QVERIFY(has("Needs 9.8 GB of 12.0 GB"));
}

void SetupTest::plan_is_quick() {
  Preflight p;
  p.session->window().setup_page()->job()->use_demo();
  QTest::qWait(200);
  double longest = 0, total = 0;
  constexpr int kEdits = 40;
  QSignalSpy planned(&p.session->watcher(), &PlanWatcher::planned);
  for (int i = 0; i < kEdits; ++i) {
    const int before = static_cast<int>(planned.count());
    p.document().edit("precision.compute", i % 2 == 0 ? "bf16" : "fp16");
    QVERIFY(QTest::qWaitFor([&] { return planned.count() > before; }));
    longest = std::max(longest, p.session->watcher().last_latency());
    total += p.session->watcher().last_latency();
  }
  qInfo("from an edit to its findings: %.2f ms on average, %.2f ms at most", total / kEdits,
        longest);
}

void SetupTest::late_check_is_not_shown() {
  Preflight p([](const JobSpec& job) {
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    PlanReport report = DraftPlanner().plan(job);
    report.peak_bytes = 1'000'000'000;
    report.free_bytes = 2'000'000'000;
    return report;
  });
  p.session->window().setup_page()->job()->use_demo();
  p.document().edit("precision.adapter", "fp16");
  QVERIFY(QTest::qWaitFor([&] { return p.panel()->refused() > 0; }));
  QSignalSpy checked(&p.session->engine(), &EngineClient::checked);
  p.session->window().actions()->check->trigger();
  p.document().edit("precision.adapter", "fp32");
  QVERIFY(QTest::qWaitFor([&] { return p.panel()->refused() == 0; }));
  // The check's result is for the adapter in FP16, which has changed since.
  QVERIFY(QTest::qWaitFor([&] { return checked.count() == 1; }));
  QCOMPARE(p.panel()->refused(), 0);
}

void SetupTest::errors_block_start() {
  Preflight p;
  p.session->window().setup_page()->job()->use_demo();
  p.document().edit("precision.adapter", "fp16");
  QVERIFY(QTest::qWaitFor([&] { return p.panel()->refused() > 0; }));
  p.session->window().actions()->start->trigger();
  QVERIFY(!p.session->engine().is_running());
  QVERIFY(p.session->window().messages()->text().contains(QStringLiteral("S4")));
  p.document().edit("precision.adapter", "fp32");
  QVERIFY(QTest::qWaitFor([&] { return p.panel()->refused() == 0; }));
  p.session->window().actions()->start->trigger();
  QVERIFY(p.session->engine().is_running());
  QVERIFY(QTest::qWaitFor([&] { return !p.session->engine().is_running(); }));
}

void SetupTest::fixes_are_shown_before_they_are_made() {
  Preflight p;
  p.document().edit("precision.adapter", "fp16");
  p.document().edit("precision.weights.denoiser", "fp8_e4m3");
  p.document().edit("precision.compute", "fp16");
  p.document().edit("precision.loss_scaling", "off");
  const Preset before = p.document().preset();
  // A card shows old and new value. The scripted plan, which has a finding too, may come first.
  QVERIFY(QTest::qWaitFor(
      [&] { return said_in(p.panel(), QStringLiteral("Adapter weight type: FP16 → FP32")); }));
  p.panel()->fix_all_button()->click();
  QDialog* dialog = p.session->window().findChild<QDialog*>();
  QVERIFY(dialog != nullptr && dialog->isVisible());
  QVERIFY(p.document().preset() == before);
  const auto* table = dialog->findChild<DiffTable*>();
  QVERIFY(table->rows() >= 2);
  // Its rows follow one another.
  QTest::qWait(30);
  QList<int> tops;
  for (const QLabel* label : table->findChildren<QLabel*>()) {
    tops << label->y();
  }
  std::sort(tops.begin(), tops.end());
  for (qsizetype i = 1; i < tops.size(); ++i) {
    QVERIFY2(tops[i] - tops[i - 1] < 60, qPrintable(QString::number(tops[i] - tops[i - 1])));
  }
  button(dialog, QStringLiteral("Apply all"))->click();
  QCOMPARE(p.document().preset().precision.adapter, MasterType::fp32);
  QVERIFY(QTest::qWaitFor([&] { return p.panel()->refused() == 0; }));
  p.document().undo_stack()->undo();
  QVERIFY(p.document().preset() == before);
}

void SetupTest::warnings_are_ignored_for_a_preset() {
  TestSession t{FakeEngine{}};  // its plan always warns of D8
  t.show();
  PrecisionPanel* panel = t.window().setup_page()->precision();
  t.session->document().edit("name", "first");
  QVERIFY(QTest::qWaitFor([&] { return panel->warnings() == 1; }));
  button(panel, QStringLiteral("Ignore the warning D8"))->click();
  QCOMPARE(panel->warnings(), 0);
  t.session->document().edit("adapter.rank", 3);
  QTest::qWait(50);
  QCOMPARE(panel->warnings(), 0);
  t.session->document().edit("name", "second");
  QCOMPARE(panel->warnings(), 1);
  t.session->document().undo_stack()->undo();
  QCOMPARE(panel->warnings(), 0);
}

void SetupTest::the_estimated_step_is_told() {
  Preflight p([](const JobSpec& job) {
    PlanReport report = FakeEngine::plan(job);
    report.step_seconds = job.preset.data.batch_size > 1 ? 1.26 : 0;
    return report;
  });
  DevicePage* devices = p.session->window().device_page();
  devices->set_source([] {
    DeviceReport report;
    report.devices.push_back({.id = "cpu", .name = "A processor", .usable = true});
    return report;
  });
  devices->refresh();
  QVERIFY(QTest::qWaitFor([&] { return devices->is_ready(); }));
  const auto tells = [](const QWidget* place) {
    const auto labels = place->findChildren<QLabel*>();
    return std::ranges::any_of(labels, [](const QLabel* label) {
      return !label->isHidden() && label->text().contains(QStringLiteral("About 1.3 s a step"));
    });
  };
  p.session->window().setup_page()->job()->use_demo();
  p.document().edit("data.batch_size", 4);
  QVERIFY(QTest::qWaitFor([&] { return tells(p.panel()) && tells(devices); }));
  p.document().edit("data.batch_size", 1);
  QVERIFY(QTest::qWaitFor([&] { return !tells(p.panel()) && !tells(devices); }));
}

void SetupTest::what_would_make_it_fit() {
  // 2 GB per batch item, half with checkpointing; 5 GB are free.
  Preflight p([](const JobSpec& job) {
    PlanReport report = FakeEngine::plan(job);
    const std::uint64_t image =
        job.preset.training.gradient_checkpointing ? 1'000'000'000 : 2'000'000'000;
    report.peak_bytes = image * static_cast<std::uint64_t>(job.preset.data.batch_size);
    report.free_bytes = 5'000'000'000;
    return report;
  });
  p.session->window().setup_page()->job()->use_demo();
  p.document().edit("data.batch_size", 4);
  QVERIFY(
      QTest::qWaitFor([&] { return button(p.panel(), QStringLiteral("Make it fit")) != nullptr; }));
  QPushButton* first = button(p.panel(), QStringLiteral("Make it fit"));
  QVERIFY(first->text().contains(QStringLiteral("Gradient checkpointing: off → on")));
  QVERIFY(first->text().contains(QStringLiteral("4.0 GB")));
  first->click();
  QVERIFY(p.document().preset().training.gradient_checkpointing);
  QVERIFY(
      QTest::qWaitFor([&] { return button(p.panel(), QStringLiteral("Make it fit")) == nullptr; }));
}

// Each button offers a different change; the same test for each of them.
void SetupTest::every_fit_button_makes_its_own_change() {
  const auto offers = [](QWidget* panel) {
    QCoreApplication::processEvents();
    QList<QPushButton*> found;
    for (QPushButton* b : panel->findChildren<QPushButton*>()) {
      if (b->isVisible() && b->accessibleName().contains(QStringLiteral("Make it fit"))) {
        found << b;
      }
    }
    return found;
  };
  qsizetype tried = 0, count = 1;
  for (; tried < count; ++tried) {
    // A batch of 4 in FP32 takes 8 GB, of which 5 are free; each single change halves it.
    Preflight p([](const JobSpec& job) {
      PlanReport report = FakeEngine::plan(job);
      report.peak_bytes = 2'000'000'000 * static_cast<std::uint64_t>(job.preset.data.batch_size);
      report.peak_bytes /= job.preset.training.gradient_checkpointing ? 2 : 1;
      report.free_bytes = 5'000'000'000;
      return report;
    });
    p.session->window().setup_page()->job()->use_demo();
    p.document().edit("data.batch_size", 4);
    QVERIFY(QTest::qWaitFor([&] { return offers(p.panel()).size() > 1; }));
    const QList<QPushButton*> buttons = offers(p.panel());
    count = buttons.size();
    const QString offer = buttons[tried]->text();
    const Preset before = p.document().preset();
    buttons[tried]->click();
    const auto changes = diff_presets(before, p.document().preset());
    QVERIFY2(!changes.empty(), qPrintable(offer));
    for (const PresetChange& change : changes) {
      const QString said = QStringLiteral("%1: %2 → %3")
                               .arg(setting_label(to_qstring(change.key)),
                                    value_text(to_qstring(change.key), change.a, 40),
                                    value_text(to_qstring(change.key), change.b, 40));
      QVERIFY2(offer.contains(said), qPrintable(offer + QStringLiteral(" | ") + said));
    }
  }
  QVERIFY(tried >= 2);
}

}  // namespace mantissa::gui
