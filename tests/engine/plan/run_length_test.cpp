#include "engine/plan/run_length.h"

#include <gtest/gtest.h>
#include <vector>

namespace mantissa {
namespace {

Preset by_epochs(std::int64_t epochs, int accumulation = 1) {
  Preset preset;
  preset.training.epochs = epochs;
  preset.training.gradient_accumulation = accumulation;
  return preset;
}

std::vector<std::int64_t> ends(const RunLength& length, std::int64_t every) {
  std::vector<std::int64_t> steps;
  for (std::int64_t step = 0; step <= length.steps; ++step) {
    if (length.ends_epochs(step, every)) {
      steps.push_back(step);
    }
  }
  return steps;
}

TEST(RunLengthTest, IsGivenByStepsOrEpochs) {
  Preset preset;
  preset.training.steps = 70;
  EXPECT_EQ(run_length(preset, 0).steps, 70);
  EXPECT_EQ(run_length(preset, 20).steps, 70);
  EXPECT_DOUBLE_EQ(run_length(preset, 20).epochs_after(70), 3.5);
  EXPECT_EQ(run_length(preset, 0).epochs_after(70), 0) << "unknown";
  EXPECT_EQ(run_length(by_epochs(3), 20).steps, 60);
  EXPECT_EQ(run_length(by_epochs(3), 0).steps, 0) << "unknown";
  EXPECT_EQ(run_length(by_epochs(3, 4), 20).steps, 15);
  EXPECT_EQ(run_length(by_epochs(3, 8), 20).steps, 8) << "the last step is whole";
}

TEST(RunLengthTest, KnowsWhereEpochsEnd) {
  using Steps = std::vector<std::int64_t>;
  EXPECT_EQ(ends(run_length(by_epochs(4), 5), 1), (Steps{5, 10, 15, 20}));
  EXPECT_EQ(ends(run_length(by_epochs(4), 5), 2), (Steps{10, 20}));
  EXPECT_EQ(ends(run_length(by_epochs(4), 5), 0), Steps{});
  EXPECT_EQ(ends(run_length(by_epochs(4, 2), 5), 1), (Steps{3, 5, 8, 10}))
      << "an epoch that ends within a step is over after it";
  EXPECT_EQ(ends(run_length(by_epochs(4, 8), 5), 1), (Steps{1, 2, 3}))
      << "one save for epochs of one step";
  Preset preset;
  preset.training.steps = 10;
  EXPECT_EQ(ends(run_length(preset, 0), 1), Steps{}) << "no images, no epochs";
}

}  // namespace
}  // namespace mantissa
