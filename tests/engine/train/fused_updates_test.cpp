// Updates inside the backward pass.
#include <gtest/gtest.h>

#include "engine/io/file.h"
#include "engine/train/run_training.h"
#include "tests/engine/train/run_fixture.h"

namespace mantissa {
namespace {

using FusedUpdatesTest = testing_support::RunFixture;

TEST_F(FusedUpdatesTest, GiveTheAdapterOfSeparateOnes) {
  const auto state_of = [&](bool fused) {
    JobSpec job = job_into(fused ? "fused" : "separate");
    job.preset.training.max_grad_norm = 0;  // a norm needs all gradients
    job.preset.optimizer.fused_back_pass = fused;
    RunControl control;
    RunObserver observer;
    run_training(job, control, observer);
    return sha256_file(job.out / "checkpoints" / "step-00000004" / "state.safetensors");
  };
  EXPECT_EQ(state_of(true), state_of(false));
}

}  // namespace
}  // namespace mantissa
