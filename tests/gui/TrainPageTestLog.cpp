// The log of the train page and what stands below it: the newest line, phases and commands.
#include <QApplication>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QtTest>
#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>

#include "gui/app/SetupPage.h"
#include "gui/base/Text.h"
#include "gui/run/JobPanel.h"
#include "gui/run/LogText.h"
#include "gui/run/LogView.h"
#include "gui/run/NewestLine.h"
#include "gui/run/PhaseClock.h"
#include "gui/run/RunActions.h"
#include "gui/run/RunBar.h"
#include "gui/run/RunPage.h"
#include "tests/gui/TestSession.h"
#include "tests/gui/TrainPageTest.h"

namespace mantissa::gui {

void TrainPageTest::the_log_has_times_and_events() {
  FakeEngine fake;
  fake.steps = 1000000;
  TestSession t{fake};
  t.show();
  RunActions* a = t.window().actions();
  a->start->trigger();
  QVERIFY(t.wait_for(RunState::training));
  a->pause->trigger();
  QVERIFY(t.wait_for(RunState::paused));
  a->save->trigger();
  QVERIFY(QTest::qWaitFor([&] { return t.engine().last_saved_step() > 0; }));
  a->pause->trigger();
  QVERIFY(t.wait_for(RunState::training));
  a->stop_save->trigger();
  QVERIFY(t.wait_for_end());
  const QString log = t.window().run_page()->log()->text();
  for (const char* event :
       {"Paused after step ", "; the model stays loaded", "Resumed", ": saved to /runs/fake"}) {
    QVERIFY2(log.contains(QString::fromLatin1(event)), qPrintable(log));
  }
  const auto& markers = t.session->data().markers();
  QCOMPARE(std::count_if(markers.begin(), markers.end(),
                         [](const PlotMarker& m) { return m.kind == PlotMarker::Kind::paused; }),
           1);
  for (const QString& line : log.split(QLatin1Char('\n'))) {
    QVERIFY2(QRegularExpression(QStringLiteral("^\\d\\d:\\d\\d:\\d\\d ")).match(line).hasMatch(),
             qPrintable(line));
  }
}

void TrainPageTest::the_log_can_be_searched() {
  Theme theme;
  LogView log(&theme);
  log.append({{LogLevel::info, Message::verbatim("Step 10: saved to /a")},
              {LogLevel::warning, Message::verbatim("step 11: overflow")},
              {LogLevel::debug, Message::verbatim("saved details")}});
  log.set_search(QStringLiteral("SAVED step"));
  QCOMPARE(log.text().count(QLatin1Char('\n')), 0);
  QVERIFY(log.text().endsWith(QStringLiteral("Step 10: saved to /a")));
  // New lines pass the same filter.
  log.append({{LogLevel::info, Message::verbatim("a step that is skipped")},
              {LogLevel::info, Message::verbatim("step 20: Saved to /b")}});
  QCOMPARE(log.text().count(QLatin1Char('\n')), 1);
  QVERIFY(log.text().endsWith(QStringLiteral("Step 20: Saved to /b")));
  log.set_search(QString());
  QCOMPARE(log.text().count(QLatin1Char('\n')), 3);
  QCOMPARE(log.lines().size(), 5);
}

/// Of a long path the middle goes; the tooltip and a copy have it whole.
void TrainPageTest::long_paths_are_short_in_the_log() {
  Theme theme;
  LogView log(&theme);
  log.resize(700, 300);
  log.show();
  const std::string path =
      "/home/someone with a name/runs/20260101-010203-portrait-1a2b3c4d/checkpoints/step-00000100";
  log.append(
      {{LogLevel::info, message<"Step {step}: saved to {path}">(100, path)},
       {LogLevel::info, message<"Step {step}: saved to {path}">(200, "/tmp/a.safetensors")}});
  const QString seen = log.view()->toPlainText();
  QVERIFY2(seen.contains(QStringLiteral("saved to /home/…/checkpoints/step-00000100\n")),
           qPrintable(seen));
  QVERIFY(seen.endsWith(QStringLiteral("/tmp/a.safetensors")));
  QVERIFY(log.text().contains(to_qstring(path)));
  const QPoint first = log.view()->cursorRect(QTextCursor(log.view()->document())).center();
  QVERIFY(log.tip_at(first).contains(to_qstring(path)));
  QTextCursor end(log.view()->document());
  end.movePosition(QTextCursor::End);
  QCOMPARE(log.tip_at(log.view()->cursorRect(end).center()), QString());
  // Settings have the window's names.
  QCOMPARE(short_log_text(Message::verbatim("use larger images, or lower data.resolution (128)")),
           QStringLiteral("Use larger images, or lower “Resolution” (128)"));
  // The search sees what is whole.
  log.set_search(QStringLiteral("someone"));
  QCOMPARE(log.text().count(QLatin1Char('\n')), 0);
  QCOMPARE(shortened_path(QStringLiteral(
               "C:\\Users\\someone\\runs\\20260101-portrait-1a2b\\portrait.safetensors")),
           QStringLiteral("C:\\…\\20260101-portrait-1a2b\\portrait.safetensors"));
}

/// In the smallest window a message of usual length is read without the log, and leads to it.
void TrainPageTest::the_newest_line_is_whole() {
  TestSession t{FakeEngine{}};
  t.show();
  RunPage* page = t.window().run_page();
  t.window().show_page(page);
  t.window().resize(1024, 700);
  QTest::qWait(50);
  const QRect before = page->newest_line()->geometry();
  page->log()->append(
      {{LogLevel::info,
        Message::verbatim("no sign of memorising at step 300: no sample is nearer to "
                          "a training image than 0.89 times its distance to the "
                          "nearest validation image, of which there are twelve")}});
  QTest::qWait(50);
  QVERIFY(page->newest_line()->is_whole());
  QVERIFY(page->newest_line()->line().startsWith(QStringLiteral("No sign")));
  QCOMPARE(page->newest_line()->geometry(), before);
  QVERIFY(!page->log()->isVisible());
  QTest::mouseClick(page->newest_line(), Qt::LeftButton);
  QVERIFY(page->log()->isVisible());
}

void TrainPageTest::phases_have_units_and_an_eta() {
  using std::chrono::seconds;
  const PhaseClock::Clock::time_point start{};
  PhaseClock clock;
  clock.advance(RunPhase::caching, 0, 60, start);
  QCOMPARE(clock.text(start), QStringLiteral("Preparing images · 0 of 60 images"));
  QVERIFY(clock.remaining(start + seconds(50)) < 0);  // nothing to go by yet
  clock.advance(RunPhase::caching, 20, 60, start + seconds(40));
  QCOMPARE(clock.text(start + seconds(40)),
           QStringLiteral("Preparing images · 20 of 60 images · ETA 1:20"));
  QCOMPARE(clock.remaining(start + seconds(50)), 70.0);  // it counts down between reports
  clock.advance(RunPhase::caching_text, 3, 9, start + seconds(200));
  QCOMPARE(clock.text(start + seconds(200)),
           QStringLiteral("Preparing captions · 3 of 9 captions"));
  clock.advance(RunPhase::caching_text, 9, 9, start + seconds(230));
  QVERIFY(clock.is_over());
  clock.advance(RunPhase::hashing, 512, 6900, start);
  QCOMPARE(clock.text(start), QStringLiteral("Checking the base model's files · 512 of 6900 MB"));
}

void TrainPageTest::a_cancelled_preparation_says_what_it_ends() {
  std::atomic<bool> let_go = false;
  SessionOptions options;
  QTemporaryDir folder;
  options.settings_file = folder.filePath(QStringLiteral("s.ini"));
  options.planner = FakeEngine::plan;
  options.runner = [&](const JobSpec&, RunControl& control, RunObserver& observer) {
    observer.on_state(RunState::preparing);
    observer.on_progress(RunPhase::caching, 0, 35);
    while (!let_go) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return RunResult{};
  };
  Session session(*qobject_cast<QApplication*>(qApp), std::move(options));
  session.window().show();
  session.window().setup_page()->job()->use_demo();
  session.window().actions()->start->trigger();
  const auto details = [&] { return session.window().run_bar()->details(); };
  QTRY_COMPARE(details(), QStringLiteral("Preparing images · 0 of 35 images"));
  session.window().actions()->stop->trigger();
  QTRY_COMPARE(details(), QStringLiteral("cancelling · Preparing images · 0 of 35 images"));
  let_go = true;
  QTRY_VERIFY(!session.engine().is_running());
}

/// Their texts change with the state, their places don't.
void TrainPageTest::commands_stay_where_they_are() {
  TestSession t{endless_engine()};
  t.show();
  RunActions* a = t.window().actions();
  a->start->trigger();
  QVERIFY(t.wait_for_step(3));
  const auto places = [&] {
    QTest::qWait(30);
    QList<QRect> all;
    for (const QAction* action : {a->sample, a->save, a->stop, a->stop_save, a->pause}) {
      const QPushButton* button = t.window().run_bar()->button(action);
      all << QRect(button->mapTo(&t.window(), QPoint(0, 0)), button->size());
    }
    return all;
  };
  const QList<QRect> before = places();
  t.session->document().edit("training.steps", 77'777);
  QVERIFY(a->apply_live->isEnabled());
  QCOMPARE(places(), before);
  a->pause->trigger();
  QVERIFY(t.wait_for(RunState::paused));
  QCOMPARE(a->pause->text(), QStringLiteral("Resume"));
  QCOMPARE(places(), before);
  t.engine().request_stop(RunControl::Stop::discard);
  QVERIFY(t.wait_for_end());
}

}  // namespace mantissa::gui
