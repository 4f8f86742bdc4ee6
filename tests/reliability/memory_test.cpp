// What a plan promises against what the process takes.
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/io/file.h"

namespace mantissa {
namespace {
namespace fs = std::filesystem;

struct Finished {
  int status = 0;
  std::uint64_t peak_bytes = 0;  ///< resident
};

/// Runs `mantissa <arguments>` with standard output to `file`.
Finished run(const fs::path& home, const fs::path& file,
             const std::vector<std::string>& arguments) {
  std::fflush(nullptr);  // or the child prints it again
  const pid_t child = fork();
  if (child == 0) {
    setenv("MANTISSA_HOME", home.c_str(), 1);
    setenv("MANTISSA_RESOURCES", MANTISSA_SOURCE_DIR "/resources", 1);
    freopen(file.c_str(), "w", stdout);
    std::vector<char*> list{const_cast<char*>("mantissa")};
    for (const std::string& a : arguments) {
      list.push_back(const_cast<char*>(a.c_str()));
    }
    list.push_back(nullptr);
    execv(MANTISSA_BINARY_DIR "/bin/mantissa", list.data());
    _exit(127);
  }
  int status = 0;
  rusage usage{};
  wait4(child, &status, 0, &usage);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1,
          static_cast<std::uint64_t>(usage.ru_maxrss) * 1024};
}

TEST(Memory, TheProcessStaysWithinATenthAndAHundredMegabytesOfThePlan) {
  const fs::path home = fs::path(testing::TempDir()) / "mantissa-memory";
  fs::remove_all(home);
  fs::create_directories(home);
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
    ASSERT_EQ(run(home, home / "plan.json",
                  {"check", file, "--base", "demo", "--images", "demo", "--json"})
                  .status,
              0);
    const std::string text = read_text(home / "plan.json");
    const std::uint64_t planned =
        nlohmann::json::parse(text.substr(0, text.find('\n')))["memory"]["peak_bytes"];
    const std::string out = (home / (samples ? "with" : "without")).string();
    const Finished r =
        run(home, home / "train.json",
            {"train", file, "--base", "demo", "--images", "demo", "--out", out, "--json"});
    ASSERT_EQ(r.status, 0);
    EXPECT_LE(r.peak_bytes, planned + planned / 10 + 100'000'000);
    EXPECT_GE(r.peak_bytes, planned * 9 / 10) << "the plan asks for memory nobody uses";
    RecordProperty(
        samples ? "with_samples" : "without_samples",
        std::to_string(planned) + " planned, " + std::to_string(r.peak_bytes) + " taken");
    std::printf("planned %.1f MB, process %.1f MB\n", planned / 1e6, r.peak_bytes / 1e6);
  }
  fs::remove_all(home);
}

}  // namespace
}  // namespace mantissa
