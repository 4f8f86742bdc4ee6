#include "tests/gui/StepRingTest.h"

#include <QtTest>
#include <thread>

#include "gui/engine/StepRing.h"

namespace mantissa::gui {

void StepRingTest::keeps_order() {
  BasicStepRing<8> ring;
  std::vector<StepRecord> out;
  std::int64_t next = 1;
  for (int round = 0; round < 20; ++round) {
    for (int i = 0; i < 5; ++i) {
      StepRecord r;
      r.step = next++;
      QVERIFY(ring.push(r));
    }
    QCOMPARE(ring.drain(out), std::size_t{5});
  }
  for (std::size_t i = 0; i < out.size(); ++i) {
    QCOMPARE(out[i].step, static_cast<std::int64_t>(i + 1));
  }
  QCOMPARE(ring.dropped(), std::uint64_t{0});
}

void StepRingTest::counts_what_it_drops() {
  BasicStepRing<8> ring;
  for (int i = 1; i <= 13; ++i) {
    StepRecord r;
    r.step = i;
    QCOMPARE(ring.push(r), i <= 8);
  }
  QCOMPARE(ring.dropped(), std::uint64_t{5});
  std::vector<StepRecord> out;
  QCOMPARE(ring.drain(out), std::size_t{8});
  QCOMPARE(out.back().step, std::int64_t{8});
  QVERIFY(ring.push(StepRecord{}));
}

void StepRingTest::carries_between_threads() {
  StepRing ring;
  constexpr std::int64_t kCount = 300000;
  std::atomic<bool> done{false};
  std::thread producer([&] {
    for (std::int64_t i = 1; i <= kCount; ++i) {
      StepRecord r;
      r.step = i;
      r.loss = static_cast<double>(i) * 0.5;
      r.parts[kVae].norm = static_cast<double>(-i);
      ring.push(r);
    }
    done = true;
  });
  std::vector<StepRecord> out;
  while (!done) {
    ring.drain(out);
  }
  ring.drain(out);
  producer.join();
  QCOMPARE(static_cast<std::int64_t>(out.size() + ring.dropped()), kCount);
  std::int64_t last = 0;
  for (const StepRecord& r : out) {
    QVERIFY(r.step > last);
    QCOMPARE(r.loss, static_cast<double>(r.step) * 0.5);
    QCOMPARE(r.parts.begin()->norm, static_cast<double>(-r.step));
    last = r.step;
  }
}

void StepRingTest::starts_over() {
  BasicStepRing<4> ring;
  for (int i = 0; i < 6; ++i) {
    ring.push(StepRecord{});
  }
  ring.reset();
  std::vector<StepRecord> out;
  QCOMPARE(ring.drain(out), std::size_t{0});
  QCOMPARE(ring.dropped(), std::uint64_t{0});
}

}  // namespace mantissa::gui
