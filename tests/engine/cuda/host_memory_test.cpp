// Runs on a card whose system limits it: page-locked memory, memory of recordings, paging.
#include <gmock/gmock.h>

#include "engine/plan/backend.h"
#include "engine/plan/plan_run.h"
#include "tests/engine/cuda/card.h"

namespace mantissa {
namespace {

using ::testing::HasSubstr;
using testing_support::CardMemory;
using testing_support::HealthRecorder;

int count_of(const std::string& text, const std::string& part) {
  int count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++count;
  }
  return count;
}

class LimitedCard : public testing_support::CudaFixture {
 protected:
  void SetUp() override {
    CudaFixture::SetUp();
    if (!card_.visible()) {
      GTEST_SKIP() << "a card's system can't be told to limit it";
    }
    unsetenv("MANTISSA_CUDA_PINNED");
    card_.fail({});
    card_.page({});
    job_.device = "cuda:0";
    job_.preset.training.steps = 6;
  }
  void TearDown() override {
    unsetenv("MANTISSA_CUDA_PINNED");
    if (card_.visible()) {
      card_.page({});
      card_.fail({});
    }
    CudaFixture::TearDown();
  }
  CardMemory card_;
};

TEST_F(LimitedCard, WeightsThatCanNotBePinnedGiveTheSameBits) {
  job_.preset.training.steps = 3;
  PlannedRun run = open_run(job_);
  const auto kernels = make_backend("cuda:0");
  job_.memory_budget = planned_report(run, *kernels).peak_bytes * 6 / 10;
  HealthRecorder pinned, pageable;
  this->run(job_into("pinned"), pinned);
  EXPECT_THAT(pinned.log, Not(HasSubstr("page-locks")));
  setenv("MANTISSA_CUDA_PINNED", "0", 1);
  this->run(job_into("pageable"), pageable);
  EXPECT_EQ(count_of(pageable.log, "this computer page-locks no more than"), 1) << pageable.log;
  ASSERT_EQ(pageable.steps.size(), pinned.steps.size());
  for (std::size_t i = 0; i < pinned.steps.size(); ++i) {
    EXPECT_EQ(pageable.steps[i].loss, pinned.steps[i].loss);
    EXPECT_EQ(pageable.steps[i].grad_norm, pinned.steps[i].grad_norm);
  }
}

/// As many that nothing is left for each.
TEST_F(LimitedCard, CardsOfOneRunShareWhatMayBePageLocked) {
  for (const int sharing : {1, 1 << 30}) {
    const auto kernels = make_backend("cuda:0", false, sharing);
    void* memory = kernels->allocate_host(std::size_t{1} << 20);
    std::string notices;
    for (const std::string& notice : kernels->take_notices()) {
      notices += notice;
    }
    kernels->release_host(memory);
    EXPECT_EQ(count_of(notices, "this computer page-locks no more than"), sharing > 1) << notices;
  }
}

/// Counts the card's calls for recordings until the first step, recorded before, has been replayed.
class RecordingWatch : public HealthRecorder {
 public:
  explicit RecordingWatch(const CardMemory& card) : card_(card) {}
  void on_step(const StepRecord& record) override {
    HealthRecorder::on_step(record);
    if (steps.size() == 1) {
      calls_ = card_.calls(cuda_on_host::Api::graph);
    }
  }
  std::int64_t calls() const { return calls_; }

 private:
  const CardMemory& card_;
  std::int64_t calls_ = 0;
};

TEST_F(LimitedCard, ARecordingWithoutMemoryIsTriedAgain) {
  constexpr int kOutOfMemory = 2;
  job_.preset.training.steps = 10;  // the next attempt is four steps later
  job_.preset.data.cache = CacheMode::none;
  RecordingWatch observer(card_);
  const auto recordings_of = [&](const char* folder) {
    const std::int64_t before = card_.recordings();
    run(job_into(folder), observer);
    return card_.recordings() - before;
  };
  const std::int64_t usual = recordings_of("usual");
  ASSERT_GT(observer.calls(), 0);
  card_.fail(
      {.api = cuda_on_host::Api::graph, .call = observer.calls() - 1, .error = kOutOfMemory});
  EXPECT_EQ(recordings_of("limited"), usual);
}

/// Pages the card's memory out after the third step.
class Pager : public HealthRecorder {
 public:
  Pager(const CardMemory& card, std::size_t free) : card_(card), free_(free) {}
  void on_step(const StepRecord& record) override {
    HealthRecorder::on_step(record);
    fastest_ = std::min(fastest_, record.seconds);
    if (record.step == 3) {
      card_.page({free_, std::chrono::milliseconds(static_cast<int>(6e3 * fastest_) + 20)});
    }
  }

 private:
  const CardMemory& card_;
  std::size_t free_;
  double fastest_ = 1e9;
};

TEST_F(LimitedCard, PagedMemoryIsToldOnce) {
  job_.preset.training.steps = 8;
  Pager observer(card_, 1 << 20);
  run(job_, observer);
  EXPECT_EQ(count_of(observer.log, "of its memory is in shared memory"), 1) << observer.log;
  EXPECT_THAT(observer.log, HasSubstr("Close other programs that use the card, or stop and start "
                                      "again with --set "));
  EXPECT_THAT(observer.log, HasSubstr("1 MB of the card's"));
}

TEST_F(LimitedCard, SlowStepsWithMemoryToSpareAreNotPaged) {
  job_.preset.training.steps = 7;
  Pager observer(card_, std::size_t{2} << 30);
  run(job_, observer);
  EXPECT_THAT(observer.log, Not(HasSubstr("shared memory")));
}

}  // namespace
}  // namespace mantissa
