// The plan's memory compared with the process's.
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/io/file.h"
#include "tests/reliability/process.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {
namespace fs = std::filesystem;

TEST(Memory, TheProcessStaysWithinATenthAndAHundredMegabytesOfThePlan) {
  if (kAddressSanitizer) {
    GTEST_SKIP() << "the process would be measured with the sanitizer's own memory";
  }
  const test::TempFolder folder;
  const fs::path home = folder.path();
  const Mantissa mantissa(home);
  for (const bool samples : {false, true}) {
    nlohmann::json preset{{"mantissa_preset", 1},
                          {"name", "memory"},
                          {"data", {{"resolution", 256}, {"batch_size", 4}}},
                          {"training", {{"steps", 2}}},
                          {"output", {{"name", "memory"}}}};
    if (samples) {
      preset["samples"] = {
          {"every", 1},
          {"prompts", {{{"prompt", "x"}, {"width", 512}, {"height", 512}, {"steps", 1}}}}};
    }
    std::ofstream(home / "preset.json") << preset.dump();
    const std::string file = (home / "preset.json").string();
    ASSERT_EQ(mantissa
                  .run({"check", file, "--base", "demo", "--images", "demo", "--json"},
                       home / "plan.json", home / "errors")
                  .status,
              0);
    const std::string text = read_text(home / "plan.json");
    const std::uint64_t planned =
        nlohmann::json::parse(text.substr(0, text.find('\n')))["memory"]["peak_bytes"];
    const std::string out = (home / (samples ? "with" : "without")).string();
    const Ended r =
        mantissa.run({"train", file, "--base", "demo", "--images", "demo", "--out", out, "--json"},
                     home / "train.json", home / "errors");
    ASSERT_EQ(r.status, 0) << read_text(home / "errors");
    EXPECT_LE(r.peak_bytes, planned + planned / 10 + 100'000'000);
    EXPECT_GE(r.peak_bytes, planned * 9 / 10) << "the plan asks for memory nobody uses";
    RecordProperty(
        samples ? "with_samples" : "without_samples",
        std::to_string(planned) + " planned, " + std::to_string(r.peak_bytes) + " taken");
    std::printf("planned %.1f MB, process %.1f MB\n", planned / 1e6, r.peak_bytes / 1e6);
  }
}

}  // namespace
}  // namespace mantissa
