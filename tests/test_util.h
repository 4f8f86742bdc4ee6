#pragma once

#include <cmath>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <initializer_list>
#include <sstream>
#include <string>
#include <vector>

#include "engine/core/error.h"

namespace mantissa::test {

/// A temporary folder for one test, removed at its end.
class TempFolder {
 public:
  TempFolder() {
    const auto* info = ::testing::UnitTest::GetInstance()->current_test_info();
    std::string name = std::string("mantissa_") + info->test_suite_name() + "_" + info->name();
    for (char& c : name) {
      c = c == '/' ? '_' : c;
    }
    path_ = std::filesystem::temp_directory_path() / name;
    std::filesystem::remove_all(path_);
    std::filesystem::create_directories(path_);
  }
  ~TempFolder() {
    std::error_code error;
    std::filesystem::remove_all(path_, error);
  }
  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path operator/(const std::filesystem::path& name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

/// Rows of a tab-separated file, without lines starting with '#'.
inline std::vector<std::vector<std::string>> read_table(const std::filesystem::path& path) {
  std::ifstream in(path);
  std::vector<std::vector<std::string>> rows;
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line[0] == '#') {
      continue;
    }
    std::vector<std::string> row(1);
    for (char c : line) {
      if (c == '\t') {
        row.emplace_back();
      } else {
        row.back() += c;
      }
    }
    rows.push_back(row);
  }
  return rows;
}

/// A table of tests/golden/keys.
inline std::vector<std::vector<std::string>> key_table(const std::string& name) {
  return read_table(std::filesystem::path(MANTISSA_TEST_DATA) / "golden/keys" / name);
}

/// Message of the Error that `f` throws; a failure and "" if it throws none.
template <typename F>
std::string message_of(F&& f) {
  try {
    f();
  } catch (const Error& error) {
    return error.what();
  }
  ADD_FAILURE() << "nothing was thrown";
  return {};
}

/// `f` must throw an Error whose message contains every given text.
template <typename F>
void expect_error_with(F&& f, std::initializer_list<std::string> texts) {
  const std::string message = message_of(f);
  for (const std::string& text : texts) {
    EXPECT_NE(message.find(text), std::string::npos)
        << "message: " << message << "\nmisses:  " << text;
  }
}

/// ‖got - want‖ / ‖want‖
inline double deviation(const std::vector<float>& got, const std::vector<float>& want) {
  double off = 0, size = 0;
  for (std::size_t i = 0; i < want.size(); ++i) {
    const double a = want[i], b = got.at(i);
    off += (a - b) * (a - b);
    size += a * a;
  }
  return std::sqrt(off / size);
}

inline void write_file(const std::filesystem::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

}  // namespace mantissa::test
