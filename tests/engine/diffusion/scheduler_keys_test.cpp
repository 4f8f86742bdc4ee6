// Every field of diffusers' schedulers, with non-default values: supported, or only relevant to
// that scheduler's own steps, or refused by name (as tests/engine/models/config_keys.h).
#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <set>

#include "engine/core/error.h"
#include "engine/diffusion/rectified_flow.h"
#include "engine/diffusion/schedule.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {

using nlohmann::json;

enum class Outcome { honoured, harmless, refused };
constexpr Outcome H = Outcome::honoured, I = Outcome::harmless, R = Outcome::refused;

const struct {
  const char* field;
  json value;
  Outcome outcome;
} kRows[] = {
    {"num_train_timesteps", 800, H},
    {"beta_start", 0.001, H},
    {"beta_end", 0.03, H},
    {"beta_schedule", "squaredcos_cap_v2", H},
    {"beta_schedule", "sigmoid", H},
    {"beta_schedule", "laplace", H},
    {"beta_schedule", "exp", R},
    {"trained_betas", json(std::vector<double>(1000, 0.01)), H},
    {"trained_betas", {0.1}, R},
    {"prediction_type", "v_prediction", H},
    {"prediction_type", "sample", R},
    {"prediction_type", "flow_prediction", R},
    {"timestep_spacing", "trailing", H},
    {"steps_offset", 7, H},
    {"rescale_betas_zero_snr", true, H},
    {"timestep_type", "continuous", R},
    {"use_flow_sigmas", true, R},
    {"use_dynamic_shifting", true, R},
    {"shift_terminal", 0.1, R},
    {"algorithm_type", "sde-dpmsolver++", I},
    {"clip_sample", true, I},
    {"clip_sample", false, I},
    {"clip_sample_range", 2.0, I},
    {"corrector_order", 1, I},
    {"disable_corrector", {0}, I},
    {"dynamic_thresholding_ratio", 0.9, I},
    {"euler_at_final", true, I},
    {"final_sigmas_type", "sigma_min", I},
    {"flow_shift", 3.0, I},
    {"interpolation_type", "log_linear", I},
    {"lambda_min_clipped", -5.1, I},
    {"lower_order_final", false, I},
    {"noise_sampler_seed", 1, I},
    {"original_inference_steps", 30, I},
    {"predict_x0", false, I},
    {"predictor_order", 1, I},
    {"sample_max_value", 2.0, I},
    {"sigma_max", 80.0, I},
    {"sigma_min", 0.002, I},
    {"skip_prk_steps", true, I},
    {"solver_order", 3, I},
    {"solver_p", {{"_class_name", "X"}}, I},
    {"solver_type", "heun", I},
    {"tau_func", "x", I},
    {"thresholding", true, I},
    {"time_shift_type", "linear", I},
    {"timestep_scaling", 5.0, I},
    {"use_beta_sigmas", true, I},
    {"use_exponential_sigmas", true, I},
    {"use_karras_sigmas", true, I},
    {"use_lu_lambdas", true, I},
    {"variance_type", "learned_range", I},
};

TEST(SchedulerKeys, EachIsHonouredHarmlessOrRefused) {
  std::ifstream file(MANTISSA_TEST_DATA "/golden/config_keys.json");
  const json schedulers = json::parse(file).at("schedulers");
  EXPECT_GE(schedulers.size(), 17U);
  for (const auto& [name, defaults] : schedulers.items()) {
    json base = defaults;
    base["_class_name"] = name;
    const ScheduleConfig usual = schedule_config_from_json(base);
    // Values that diffusers writes explicitly are its defaults for missing fields.
    EXPECT_EQ(schedule_config_from_json({{"_class_name", name}}), usual) << name;
    std::set<std::string> covered{"set_alpha_to_one"};
    for (const auto& [field, value, outcome] : kRows) {
      SCOPED_TRACE(name + "." + field + " = " + value.dump());
      covered.insert(field);
      json changed = base;
      changed[field] = value;
      try {
        const ScheduleConfig config = schedule_config_from_json(changed);
        EXPECT_NE(outcome, Outcome::refused);
        EXPECT_EQ(config == usual, outcome == Outcome::harmless);
      } catch (const Error& e) {
        EXPECT_EQ(outcome, Outcome::refused) << e.what();
        EXPECT_NE(std::string(e.what()).find(field), std::string::npos) << e.what();
      }
    }
    base["set_alpha_to_one"] = !usual.set_alpha_to_one;
    EXPECT_NE(schedule_config_from_json(base), usual);
    for (const auto& [field, value] : defaults.items()) {
      EXPECT_TRUE(covered.contains(field)) << name << "." << field << " has no row";
    }
  }
  test::expect_error_with(
      [] {
        schedule_config_from_json({{"a_new_field", 2}});
      },
      {"scheduler_config.json", "a_new_field"});
}

const struct {
  const char* field;
  json value;
  Outcome outcome;
  bool dynamic = false;  ///< with use_dynamic_shifting
} kFlowRows[] = {
    {"num_train_timesteps", 800, H},
    {"shift", 3.0, H},
    {"use_dynamic_shifting", true, H},
    {"base_shift", 0.7, H, true},
    {"base_shift", 0.7, I},  // of the dynamic shift
    {"max_shift", 1.5, H, true},
    {"base_image_seq_len", 128, H, true},
    {"max_image_seq_len", 6400, H, true},
    {"time_shift_type", "linear", H, true},
    {"time_shift_type", "linear", I},
    {"time_shift_type", "cubic", R, true},
    {"invert_sigmas", true, R},
    {"shift_terminal", 0.02, H},
    {"shift_terminal", 1.5, R},
    {"use_karras_sigmas", true, I},
    {"use_exponential_sigmas", true, I},
    {"use_beta_sigmas", true, I},
    {"stochastic_sampling", true, I},
};

TEST(SchedulerKeys, OfRectifiedFlow) {
  std::ifstream file(MANTISSA_TEST_DATA "/golden/config_keys.json");
  const json schedulers = json::parse(file).at("flow_schedulers");
  EXPECT_EQ(schedulers.size(), 2U);
  for (const auto& [name, defaults] : schedulers.items()) {
    std::set<std::string> covered;
    for (const auto& [field, value, outcome, dynamic] : kFlowRows) {
      SCOPED_TRACE(name + "." + field + " = " + value.dump());
      covered.insert(field);
      json base = defaults;
      base["_class_name"] = name;
      if (dynamic) {
        base["use_dynamic_shifting"] = true;
      }
      const FlowConfig usual = flow_config_from_json(base);
      base[field] = value;
      try {
        const FlowConfig config = flow_config_from_json(base);
        EXPECT_NE(outcome, Outcome::refused);
        EXPECT_EQ(config == usual, outcome == Outcome::harmless);
      } catch (const Error& e) {
        EXPECT_EQ(outcome, Outcome::refused) << e.what();
        EXPECT_NE(std::string(e.what()).find(field), std::string::npos) << e.what();
      }
    }
    for (const auto& [field, value] : defaults.items()) {
      EXPECT_TRUE(covered.contains(field)) << name << "." << field << " has no row";
    }
  }
}

}  // namespace
}  // namespace mantissa
