// Readers concurrent with the writer, many writers, many rows.
#include <atomic>
#include <chrono>
#include <thread>

#include "tests/engine/store/store_fixture.h"

namespace mantissa {
namespace {

using namespace testing_support;

class StoreThreads : public StoreFixture {};

TEST_F(StoreThreads, ReaderSeesAPrefixWhileTheWriterWrites) {
  constexpr int kSteps = 20'000;
  RunStore store(file_);
  store.create_run(run("a"));
  std::atomic<bool> finished{false};
  std::size_t reads = 0;
  bool sound = true;
  std::thread watcher([&] {
    RunReader reader(file_);
    std::int64_t last = -1;
    for (bool again = true; again;) {
      again = !finished.load();
      for (const StepRow& r : reader.metrics("a", last)) {
        sound = sound && r.step == last + 1 && r.loss == 1.0 / static_cast<double>(r.step + 1);
        last = r.step;
      }
      ++reads;
    }
    sound = sound && last == kSteps - 1;
  });
  for (int i = 0; i < kSteps; ++i) {
    store.add_step("a", step(i));
  }
  store.flush();
  finished = true;
  watcher.join();
  EXPECT_TRUE(sound);
  EXPECT_GE(reads, 2u);
}

TEST_F(StoreThreads, ManyThreadsMayAdd) {
  RunStore store(file_);
  store.create_run(run("a"));
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 500; ++i) {
        store.add_step("a", step(t * 500 + i));
        store.add_event("a", LogLevel::info, Message::verbatim("x"));
      }
      store.flush();
    });
  }
  for (auto& t : threads) {
    t.join();
  }
  RunReader reader(file_);
  EXPECT_EQ(reader.metrics("a").size(), 2000u);
  EXPECT_EQ(reader.events("a").size(), 2000u);
}

TEST_F(StoreThreads, HundredThousandStepsArePrintedNotAsserted) {
  RunStore store(file_);
  store.create_run(run("a"));
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < 100'000; ++i) {
    store.add_step("a", step(i));
  }
  store.flush();
  const auto end = std::chrono::steady_clock::now();
  std::printf("100,000 step rows: %.2f s\n", std::chrono::duration<double>(end - begin).count());
  RunReader reader(file_);
  const auto rows = reader.metrics("a");
  std::printf("read back: %.2f s\n",
              std::chrono::duration<double>(std::chrono::steady_clock::now() - end).count());
  EXPECT_EQ(rows.size(), 100'000u);
}

}  // namespace
}  // namespace mantissa
