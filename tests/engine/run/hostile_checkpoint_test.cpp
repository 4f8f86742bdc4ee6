// A checkpoint with valid hashes and invalid content: one clear error, never an internal one.
#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/core/paths.h"
#include "engine/io/file.h"
#include "engine/io/safetensors.h"
#include "engine/run/checkpoint.h"
#include "engine/run/run_folder.h"
#include "tests/engine/run/checkpoint_files.h"
#include "tests/engine/train/run_fixture.h"

namespace mantissa {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing_support::HealthRecorder;

class HostileCheckpointTest : public testing_support::RunFixture {
 protected:
  void SetUp() override {
    RunFixture::SetUp();
    job_.preset.training.steps = 1;
    HealthRecorder recorder;
    run(job_, recorder);
    checkpoint_ = job_.out / "checkpoints/step-00000001";
    good_state_ = read_text(checkpoint_ / "state.json");
    good_tensors_ = read_text(checkpoint_ / "state.safetensors");
  }
  /// The message of resuming from the rehashed checkpoint; any exception but Error fails the test.
  std::string resume() {
    testing_support::rehash(checkpoint_);
    JobSpec job = job_;
    job.resume = job_.out;
    job.preset.training.steps = 2;
    HealthRecorder recorder;
    try {
      run(job, recorder);
      return "continued";
    } catch (const Error& e) {
      return e.what();
    }
  }
  void restore() {
    std::ofstream(checkpoint_ / "state.json", std::ios::binary) << good_state_;
    std::ofstream(checkpoint_ / "state.safetensors", std::ios::binary) << good_tensors_;
  }

  fs::path checkpoint_;
  std::string good_state_, good_tensors_;
};

TEST_F(HostileCheckpointTest, EveryFieldOfTheStateIsChecked) {
  const std::vector<json> others{
      nullptr,          true, -1, 1.5, 1e300, "text", json(), json::array(), json::object(), {1, 2},
      ~std::uint64_t{0}};
  const json good = json::parse(good_state_);
  for (const auto& [key, value] : good.items()) {
    std::vector<json> values = others;
    values.emplace_back("missing");
    for (std::size_t i = 0; i < values.size(); ++i) {
      json state = json::parse(good_state_);
      state[key] = values[i];
      if (i + 1 == values.size()) {
        state.erase(key);
      }
      // A value of the field's own type may be accepted.
      const bool fits = values[i].type() == value.type() && !value.is_number();
      const bool optional = i + 1 == values.size() && (key == "identity" || key == "accepted");
      try {
        parse_checkpoint_state(state.dump(), "the state");
        EXPECT_TRUE(fits || optional || (key == "loss_scale" && values[i].get<double>() > 1))
            << key << " = " << values[i];
      } catch (const Error& e) {
        EXPECT_NE(std::string(e.what()).find("the state: field '" + key), std::string::npos)
            << key << " = " << values[i] << ": " << e.what();
      }
    }
  }
}

TEST_F(HostileCheckpointTest, StatesThatDontFitTheRun) {
  const auto expect = [&](const char* part, const std::function<void(json&)>& edit) {
    json state = json::parse(good_state_);
    edit(state);
    std::ofstream(checkpoint_ / "state.json") << state.dump();
    const std::string found = resume();
    EXPECT_NE(found.find(part), std::string::npos) << part << " in " << found;
    restore();
  };
  expect("'step' is 7", [](json& s) { s["step"] = 7; });
  expect("'optimizer_updates' lacks denoiser",
         [](json& s) { s["optimizer_updates"] = json::object(); });
  expect("'optimizer_updates.denoiser' must be",
         [](json& s) { s["optimizer_updates"]["denoiser"] = -3; });
  expect("'identity' must be", [](json& s) { s["identity"] = {{"base", 1, 2, 3, 4}}; });
  expect("base: ", [](json& s) { s["identity"] = {{"base", "x", "", 1, "ff"}}; });
  expect("the images or captions have changed", [](json& s) {
    s["dataset"] = "other";
    s.erase("identity");
  });
  std::ofstream(checkpoint_ / "state.json") << std::string(100000, '[');
  EXPECT_NE(resume().find("state.json"), std::string::npos);
  restore();
  EXPECT_EQ(resume(), "continued");
}

TEST_F(HostileCheckpointTest, TensorsThatDontFitTheRun) {
  // Of a copy: Windows replaces no file that is mapped.
  fs::copy_file(checkpoint_ / "state.safetensors", home_ / "good.safetensors");
  const SafetensorsFile file = SafetensorsFile::open(home_ / "good.safetensors");
  std::vector<TensorToWrite> good;
  for (const TensorInfo& t : file.tensors()) {
    good.push_back({t.name, t.type.value(), t.shape(), t.data, {}});
  }
  const auto expect = [&](const char* part, std::vector<TensorToWrite> tensors) {
    write_safetensors(home_ / "other.safetensors", tensors);
    fs::rename(home_ / "other.safetensors", checkpoint_ / "state.safetensors");
    const std::string found = resume();
    EXPECT_NE(found.find("state.safetensors"), std::string::npos) << found;
    EXPECT_NE(found.find(part), std::string::npos) << part << " in " << found;
  };
  std::vector<TensorToWrite> edited = good;
  edited.pop_back();
  expect("state tensors", edited);
  edited = good;
  edited[0].name += "x";
  expect("should be", edited);
  edited = good;
  edited[0].shape = {1, edited[0].shape.count()};
  expect("should be", edited);
  edited = good;
  edited[0].dtype = DType::i32;
  expect("should be", edited);
  std::ofstream(checkpoint_ / "state.safetensors") << "short";
  EXPECT_NE(resume().find("state.safetensors"), std::string::npos);
  std::ofstream(checkpoint_ / "state.safetensors") << "";
  EXPECT_NE(resume().find("state.safetensors"), std::string::npos);
}

TEST_F(HostileCheckpointTest, ManifestsThatNameOtherFiles) {
  const auto problem = [&](const json& manifest) {
    json whole = manifest;
    whole["checksum"] = sha256_hex(manifest.dump());
    std::ofstream(checkpoint_ / "manifest.json") << whole.dump();
    return verify_checkpoint(checkpoint_).text();
  };
  const json good = [&] {
    json m = json::parse(read_text(checkpoint_ / "manifest.json"));
    m.erase("checksum");
    return m;
  }();
  EXPECT_EQ(problem(good), "");
  for (const char* name : {"", ".", "..", "../../job.json", "/etc/hostname", "a/b"}) {
    json bad = good;
    bad["files"][0]["name"] = name;
    EXPECT_NE(problem(bad).find("its manifest names no file"), std::string::npos) << name;
  }
  for (const json& files :
       std::vector<json>{json::array(), json::object(), 3, {1}, {{{"name", 1}}}}) {
    json bad = good;
    bad["files"] = files;
    EXPECT_NE(problem(bad), "") << files;
  }
  json bad = good;
  bad["files"][0]["bytes"] = 1e300;
  EXPECT_NE(problem(bad), "");
}

}  // namespace
}  // namespace mantissa
