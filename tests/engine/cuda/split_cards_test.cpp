// A run whose layers are split over two cards: what one card gives, to the bit, in less of the
// memory of each.
#include <algorithm>

#include "engine/core/paths.h"
#include "engine/io/file.h"
#include "tests/engine/cuda/card.h"

namespace mantissa {
namespace {

class SplitRecorder : public testing_support::HealthRecorder {
 public:
  void on_plan(const PlanReport& r) override { plan = r; }
  PlanReport plan;
};

class SplitCards : public testing_support::CudaFixture {
 protected:
  void SetUp() override {
    if (std::getenv("MANTISSA_TEST_DEVICE") != nullptr) {
      GTEST_SKIP() << "needs two cards";
    }
    CudaFixture::SetUp();
    setenv("MANTISSA_CUDA_CARDS", "2", 1);
    job_.device = "cuda:0";
    job_.preset.training.steps = 5;  // from the third on, steps are replays
  }
  void TearDown() override {
    unsetenv("MANTISSA_CUDA_CARDS");
    CudaFixture::TearDown();
  }
  JobSpec split_into(const char* folder, std::uint64_t budget) const {
    JobSpec job = job_into(folder);
    job.split = {{"cuda:0", budget}, {"cuda:1", budget}};
    return job;
  }
  /// Trained by both, with 0.65 of what one needs; the same as by one.
  void expect_both_train_what_one_does() {
    SplitRecorder alone, both;
    const std::string expected = read_text(run(job_into("alone"), alone).adapter);
    const testing_support::CardMemory memory;
    const std::uint64_t budget = alone.plan.peak_bytes * 65 / 100 + (8 << 20);
    memory.reset_peak();
    EXPECT_EQ(read_text(run(split_into("both", budget), both).adapter), expected);
    EXPECT_NE(both.log.find("the layers are split over 2 cards"), std::string::npos) << both.log;
    EXPECT_NE(both.log.find("steps run as CUDA graphs"), std::string::npos) << both.log;
    ASSERT_EQ(both.steps.size(), alone.steps.size());
    for (std::size_t i = 0; i < alone.steps.size(); ++i) {
      EXPECT_EQ(both.steps[i].loss, alone.steps[i].loss) << i;
      EXPECT_EQ(both.steps[i].grad_norm, alone.steps[i].grad_norm) << i;
    }
    for (const int card : {0, 1}) {
      EXPECT_GT(memory.peak_of(card), 0U) << card;
      EXPECT_LE(memory.peak_of(card), budget) << card;
    }
  }
};

TEST_F(SplitCards, LoraInBf16) {
  job_.preset.precision.compute = ComputeType::bf16;
  job_.preset.precision.weights.denoiser = StorageType::bf16;
  expect_both_train_what_one_does();
}

TEST_F(SplitCards, DoraInFp32WithCheckpointing) {
  job_.preset.adapter.type = AdapterType::dora;
  job_.preset.training.gradient_checkpointing = true;
  expect_both_train_what_one_does();
}

TEST_F(SplitCards, TheSameCardTwiceIsRefused) {
  JobSpec job = job_into("twice");
  job.split = {{"cuda:0", 0}, {"cuda:0", 0}};
  SplitRecorder seen;
  EXPECT_THROW(run(job, seen), Error);
}

}  // namespace
}  // namespace mantissa
