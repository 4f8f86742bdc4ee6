#pragma once
// Configurations as written by other programs.

#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>
#include <sstream>
#include <string>
#include <string_view>

#include "engine/core/error.h"
#include "engine/preset/import.h"
#include "engine/preset/preset_io.h"

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

inline ImportResult read_sample(const std::string& name) {
  return import_preset_text(sample(name), name);
}

inline const ImportRow& row(const ImportResult& result, const std::string& source) {
  for (const ImportRow& r : result.rows) {
    if (r.source == source) {
      return r;
    }
  }
  throw Error(Message::verbatim("no row " + source));
}

/// A text repeated.
inline std::string times(std::string_view text, int count) {
  std::string all;
  for (int i = 0; i < count; ++i) {
    all += text;
  }
  return all;
}

/// The result of any import can be written and read again, and contains no paths or URLs.
inline void expect_safe(const ImportResult& result) {
  const std::string text = to_json(result.preset, WriteMode::full);
  EXPECT_TRUE(parse_preset(text, "imported") == result.preset);
  for (const char* bad : {"://", "C:/", "E:/", "D:/", "/home", "rm -rf", "os.system", "hf_"}) {
    EXPECT_THAT(text, testing::Not(testing::HasSubstr(bad)));
  }
}

/// Every key has one row, which names a setting or says why there is none.
inline void expect_reported(const ImportResult& result) {
  std::set<std::string> seen;
  for (const ImportRow& each : result.rows) {
    EXPECT_TRUE(seen.insert(each.source).second) << each.source;
    EXPECT_TRUE(each.fate == ImportFate::mapped ? !each.targets.empty() : !each.note.empty())
        << each.source;
  }
}

}  // namespace mantissa::testing_support
