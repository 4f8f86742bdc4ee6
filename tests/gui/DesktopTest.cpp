#include "tests/gui/DesktopTest.h"

#include <QDialog>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QtTest>

#include "gui/desktop/FirstStudio.h"
#include "gui/run/RunActions.h"
#include "tests/gui/TestSession.h"
#ifdef Q_OS_WIN
#include <windows.h>
#endif

namespace mantissa::gui {
namespace {

#ifdef Q_OS_WIN
constexpr bool kHandsOver = true;

/// What Windows was asked for on this thread; asking for it again changes nothing.
bool sleep_is_prevented() {
  const EXECUTION_STATE asked = SetThreadExecutionState(ES_CONTINUOUS);
  SetThreadExecutionState(asked);
  return (asked & ES_SYSTEM_REQUIRED) != 0;
}
#else
constexpr bool kHandsOver = false;
#endif

}  // namespace

void DesktopTest::awake_while_it_works() {
  TestSession t{endless_engine()};
  const auto awake = [&t] {
#ifdef Q_OS_WIN
    if (sleep_is_prevented() != t.session->awake().is_held()) {
      qWarning("Windows was asked for something else");
      return !t.session->awake().is_held();
    }
#endif
    return t.session->awake().is_held();
  };
#ifdef Q_OS_WIN
  SetThreadExecutionState(ES_CONTINUOUS);
#endif
  QVERIFY(!awake());
  t.window().actions()->start->trigger();
  QVERIFY(t.wait_for(RunState::training));
  QVERIFY(awake());
  t.engine().request_pause();
  QVERIFY(t.wait_for(RunState::paused));
  QVERIFY(!awake());
  t.engine().request_resume();
  QVERIFY(t.wait_for(RunState::training));
  QVERIFY(awake());
  t.engine().request_stop(RunControl::Stop::discard);
  QVERIFY(t.wait_for_end());
  QVERIFY(!awake());
}

void DesktopTest::another_start_hands_its_file_over() {
  const QTemporaryDir folder;
  const QString settings = folder.filePath(QStringLiteral("studio.ini"));
  const QString file = folder.filePath(QString::fromUtf8("größe 日本.mantissa-preset"));
  QVERIFY(!FirstStudio::hand_over(settings, file));  // nobody listens
  {
    const FirstStudio first(settings);
    QSignalSpy asked(&first, &FirstStudio::asked_to_open);
    QCOMPARE(FirstStudio::hand_over(settings, file), kHandsOver);
    QCOMPARE(FirstStudio::hand_over(settings.toUpper(), file), kHandsOver);
    QVERIFY(!FirstStudio::hand_over(settings + QLatin1Char('2'), file));
    QCoreApplication::processEvents();
    QCOMPARE(asked.count(), kHandsOver ? 2 : 0);
    if (kHandsOver) {
      QCOMPARE(asked[0][0].toString(), file);
    }
  }
  QVERIFY(!FirstStudio::hand_over(settings, file));
}

void DesktopTest::busy_with_a_dialog_it_takes_no_file() {
  const FirstStudio first(QStringLiteral("settings"));
  QSignalSpy asked(&first, &FirstStudio::asked_to_open);
  QDialog dialog;
  dialog.setModal(true);
  dialog.show();
  QVERIFY(!FirstStudio::hand_over(QStringLiteral("settings"), QStringLiteral("file")));
  dialog.hide();
  QCOMPARE(FirstStudio::hand_over(QStringLiteral("settings"), QStringLiteral("file")), kHandsOver);
}

}  // namespace mantissa::gui
