// The output of `mantissa verify`; what it compares is in engine/train.
#include "tests/engine/cli/cli_fixture.h"

namespace mantissa {
namespace {

using testing::HasSubstr;

class VerifyTest : public CliTest {
 protected:
  void SetUp() override {
    CliTest::SetUp();
    FirstSteps trace;
    trace.version = "0.1.0 (aaaa)";
    trace.device = "AMD EPYC 9654, avx512";
    trace.compute = "bf16";
    trace.peak_bytes = 7'900'000'000;
    trace.tensors = {"unet.a.lora_A.weight", "unet.a.lora_B.weight"};
    trace.steps = {{0.125, 0.5, 1, false, 0.25, {"a", "b"}, {1, 2}},
                   {0.0625, 0.25, 1, false, 0.125, {"a", "c"}, {1, 3}}};
    report_ = {"20260101-a", folder_ / "run", trace, trace, {}};
    context_.verify = [this](const std::filesystem::path& run, const std::string& device,
                             RunControl&, RunObserver&) {
      asked_ = {path_to_utf8(run), device};
      report_.comparison = compare_first_steps(report_.then, report_.now);
      return report_;
    };
  }
  VerifyReport report_;
  std::pair<std::string, std::string> asked_;
};

TEST_F(VerifyTest, TheSameToTheBit) {
  ASSERT_EQ(run({"verify", "20260101"}), 0) << err();
  EXPECT_EQ(asked_, (std::pair<std::string, std::string>("20260101", "")));
  EXPECT_THAT(out(), HasSubstr("Version  0.1.0 (aaaa)\n"));
  EXPECT_THAT(out(), HasSubstr("Memory   7.9 GB\n"));
  EXPECT_THAT(unwrapped(), HasSubstr("1 0.125 0.125 0.5 0.5 0 250 250 "));
  EXPECT_THAT(out(), HasSubstr("\nthe same to the bit\n"));
  ASSERT_EQ(run({"verify", "run1", "--device", "cpu"}), 0);
  EXPECT_EQ(asked_, (std::pair<std::string, std::string>("run1", "cpu")));
}

TEST_F(VerifyTest, WithinRoundingIsNoFailure) {
  report_.now.device = "Intel Xeon 8480, avx2";
  report_.now.version = "0.2.0";
  report_.now.peak_bytes = 8'000'000'000;
  report_.now.steps[1].loss = 0.063;
  report_.now.steps[1].hashes[1] = "d";
  report_.now.steps[1].norms[1] = 3.03;
  ASSERT_EQ(run({"verify", "run1"}), 0);
  EXPECT_THAT(out(), HasSubstr("Version  0.1.0 (aaaa) then, 0.2.0 now\n"));
  EXPECT_THAT(out(), HasSubstr("Device   AMD EPYC 9654, avx512 then, Intel Xeon 8480, avx2 now\n"));
  EXPECT_THAT(out(), HasSubstr("Memory   7.9 GB then, 8.0 GB now\n"));
  EXPECT_THAT(out(), HasSubstr("the same within rounding (another processor or kernels: "));
  ASSERT_EQ(run({"verify", "run1", "--json"}), 0);
  const nlohmann::json event = events().at(0);
  EXPECT_EQ(event["event"], "verify");
  EXPECT_EQ(event["run"], "20260101-a");
  EXPECT_EQ(event["same"], "rounding");
  EXPECT_EQ(event["first_step"], 2);
  EXPECT_EQ(event["first_tensor"], nullptr) << "the loss comes first";
  EXPECT_EQ(event["bound"], 0.03125);
  EXPECT_EQ(event["steps"][1]["first_tensor"], "unet.a.lora_B.weight");
  EXPECT_EQ(event["steps"][1]["norm_tensor"], "unet.a.lora_B.weight");
  EXPECT_EQ(event["steps"][0]["norm_tensor"], nullptr);
  EXPECT_EQ(event["steps"][1]["then"]["loss"], 0.0625);
  EXPECT_EQ(event["steps"][1]["now"]["seconds"], 0.125);
  EXPECT_EQ(event["then"]["peak_bytes"], 7'900'000'000);
  EXPECT_EQ(event["now"]["version"], "0.2.0");
}

TEST_F(VerifyTest, ADifferenceHasAStatusOfItsOwn) {
  report_.now.steps[0].hashes[1] = "d";
  EXPECT_EQ(run({"verify", "run1"}), 9);
  EXPECT_THAT(out(), HasSubstr("different: first at unet.a.lora_B.weight of step 1"));
  EXPECT_EQ(run({"verify", "run1", "--json"}), 9);
  EXPECT_EQ(events().at(0)["same"], "different");
  EXPECT_EQ(events().at(0)["first_tensor"], "unet.a.lora_B.weight");
}

TEST_F(VerifyTest, ARunIsNeeded) {
  EXPECT_EQ(run({"verify"}), 2);
  EXPECT_THAT(one_error_line(), HasSubstr("RUN"));
}

}  // namespace
}  // namespace mantissa
