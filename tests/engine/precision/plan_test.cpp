#include "engine/precision/plan.h"

#include <gtest/gtest.h>

namespace mantissa {
namespace {

TEST(PrecisionPlan, DefaultsArePlainFp32) {
  const PrecisionPlan plan = make_precision_plan({});
  EXPECT_TRUE(plan.findings.empty());
  EXPECT_EQ(plan.refusal(), nullptr);
  EXPECT_EQ(
      plan.json(),
      R"({"weights":{"unet":"fp32","text_encoders":"fp32","vae":"fp32"},"compute":"fp32",)"
      R"("accumulation":"fp32","adapter":"fp32","gradients":"fp32","optimizer_state":"fp32"})");
}

TEST(PrecisionPlan, Fp16MastersAreS4) {
  Preset p;
  p.precision.adapter = MasterType::fp16;
  EXPECT_EQ(make_precision_plan(p).refusal()->id, "S4");
}

}  // namespace
}  // namespace mantissa
