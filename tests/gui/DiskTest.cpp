#include "tests/gui/DiskTest.h"

#include <QPushButton>
#include <QtTest>

#include "gui/run/DiskCard.h"
#include "gui/run/LogView.h"
#include "gui/run/RunActions.h"
#include "gui/run/RunPage.h"
#include "tests/gui/TestSession.h"

namespace mantissa::gui {
namespace {

FakeEngine with_full_disk() {
  FakeEngine fake;
  fake.steps = 40;
  fake.full_disk_step = 20;
  return fake;
}

/// Starts a run and waits until it hits a full disk.
void run_into_it(TestSession& t) {
  t.show();
  t.window().actions()->start->trigger();
  QVERIFY(t.wait_for(RunState::paused));
  DiskCard* card = t.window().run_page()->disk_card();
  QTRY_VERIFY(card->isVisible());
  QVERIFY(card->text().contains(QStringLiteral("/runs/fake")));
  QVERIFY(card->text().contains(QStringLiteral("3")));
  QVERIFY(t.engine().is_running());
  QVERIFY(t.window().page() == t.window().run_page());
}

}  // namespace

void DiskTest::a_full_disk_pauses_and_retry_goes_on() {
  TestSession t(with_full_disk());
  run_into_it(t);
  DiskCard* card = t.window().run_page()->disk_card();
  QTest::mouseClick(card->retry_button(), Qt::LeftButton);
  QVERIFY(t.wait_for_end());
  QCOMPARE(t.engine().state(), RunState::finished);
  QVERIFY(!card->isVisible());
  QCOMPARE(t.engine().last_saved_step(), std::int64_t{20});
}

void DiskTest::the_run_goes_on_in_another_folder() {
  TestSession t(with_full_disk());
  run_into_it(t);
  DiskCard* card = t.window().run_page()->disk_card();
  QTest::mouseClick(card->folder_button(), Qt::LeftButton);  // no folder chosen
  QTest::qWait(50);
  QVERIFY(card->isVisible());
  t.folder_answer = t.folder.filePath(QStringLiteral("elsewhere"));
  QTest::mouseClick(card->folder_button(), Qt::LeftButton);
  QVERIFY(t.wait_for_end());
  QVERIFY(t.window().run_page()->log()->text().contains(t.folder_answer));
  QVERIFY(!card->isVisible());
}

void DiskTest::it_can_be_stopped() {
  TestSession t(with_full_disk());
  run_into_it(t);
  QTest::mouseClick(t.window().run_page()->disk_card()->stop_button(), Qt::LeftButton);
  QVERIFY(t.wait_for_end());
  QVERIFY(!t.window().run_page()->disk_card()->isVisible());
}

void DiskTest::stop_and_save_tries_again_and_then_stops() {
  TestSession t(with_full_disk());
  run_into_it(t);
  t.window().actions()->stop_save->trigger();
  QVERIFY(t.wait_for_end());
  QCOMPARE(t.engine().last_saved_step() >= 20, true);
  QVERIFY(t.window().run_page()->failure_card()->isHidden());
}

void DiskTest::closing_the_studio_does_not_wait() {
  auto t = std::make_unique<TestSession>(with_full_disk());
  run_into_it(*t);
  t.reset();
}

}  // namespace mantissa::gui
