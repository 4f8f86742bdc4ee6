// TrainPageTest: what a run tells the window, on its way there.
#include <QSemaphore>
#include <QtTest>

#include "gui/engine/Mailbox.h"
#include "tests/gui/TestSession.h"
#include "tests/gui/TrainPageTest.h"

namespace mantissa::gui {

void TrainPageTest::rare_events_arrive_whole() {
  FakeEngine fake;
  fake.steps = 60;
  fake.health_every = 10;
  fake.nan_step = 20;
  fake.overflow_step = 40;
  EngineClient engine(fake, FakeEngine::plan);
  std::vector<HealthRecord> health;
  std::vector<NonFiniteReport> reports;
  bool ended = false;
  connect(&engine, &EngineClient::health_measured, this,
          [&](const HealthRecord& r) { health.push_back(r); });
  connect(&engine, &EngineClient::non_finite_found, this,
          [&](const NonFiniteReport& r) { reports.push_back(r); });
  connect(&engine, &EngineClient::ended, this, [&](const RunEnd&) { ended = true; });
  engine.start({});
  QVERIFY(QTest::qWaitFor([&] { return ended; }));
  QCOMPARE(health.size(), std::size_t{7});
  for (std::size_t i = 0; i < health.size(); ++i) {
    QCOMPARE(health[i].step, static_cast<std::int64_t>(10 * i));
  }
  QCOMPARE(reports.size(), std::size_t{2});
  QCOMPARE(reports[0].step, std::int64_t{20});
  QCOMPARE(reports[1].step, std::int64_t{40});
  QCOMPARE(reports[1].last_amax, 51200.0);
}

void TrainPageTest::a_window_that_stands_still_misses_no_health() {
  // Far more records than a long stall of a real run brings; not one event is handled meanwhile.
  constexpr int kRecords = 400;
  const Runner burst = [](const JobSpec&, RunControl&, RunObserver& observer) {
    for (int i = 1; i <= kRecords; ++i) {
      observer.on_health(fake_health(i));
    }
    return RunResult{};
  };
  EngineClient engine(burst, FakeEngine::plan);
  std::vector<std::int64_t> steps;
  bool ended = false;
  connect(&engine, &EngineClient::health_measured, this,
          [&](const HealthRecord& r) { steps.push_back(r.step); });
  connect(&engine, &EngineClient::ended, this, [&](const RunEnd&) { ended = true; });
  engine.start({});
  QThread::msleep(300);
  QVERIFY(steps.empty());
  QVERIFY(QTest::qWaitFor([&] { return ended; }));
  QCOMPARE(steps.size(), std::size_t{kRecords});
  for (int i = 0; i < kRecords; ++i) {
    QCOMPARE(steps[static_cast<std::size_t>(i)], std::int64_t{i + 1});
  }
}

void TrainPageTest::what_waits_is_bounded_and_losses_are_told() {
  // Records of a tenth of the queue's capacity: those beyond it are dropped, and the log reports
  // it.
  HealthRecord large = fake_health(1);
  large.rows.resize(HealthData::kMaxRows / 10, large.rows.front());
  QSemaphore sent;
  const Runner burst = [&](const JobSpec&, RunControl&, RunObserver& observer) {
    for (int i = 1; i <= 14; ++i) {
      large.step = i;
      observer.on_health(large);
    }
    for (int i = 1; i <= 100; ++i) {
      observer.on_non_finite(fake_report(i));
    }
    sent.release();
    return RunResult{};
  };
  EngineClient engine(burst, FakeEngine::plan);
  int health = 0, reports = 0;
  QString told;
  bool ended = false;
  connect(&engine, &EngineClient::health_measured, this, [&](const HealthRecord&) { ++health; });
  connect(&engine, &EngineClient::non_finite_found, this,
          [&](const NonFiniteReport&) { ++reports; });
  connect(&engine, &EngineClient::logged, this, [&](const QVector<LogLine>& lines) {
    QCOMPARE(lines.size(), 1);
    QCOMPARE(lines[0].level, LogLevel::warning);
    told += QString::fromStdString(lines[0].text.text());
  });
  connect(&engine, &EngineClient::ended, this, [&](const RunEnd&) { ended = true; });
  engine.start({});
  sent.acquire();  // the window is busy until then
  QVERIFY(QTest::qWaitFor([&] { return ended; }));
  QCOMPARE(health, 10);
  QVERIFY2(told.startsWith(QStringLiteral("4 record")), qPrintable(told));
  QCOMPARE(reports, 100);

  Mailbox<int> box(2);
  QVERIFY(box.put(1));
  QVERIFY(!box.put(2));
  QVERIFY(!box.put(3));
  auto [items, lost] = box.take();
  QCOMPARE(items, (QVector<int>{1, 2}));
  QCOMPARE(lost, qint64{1});
  QVERIFY(box.put(4, 9));
  QVERIFY(!box.put(5));
  QCOMPARE(box.take().first, (QVector<int>{4}));
}

}  // namespace mantissa::gui
