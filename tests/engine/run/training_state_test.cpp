// A run's mutable state: averages, and checkpoint round trips.
#include "engine/run/training_state.h"

#include <cmath>
#include <gtest/gtest.h>
#include <set>
#include <stdexcept>

#include "engine/adapters/trained_set.h"
#include "engine/core/error.h"
#include "engine/models/stable_diffusion/sd_family.h"
#include "kernels/cpu/cpu.h"

namespace mantissa {
namespace {

class TrainingStateTest : public ::testing::Test {
 protected:
  TrainingStateTest() : scales_(kernels_.get()) {
    preset_.adapter.rank = 2;
    preset_.training.ema = 0.5;
    adapters_ = std::make_unique<TrainedSet>(*kernels_, preset_, kSdxl);
    adapters_->request("denoiser.mid_block.attentions.0.transformer_blocks.0.attn1.to_q", kDenoiser,
                       {8, 8});
    adapters_->finalize(1);
  }
  TrainingState begin() { return {preset_, *adapters_, scales_}; }
  std::vector<float> parameters(const TrainingState& state) const {
    return host_values(*kernels_, state.groups.at(0).parameters);
  }
  std::vector<float> averages(const TrainingState& state) const {
    return host_values(*kernels_, state.averaged(false).at(kDenoiser));
  }
  StepOutcome outcome(bool stepped) const {
    StepOutcome outcome;
    outcome.stepped = true;  // another group did
    outcome.skipped = !stepped;
    outcome.group_stepped = {stepped, true};
    return outcome;
  }

  Preset preset_;
  std::unique_ptr<Kernels> kernels_ = make_cpu_kernels(1);
  Fp8Scales scales_;
  std::unique_ptr<TrainedSet> adapters_;
};

TEST_F(TrainingStateTest, OnlyAGroupThatSteppedEntersItsAverage) {
  TrainingState state = begin();
  const std::vector<float> start = parameters(state);
  EXPECT_EQ(averages(state), start);
  kernels_->fill(state.groups[0].parameters, 1.0F);
  state.average(outcome(false));
  EXPECT_EQ(averages(state), start);
  state.average(outcome(true));
  const std::vector<float> now = averages(state);
  for (std::size_t i = 0; i < start.size(); ++i) {
    EXPECT_FLOAT_EQ(now[i], 0.5F * start[i] + 0.5F);
  }
}

TEST_F(TrainingStateTest, AveragesStandInAndGoAgainWhateverHappens) {
  TrainingState state = begin();
  const std::vector<float> start = averages(state);
  kernels_->fill(state.groups[0].parameters, 1.0F);
  const std::vector<float> trained = parameters(state);
  state.with_averages([&] { EXPECT_EQ(parameters(state), start); });
  EXPECT_EQ(parameters(state), trained);
  EXPECT_THROW(state.with_averages([] { throw std::runtime_error("no room"); }),
               std::runtime_error);
  EXPECT_EQ(parameters(state), trained);
  EXPECT_EQ(averages(state), start);
}

TEST_F(TrainingStateTest, WithoutAveragesThereAreNone) {
  preset_.training.ema = 0;
  TrainingState state = begin();
  EXPECT_TRUE(state.averaged(false).empty());
  const std::vector<float> start = parameters(state);
  state.with_averages([&] { EXPECT_EQ(parameters(state), start); });
  for (const NamedBuffer& buffer : state.buffers()) {
    EXPECT_FALSE(buffer.name.ends_with(".ema")) << buffer.name;
  }
}

TEST_F(TrainingStateTest, AScheduleFreeOptimizerShowsItsAverageAndTrainsOn) {
  for (const DType type : {DType::f32, DType::bf16}) {
    preset_.optimizer.type = OptimizerType::adamw_schedule_free;
    preset_.optimizer.learning_rate = 0.01;
    preset_.precision.adapter = type == DType::bf16 ? MasterType::bf16 : MasterType::fp32;
    preset_.precision.kahan = true;
    adapters_ = std::make_unique<TrainedSet>(*kernels_, preset_, kSdxl);
    adapters_->request("denoiser.mid_block.attentions.0.transformer_blocks.0.attn1.to_q", kDenoiser,
                       {8, 8});
    adapters_->finalize(1);
    TrainingState state = begin();
    OptimizerPart& group = state.groups[0];
    EXPECT_TRUE(state.averaged(false).empty()) << "training.ema does not apply to it";
    const std::vector<float> start = parameters(state);
    state.with_schedule_free([&] { EXPECT_EQ(parameters(state), start); });
    kernels_->fill(group.gradients, 1.0F);
    for (int i = 0; i < 4; ++i) {
      group.optimizer->step({group.parameters, group.gradients, 0.01, 1.0});
    }
    const std::vector<float> trained = parameters(state);
    // Of equal updates by η each, x is the mean of z: half-way behind, 2.5 of 4 updates; y is a
    // tenth of the way from x to z.
    const double tolerance = type == DType::bf16 ? 0.004 : 1e-5;
    const auto shown = [&] {
      const std::vector<float> now = parameters(state);
      for (std::size_t i = 0; i < start.size(); ++i) {
        const double still = std::pow(1 - 0.01 * 0.01, 2.5);  // weight decay
        EXPECT_NEAR(now[i], start[i] * still - 0.025, tolerance) << i;
        EXPECT_NEAR(trained[i], start[i] * still - 0.0265, tolerance) << i;
      }
    };
    state.with_schedule_free([&] {
      shown();
      state.with_averages(shown);
    });
    EXPECT_EQ(parameters(state), trained);
    EXPECT_THROW(state.with_schedule_free([] { throw std::runtime_error("no room"); }),
                 std::runtime_error);
    EXPECT_EQ(parameters(state), trained);
    state.with_averages(shown);
    EXPECT_EQ(parameters(state), trained);
    std::set<std::string> names;
    for (const NamedBuffer& buffer : state.buffers()) {
      EXPECT_TRUE(names.insert(buffer.name).second) << buffer.name;
    }
    EXPECT_TRUE(names.contains(group.name() + ".offset"));
    EXPECT_TRUE(names.contains(group.name() + ".averaging"));
    EXPECT_FALSE(names.contains(group.name() + ".ema"));
  }
}

TEST_F(TrainingStateTest, IsWhereItWasDescribed) {
  TrainingState state = begin();
  state.step = 7;
  state.updates = 5;
  state.skips_in_row = 2;
  state.groups[0].optimizer->set_updates(5);
  CheckpointState saved;
  state.describe(saved);
  EXPECT_EQ(saved.optimizer_updates,
            (std::map<std::string, std::int64_t>{{state.groups[0].name(), 5}}));
  TrainingState other = begin();
  other.restore(saved, "step-00000007");
  EXPECT_EQ(other.step, 7);
  EXPECT_EQ(other.updates, 5);
  EXPECT_EQ(other.skips_in_row, 2);
  EXPECT_EQ(other.groups[0].optimizer->updates(), 5);
}

TEST_F(TrainingStateTest, APartThatACheckpointLacksIsNamed) {
  TrainingState state = begin();
  try {
    state.restore({}, "step-00000007");
    FAIL() << "no error";
  } catch (const Error& e) {
    const std::string told = e.what();
    EXPECT_NE(told.find("step-00000007"), std::string::npos) << told;
    EXPECT_NE(told.find("optimizer_updates"), std::string::npos) << told;
    EXPECT_NE(told.find(state.groups[0].name()), std::string::npos) << told;
  }
}

}  // namespace
}  // namespace mantissa
