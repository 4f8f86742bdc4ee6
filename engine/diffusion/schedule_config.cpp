// ScheduleConfig: reading a diffusers scheduler_config.json.
#include <array>
#include <nlohmann/json.hpp>
#include <string>

#include "engine/core/error.h"
#include "engine/diffusion/schedule.h"
#include "engine/io/config_fields.h"

namespace mantissa {

namespace {

using Json = nlohmann::json;

constexpr const char* kLabel = "scheduler_config.json";

/// A diffusers scheduler's defaults for missing fields. All of them train the same forward process;
/// the sampler is set by samples.sampler.
struct SchedulerClass {
  const char* name;
  double beta_start, beta_end;
  BetaSchedule beta_schedule;
  TimestepSpacing spacing;
  bool set_alpha_to_one;
};

constexpr auto kLinear = BetaSchedule::linear;
constexpr auto kScaled = BetaSchedule::scaled_linear;
constexpr auto kLeading = TimestepSpacing::leading;
constexpr auto kLinspace = TimestepSpacing::linspace;

constexpr std::array<SchedulerClass, 19> kClasses{{
    {"DDIMScheduler", 0.0001, 0.02, kLinear, kLeading, true},
    {"DDIMParallelScheduler", 0.0001, 0.02, kLinear, kLeading, true},
    {"DDPMScheduler", 0.0001, 0.02, kLinear, kLeading, false},
    {"DDPMParallelScheduler", 0.0001, 0.02, kLinear, kLeading, false},
    {"DEISMultistepScheduler", 0.0001, 0.02, kLinear, kLinspace, false},
    {"DPMSolverMultistepScheduler", 0.0001, 0.02, kLinear, kLinspace, false},
    {"DPMSolverSinglestepScheduler", 0.0001, 0.02, kLinear, kLinspace, false},
    {"DPMSolverSDEScheduler", 0.00085, 0.012, kLinear, kLinspace, false},
    {"EulerAncestralDiscreteScheduler", 0.0001, 0.02, kLinear, kLinspace, false},
    {"EulerDiscreteScheduler", 0.0001, 0.02, kLinear, kLinspace, false},
    {"HeunDiscreteScheduler", 0.00085, 0.012, kLinear, kLinspace, false},
    {"KDPM2AncestralDiscreteScheduler", 0.00085, 0.012, kLinear, kLinspace, false},
    {"KDPM2DiscreteScheduler", 0.00085, 0.012, kLinear, kLinspace, false},
    {"LCMScheduler", 0.00085, 0.012, kScaled, kLeading, true},
    {"LMSDiscreteScheduler", 0.0001, 0.02, kLinear, kLinspace, false},
    {"PNDMScheduler", 0.0001, 0.02, kLinear, kLeading, false},
    {"SASolverScheduler", 0.0001, 0.02, kLinear, kLinspace, false},
    {"TCDScheduler", 0.00085, 0.012, kScaled, kLeading, true},
    {"UniPCMultistepScheduler", 0.0001, 0.02, kLinear, kLinspace, false},
}};

/// Sampling fields of diffusers schedulers. They affect neither the training noise nor the samplers
/// here, which have their own settings. (`clip_sample` would clip latents to ±1; diffusers'
/// pipelines disable it.)
constexpr std::array<std::string_view, 32> kHarmless{"algorithm_type",
                                                     "clip_sample",
                                                     "clip_sample_range",
                                                     "corrector_order",
                                                     "disable_corrector",
                                                     "dynamic_thresholding_ratio",
                                                     "euler_at_final",
                                                     "final_sigmas_type",
                                                     "flow_shift",
                                                     "interpolation_type",
                                                     "lambda_min_clipped",
                                                     "lower_order_final",
                                                     "noise_sampler_seed",
                                                     "original_inference_steps",
                                                     "predict_x0",
                                                     "predictor_order",
                                                     "sample_max_value",
                                                     "sigma_max",
                                                     "sigma_min",
                                                     "skip_prk_steps",
                                                     "solver_order",
                                                     "solver_p",
                                                     "solver_type",
                                                     "tau_func",
                                                     "thresholding",
                                                     "time_shift_type",
                                                     "timestep_scaling",
                                                     "use_beta_sigmas",
                                                     "use_exponential_sigmas",
                                                     "use_karras_sigmas",
                                                     "use_lu_lambdas",
                                                     "variance_type"};

void read_class(const ConfigFields& f, ScheduleConfig& c) {
  const std::string name = f.text("_class_name", "");
  if (name.empty()) {
    return;  // not written by diffusers: Stable Diffusion's defaults
  }
  for (const SchedulerClass& known : kClasses) {
    if (name == known.name) {
      c.beta_start = known.beta_start;
      c.beta_end = known.beta_end;
      c.beta_schedule = known.beta_schedule;
      c.spacing = known.spacing;
      c.steps_offset = 0;
      c.set_alpha_to_one = known.set_alpha_to_one;
      return;
    }
  }
  f.fail("_class_name",
         message<"is {name}, which adds noise in another way than the models of these families are "
                 "trained with; put the model's own scheduler_config.json there">(name));
}

double within(const ConfigFields& f, const char* key, double fallback, double low, double high) {
  const double value = f.number(key, fallback);
  if (value < low || value > high) {
    f.fail(key, message<"must be a number from {least} to {most}; it is {found}">(
                    Json(low).dump(), Json(high).dump(), Json(value).dump()));
  }
  return value;
}

template <typename E>
E choice(const ConfigFields& f, const char* key,
         std::initializer_list<std::pair<const char*, E>> choices, E fallback) {
  if (f.find(key) == nullptr) {
    return fallback;
  }
  const std::string value = f.text(key, "");
  std::vector<Message> known;
  for (const auto& [name, result] : choices) {
    if (value == name) {
      return result;
    }
    known.push_back(Message::verbatim(name));
  }
  f.fail(key, message<"must be {choices}; it is '{found}'">(joined<" or ">(std::move(known)),
                                                            value.substr(0, 80)));
}

std::vector<double> trained_betas(const ConfigFields& f, int steps) {
  std::vector<double> betas = f.numbers("trained_betas", static_cast<std::size_t>(steps));
  for (const double beta : betas) {
    if (!(beta > 0 && beta < 1)) {
      f.fail("trained_betas",
             message<"must hold numbers between 0 and 1; it holds {found}">(Json(beta).dump()));
    }
  }
  return betas;
}

}  // namespace

ScheduleConfig schedule_config_from_json(const Json& config) {
  const std::string label = kLabel;
  const ConfigFields f(config, label);
  ScheduleConfig c;
  read_class(f, c);
  constexpr int kMostSteps = 100'000;
  c.num_train_timesteps = f.integer("num_train_timesteps", 1000, 2);
  if (c.num_train_timesteps > kMostSteps) {
    f.fail("num_train_timesteps",
           message<"must be at most {most}; it is {found}">(kMostSteps, c.num_train_timesteps));
  }
  c.trained_betas = trained_betas(f, c.num_train_timesteps);
  c.beta_start = within(f, "beta_start", c.beta_start, 1e-9, 0.5);
  c.beta_end = within(f, "beta_end", c.beta_end, 1e-9, 0.999);
  c.beta_schedule = choice<BetaSchedule>(f, "beta_schedule",
                                         {{"scaled_linear", BetaSchedule::scaled_linear},
                                          {"linear", BetaSchedule::linear},
                                          {"squaredcos_cap_v2", BetaSchedule::cosine},
                                          {"sigmoid", BetaSchedule::sigmoid},
                                          {"laplace", BetaSchedule::laplace}},
                                         c.beta_schedule);
  c.prediction = choice<Prediction>(
      f, "prediction_type", {{"epsilon", Prediction::epsilon}, {"v_prediction", Prediction::v}},
      c.prediction);
  c.spacing = choice<TimestepSpacing>(f, "timestep_spacing",
                                      {{"linspace", TimestepSpacing::linspace},
                                       {"leading", TimestepSpacing::leading},
                                       {"trailing", TimestepSpacing::trailing}},
                                      c.spacing);
  c.steps_offset = f.integer("steps_offset", c.steps_offset, 0);
  c.zero_terminal_snr = f.boolean("rescale_betas_zero_snr", c.zero_terminal_snr);
  c.set_alpha_to_one = f.boolean("set_alpha_to_one", c.set_alpha_to_one);
  // These define a different process: flow matching, and timesteps that are noise levels.
  f.only("predict_epsilon", true);  // legacy: false meant "sample"
  f.only("use_flow_sigmas", false);
  f.only("use_dynamic_shifting", false);
  f.absent("shift_terminal");
  f.only("timestep_type", "discrete");
  f.refuse_others(kHarmless);
  return c;
}

}  // namespace mantissa
