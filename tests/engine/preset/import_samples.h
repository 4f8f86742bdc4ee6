#pragma once
// Configurations as written by other programs.

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>
#include <string>

namespace mantissa::testing_support {

/// The text of tests/golden/import/<name>.
inline std::string sample(const std::string& name) {
  std::ifstream file(std::filesystem::path(MANTISSA_TEST_DATA) / "golden/import" / name,
                     std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  EXPECT_FALSE(text.str().empty()) << name;
  return text.str();
}

}  // namespace mantissa::testing_support
