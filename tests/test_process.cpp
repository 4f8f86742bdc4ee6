#include <csignal>
#include <filesystem>
#include <gtest/gtest.h>
#include <random>
#include <string>

#include "engine/core/paths.h"
#include "tests/environment.h"

namespace mantissa::test {
namespace {

/// Gives each test program a temporary folder of its own, removed at its end: ctest runs two tests
/// of one suite at once, and they would clear a folder that is named after the suite under each
/// other.
class OwnTempFolder : public testing::Environment {
 public:
  void SetUp() override {
    const std::filesystem::path shared = std::filesystem::temp_directory_path();
    std::random_device random;
    do {
      folder_ = shared / ("mantissa-test-" + std::to_string(random()));
    } while (!std::filesystem::create_directory(folder_));
    // Of Linux, of Windows, and GoogleTest's own.
    for (const char* name : {"TMPDIR", "TMP", "TEMP", "TEST_TMPDIR"}) {
      set_environment(name, path_to_utf8(folder_));
    }
  }
  void TearDown() override {
    std::error_code error;  // what a test still holds open stays
    std::filesystem::remove_all(folder_, error);
  }

 private:
  std::filesystem::path folder_;
};

/// Lets tests be interrupted, and the programs that they start: a shell has those in the background
/// ignore Ctrl+C, and Mantissa keeps to what is ignored from the start.
class DefaultSignals : public testing::Environment {
 public:
  void SetUp() override { std::signal(SIGINT, SIG_DFL); }
};

const auto* const kOwnTempFolder = testing::AddGlobalTestEnvironment(new OwnTempFolder);
const auto* const kDefaultSignals = testing::AddGlobalTestEnvironment(new DefaultSignals);

}  // namespace
}  // namespace mantissa::test
