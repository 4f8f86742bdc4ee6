// Everything that a training opens is opened by a check before: a file of the model, its adapter or
// its trace that is damaged is told by `mantissa check`, by name, and not after hours of encoding.
#include <algorithm>
#include <fstream>
#include <gtest/gtest.h>
#include <set>

#include "engine/io/file.h"
#include "tests/golden_families.h"
#include "tests/reliability/process.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {

namespace fs = std::filesystem;

class InputFiles : public testing::TestWithParam<std::string> {
 protected:
  InputFiles() {
    const bool one_file = fs::path(GetParam()).extension() == ".safetensors";
    const fs::path model = (one_file ? fs::path(MANTISSA_SOURCE_DIR) / "resources/demo"
                                     : fs::path(MANTISSA_TEST_DATA) / "golden/models") /
                           GetParam();
    fs::create_directories(home_);
    fs::create_directories(inputs_);
    base_ += one_file ? ".safetensors" : "";
    fs::copy(model, base_, fs::copy_options::recursive);
    const fs::path demo = fs::path(MANTISSA_SOURCE_DIR) / "resources/demo/images";
    for (const auto& [folder, first] :
         {std::pair{"images", 0}, std::pair{"prior", 3}, std::pair{"validation", 6}}) {
      copy_images(demo, inputs_ / folder, first, 3);
    }
    test::write_file(root_ / "preset.json", R"({"mantissa_preset": 1, "name": "inputs",
      "adapter": {"rank": 2, "targets": ["attention"]},
      "precision": {"compute": "fp32", "weights": {"denoiser": "fp32", "text_encoders": "fp32",
                                                   "vae": "fp32"}},
      "data": {"resolution": 64, "batch_size": 1, "cache": "none"},
      "training": {"steps": 1},
      "output": {"name": "inputs", "save_every": 0}})");
  }

  static void copy_images(const fs::path& from, const fs::path& to, int first, int count) {
    fs::create_directories(to);
    std::set<fs::path> files;
    for (const auto& entry : fs::directory_iterator(from)) {
      if (entry.path().extension() == ".png" || entry.path().extension() == ".jpg") {
        files.insert(entry.path());
      }
    }
    for (const fs::path& file : files) {
      if (first-- <= 0 && count-- > 0) {
        fs::copy(file, to / file.filename());
      }
    }
  }

  std::vector<std::string> arguments(const char* command, const fs::path& out) const {
    std::vector<std::string> list{
        command,        (root_ / "preset.json").string(),  "--base",  base_.string(),
        "--images",     (inputs_ / "images").string(),     "--prior", (inputs_ / "prior").string(),
        "--validation", (inputs_ / "validation").string(), "--out",   out.string()};
    if (fs::exists(adapter_)) {
      list.insert(list.end(), {"--continue-from", adapter_.string()});
    }
    return list;
  }

  /// The inputs that a command opens.
  std::set<std::string> opened(const char* command, const fs::path& out) const {
    const fs::path list = root_ / (std::string(command) + ".opened");
    const Ended ended = Mantissa(home_).run(arguments(command, out), root_ / "log", {},
                                            preloaded({{"MANTISSA_OPENED", list.string()}}));
    EXPECT_EQ(ended.status, 0) << read_text(root_ / "log");
    std::set<std::string> files;
    std::ifstream lines(list);
    for (std::string line; std::getline(lines, line);) {
      const fs::path file = fs::path(line).lexically_normal();
      if (line.starts_with(inputs_.string()) && fs::is_regular_file(file)) {
        files.insert(file.string());
      }
    }
    return files;
  }

  test::TempFolder root_;
  fs::path home_ = root_ / "home", inputs_ = root_ / "inputs", base_ = inputs_ / "base";
  fs::path adapter_ = inputs_ / "adapter.safetensors";
};

TEST_P(InputFiles, WhatTrainingOpensIsOpenedByCheckAndNamedIfDamaged) {
  ASSERT_FALSE(opened("train", root_ / "first").empty());
  fs::copy(root_ / "first/inputs.safetensors", adapter_);
  const std::set<std::string> trained = opened("train", root_ / "second");
  const std::set<std::string> checked = opened("check", root_ / "third");
  ASSERT_TRUE(trained.contains(adapter_.string()));
  for (const std::string& file : trained) {
    EXPECT_TRUE(checked.contains(file)) << file << " is opened by train alone";
  }
  for (const std::string& file : trained) {
    const std::string extension = fs::path(file).extension().string();
    if (extension == ".png" || extension == ".jpg") {
      continue;  // left out with a notice, unless all are damaged
    }
    const std::string whole = read_text(file);
    test::write_file(file, whole.substr(0, whole.size() / 2));
    const Ended ended = Mantissa(home_).run(arguments("check", root_ / "third"), root_ / "log");
    const std::string said = read_text(root_ / "log");
    EXPECT_EQ(ended.status, 2) << file << '\n' << said;
    EXPECT_NE(said.find(fs::path(file).filename().string()), std::string::npos) << file << '\n'
                                                                                << said;
    test::write_file(file, whole);
  }
}

INSTANTIATE_TEST_SUITE_P(Families, InputFiles,
                         testing::ValuesIn(test::together({"b", "mini-sdxl.safetensors"},
                                                          test::transformer_models())),
                         [](const auto& info) {
                           std::string name = fs::path(info.param).stem().string();
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace mantissa
