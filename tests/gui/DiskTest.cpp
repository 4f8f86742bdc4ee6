#include "tests/gui/DiskTest.h"

#include <QPushButton>
#include <QtTest>
#include <algorithm>

#include "gui/run/DiskCard.h"
#include "gui/run/LogView.h"
#include "gui/run/RunActions.h"
#include "gui/run/RunData.h"
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

void DiskTest::a_wait_is_in_the_log_and_has_one_marker() {
  TestSession t(with_full_disk());
  run_into_it(t);
  const auto waits = [&] {
    const auto& markers = t.session->data().markers();
    return std::count_if(markers.begin(), markers.end(), [](const PlotMarker& m) {
      return m.kind == PlotMarker::Kind::paused && m.step == 20;
    });
  };
  QCOMPARE(waits(), 1);
  QTest::mouseClick(t.window().run_page()->disk_card()->retry_button(), Qt::LeftButton);
  QVERIFY(t.wait_for_end());
  QCOMPARE(waits(), 1);
  const QString log = t.window().run_page()->log()->text();
  QVERIFY2(log.contains(QStringLiteral("After step 20: waited 12 s for disk space")),
           qPrintable(log));
  // A recorded run, of which the window has seen nothing, gets the marker from its row.
  RunData recorded;
  recorded.add_pause({20, true});
  recorded.add_pause({20, false});
  recorded.add_pause({30, false});
  QCOMPARE(recorded.markers().size(), std::size_t{2});
  QCOMPARE(recorded.markers()[0].step, std::int64_t{20});
  QCOMPARE(recorded.markers()[0].text, QStringLiteral("paused: the disk is full"));
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
