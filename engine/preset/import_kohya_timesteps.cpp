// Facts about sd-scripts behind these rules: only its scripts for flow models read these keys.
// timestep_sampling "uniform" and "sigmoid" (of sigmoid_scale times a normal) draw noise levels
// unshifted, "shift" shifts those of sigmoid by discrete_flow_shift, "flux_shift" by the image's
// size. musubi-tuner does the same, but its discrete_flow_shift is 1 unless given, and its
// "krea2_shift" is the shift of Krea 2's own samples: e^0.5 for 256 tokens, e^1.15 for 6400;
// "qwen_shift" that of Qwen-Image's: e^0.5 for 256, e^0.9 for 8192.
// "sigma", the default, draws from the schedule shifted by discrete_flow_shift, with the density of
// weighting_scheme; its other values weight the loss.

#include "engine/preset/import_kohya_rules.h"

namespace mantissa {
namespace {

using Json = nlohmann::json;
using enum ImportKind;

std::string sampling_there(const Kohya& k) {
  const std::string name = lower_ascii(k.text("timestep_sampling"));
  return !name.empty() ? name : k.of_anima_scripts() ? "sigmoid" : "sigma";
}

/// Marks rows of models without flow. SD 2.x is of no family here, but has none either.
bool concerns_others(Kohya& k, ImportRow& row) {
  if (has_no_flow(k.preset()) || k.flag("v2")) {
    k.ignore(row, message<"Concerns FLUX and SD3 only.">());
    return true;
  }
  return false;
}

/// `nearest`: what is drawn instead.
void no_such_timesteps(Kohya& k, ImportRow& row, const char* nearest) {
  k.take_changed(row, "training.timesteps", nearest,
                 message<"Not offered here: {what}.">(kOtherTimesteps.said()));
}

void take_shifted(Kohya& k, ImportRow& row, const char* timesteps, bool own_shift) {
  const bool usual_shift = k.musubi || k.of_anima_scripts() || k.of_flux1_scripts();
  if (k.take(row, "training.timesteps", timesteps) && own_shift && !usual_shift) {
    k.change(row, message<"With the base model's own shift.">());
  }
}

void timestep_sampling(Kohya& k, ImportRow& row, const Json&) {
  if (concerns_others(k, row)) {
    return;
  }
  const std::string name = sampling_there(k);
  const bool no_shift_given = k.find("discrete_flow_shift") == nullptr;
  const bool plain_sigmoid = k.number("sigmoid_scale", 1) == 1;
  if (name == "uniform") {
    k.take(row, "training.timesteps", "uniform");
    k.take(row, "training.flow_shift", 1);
  } else if (name == "sigmoid" && plain_sigmoid) {
    k.take(row, "training.timesteps", "sigmoid");
  } else if (name == "shift" && plain_sigmoid) {
    take_shifted(k, row, "shifted", no_shift_given);
  } else if ((name == "flux_shift" || name == "flux2_shift" || name == "krea2_shift" ||
              name == "qwen_shift") &&
             plain_sigmoid) {
    const ModelFamily family = k.chosen().model.family;
    const bool same = (name == "krea2_shift" && family == ModelFamily("krea2")) ||
                      (name == "qwen_shift" && family == ModelFamily("qwen_image"));
    if (k.take(row, "training.timesteps", "shifted") && !same) {
      k.change(row, message<"With the base model's own shift.">());
    }
  } else if (name == "sigma" && k.find("weighting_scheme") != nullptr) {
    k.ignore(row, message<"Counts together with other keys.">());
  } else if (name == "sigma") {
    take_shifted(k, row, "uniform", no_shift_given);
  } else {
    no_such_timesteps(k, row,
                      name == "sigmoid"         ? "sigmoid"
                      : name.ends_with("shift") ? "shifted"
                                                : "uniform");
  }
}

void weighting_scheme(Kohya& k, ImportRow& row, const Json& value) {
  if (concerns_others(k, row)) {
    return;
  }
  const std::string name = lower_ascii(short_value(value));
  const bool no_shift_given = k.find("discrete_flow_shift") == nullptr;
  if (name == "sigma_sqrt" || name == "cosmap") {
    k.ignore(row, message<"Not offered here: {name} weights of the loss.">(short_value(value)));
  } else if (sampling_there(k) != "sigma") {
    k.ignore(row, message<"Not used there.">());
  } else if (name == "none" || name == "uniform") {
    take_shifted(k, row, "uniform", no_shift_given);
  } else if (name == "logit_normal" && k.number("logit_mean", 0) == 0 &&
             k.number("logit_std", 1) == 1) {
    take_shifted(k, row, "logit_normal", no_shift_given);
  } else if (name == "mode" && k.number("mode_scale", 1.29) == 1.29) {
    take_shifted(k, row, "mode", no_shift_given);
  } else {
    no_such_timesteps(k, row,
                      name == "logit_normal" ? "logit_normal"
                      : name == "mode"       ? "mode"
                                             : "uniform");
  }
}

void discrete_flow_shift(Kohya& k, ImportRow& row, const Json& value) {
  if (concerns_others(k, row)) {
    return;
  }
  const std::string name = sampling_there(k);
  if (name == "shift" || name == "sigma") {
    k.take(row, "training.flow_shift", value);
  } else {
    k.ignore(row, message<"Not used there.">());
  }
}

/// Of the normal draws that timestep_sampling makes itself.
void sigmoid_scale(Kohya& k, ImportRow& row, const Json& value) {
  if (concerns_others(k, row)) {
    return;
  }
  const std::string name = sampling_there(k);
  if (name == "sigma" || name == "uniform") {
    k.ignore(row, message<"Not used there.">());
  } else if (as_number(value) == 1.0) {
    k.ignore(row, message<"Counts together with other keys.">());
  } else {
    no_such_timesteps(k, row, name == "sigmoid" ? "sigmoid" : "shifted");
  }
}

/// A parameter used by the rules above.
void timestep_parameter(Kohya& k, ImportRow& row, const Json&) {
  if (!concerns_others(k, row)) {
    k.ignore(row, message<"Counts together with other keys.">());
  }
}

constexpr KohyaRule kKohyaTimestepRules[] = {
    {"timestep_sampling", special, {}, timestep_sampling},
    {"weighting_scheme", special, {}, weighting_scheme},
    {"discrete_flow_shift", special, {}, discrete_flow_shift},
    {"sigmoid_scale", special, {}, sigmoid_scale},
    {"logit_mean", special, {}, timestep_parameter},
    {"logit_std", special, {}, timestep_parameter},
    {"mode_scale", special, {}, timestep_parameter},
};

}  // namespace

std::span<const KohyaRule> kohya_timestep_rules() {
  return kKohyaTimestepRules;
}

}  // namespace mantissa
