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

TEST(PrecisionPlan, EverySettingThatIsNotFp32IsRefusedWithAFixThatWorks) {
  std::vector<Preset> presets(9);
  presets[0].precision.compute = ComputeType::bf16;
  presets[1].precision.weights.unet = StorageType::fp8_e4m3;
  presets[2].precision.weights.text_encoders = StorageType::bf16;
  presets[3].precision.weights.vae = StorageType::fp16;
  presets[4].precision.adapter = MasterType::bf16;
  presets[5].precision.gradients = MasterType::bf16;
  presets[6].precision.optimizer_state = StateType::eight_bit;
  presets[7].adapter.type = AdapterType::dora;
  presets[8].optimizer.type = OptimizerType::lion;
  for (const Preset& p : presets) {
    const PrecisionPlan plan = make_precision_plan(p);
    ASSERT_NE(plan.refusal(), nullptr);
    EXPECT_EQ(plan.refusal()->fields.size(), 1U);
    EXPECT_NE(plan.refusal()->fix_json.find(plan.refusal()->fields[0]), std::string::npos);
  }
}

TEST(PrecisionPlan, Fp16MastersAreS4) {
  Preset p;
  p.precision.adapter = MasterType::fp16;
  EXPECT_EQ(make_precision_plan(p).refusal()->id, "S4");
}

}  // namespace
}  // namespace mantissa
