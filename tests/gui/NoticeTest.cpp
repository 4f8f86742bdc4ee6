#include "tests/gui/NoticeTest.h"

#include <QCheckBox>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QPushButton>
#include <QSignalSpy>
#include <QTranslator>
#include <nlohmann/json.hpp>

#include "gui/app/NoticeDialog.h"
#include "gui/app/Notifier.h"
#include "gui/base/Language.h"
#include "gui/run/LogView.h"
#include "gui/run/RunActions.h"
#include "gui/run/RunPage.h"
#include "gui/run/RunQueue.h"
#include "gui/widgets/NoWheelSpin.h"
#include "tests/gui/PostServer.h"
#include "tests/gui/TestSession.h"

namespace mantissa::gui {
namespace {

using namespace std::chrono_literals;

/// A studio that posts to a server.
struct NoticeStudio : TestSession {
  explicit NoticeStudio(const FakeEngine& engine = {}, const char* form = "")
      : TestSession(engine), spy(window().notifier(), &Notifier::posted) {
    session->settings().set_notice_address(QString::fromLatin1(form) + hook());
  }
  QString hook() const { return QString::fromStdString(server.address() + "/hook"); }
  void run() {
    window().actions()->start->trigger();
    QVERIFY(wait_for_end());
  }
  bool wait_for_post() { return !spy.isEmpty() || spy.wait(5000); }
  /// A value that was posted last, as text.
  QString told(const char* key) const {
    const auto posted = nlohmann::json::parse(server.posted().back().body);
    const nlohmann::json& value = posted.at(key);
    return to_qstring(value.is_string() ? value.get<std::string>() : value.dump());
  }
  NoticeDialog* open() {
    for (QAction* menu : window().menuBar()->actions()) {
      for (QAction* action : menu->menu()->actions()) {
        if (action->text() == QStringLiteral("&Notifications…")) {
          action->trigger();
        }
      }
    }
    return window().findChild<NoticeDialog*>();
  }

  test::HttpServer server{{}};
  QSignalSpy spy;
};

FakeEngine failing_engine() {
  FakeEngine fake;
  fake.fail_step = 5;
  return fake;
}

}  // namespace

void NoticeTest::a_runs_end_is_posted() {
  NEEDS_SERVER;
  NoticeStudio t;
  t.run();
  QVERIFY(t.wait_for_post());
  QCOMPARE(t.told("state"), "finished");
  QCOMPARE(t.told("steps"), "50");
  QCOMPARE(t.told("folder"), "/runs/fake");
}

void NoticeTest::a_failure_is_posted_to_ntfy() {
  NEEDS_SERVER;
  NoticeStudio t(failing_engine(), "ntfy:");
  t.run();
  QVERIFY(t.wait_for_post());
  const test::HttpPosted posted = t.server.posted().front();
  QCOMPARE(QString::fromStdString(posted.path), QStringLiteral("/hook"));
  QVERIFY(posted.header("Title").starts_with("Run failed: "));
  QVERIFY(posted.body.find("loss is not finite") != std::string::npos);
  QVERIFY(posted.body.find("step 5") != std::string::npos);
}

void NoticeTest::a_run_beside_is_told_too() {
  NEEDS_SERVER;
  NoticeStudio t;
  RunEnd end;
  end.how = RunEnd::How::failed;
  end.failure = {.kind = ErrorKind::input, .message = Message::verbatim("no images")};
  JobSpec job;
  job.preset.name = "Beside";
  emit t.window().queue()->ended_beside(end, job);
  QVERIFY(t.wait_for_post());
  QCOMPARE(t.told("state"), "refused");
  QCOMPARE(t.told("name"), "Beside");
}

void NoticeTest::a_stopped_run_is_told_to_nobody() {
  NEEDS_SERVER;
  NoticeStudio t(endless_engine());
  t.window().actions()->start->trigger();
  QVERIFY(t.wait_for_step(3));
  t.engine().request_stop(RunControl::Stop::save);
  QVERIFY(t.wait_for_end());
  QTest::qWait(200);
  QVERIFY(t.server.posted().empty());
}

void NoticeTest::a_failing_address_is_a_line_of_the_log() {
  NEEDS_SERVER;
  NoticeStudio t;
  t.server.behave({.refuse = 403});
  t.session->settings().set_notice_address(QStringLiteral("http://me:hunter2@") + t.hook().mid(7));
  QSignalSpy undelivered(t.window().notifier(), &Notifier::undelivered);
  t.run();
  QVERIFY(!undelivered.isEmpty() || undelivered.wait(5000));
  const QString log = t.window().run_page()->log()->text();
  QVERIFY2(log.contains(QStringLiteral("was not delivered")) &&
               log.contains(QStringLiteral("status 403")),
           qPrintable(log));
  QVERIFY(!log.contains(QStringLiteral("hunter2")) && !log.contains(QStringLiteral("hook")));
  QCOMPARE(t.engine().state(), RunState::finished);
}

void NoticeTest::the_dialog_keeps_what_is_chosen_and_sends_a_test() {
  NEEDS_SERVER;
  NoticeStudio t;
  t.session->settings().set_notice_address({});
  t.show();
  NoticeDialog* dialog = t.open();
  QVERIFY(dialog != nullptr && !dialog->address()->isEnabled());
  dialog->form()->setCurrentIndex(1);
  QVERIFY(!dialog->test_button()->isEnabled());
  dialog->address()->setFocus();
  QTest::keyClicks(dialog->address(), t.hook());
  QCOMPARE(t.session->settings().notice_address(), QStringLiteral("ntfy:") + t.hook());
  QTest::mouseClick(dialog->test_button(), Qt::LeftButton);
  QVERIFY(QTest::qWaitFor([&] { return dialog->status().contains(QStringLiteral("delivered")); }));
  QCOMPARE(t.server.posted().size(), std::size_t{1});
  QVERIFY(t.server.posted()[0].header("Title") == "Run finished: a test");
  t.server.behave({.refuse = 500});
  QTest::mouseClick(dialog->test_button(), Qt::LeftButton);
  QVERIFY(QTest::qWaitFor([&] { return dialog->status().contains(QStringLiteral("status 500")); }));
  dialog->accept();
  // The next time it is found as it was left.
  QTest::qWait(0);
  dialog = t.open();
  QCOMPARE(dialog->form()->currentIndex(), 1);
  QCOMPARE(dialog->address()->text(), t.hook());
  dialog->form()->setCurrentIndex(0);
  QVERIFY(t.session->settings().notice_address().isEmpty());
}

void NoticeTest::what_is_no_address_is_told_in_the_dialog() {
  NoticeStudio t;
  t.show();
  NoticeDialog* dialog = t.open();
  dialog->form()->setCurrentIndex(2);
  dialog->address()->setText(QStringLiteral("my-topic"));
  QVERIFY2(dialog->status().contains(QStringLiteral("no address")), qPrintable(dialog->status()));
  QVERIFY(!dialog->test_button()->isEnabled());
}

void NoticeTest::the_desktop_is_switched_off() {
  TestSession t{failing_engine()};  // its window is not shown, so it is not in front
  t.session->settings().set_desktop_notices(false);
  const QSignalSpy told(t.window().notifier(), &Notifier::told);
  t.window().actions()->start->trigger();
  QVERIFY(t.wait_for_end());
  QCOMPARE(told.count(), 0);
}

void NoticeTest::an_icon_shows_the_run_and_what_it_can_be_told() {
  NoticeStudio t(endless_engine());
  const TrayIcon& tray = t.window().notifier()->tray();
  QVERIFY(tray.text().isEmpty());
  t.window().actions()->start->trigger();
  QVERIFY(t.wait_for_step(3));
  QVERIFY(QTest::qWaitFor([&] { return tray.text().endsWith(QStringLiteral("%")); }));
  const QList<QAction*> offered = tray.menu()->actions();
  for (QAction* action : {t.window().actions()->pause, t.window().actions()->stop_save}) {
    QVERIFY(offered.contains(action));
  }
  t.window().hide();
  offered.front()->trigger();
  QVERIFY(t.window().isVisible());
  t.window().actions()->stop_save->trigger();
  QVERIFY(t.wait_for_end());
  QVERIFY(QTest::qWaitFor([&] { return tray.text().isEmpty(); }));
}

void NoticeTest::a_run_has_no_icon_where_notices_are_off() {
  NoticeStudio t(endless_engine());
  t.session->settings().set_desktop_notices(false);
  t.window().actions()->start->trigger();
  QVERIFY(t.wait_for_step(3));
  QVERIFY(QTest::qWaitFor([&] { return t.window().notifier()->percent() >= 0; }));
  QVERIFY(t.window().notifier()->tray().text().isEmpty());
}

void NoticeTest::quitting_does_not_wait_for_a_slow_address() {
  NEEDS_SERVER;
  NoticeStudio t;
  t.server.behave({.wait = 20s});
  t.run();
  QVERIFY(QTest::qWaitFor([&] { return !t.server.posted().empty(); }));
  QElapsedTimer clock;
  clock.start();
  t.session.reset();
  QVERIFY2(clock.elapsed() < 1500, qPrintable(QString::number(clock.elapsed())));
}

void NoticeTest::screenshots() {
  NEEDS_SERVER;
  const QString keep = qEnvironmentVariable("MANTISSA_SCREENSHOTS");
  if (keep.isEmpty()) {
    QSKIP("MANTISSA_SCREENSHOTS names no folder");
  }
  QDir().mkpath(keep);
  for (const QString& language :
       {QStringLiteral("en"), QStringLiteral("ja"), QStringLiteral("zh_CN")}) {
    load_language(*qobject_cast<QApplication*>(qApp), language);
    NoticeStudio t;
    t.show();
    auto* dialog = new NoticeDialog(&t.session->settings(), t.window().notifier(), &t.window());
    dialog->open();
    QTest::mouseClick(dialog->test_button(), Qt::LeftButton);
    QVERIFY(QTest::qWaitFor([&] { return !t.server.posted().empty(); }));
    QTest::qWait(200);
    QVERIFY(dialog->grab().save(QStringLiteral("%1/notices-%2.png").arg(keep, language)));
  }
  for (QTranslator* words : qApp->findChildren<QTranslator*>(Qt::FindDirectChildrenOnly)) {
    delete words;
  }
}

}  // namespace mantissa::gui
