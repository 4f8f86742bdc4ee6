#pragma once
// Runs commands in-process with captured streams and a scripted engine.

#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "engine/cli/cli.h"
#include "engine/core/error.h"
#include "engine/core/paths.h"

namespace mantissa {

class CliTest : public testing::Test {
 protected:
  void SetUp() override {
    const auto* info = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::path(testing::TempDir()) /
              (std::string("mantissa-") + info->test_suite_name() + "-" + info->name());
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
    context_.out = &out_;
    context_.err = &err_;
    context_.seconds = [this] { return clock_; };
    context_.presets_folder = [] { return std::filesystem::path(MANTISSA_SOURCE_DIR) / "presets"; };
    context_.runs_database = [this] { return folder_ / "runs.db"; };
    context_.train = [this](const JobSpec& job, RunControl& control, RunObserver& observer) {
      job_ = job;
      return train_ ? train_(job, control, observer) : RunResult{};
    };
    context_.plan = [this](const JobSpec& job) {
      job_ = job;
      return plan_;
    };
    context_.dry_run = [this](const JobSpec& job, const Progress&) { return context_.plan(job); };
    context_.sample = [this](const SampleRequest& request, RunObserver&) { request_ = request; };
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  int run(const std::vector<std::string>& args) {
    out_.str("");
    err_.str("");
    return run_cli(args, context_);
  }
  std::string out() const { return out_.str(); }
  std::string err() const { return err_.str(); }
  /// The output with every run of white space as one space: wrapped sentences as they read.
  std::string unwrapped() const {
    std::string text;
    for (const char c : out_.str()) {
      const bool space = c == ' ' || c == '\n';
      if (!space || text.empty() || text.back() != ' ') {
        text += space ? ' ' : c;
      }
    }
    return text;
  }
  std::string file(const std::string& name, const std::string& text) {
    std::ofstream(folder_ / path_from_utf8(name), std::ios::binary) << text;
    return path_to_utf8(folder_ / path_from_utf8(name));
  }
  std::string path(const std::string& name) const {
    return path_to_utf8(folder_ / path_from_utf8(name));
  }
  /// The output as one JSON object per line; every line must be one.
  std::vector<nlohmann::json> events() const {
    std::vector<nlohmann::json> list;
    std::istringstream lines(out_.str());
    for (std::string line; std::getline(lines, line);) {
      list.push_back(nlohmann::json::parse(line));
    }
    return list;
  }
  /// The only line on the error stream.
  std::string one_error_line() const {
    const std::string text = err_.str();
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1) << text;
    return text;
  }

  CliContext context_;
  std::filesystem::path folder_;
  double clock_ = 0;
  std::function<RunResult(const JobSpec&, RunControl&, RunObserver&)> train_;
  PlanReport plan_;
  JobSpec job_;
  SampleRequest request_;

 private:
  std::ostringstream out_, err_;
};

}  // namespace mantissa
