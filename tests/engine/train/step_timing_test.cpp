#include "engine/train/step_timing.h"

#include "engine/preset/preset_io.h"
#include "tests/engine/train/run_fixture.h"

namespace mantissa {
namespace {

class StepTimingTest : public testing_support::RunFixture {
 protected:
  StepTimingTest() {
    job_.images.clear();
    job_.out.clear();
  }
  /// Two steps after one.
  StepTiming time(const std::vector<std::string>& changes) {
    for (const std::string& change : changes) {
      apply_set(job_.preset, change);
    }
    return time_steps(job_, {.steps = 2, .warm_up = 1},
                      [this](RunPhase, std::int64_t done, std::int64_t total) {
                        told_.emplace_back(done, total);
                      });
  }
  std::vector<std::pair<std::int64_t, std::int64_t>> told_;
};

TEST_F(StepTimingTest, TimesStepsOfThePresetsShapeAndWritesNothing) {
  const StepTiming t = time({"data.batch_size=2", "training.gradient_accumulation=2"});
  ASSERT_EQ(t.seconds.size(), 2U);
  EXPECT_GT(t.fastest(), 0);
  EXPECT_GE(t.median(), t.fastest());
  EXPECT_EQ(t.shape.batch, 2);
  EXPECT_EQ(t.shape.height * 8, 64);
  EXPECT_EQ(t.card, "cpu");
  EXPECT_NE(t.plan.find("fp32"), std::string::npos) << t.plan;
  EXPECT_GT(t.peak_bytes, 0U);
  EXPECT_FALSE(t.replayed);
  EXPECT_TRUE(t.why_not_replayed.empty()) << "a processor has nothing to record";
  EXPECT_EQ(told_.back(), std::pair(std::int64_t{3}, std::int64_t{3}));
  EXPECT_TRUE(std::filesystem::is_empty(home_));
}

TEST_F(StepTimingTest, EveryKindOfStep) {
  const std::vector<std::vector<std::string>> kinds{
      {"optimizer.fused_back_pass=true", "training.max_grad_norm=0"},
      {"training.ema=0.9", "precision.compute=fp16"},
      {R"(training.parts=["denoiser","te1"])"},
      {"data.masks=alpha"},
      {R"(training.parts=["vae"])", "training.method=full"},
  };
  const JobSpec plain = job_;
  for (const std::vector<std::string>& kind : kinds) {
    SCOPED_TRACE(kind.front());
    job_ = plain;
    EXPECT_EQ(time(kind).seconds.size(), 2U);
  }
}

TEST_F(StepTimingTest, ARefusedPlanIsRefused) {
  try {
    time({"precision.compute=fp16", "precision.adapter=fp16"});
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.kind(), ErrorKind::precision) << e.what();
  }
}

TEST(StepTiming, MedianOfEvenAndOddCounts) {
  StepTiming t;
  t.seconds = {3, 1, 2};
  EXPECT_EQ(t.median(), 2);
  EXPECT_EQ(t.fastest(), 1);
  t.seconds = {4, 1, 3, 2};
  EXPECT_EQ(t.median(), 2.5);
}

}  // namespace
}  // namespace mantissa
