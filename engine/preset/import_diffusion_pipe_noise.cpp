// Facts about diffusion-pipe behind this file: flow models draw noise levels from the sigmoid of a
// normal, which sigmoid_scale widens, or uniformly. shift moves them, and counts before flux_shift,
// whose shift grows with the tokens of an image from e^0.5 at 256 to e^1.15 at 4096; a shift of 0
// is none. min_t and max_t are read for Wan alone. SDXL draws timesteps uniformly and has the
// squared error alone; the loss of all others is PyTorch's Huber with huber_delta, or else its
// smooth L1 with smooth_l1_beta. Earlier versions had pseudo_huber_c in their place: sqrt(d² + c²)
// - c.

#include "engine/preset/import_diffusion_pipe_rules.h"

namespace mantissa {
namespace {

using Json = nlohmann::json;
using enum ImportKind;

constexpr std::string_view kSampleMethod = "model.timestep_sample_method";

bool concerns_others(DiffusionPipe& d, ImportRow& row) {
  const bool others = has_no_flow(d.chosen());
  if (others) {
    d.ignore(row, message<"Counts only for flow models there.">());
  }
  return others;
}

bool has_own_shift(const DiffusionPipe& d) {
  return d.number("model.shift", 0) != 0;
}
bool has_shift(const DiffusionPipe& d) {
  return has_own_shift(d) || d.flag("model.flux_shift");
}
bool is_uniform(const DiffusionPipe& d) {
  return lower_ascii(d.text(kSampleMethod)) == "uniform";
}

void no_such_timesteps(DiffusionPipe& d, ImportRow& row) {
  d.change(row, message<"Not offered here: {what}.">(kOtherTimesteps.said()));
}

void method(DiffusionPipe& d, ImportRow& row, const Json& value) {
  if (concerns_others(d, row)) {
    return;
  }
  const std::string name = lower_ascii(short_value(value));
  if (name == "logit_normal") {
    d.take(row, "training.timesteps", has_shift(d) ? "shifted" : "sigmoid");
  } else if (name == "uniform") {
    d.take(row, "training.timesteps", name);
    if (!has_shift(d)) {
      d.take(row, "training.flow_shift", 1);
    }
  } else {
    no_such_timesteps(d, row);
  }
}

void sigmoid_scale(DiffusionPipe& d, ImportRow& row, const Json& value) {
  if (concerns_others(d, row)) {
    return;
  }
  if (is_uniform(d)) {
    d.ignore(row, message<"Not used there.">());
  } else if (as_number(value) == 1.0) {
    d.ignore(row, message<"The same here.">());
  } else {
    no_such_timesteps(d, row);
  }
}

void shift(DiffusionPipe& d, ImportRow& row, const Json& value) {
  if (concerns_others(d, row)) {
    return;
  }
  if (is_off(value)) {
    d.ignore(row, message<"Not used there.">());
  } else {
    d.take(row, "training.flow_shift", value);
  }
}

void flux_shift(DiffusionPipe& d, ImportRow& row, const Json& value) {
  if (concerns_others(d, row)) {
    return;
  }
  if (is_off(value)) {
    d.ignore(row, message<"Not used there.">());
  } else if (has_own_shift(d)) {
    d.ignore(row, message<"{key} counts instead.">(std::string("model.shift")));
  } else {
    d.take(row, "training.flow_shift", "auto");
    if (!diffusion_pipe_model(d.chosen().model.family).shifts_alike) {
      d.change(row, message<"With the base model's own shift.">());
    }
  }
}

constexpr RuleText kSmoothForm =
    words<"PyTorch's function there; here its smooth form, which is twice as large.">;

/// Takes a width with the loss that is nearest.
void take_width(DiffusionPipe& d, ImportRow& row, const char* loss, const Json& value,
                const Message& note) {
  if (d.take(row, "training.huber_c", value)) {
    d.take(row, "training.loss", loss);
    d.take(row, "training.huber_schedule", "constant");
    d.change(row, note);
  }
}

void huber(DiffusionPipe& d, ImportRow& row, const Json& value) {
  if (has_no_flow(d.chosen())) {
    d.ignore(row, message<"Not used there.">());
  } else {
    take_width(d, row, "huber", value, kSmoothForm.said());
  }
}

void smooth_l1(DiffusionPipe& d, ImportRow& row, const Json& value) {
  if (has_no_flow(d.chosen())) {
    d.ignore(row, message<"Not used there.">());
  } else if (d.find("huber_delta") != nullptr) {
    d.ignore(row, message<"{key} counts instead.">(std::string("huber_delta")));
  } else {
    take_width(d, row, "smooth_l1", value, kSmoothForm.said());
  }
}

void pseudo_huber(DiffusionPipe& d, ImportRow& row, const Json& value) {
  const bool newer = d.find("huber_delta") != nullptr || d.find("smooth_l1_beta") != nullptr;
  if (has_no_flow(d.chosen()) || newer) {
    d.ignore(row, message<"Not used there.">());
  } else {
    take_width(d, row, "smooth_l1", value,
               message<"Only older versions use it, at half this scale; newer ones use the squared "
                       "error.">());
  }
}

constexpr DiffusionPipeRule kPipeNoiseRules[] = {
    {kSampleMethod, special, {}, method},
    {"model.sigmoid_scale", special, {}, sigmoid_scale},
    {"model.shift", special, {}, shift},
    {"model.flux_shift", special, {}, flux_shift},
    {"huber_delta", special, {}, huber},
    {"smooth_l1_beta", special, {}, smooth_l1},
    {"pseudo_huber_c", special, {}, pseudo_huber},
};

}  // namespace

void finish_diffusion_pipe_noise(DiffusionPipe& d, const Message& not_given) {
  if (has_flow(d.chosen())) {
    d.assume(kSampleMethod, "training.timesteps", has_shift(d) ? "shifted" : "sigmoid", not_given);
  }
}

std::span<const DiffusionPipeRule> diffusion_pipe_noise_rules() {
  return kPipeNoiseRules;
}

}  // namespace mantissa
