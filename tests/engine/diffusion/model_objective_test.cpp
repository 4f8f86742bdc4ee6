#include "engine/diffusion/model_objective.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/diffusion/vp_objective.h"
#include "engine/io/json_file.h"
#include "engine/io/model_writer.h"
#include "engine/io/safetensors.h"
#include "engine/models/flux2/flux2_model.h"
#include "engine/models/new_model.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {

/// Has no schedule metadata.
const char* const kBase = MANTISSA_TEST_DATA "/golden/models/a.safetensors";

NoiseSchedule schedule_of(const Objective& objective) {
  return dynamic_cast<const VpObjective&>(objective).schedule();
}

FlowConfig flow_of(const Objective& objective) {
  return dynamic_cast<const RectifiedFlow&>(objective).config();
}

// A model's objective must survive writing and reading, as one file and as a folder.
class ModelObjective : public ::testing::TestWithParam<const char*> {
 protected:
  std::shared_ptr<const Objective> written_with(const Objective& objective) {
    ModelContents model = new_model({.like = kBase, .dtype = DType::f16});
    set_objective(model, objective);
    const std::filesystem::path out = folder_ / GetParam();
    write_model(out, model);
    return model_objective(WeightSource::open(out), {});
  }
  NoiseSchedule written_with(bool v, bool zero_terminal_snr) {
    ScheduleConfig config;
    config.prediction = v ? Prediction::v : Prediction::epsilon;
    config.zero_terminal_snr = zero_terminal_snr;
    return schedule_of(*written_with(VpObjective(config)));
  }
  test::TempFolder folder_;
};

TEST_P(ModelObjective, PureNoiseAtTheEndIsSampledFromTheEnd) {
  const NoiseSchedule schedule = written_with(true, true);
  EXPECT_EQ(schedule.prediction(), Prediction::v);
  EXPECT_TRUE(schedule.config().zero_terminal_snr);
  EXPECT_EQ(schedule.config().spacing, TimestepSpacing::trailing);
  EXPECT_EQ(schedule.alpha_cumprod(schedule.steps() - 1), 0);
}

TEST_P(ModelObjective, OtherwiseTheFamilysOwnTimesteps) {
  for (const bool v : {false, true}) {
    const NoiseSchedule schedule = written_with(v, false);
    EXPECT_EQ(schedule.prediction(), v ? Prediction::v : Prediction::epsilon);
    EXPECT_FALSE(schedule.config().zero_terminal_snr);
    EXPECT_EQ(schedule.config().spacing, TimestepSpacing::leading);
  }
}

TEST_P(ModelObjective, OfARectifiedFlow) {
  FlowConfig config;
  config.shift = 2.5;
  const auto read = written_with(RectifiedFlow(config));
  EXPECT_EQ(flow_of(*read), config);
}

TEST_P(ModelObjective, OfAFlowShiftedByTheImagesSize) {
  FlowConfig config;
  config.dynamic = DynamicShift{0.5, 1.15, 256, 6400, DynamicShift::Kind::linear};
  EXPECT_EQ(flow_of(*written_with(RectifiedFlow(config))), config);
}

TEST_P(ModelObjective, AFlowKeepsItsOwnShift) {
  FlowConfig config;
  config.shift = 2.5;
  written_with(RectifiedFlow(config));
  Preset preset;
  preset.training.flow_shift = 4;
  const auto trained = model_objective(WeightSource::open(folder_ / GetParam()), preset);
  EXPECT_EQ(flow_of(*trained).shift, 2.5);
}

INSTANTIATE_TEST_SUITE_P(FileAndFolder, ModelObjective,
                         ::testing::Values("base.safetensors", "base"));

TEST(ObjectiveOfAPreset, AsksForTheEndToo) {
  Preset preset;
  preset.training.prediction = Prediction::v;
  preset.training.zero_terminal_snr = true;
  const auto objective = model_objective(WeightSource::open(kBase), preset);
  const NoiseSchedule schedule = schedule_of(*objective);
  EXPECT_TRUE(schedule.config().zero_terminal_snr);
  EXPECT_EQ(schedule.config().spacing, TimestepSpacing::trailing);
}

TEST(ObjectiveOfAPreset, FlowOfAModelThatSaysNothing) {
  Preset preset;
  preset.training.prediction = Prediction::flow;
  const auto objective = model_objective(WeightSource::open(kBase), preset);
  EXPECT_EQ(objective->prediction_name(), "flow");
  EXPECT_EQ(flow_of(*objective).shift, 1);
  preset.training.flow_shift = 2.5;
  EXPECT_EQ(flow_of(*model_objective(WeightSource::open(kBase), preset)).shift, 2.5);
}

// As ComfyUI tells CosXL and Playground 2.5; carried over by what is made of the model.
TEST(ObjectiveOfAMarkedModel, OfEdmIsRefusedByTheTensorsName) {
  const test::TempFolder folder;
  for (const char* marker : {"edm_vpred.sigma_max", "edm_vpred.sigma_min", "edm_mean", "edm_std"}) {
    SCOPED_TRACE(marker);
    const float value = 120;
    ModelContents model = model_contents(WeightSource::open(kBase));
    model.scheduler.reset();
    model.extras.push_back({{marker, DType::f32, {1}, &value, {}}, std::nullopt, ""});
    const std::filesystem::path file = folder / "marked.safetensors";
    write_model_file(file, model, {});
    const WeightSource source = WeightSource::open(file);
    EXPECT_TRUE(source.has_marker(marker));
    for (const Prediction asked : {Prediction::automatic, Prediction::v}) {
      Preset preset;
      preset.training.prediction = asked;
      test::expect_error_with([&] { model_objective(source, preset); },
                              {"marked.safetensors", marker});
    }
    EXPECT_EQ(model_contents(source).markers, std::vector<std::string>{marker});
  }
}

// calculate_shift of diffusers' FluxPipeline; schnell, which takes no guidance, isn't shifted.
TEST(ObjectiveOfFlux1, IsShiftedByTokensButForSchnell) {
  constexpr int kSteps = 4;
  const auto second = [](const char* name, double tokens) {
    const auto source =
        WeightSource::open(std::filesystem::path(MANTISSA_TEST_DATA) / "golden/models" / name);
    return model_objective(source, {})->sampling(SamplerKind::euler, kSteps, tokens).sigmas.at(1);
  };
  for (const auto& [tokens, mu] : {std::pair(256.0, 0.5), {1024.0, 0.63}, {4096.0, 1.15}}) {
    const double shift = std::exp(mu), level = 0.75;
    for (const char* name : {"flux1", "flux1_bare.safetensors"}) {
      EXPECT_NEAR(second(name, tokens), shift * level / (1 + (shift - 1) * level), 1e-9) << name;
    }
    EXPECT_EQ(second("flux1_base.safetensors", tokens), level);
  }
}

// With a scheduler's configuration or without one.
TEST(ObjectiveOfFlux2, IsSampledByTokensAndSteps) {
  constexpr double kTokens = 1024;
  constexpr int kSteps = 4;
  for (const char* name : {"flux2", "flux2_base.safetensors"}) {
    const auto source =
        WeightSource::open(std::filesystem::path(MANTISSA_TEST_DATA) / "golden/models" / name);
    const double second =
        model_objective(source, {})->sampling(SamplerKind::euler, kSteps, kTokens).sigmas.at(1);
    const double shift = std::exp(flux2_sampling_mu(kTokens, kSteps)), level = 0.75;
    EXPECT_NEAR(second, shift * level / (1 + (shift - 1) * level), 1e-12) << name;
  }
}

// The pipeline's schedule (tests/golden/make_flux3.py), with a scheduler's configuration or without
// one, whatever the image's size; training has the same shift.
TEST(ObjectiveOfFlux3, HasTheConstantShiftOfThePipeline) {
  const SafetensorsFile file =
      SafetensorsFile::open(MANTISSA_TEST_DATA "/golden/reference/flux3_sampling.safetensors");
  for (const char* name : {"flux3", "flux3_base.safetensors"}) {
    const auto source =
        WeightSource::open(std::filesystem::path(MANTISSA_TEST_DATA) / "golden/models" / name);
    const auto objective = model_objective(source, {});
    EXPECT_EQ(flow_of(*objective).shift, 6.93) << name;
    EXPECT_FALSE(flow_of(*objective).dynamic) << name;
    for (const int steps : {4, 50}) {
      const TensorInfo* want = file.find("sigmas." + std::to_string(steps));
      ASSERT_NE(want, nullptr);
      for (const double tokens : {256.0, 4096.0}) {
        const auto sigmas = objective->sampling(SamplerKind::euler, steps, tokens).sigmas;
        ASSERT_EQ(std::ssize(sigmas), want->count());
        for (std::size_t i = 0; i < sigmas.size(); ++i) {
          float value = 0;
          std::memcpy(&value, want->data + i * sizeof value, sizeof value);
          EXPECT_NEAR(sigmas[i], static_cast<double>(value), 1e-7) << name << " " << steps;
        }
      }
    }
  }
}

/// Levels of `name` in tests/golden/reference/<model>_sampling.safetensors.
std::vector<double> pipeline_levels(const std::string& model, const std::string& name) {
  const SafetensorsFile file = SafetensorsFile::open(MANTISSA_TEST_DATA "/golden/reference/" +
                                                     model + "_sampling.safetensors");
  const TensorInfo* found = file.find(name);
  std::vector<float> values(static_cast<std::size_t>(found->count()));
  std::memcpy(values.data(), found->data, found->bytes);
  return {values.begin(), values.end()};
}

WeightSource golden_flow_model(const std::filesystem::path& name) {
  return WeightSource::open(std::filesystem::path(MANTISSA_TEST_DATA) / "golden/models" / name);
}

// The pipeline's schedule (tests/golden/make_qwen_image21.py), whose last level is the terminal
// one, with a scheduler's configuration or without one.
TEST(ObjectiveOfQwenImage21, HasTheScheduleOfThePipeline) {
  for (const char* name : {"qwen_image_21", "qwen_image21_base.safetensors"}) {
    const auto objective = model_objective(golden_flow_model(name), {});
    for (const auto& [steps, tokens] : {std::pair{4, 24}, {40, 24}, {40, 4096}}) {
      const auto want = pipeline_levels("qwen_image21", fmt::format("sigmas.{}.{}", steps, tokens));
      const auto got = objective->sampling(SamplerKind::euler, steps, tokens).sigmas;
      ASSERT_EQ(got.size(), want.size());
      for (std::size_t i = 0; i < got.size(); ++i) {
        EXPECT_NEAR(got[i], want[i], 2e-7) << name << " " << steps << " " << i;
      }
    }
    EXPECT_NEAR(objective->sampling(SamplerKind::euler, 40, 4096).sigmas.at(39), 0.02, 1e-12);
    EXPECT_EQ(objective->sampling(SamplerKind::euler, 1, 24).sigmas,
              (std::vector<double>{1.0, 0.0}));
  }
}

// tests/golden/make_qwen_image.py: with a scheduler's configuration or without one.
TEST(ObjectiveOfQwenImage, HasTheScheduleOfThePipeline) {
  for (const char* name : {"qwen_image", "qwen_image_base.safetensors"}) {
    const auto objective = model_objective(golden_flow_model(name), {});
    for (const auto& [steps, tokens] : {std::pair{4, 24}, {50, 24}, {50, 4096}}) {
      const auto want = pipeline_levels("qwen_image", fmt::format("sigmas.{}.{}", steps, tokens));
      const auto got = objective->sampling(SamplerKind::euler, steps, tokens).sigmas;
      ASSERT_EQ(got.size(), want.size());
      for (std::size_t i = 0; i < got.size(); ++i) {
        EXPECT_NEAR(got[i], want[i], 2e-7) << name << " " << steps << " " << i;
      }
    }
  }
}

// tests/golden/make_ernie_image.py: a fixed shift, whatever the image's tokens.
TEST(ObjectiveOfErnieImage, HasTheScheduleOfThePipeline) {
  for (const char* name : {"ernie_image", "ernie_image_base.safetensors"}) {
    const auto objective = model_objective(golden_flow_model(name), {});
    for (const auto& [steps, tokens] : {std::pair{4, 24}, {50, 24}, {50, 4096}}) {
      const auto want = pipeline_levels("ernie_image", fmt::format("sigmas.{}.{}", steps, tokens));
      const auto got = objective->sampling(SamplerKind::euler, steps, tokens).sigmas;
      ASSERT_EQ(got.size(), want.size());
      for (std::size_t i = 0; i < got.size(); ++i) {
        EXPECT_NEAR(got[i], want[i], 2e-7) << name << " " << steps << " " << i;
      }
    }
    EXPECT_DOUBLE_EQ(objective->trained_level(0.5, {.tokens = 24}), 0.8);
    EXPECT_DOUBLE_EQ(objective->trained_level(0.5, {.tokens = 4096}), 0.8);
  }
}

/// The tiny folder with levels of samples in its index.
class TurboOfQwenImage21 : public ::testing::Test {
 protected:
  std::shared_ptr<const Objective> with(const nlohmann::json& levels) {
    const std::filesystem::path model = folder_ / "m";
    std::filesystem::remove_all(model);
    std::filesystem::copy(std::filesystem::path(MANTISSA_TEST_DATA) / "golden/models/qwen_image_21",
                          model, std::filesystem::copy_options::recursive);
    nlohmann::json index = read_json(model / "model_index.json");
    index["sample_sigmas"] = levels;
    test::write_file(model / "model_index.json", index.dump());
    return model_objective(WeightSource::open(model), {});
  }
  test::TempFolder folder_;
};

// In as many steps as there are levels, and along them in others; training keeps its own.
TEST_F(TurboOfQwenImage21, HasLevelsOfItsOwn) {
  const auto turbo =
      with({1.0, 0.978453, 0.95418, 0.926626, 0.89508, 0.845148, 0.704534, 0.414568});
  const auto usual = model_objective(golden_flow_model("qwen_image_21"), {});
  const auto want = pipeline_levels("qwen_image21", "turbo.24");
  const auto got = turbo->sampling(SamplerKind::euler, 8, 24).sigmas;
  ASSERT_EQ(got.size(), want.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    EXPECT_NEAR(got[i], want[i], 2e-7) << i;
  }
  const auto four = turbo->sampling(SamplerKind::euler, 4, 24).sigmas;
  EXPECT_EQ(four.size(), 5U);
  EXPECT_EQ(four.front(), 1);
  EXPECT_TRUE(std::is_sorted(four.rbegin(), four.rend()));
  EXPECT_EQ(turbo->trained_level(0.5, {24, {}}), usual->trained_level(0.5, {24, {}}));
}

TEST_F(TurboOfQwenImage21, LevelsGoDownFromOne) {
  for (const nlohmann::json& wrong :
       {nlohmann::json{0.5, 0.9}, nlohmann::json{1.5, 0.9}, nlohmann::json{1.0, 1.0, 0.5},
        nlohmann::json{1.0, 0.0}, nlohmann::json("some"), nlohmann::json::array()}) {
    test::expect_error_with([&] { with(wrong); }, {"model_index.json", "sample_sigmas"});
  }
}

}  // namespace
}  // namespace mantissa
