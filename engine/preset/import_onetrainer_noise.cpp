// Facts about OneTrainer behind these rules: a schedule without signal at its end forces
// v-prediction; both are Stable Diffusion's alone.
#include "engine/preset/import_onetrainer_rules.h"
#include "engine/preset/import_values.h"

namespace mantissa {
namespace {

using Json = nlohmann::json;
using enum ImportKind;

void loss_weight(OneTrainer& o, ImportRow& row, const Json& value) {
  if (value == "MIN_SNR_GAMMA") {
    o.take(row, "training.min_snr_gamma", o.number("loss_weight_strength", 5));
  } else if (value == "CONSTANT") {
    o.take(row, "training.min_snr_gamma", 0);
  } else {
    o.ignore(row, message<"Not offered here: {name} weights of the loss.">(short_value(value)));
  }
}

/// Of files before loss_weight_fn.
void min_snr(OneTrainer& o, ImportRow& row, const Json& value) {
  if (is_off(value)) {
    o.ignore(row, message<"Not used there.">());
  } else {
    o.take(row, "training.min_snr_gamma", value);
  }
}

/// Strengths of other errors beside the squared one, or in place of it.
void other_error(OneTrainer& o, ImportRow& row, const Json& value) {
  if (is_off(value)) {
    o.ignore(row, message<"Not used there.">());
    return;
  }
  const Message error = row.key == "mae_strength"        ? message<"the absolute error">()
                        : row.key == "log_cosh_strength" ? message<"the log-cosh error">()
                                                         : message<"the Huber error">();
  o.take_changed(
      row, "training.loss", "mse",
      message<"Not offered here: {name} as the loss; the squared error instead.">(error));
}

/// noising_weight is added to the deviation of LOGIT_NORMAL; the others are uniform if it is 0.
void timestep_distribution(OneTrainer& o, ImportRow& row, const Json& value) {
  const std::string name = short_value(value);
  const double weight = o.number("noising_weight", 0);
  const bool flat =
      (weight == 0 && (name == "HEAVY_TAIL" || name == "SIGMOID" || name == "INVERTED_PARABOLA")) ||
      (name == "BETA" && weight == 1 && o.number("noising_bias", 0) == 1);
  if (name == "UNIFORM" || flat) {
    o.take(row, "training.timesteps", "uniform");
  } else if (name == "LOGIT_NORMAL" && weight == 0 && o.number("noising_bias", 0) == 0) {
    o.take(row, "training.timesteps", "logit_normal");
  } else if (name == "HEAVY_TAIL" && weight == 1.29) {
    o.take(row, "training.timesteps", "mode");
  } else {
    o.take_changed(row, "training.timesteps",
                   name == "LOGIT_NORMAL" ? "logit_normal"
                   : name == "HEAVY_TAIL" ? "mode"
                                          : "uniform",
                   message<"Not offered here: {what}.">(kOtherTimesteps.said()));
  }
}

/// Numbers of the distribution, of which the uniform one has none and the heavy tail no bias.
void noising(OneTrainer& o, ImportRow& row, const Json& value) {
  const std::string name = o.text("timestep_distribution");
  const bool used =
      !name.empty() && name != "UNIFORM" && !(name == "HEAVY_TAIL" && row.key == "noising_bias");
  o.ignore(row, !used           ? message<"Counts only with other timestep distributions there.">()
                : is_off(value) ? message<"Not used there.">()
                                : message<"Counts together with other keys.">());
}

/// SD 2.x is of no family here, but has no flow either.
bool has_no_flow(OneTrainer& o) {
  return has_no_flow(o.preset()) || o.is_model("STABLE_DIFFUSION_2");
}

void timestep_shift(OneTrainer& o, ImportRow& row, const Json& value) {
  const bool no_flow = has_no_flow(o);
  if (o.flag("dynamic_timestep_shifting") || (no_flow && as_number(value) == 1.0)) {
    o.ignore(row, message<"Not used there.">());
  } else if (no_flow) {
    o.ignore(row, message<"Not offered here: {what}.">(message<"a shift of timesteps">()));
  } else {
    o.take(row, "training.flow_shift", value);
  }
}

/// The model's scheduler's shift for the image's size.
void dynamic_shift(OneTrainer& o, ImportRow& row, const Json& value) {
  if (is_off(value)) {
    o.ignore(row, message<"Not used there.">());
  } else if (has_no_flow(o)) {
    o.ignore(row, message<"Not offered here: {what}.">(message<"a shift of timesteps">()));
  } else {
    o.take(row, "training.flow_shift", "auto");
  }
}

/// Which forces v-prediction there too.
void zero_snr(OneTrainer& o, ImportRow& row, const Json& value) {
  if (!ignore_for_flow(o, row) && o.take(row, "training.zero_terminal_snr", value) &&
      !is_off(value)) {
    o.take(row, "training.prediction", "v");
  }
}

void force_prediction(OneTrainer& o, ImportRow& row, const Json& value) {
  if (ignore_for_flow(o, row)) {
    return;
  }
  const bool forced = o.flag("rescale_noise_scheduler_to_zero_terminal_snr") ||
                      (row.key == "force_epsilon_prediction" && o.flag("force_v_prediction"));
  if (is_off(value) || forced) {
    o.ignore(row, message<"Not used there.">());
  } else {
    o.take(row, "training.prediction", row.key == "force_v_prediction" ? "v" : "epsilon");
  }
}

constexpr OneTrainerRule kOneTrainerNoiseRules[] = {
    {"loss_weight_fn", special, {}, loss_weight},
    {"min_snr_gamma", special, {}, min_snr},
    {"mae_strength", special, {}, other_error},
    {"log_cosh_strength", special, {}, other_error},
    {"huber_strength", special, {}, other_error},
    {"rescale_noise_scheduler_to_zero_terminal_snr", special, {}, zero_snr},
    {"timestep_distribution", special, {}, timestep_distribution},
    {"noising_weight", special, {}, noising},
    {"noising_bias", special, {}, noising},
    {"timestep_shift", special, {}, timestep_shift},
    {"dynamic_timestep_shifting", special, {}, dynamic_shift},
    {"force_v_prediction", special, {}, force_prediction},
    {"force_epsilon_prediction", special, {}, force_prediction},
};

}  // namespace

std::span<const OneTrainerRule> onetrainer_noise_rules() {
  return kOneTrainerNoiseRules;
}

}  // namespace mantissa
