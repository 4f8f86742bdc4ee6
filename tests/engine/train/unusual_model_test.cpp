// Whole runs on a model with unusual configs (tests/golden/make_unusual.py): timesteps, latents and
// loss follow them.
#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/core/error.h"
#include "engine/io/file.h"
#include "engine/io/json_file.h"
#include "engine/io/safetensors.h"
#include "engine/render/sample.h"
#include "tests/engine/train/run_fixture.h"

namespace mantissa {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

class UnusualModel : public testing_support::RunFixture {
 protected:
  void SetUp() override {
    RunFixture::SetUp();
    fs::copy(fs::path(MANTISSA_TEST_DATA) / "golden/models/d", home_ / "base",
             fs::copy_options::recursive);
    job_.base = home_ / "base";
    job_.preset.data.batch_size = 8;
    job_.preset.training.steps = 20;
    job_.preset.training.min_snr_gamma = 5;
    job_.trace = home_ / "trace.safetensors";
    job_.trace_steps = 20;
    job_.overwrite = true;  // several traces in turn
  }
  void edit(const char* file, const std::function<void(json&)>& change) const {
    json object = read_json(job_.base / file);
    change(object);
    fs::remove(job_.base / file);
    std::ofstream(job_.base / file) << object.dump();
  }
  /// The timesteps of all 160 samples.
  std::vector<std::int64_t> timesteps() {
    testing_support::HealthRecorder recorder;
    fs::remove_all(job_.out);
    run(job_, recorder);
    const auto trace = SafetensorsFile::open(*job_.trace);
    std::vector<std::int64_t> all;
    for (const TensorInfo& tensor : trace.tensors()) {
      if (tensor.name.ends_with(".timesteps")) {
        const auto* t = reinterpret_cast<const std::int64_t*>(tensor.data);
        all.insert(all.end(), t, t + tensor.count());
      }
    }
    return all;
  }
};

TEST_F(UnusualModel, TimestepsSpanTheModelsOwnSchedule) {
  for (const int steps : {800, 2000, 60}) {
    SCOPED_TRACE(steps);
    edit("scheduler/scheduler_config.json", [&](json& c) {
      c["num_train_timesteps"] = steps;
      if (steps == 60) {
        c["trained_betas"] = std::vector<double>(60, 0.05);
      }
    });
    const std::vector<std::int64_t> drawn = timesteps();
    ASSERT_EQ(drawn.size(), 160U);
    EXPECT_GE(*std::min_element(drawn.begin(), drawn.end()), 0);
    EXPECT_LT(*std::max_element(drawn.begin(), drawn.end()), steps);
    // 160 uniform draws miss the last tenth once in 20 million runs; the seed is fixed.
    EXPECT_GE(*std::max_element(drawn.begin(), drawn.end()), steps * 9 / 10);
  }
}

TEST_F(UnusualModel, IsSampledOnItsOwnSchedule) {
  job_.preset.training.steps = 1;
  job_.trace.reset();
  job_.preset.samples.every = 1;
  job_.preset.samples.prompts = {{"a red cat!", "", 1, 64, 48, 3, 4.0}};
  testing_support::HealthRecorder recorder;
  run(job_, recorder);
  EXPECT_EQ(recorder.log.find("no sample"), std::string::npos) << recorder.log;
}

// Latents enter the loss as (z - mean)·scale/std.
TEST_F(UnusualModel, LatentsAreNormalisedBeforeTheLoss) {
  job_.preset.training.steps = 1;
  job_.trace_steps = 1;
  const auto latents = [&] {
    timesteps();
    const auto trace = SafetensorsFile::open(*job_.trace);
    const TensorInfo* tensor = trace.find("step.0001.latents");
    std::vector<float> values(static_cast<std::size_t>(tensor->count()));
    std::memcpy(values.data(), tensor->data, tensor->bytes);
    return std::pair(values, tensor->dims);
  };
  const auto [normal, dims] = latents();
  const json vae = read_json(job_.base / "vae/config.json");
  edit("vae/config.json", [](json& c) {
    c.erase("latents_mean");
    c.erase("latents_std");
  });
  const auto [plain, other_dims] = latents();
  ASSERT_EQ(dims, other_dims);
  // [b, 4, h, w] in a trace, as in PyTorch.
  ASSERT_EQ(dims.at(1), 4);
  const auto plane = static_cast<std::size_t>(dims.at(2) * dims.at(3));
  const double scale = vae.at("scaling_factor");
  for (std::size_t i = 0; i < plain.size(); ++i) {
    const std::size_t c = i / plane % 4;
    const double z = plain[i] / scale;
    const double want =
        (z - vae["latents_mean"][c].get<double>()) * scale / vae["latents_std"][c].get<double>();
    ASSERT_NEAR(normal[i], want, 1e-5) << i;
  }
}

TEST_F(UnusualModel, WhatTheVaeCantBeTrainedForIsSaidAtOnce) {
  job_.trace.reset();
  job_.preset.training.parts = {kVae};
  job_.preset.training.method = TrainingMethod::full;
  testing_support::HealthRecorder recorder;
  try {
    run(job_, recorder);
    ADD_FAILURE() << "it ran";
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("use_quant_conv"), std::string::npos) << e.what();
  }
  EXPECT_TRUE(recorder.steps.empty());
}

}  // namespace
}  // namespace mantissa
