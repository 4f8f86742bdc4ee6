#include <cstdlib>

#include "tests/engine/cli/cli_fixture.h"
#include "tests/environment.h"

namespace mantissa {
namespace {

using testing::HasSubstr;

class BenchTest : public CliTest {
 protected:
  BenchTest() { test::set_environment("MANTISSA_RESOURCES", MANTISSA_SOURCE_DIR "/resources"); }
  /// On the demo's base, small.
  int bench(std::vector<std::string> more) {
    std::vector<std::string> args{"bench",        "demo", "--base",  "demo",
                                  "--resolution", "64",   "--batch", "1"};
    args.insert(args.end(), more.begin(), more.end());
    return run(args);
  }
};

TEST_F(BenchTest, OneKindOfBenchAtATime) {
  EXPECT_EQ(bench({}), 2);
  EXPECT_THAT(one_error_line(), HasSubstr("either --roofline"));
  EXPECT_EQ(bench({"--roofline", "--step"}), 2);
  EXPECT_THAT(one_error_line(), HasSubstr("either --roofline"));
  EXPECT_EQ(bench({"--roofline"}), 2);
  EXPECT_THAT(one_error_line(), HasSubstr("--card"));
  EXPECT_EQ(bench({"--roofline", "--card", "voodoo"}), 2);
  EXPECT_THAT(one_error_line(), HasSubstr("--card: voodoo is not one of h200"));
}

TEST_F(BenchTest, TheRooflineOfACard) {
  ASSERT_EQ(bench({"--roofline", "--card", "4090"}), 0) << err();
  EXPECT_THAT(out(), HasSubstr("RTX 4090: "));
  EXPECT_THAT(out(), HasSubstr("skinny_gemm"));
  ASSERT_EQ(bench({"--roofline", "--card", "4090", "--json"}), 0);
  const nlohmann::json event = events().at(0);
  EXPECT_EQ(event["event"], "roofline");
  EXPECT_EQ(event["card"], "4090");
  EXPECT_GT(event["by_kind"]["skinny_gemm"]["flop"], 0);
}

TEST_F(BenchTest, RanksAreEstimatedForEveryLink) {
  ASSERT_EQ(bench({"--roofline", "--card", "h200", "--ranks", "6"}), 0) << err();
  EXPECT_THAT(out(), HasSubstr("6 ranks"));
  EXPECT_THAT(out(), HasSubstr("100 Gb/s network"));
  ASSERT_EQ(bench({"--roofline", "--card", "h200", "--ranks", "6", "--json"}), 0);
  const nlohmann::json event = events().at(0);
  EXPECT_EQ(event["scaling"].size() % 3, 0U) << "2, 4 and 6 ranks for each link";
  EXPECT_EQ(event["scaling"][2]["ranks"], 6);
  EXPECT_LT(event["scaling"][2]["efficiency"], 1);
  EXPECT_GT(event["gradient_bytes"], 0);
  EXPECT_EQ(bench({"--roofline", "--card", "h200", "--ranks", "0"}), 2);
  EXPECT_EQ(bench({"--step", "--ranks", "2"}), 2);
  EXPECT_THAT(one_error_line(), HasSubstr("--ranks goes with --roofline"));
}

TEST_F(BenchTest, StepsAreTimedWithTheRooflineBesideThem) {
  ASSERT_EQ(bench({"--step", "--steps", "2"}), 0) << err();
  EXPECT_THAT(out(), HasSubstr(" ms a step, the fastest of 2 "));
  EXPECT_THAT(out(), HasSubstr("batch 1, latents 8 × 8"));
  ASSERT_EQ(bench({"--step", "--steps", "2", "--card", "h200", "--json"}), 0);
  const auto both = events();
  ASSERT_EQ(both.size(), 2U);
  EXPECT_EQ(both[0]["event"], "step_time");
  EXPECT_EQ(both[0]["ms"].size(), 2U);
  EXPECT_GE(both[0]["median_ms"], both[0]["fastest_ms"]);
  EXPECT_EQ(both[1]["event"], "roofline");
  EXPECT_EQ(bench({"--step", "--steps", "0"}), 2);
}

}  // namespace
}  // namespace mantissa
