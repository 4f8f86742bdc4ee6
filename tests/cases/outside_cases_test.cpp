// Files of other programs and data of users that were once read as something else, each in a folder
// of tests/cases/outside with the commands that are given it and what they must do (expected.json).
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "engine/adapters/adapter_forms.h"
#include "engine/cli/cli.h"
#include "engine/core/paths.h"
#include "engine/io/safetensors.h"
#include "engine/preset/preset_io.h"
#include "tests/environment.h"

namespace mantissa {
namespace {
namespace fs = std::filesystem;
using nlohmann::json;

fs::path cases_folder() {
  return path_from_utf8(MANTISSA_SOURCE_DIR) / "tests/cases/outside";
}

std::vector<std::string> case_names() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(cases_folder())) {
    names.push_back(path_to_utf8(entry.path().filename()));
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at)) {
    text.replace(at, from.size(), to);
    at += to.size();
  }
  return text;
}

/// Every run of white space as one space: sentences as they read before they are wrapped.
std::string unwrapped(const std::string& text) {
  std::string joined;
  for (const char c : text) {
    const bool space = c == ' ' || c == '\n';
    if (!space || joined.empty() || joined.back() != ' ') {
      joined += space ? ' ' : c;
    }
  }
  return joined;
}

class OutsideCase : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    out_ = fs::path(testing::TempDir()) / ("mantissa-outside-" + GetParam());
    fs::remove_all(out_);
    fs::create_directories(out_);
    test::set_environment("MANTISSA_HOME", path_to_utf8(out_ / "home"));
    test::set_environment("MANTISSA_RESOURCES", MANTISSA_SOURCE_DIR "/resources");
  }
  void TearDown() override { fs::remove_all(out_); }

  std::string text(const json& value) const {
    const std::string in_case =
        replaced(value.get<std::string>(), "{case}", path_to_utf8(cases_folder() / GetParam()));
    return replaced(in_case, "{out}", path_to_utf8(out_));
  }
  fs::path path(const json& value) const { return path_from_utf8(text(value)); }

  void run(const json& step) const;
  void check_preset(const json& expected) const;
  void check_delta(const json& expected) const;

  fs::path out_;
};

/// Every setting of `values`, by dotted key, equals the preset's, defaults included.
void OutsideCase::check_preset(const json& expected) const {
  const json preset = json::parse(to_json(load_preset(path(expected.at("file"))), WriteMode::full));
  for (const auto& [key, value] : expected.at("values").items()) {
    const json::json_pointer where("/" + replaced(key, ".", "/"));
    ASSERT_TRUE(preset.contains(where)) << key;
    EXPECT_EQ(preset.at(where), value) << key;
  }
}

/// The merged file less the base is `file`'s tensor for each of its names, and nothing else of the
/// base has changed.
void OutsideCase::check_delta(const json& expected) const {
  const SafetensorsFile merged = SafetensorsFile::open(path(expected.at("merged")));
  const SafetensorsFile delta = SafetensorsFile::open(path(expected.at("file")));
  const SafetensorsFile base = SafetensorsFile::open(path_from_utf8(MANTISSA_SOURCE_DIR) /
                                                     "resources/demo/mini-sdxl.safetensors");
  for (const TensorInfo& tensor : delta.tensors()) {
    const TensorInfo* after = merged.find(tensor.name);
    const TensorInfo* before = base.find(tensor.name);
    ASSERT_TRUE(after && before) << tensor.name;
    const std::vector<float> x = tensor_floats(*after, merged.label()),
                             y = tensor_floats(*before, base.label()),
                             change = tensor_floats(tensor, delta.label());
    ASSERT_EQ(x.size(), change.size()) << tensor.name;
    double worst = 0, largest = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      worst = std::max(worst, std::fabs(double(x[i]) - double(y[i]) - double(change[i])));
      largest = std::max(largest, std::fabs(double(change[i])));
    }
    EXPECT_GT(largest, 1e-4) << tensor.name << ": a change of nothing shows nothing";
    EXPECT_LE(worst, 1e-6) << tensor.name;
  }
}

void OutsideCase::run(const json& step) const {
  std::vector<std::string> args;
  for (const json& arg : step.at("args")) {
    args.push_back(text(arg));
  }
  SCOPED_TRACE("mantissa " + step.at("args").dump());
  std::ostringstream out, err;
  CliContext context = process_context();
  context.out = &out;
  context.err = &err;
  context.handle_signals = false;
  context.presets_folder = [] { return fs::path(MANTISSA_SOURCE_DIR) / "presets"; };
  const int exit = run_cli(args, context);
  const std::string said = unwrapped(out.str() + err.str());
  EXPECT_EQ(exit, step.at("exit").get<int>()) << said;
  for (const json& part : step.value("says", json::array())) {
    EXPECT_NE(said.find(unwrapped(text(part))), std::string::npos) << text(part) << "\nis not in\n"
                                                                   << said;
  }
  for (const json& part : step.value("never_says", json::array())) {
    EXPECT_EQ(said.find(unwrapped(text(part))), std::string::npos) << text(part) << "\nis in\n"
                                                                   << said;
  }
  for (const json& file : step.value("no_file", json::array())) {
    EXPECT_FALSE(fs::exists(path(file))) << text(file);
  }
  if (step.contains("preset")) {
    check_preset(step.at("preset"));
  }
  if (step.contains("delta")) {
    check_delta(step.at("delta"));
  }
}

TEST_P(OutsideCase, IsReadAsWhatItIsOrRefusedByName) {
  std::ifstream file(cases_folder() / GetParam() / "expected.json");
  ASSERT_TRUE(file.is_open()) << "each case has its expected.json";
  const json expected = json::parse(file);
  ASSERT_FALSE(expected.at("about").get<std::string>().empty());
  ASSERT_FALSE(expected.at("runs").empty());
  for (const json& step : expected.at("runs")) {
    run(step);
  }
}

INSTANTIATE_TEST_SUITE_P(Of, OutsideCase, testing::ValuesIn(case_names()),
                         [](const auto& info) { return replaced(info.param, "-", "_"); });

}  // namespace
}  // namespace mantissa
