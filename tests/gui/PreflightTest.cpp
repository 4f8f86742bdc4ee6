#include "tests/gui/PreflightTest.h"

#include <QDir>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QTemporaryDir>
#include <QTranslator>
#include <QVBoxLayout>
#include <QtTest>
#include <algorithm>
#include <fstream>

#include "engine/plan/draft_plan.h"
#include "engine/precision/catalogue.h"
#include "engine/preflight/preflight.h"
#include "engine/run/run_folder.h"
#include "gui/app/SetupPage.h"
#include "gui/base/Language.h"
#include "gui/base/Text.h"
#include "gui/base/Theme.h"
#include "gui/dataset/DataPage.h"
#include "gui/precision/PrecisionPanel.h"
#include "gui/precision/PreflightLine.h"
#include "gui/precision/PreflightList.h"
#include "gui/run/JobPanel.h"
#include "gui/run/RunActions.h"
#include "gui/run/RunBar.h"
#include "gui/widgets/MessageBar.h"
#include "gui/widgets/PathEdit.h"
#include "gui/widgets/SciSpin.h"
#include "tests/gui/FakeEngine.h"
#include "tests/gui/TestSession.h"

namespace mantissa::gui {
namespace {

/// The studio with the engine's preflight and a scripted run.
struct PreflightStudio {
  QTemporaryDir folder;
  std::unique_ptr<Session> session;

  explicit PreflightStudio(Planner live = {}) {
    qputenv("MANTISSA_HOME", folder.path().toUtf8());
    SessionOptions options;
    options.runner = FakeEngine{};
    options.planner = [](const JobSpec& job) { return preflight(job, PreflightDepth::whole); };
    options.live_planner = live ? std::move(live) : [](const JobSpec& job) {
      return preflight(job, PreflightDepth::draft);
    };
    options.inspection = [](const JobSpec& job, const Progress& progress) {
      return preflight(job, PreflightDepth::whole, progress);
    };
    options.draft_planner = [quick = std::make_shared<DraftPlanner>()](const JobSpec& job) {
      return quick->plan(job);
    };
    options.settings_file = folder.filePath(QStringLiteral("s.ini"));
    session = std::make_unique<Session>(*qobject_cast<QApplication*>(qApp), std::move(options));
    session->window().show();
    session->document().edit("data.resolution", 64);
    job()->use_demo();
  }
  ~PreflightStudio() {
    session.reset();
    qunsetenv("MANTISSA_HOME");
  }
  MainWindow& window() { return session->window(); }
  JobPanel* job() { return window().setup_page()->job(); }
  PreflightList* list() { return window().setup_page()->precision()->list(); }
  /// The line that contains `text`, once it is there; else -1.
  int line(const char* text) {
    int found = -1;
    const bool there = QTest::qWaitFor(
        [&] {
          const QStringList lines = list()->lines();
          for (int i = 0; i < lines.size(); ++i) {
            if (lines[i].contains(QString::fromUtf8(text))) {
              found = i;
            }
          }
          return found >= 0;
        },
        20000);
    return there ? found : -1;
  }
  bool is_ready() {
    return QTest::qWaitFor(
        [&] { return list()->summary() == QStringLiteral("Nothing blocks Start."); }, 20000);
  }
};

}  // namespace

void PreflightTest::cleanup() {
  for (QTranslator* words : qApp->findChildren<QTranslator*>(Qt::FindDirectChildrenOnly)) {
    delete words;
  }
}

void PreflightTest::a_missing_base_blocks_and_is_over_when_mended() {
  PreflightStudio t;
  QVERIFY(t.is_ready());
  t.job()->base()->set_path(QStringLiteral("/nowhere/model.safetensors"));
  const int at = t.line("no such base model");
  QCOMPARE(at, 0);
  QVERIFY(t.list()->lines()[0].startsWith(QStringLiteral("Refused: ")));
  QCOMPARE(t.list()->summary(), QStringLiteral("1 problem blocks Start"));
  QCOMPARE(t.window().run_bar()->state_text(), QStringLiteral("Not ready"));
  QCOMPARE(t.list()->button(0)->text(), QStringLiteral("Choose…"));
  // In sight on every page, and Start says why.
  t.window().show_page(t.window().data_page());
  QCOMPARE(t.window().run_bar()->details(), QStringLiteral("1 problem blocks Start"));
  t.window().run_bar()->button(t.window().actions()->start)->click();
  QVERIFY(!t.session->engine().is_running());
  QVERIFY(t.window().messages()->text().startsWith(QStringLiteral("Start is blocked.")));
  t.job()->base()->set_path(QStringLiteral("demo"));
  QVERIFY(t.is_ready());
  QVERIFY(!t.window().messages()->isVisible());
  QCOMPARE(t.window().run_bar()->state_text(), QStringLiteral("Ready"));
}

void PreflightTest::pickles_are_refused() {
  PreflightStudio t;
  const QString file = t.folder.filePath(QStringLiteral("model.ckpt"));
  std::ofstream(to_path(file)) << "pickle";
  t.job()->base()->set_path(file);
  QVERIFY(t.line("model.ckpt") >= 0);
  QVERIFY(t.line("model.ckpt") == 0);
  QCOMPARE(t.list()->summary(), QStringLiteral("1 problem blocks Start"));
}

void PreflightTest::what_start_would_refuse_is_in_the_list() {
  PreflightStudio t;
  const QString empty = t.folder.filePath(QStringLiteral("no images"));
  QVERIFY(QDir().mkpath(empty));
  t.job()->prior()->set_path(empty);
  QCOMPARE(t.line("the folder of images is empty"), 0);
  QCOMPARE(t.list()->summary(), QStringLiteral("1 problem blocks Start"));
  t.job()->prior()->set_path(QString());
  QVERIFY(t.is_ready());
  const QString file = t.folder.filePath(QStringLiteral("a file"));
  std::ofstream(to_path(file)) << "text";
  t.job()->set_out(file + QStringLiteral("/run"));
  QCOMPARE(t.line("nothing can be written there"), 0);
  QCOMPARE(t.window().run_bar()->state_text(), QStringLiteral("Not ready"));
}

void PreflightTest::small_images_and_the_time_are_told() {
  PreflightStudio t;
  t.session->document().edit("data.resolution", 512);
  QVERIFY(t.line("are enlarged") >= 0);
  const auto told = [&] {
    for (const QLabel* label : t.window().setup_page()->precision()->findChildren<QLabel*>()) {
      if (label->isVisibleTo(t.window().setup_page()) &&
          label->text().startsWith(QStringLiteral("About "))) {
        return label->text().endsWith(QStringLiteral("for all steps (estimated)"));
      }
    }
    return false;
  };
  QVERIFY(QTest::qWaitFor(told, 20000));
  // Before Start: how long, on which card, how much of the disk.
  PrecisionPanel* panel = t.window().setup_page()->precision();
  QTRY_VERIFY_WITH_TIMEOUT(panel->start_text().contains(QStringLiteral(" epochs of ")), 20000);
  const QStringList start = panel->start_text().split(QLatin1Char('\n'));
  QCOMPARE(start.size(), 3);
  QVERIFY2(start[0].contains(QStringLiteral(" steps, ")) &&
               start[0].contains(QStringLiteral(" epochs of ")),
           qPrintable(start[0]));
  QCOMPARE(start[1], QStringLiteral("Fits cards with 8 GB or more"));
  QVERIFY2(start[2].startsWith(QStringLiteral("Disk: ")), qPrintable(start[2]));
  PlanReport large;
  large.peak_bytes = 11ULL << 30;
  panel->show_plan(large);
  QCOMPARE(panel->start_text(), QStringLiteral("Fits cards with 12 GB or more"));
  large.peak_bytes += 1;
  panel->show_plan(large);
  QCOMPARE(panel->start_text(), QStringLiteral("Fits cards with 16 GB or more"));
  large.peak_bytes = 24ULL << 30;
  panel->show_plan(large);
  QCOMPARE(panel->start_text(), QStringLiteral("Needs a card with more than 24 GB"));
}

void PreflightTest::a_missing_folder_is_left_out_with_a_click() {
  PreflightStudio t;
  t.job()->prior()->set_path(QStringLiteral("/nowhere/dogs"));
  const int at = t.line("/nowhere/dogs");
  QCOMPARE(at, 0);
  QPushButton* button = t.list()->button(at);
  QCOMPARE(button->text(), QStringLiteral("Leave out"));
  QTest::mouseClick(button, Qt::LeftButton);
  QCOMPARE(t.job()->prior()->path(), QString());
  QVERIFY(t.is_ready());
}

void PreflightTest::a_training_adapter_is_part_of_the_job() {
  PreflightStudio t;
  QVERIFY(t.job()->job().training_adapters.empty());
  QVERIFY(!t.job()->training_adapter_weight()->isEnabled());
  t.job()->training_adapter()->set_path(QStringLiteral("/nowhere/turbo.safetensors"));
  t.job()->training_adapter_weight()->set_value(0.5);
  QVERIFY(t.job()->training_adapter_weight()->isEnabled());
  const std::vector<TrainingAdapter> given{{"/nowhere/turbo.safetensors", 0.5}};
  QVERIFY(t.job()->job().training_adapters == given);
  QCOMPARE(t.line("turbo.safetensors: no such training adapter"), 0);
  QCOMPARE(t.list()->button(0)->text(), QStringLiteral("Choose…"));
  QVERIFY(t.job()->field(QStringLiteral("--training-adapter")) != nullptr);
  t.job()->training_adapter()->set_path(QString());
  QVERIFY(t.job()->job().training_adapters.empty());
  QVERIFY(t.is_ready());
}

void PreflightTest::an_occupied_run_folder_is_left_with_a_click() {
  PreflightStudio t;
  const QString out = t.folder.filePath(QStringLiteral("mine"));
  JobSpec began = t.job()->job();
  began.out = to_path(out);
  const RunFolder run = RunFolder::create(began);
  std::filesystem::create_directories(run.checkpoints() / "step-00000001");
  t.job()->set_out(out);
  const int at = t.line("holds a run already");
  QCOMPARE(at, 0);
  QVERIFY2(!t.list()->lines()[0].contains(QStringLiteral("--")), qPrintable(t.list()->lines()[0]));
  QCOMPARE(t.list()->button(at)->text(), QStringLiteral("Use a new folder"));
  QTest::mouseClick(t.list()->button(at), Qt::LeftButton);
  QVERIFY(t.is_ready());
  QVERIFY(t.job()->job().out.empty());
}

void PreflightTest::a_run_with_other_settings_starts_anew_with_a_click() {
  PreflightStudio t;
  JobSpec began = t.job()->job();
  began.preset = t.session->document().preset();
  const RunFolder run = RunFolder::create(began);
  t.job()->set_resume(path_text(run.path()));
  QVERIFY(t.line("the run has no checkpoint") >= 0);
  QCOMPARE(t.window().run_bar()->button(t.window().actions()->start)->text(),
           QStringLiteral("Start over"));
  t.session->document().edit("adapter.rank", 5);
  const int at = t.line("can't change “Rank” (");
  QCOMPARE(at, 0);
  QCOMPARE(t.list()->button(at)->text(), QStringLiteral("Start a new run instead"));
  QTest::mouseClick(t.list()->button(at), Qt::LeftButton);
  QVERIFY(!t.job()->job().resume.has_value());
  QVERIFY(t.is_ready());
}

void PreflightTest::what_blocks_comes_first_and_stays_in_sight() {
  PreflightStudio t;
  t.session->document().edit("precision.compute", "fp16");
  t.session->document().edit("precision.adapter", "fp16");  // refused
  t.job()->prior()->set_path(QStringLiteral("/nowhere/dogs"));
  QVERIFY(t.line("/nowhere/dogs") >= 0);
  QVERIFY(QTest::qWaitFor([&] { return t.list()->lines().size() >= 2; }));
  bool blocking = true;
  for (const QString& line : t.list()->lines()) {
    const bool refused = line.startsWith(QStringLiteral("Refused"));
    QVERIFY2(blocking || !refused, qPrintable(line));
    blocking = refused;
  }
  // Whatever the side scrolls to, and in the smallest window.
  t.window().resize(t.window().minimumSize());
  QTest::qWait(50);
  QWidget* list = t.list();
  QVERIFY(list->isVisible());
  QCOMPARE(list->visibleRegion().boundingRect(), list->rect());
  for (QWidget* up = list->parentWidget(); up != nullptr; up = up->parentWidget()) {
    QVERIFY(qobject_cast<QScrollArea*>(up) == nullptr);
  }
  QVERIFY(t.list()->button(0)->visibleRegion().boundingRect().height() > 10);
}

/// A low window shows the first lines, and the others once they are asked for.
void PreflightTest::a_low_window_shows_the_first_lines() {
  PreflightStudio t;
  t.session->document().edit("precision.compute", "fp16");
  t.session->document().edit("precision.adapter", "fp16");  // refused
  t.job()->prior()->set_path(QStringLiteral("/nowhere/dogs"));
  QVERIFY(QTest::qWaitFor([&] { return t.list()->lines().size() >= 3; }));
  t.window().resize(1024, 700);
  QTest::qWait(50);
  const int page = t.window().setup_page()->height(), brief = t.list()->height();
  QVERIFY2(brief < page * 3 / 10, qPrintable(QStringLiteral("%1 of %2").arg(brief).arg(page)));
  QPushButton* more = t.list()->more_button();
  QVERIFY(more->isVisible());
  QVERIFY(t.list()->line(0)->text().startsWith(QStringLiteral("Refused")));
  QTest::mouseClick(more, Qt::LeftButton);
  QTest::qWait(50);
  QVERIFY(t.list()->height() > brief + 50);
  QVERIFY(t.list()->area()->height() <= page / 2);
  QCOMPARE(more->text(), QStringLiteral("Less"));
  QTest::mouseClick(more, Qt::LeftButton);
  QTest::qWait(50);
  QCOMPARE(t.list()->height(), brief);
  // Where there is nothing more, nothing offers it, and nothing has moved.
  t.session->document().replace(Preset{}, QStringLiteral("defaults"));
  t.job()->prior()->set_path(QString());
  QTRY_VERIFY(!more->isVisible());
  QCOMPARE(t.list()->height(), brief);
}

void PreflightTest::a_low_window_cuts_no_line_data() {
  QTest::addColumn<QString>("language");
  for (const char* code : {"en", "zh_CN", "ja"}) {
    QTest::newRow(code) << QString::fromLatin1(code);
  }
}

/// Lines are higher in a script that the window's font lacks.
void PreflightTest::a_low_window_cuts_no_line() {
  QFETCH(QString, language);
  QVERIFY(load_language(*qobject_cast<QApplication*>(qApp), language));
  Theme theme;
  PreflightList list(&theme);
  const QString letter =
      language == QLatin1String("en") ? QStringLiteral("a ") : QStringLiteral("大");
  list.show_problem(letter.repeated(900));
  list.resize(320, 400);
  list.show();
  QVERIFY(QTest::qWaitForWindowExposed(&list));
  const auto labels = list.line(0)->findChildren<QLabel*>();
  const auto words = std::find_if(labels.begin(), labels.end(),
                                  [](const QLabel* label) { return label->wordWrap(); });
  QVERIFY(words != labels.end());
  const int above = (*words)->y();
  const auto height_of = [&](const QString& text) {
    (*words)->setText(text);
    return (*words)->heightForWidth(280);
  };
  const int line = height_of(letter + QLatin1Char('\n') + letter) - height_of(letter);
  QVERIFY(line > 10);
  for (int room = 400; room < 1400; room += 50) {
    list.set_room(room);
    QCOMPARE((list.area()->height() - above) % line, 0);
  }
}

void PreflightTest::memory_is_fixed_from_the_list() {
  // Everything is planned for a card that holds what checkpointed gradients need.
  const auto with_budget = [](JobSpec job, PreflightDepth depth) {
    PlanReport report = preflight(job, depth);
    if (report.peak_bytes > 0) {
      job.preset.training.gradient_checkpointing = true;
      report.free_bytes = preflight(job, depth).peak_bytes;
      if (!report.fits()) {
        report.findings.insert(report.findings.begin(),
                               {"memory",
                                Verdict::refused,
                                {},
                                Message::verbatim("too little memory"),
                                R"({"training.gradient_checkpointing":true})"});
      }
    }
    return report;
  };
  PreflightStudio t([&](const JobSpec& job) { return with_budget(job, PreflightDepth::draft); });
  t.session->document().edit("training.gradient_checkpointing", false);
  const int at = t.line("Too little memory");
  QCOMPARE(at, 0);
  QCOMPARE(t.list()->button(at)->text(), QStringLiteral("Gradient checkpointing → on"));
  QTest::mouseClick(t.list()->button(at), Qt::LeftButton);
  QVERIFY(t.session->document().preset().training.gradient_checkpointing);
  QVERIFY(t.is_ready());
}

void PreflightTest::the_list_is_that_of_the_command() {
  PreflightStudio t;
  t.session->document().edit("precision.adapter", "fp16");
  t.job()->prior()->set_path(QStringLiteral("/nowhere/dogs"));
  QVERIFY(t.line("/nowhere/dogs") >= 0);
  JobSpec job = t.job()->job();
  job.preset = t.session->document().preset();
  QStringList told;
  for (const Finding& finding : preflight(job, PreflightDepth::whole).findings) {
    if (finding.verdict != Verdict::works) {
      told << QStringLiteral("%1: %2").arg(verdict_text(finding), finding_text(finding));
    }
  }
  QVERIFY(told.size() >= 2);
  QVERIFY(QTest::qWaitFor([&] { return t.list()->lines() == told; }, 20000));
}

void PreflightTest::a_fixed_line_keeps_the_focus_in_the_list() {
  const Theme theme;
  QWidget window;
  QVBoxLayout column(&window);
  PreflightList list(&theme);
  QLineEdit below;
  column.addWidget(&list);
  column.addWidget(&below);
  window.show();
  Finding first, second;
  first.id = "first";
  second.id = "second";
  first.verdict = second.verdict = Verdict::refused;
  first.fix_json = second.fix_json = R"({"training.steps": 1})";
  const Preset preset;
  list.show_findings({first, second}, {}, preset);
  const auto line = [&](int i) {
    QList<QPushButton*> fixes;
    for (QPushButton* button : list.findChildren<QPushButton*>()) {
      if (!button->isHidden() && button->text() == QStringLiteral("Steps → 1")) {
        fixes << button;
      }
    }
    return fixes.value(i);
  };
  line(1)->setFocus();
  list.show_findings({second}, {}, preset);
  QCOMPARE(window.focusWidget(), static_cast<QWidget*>(list.check_button()));
  // Elsewhere it stays.
  below.setFocus();
  list.show_findings({first}, {}, preset);
  QCOMPARE(window.focusWidget(), static_cast<QWidget*>(&below));
}

void PreflightTest::lines_are_whole_and_open_their_explanation() {
  const Theme theme;
  PreflightList list(&theme);
  list.resize(330, 300);
  list.show();
  Preset preset;
  preset.precision.compute = ComputeType::fp16;
  Finding finding;
  finding.id = std::string(catalogue().front().id);
  finding.verdict = Verdict::refused;
  finding.fix_json = R"({"precision.compute": "bf16"})";
  finding.message = Message::verbatim(
      "a long sentence about precision.compute = fp8 and te1, which is far too long for one line "
      "of the list, and must be read to its end");
  list.show_findings({finding}, {}, preset);
  PreflightLine* line = list.line(0);
  // In full, in plain words.
  const QLabel* words = nullptr;
  for (const QLabel* label : line->findChildren<QLabel*>()) {
    words = label->text().endsWith(QStringLiteral("read to its end")) ? label : words;
  }
  QVERIFY(words != nullptr);
  QVERIFY2(words->text().contains(QStringLiteral("“Compute type: FP8” and Text encoder 1,")),
           qPrintable(words->text()));
  QVERIFY(words->toolTip().contains(QStringLiteral("precision.compute")));
  QTRY_VERIFY(words->height() >= words->heightForWidth(words->width()));
  QVERIFY(words->height() >= 3 * words->fontMetrics().height());
  QVERIFY(words->width() <= list.area()->viewport()->width());
  QCOMPARE(list.button(0)->text(), QStringLiteral("Compute type → BF16"));
  QVERIFY(list.button(0)->toolTip().contains(QStringLiteral("Compute type: FP16 → BF16")));
  // Why, in the same height.
  const int height = list.height();
  QVERIFY(line->is_explained() && !line->is_open());
  QTest::mouseClick(const_cast<QLabel*>(words), Qt::LeftButton);
  QVERIFY(line->is_open());
  QTest::qWait(20);
  QCOMPARE(list.sizeHint().height(), list.minimumSizeHint().height());
  QCOMPARE(list.height(), height);
  bool told = false;
  for (const QLabel* label : line->findChildren<QLabel*>()) {
    told = told ||
           (label->isVisible() && label->text().contains(to_qstring(catalogue().front().cause)));
  }
  QVERIFY(told);
  // It stays open while the list is planned anew.
  list.show_findings({finding}, {}, preset);
  QVERIFY(list.line(0)->is_open());
  QTest::mouseClick(const_cast<QLabel*>(list.line(0)->findChildren<QLabel*>()[1]), Qt::LeftButton);
  QVERIFY(!list.line(0)->is_open());
}

void PreflightTest::a_problem_told_twice_is_shown_once() {
  PresetDocument document;
  const Theme theme;
  PrecisionPanel panel(&document, &theme);
  PlanReport report;
  report.findings = {
      {"cards", Verdict::refused, {}, Message::verbatim("too few micro-steps"), "{}"},
      {"images", Verdict::refused, {}, Message::verbatim("no images"), "{}"}};
  panel.show_plan(report);
  // A quick plan that knows of the job tells one of them again; the other stays.
  report.findings.pop_back();
  panel.show_findings(report);
  QCOMPARE(panel.refused(), 2);
}

void PreflightTest::what_is_wrong_with_files_is_told() {
  PresetDocument document;
  const Theme theme;
  PrecisionPanel panel(&document, &theme);
  PlanReport report;
  report.notices.push_back({LogLevel::info, Message::verbatim("22 images")});
  for (const char* wrong : {"a.png skipped", "b.png skipped", "c.png skipped"}) {
    report.notices.push_back({LogLevel::warning, Message::verbatim(wrong)});
  }
  panel.show_plan(report);
  QCOMPARE(panel.list()->lines().size(), 3);
  QVERIFY(panel.list()->lines().front().contains(QStringLiteral("a.png")));
  QVERIFY(panel.list()->summary().contains(QStringLiteral("3 warnings")));
  for (const char* wrong : {"d.png skipped", "e.png skipped", "f.png skipped"}) {
    report.notices.push_back({LogLevel::warning, Message::verbatim(wrong)});
  }
  panel.show_plan(report);
  QCOMPARE(panel.list()->lines().size(), 5);
  QVERIFY(panel.list()->lines().back().contains(QStringLiteral("2 more")));
}

void PreflightTest::findings_move_no_field() {
  PreflightStudio t;
  QVERIFY(t.is_ready());
  SetupPage* setup = t.window().setup_page();
  const auto places = [&] {
    QMap<QString, QPoint> at;
    for (QWidget* field : setup->job()->findChildren<QWidget*>() +
                              QList<QWidget*>{setup->precision()->probe_button(),
                                              setup->precision()->check_button()}) {
      if (field->focusPolicy() != Qt::NoFocus && field->isVisible()) {
        at[field->accessibleName() + QString::fromLatin1(field->metaObject()->className())] =
            field->mapTo(&t.window(), QPoint(0, 0));
      }
    }
    return at;
  };
  // A window that has just been shown still settles.
  QVERIFY(QTest::qWaitFor([&] {
    const QMap<QString, QPoint> at = places();
    QTest::qWait(100);
    return at == places();
  }));
  const QMap<QString, QPoint> before = places();
  QVERIFY(before.size() > 10);
  t.session->document().edit("precision.compute", "fp16");
  t.session->document().edit("precision.adapter", "fp16");
  t.session->document().edit("data.resolution", 512);
  QVERIFY(t.line("are enlarged") >= 0);
  QVERIFY(t.list()->lines().size() >= 2);
  QTest::qWait(100);
  QStringList moved;
  for (const auto& [name, at] : places().asKeyValueRange()) {
    if (before.value(name) != at) {
      moved << QStringLiteral("%1 by %2, %3")
                   .arg(name)
                   .arg(at.x() - before.value(name).x())
                   .arg(at.y() - before.value(name).y());
    }
  }
  QVERIFY2(moved.isEmpty() && before.size() == places().size(),
           qPrintable(moved.join(QStringLiteral("; "))));
}

}  // namespace mantissa::gui
