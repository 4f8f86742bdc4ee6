// VpObjective: the steps of its samplers.
#include <algorithm>
#include <cmath>

#include "engine/core/error.h"
#include "engine/diffusion/vp_objective.h"

namespace mantissa {

namespace {

// Half to even, regardless of the floating-point environment.
double round_even(double x) {
  const double down = std::floor(x);
  const double rest = x - down;
  if (rest != 0.5) {
    return std::floor(x + 0.5);
  }
  return std::fmod(down, 2) == 0 ? down : down + 1;
}

// Decreasing timesteps (models in the wild were trained with arXiv 2305.08891's three spacings).
std::vector<double> spaced_timesteps(const NoiseSchedule& schedule, int n) {
  const int train = schedule.steps();
  std::vector<double> t;
  for (int i = 0; i < n; ++i) {
    const int rising = n - 1 - i;
    switch (schedule.config().spacing) {
      case TimestepSpacing::linspace:
        t.push_back(n == 1 ? 0.0 : rising * (train - 1.0) / (n - 1));
        break;
      case TimestepSpacing::leading:
        t.push_back(std::min(train - 1, rising * (train / n) + schedule.config().steps_offset));
        break;
      case TimestepSpacing::trailing:
        t.push_back(round_even(train - i * (static_cast<double>(train) / n)) - 1);
        break;
    }
  }
  return t;
}

// σ table for sampling: a terminal ᾱ of 0 becomes 2⁻²⁴, since σ must be finite.
std::vector<double> finite_sigmas(const NoiseSchedule& schedule) {
  std::vector<double> sigmas(schedule.sigmas().begin(), schedule.sigmas().end());
  if (std::isinf(sigmas.back())) {
    sigmas.back() = std::sqrt((1 - 0x1p-24) / 0x1p-24);
  }
  return sigmas;
}

double interpolate(const std::vector<double>& table, double t) {
  const double at = std::clamp(t, 0.0, static_cast<double>(table.size() - 1));
  const auto low = std::min(static_cast<std::size_t>(at), table.size() - 2);
  return table[low] + (at - static_cast<double>(low)) * (table[low + 1] - table[low]);
}

// The state is x0 + σ·ε; the estimate is its slope (x − x0)/σ, here at `sigma`.
SamplerStep slope_step(const NoiseSchedule& schedule, double timestep, double sigma) {
  const bool v = schedule.prediction() == Prediction::v;
  const double square = sigma * sigma + 1;
  SamplerStep step;
  step.timestep = timestep;
  step.input_scale = 1 / std::sqrt(square);
  step.estimate_x = v ? (1 - 1 / square) / sigma : 0;
  step.estimate_output = v ? 1 / std::sqrt(square) : 1;
  return step;
}

// Euler, ancestral or not, and Heun.
SamplingPlan euler(const NoiseSchedule& schedule, SamplerKind kind, int n) {
  const std::vector<double> table = finite_sigmas(schedule);
  std::vector<double> timesteps;
  SamplingPlan plan;
  for (const double t : spaced_timesteps(schedule, n)) {
    // The model reads t as FP32: σ must match that exact number.
    timesteps.push_back(static_cast<double>(static_cast<float>(t)));
    plan.sigmas.push_back(interpolate(table, timesteps.back()));
  }
  plan.sigmas.push_back(0);
  for (std::size_t i = 0; i < timesteps.size(); ++i) {
    const double from = plan.sigmas[i], to = plan.sigmas[i + 1];
    SamplerStep& step = plan.steps.emplace_back(slope_step(schedule, timesteps[i], from));
    double down = to;
    if (kind == SamplerKind::euler_a) {
      step.noise = std::sqrt(std::max(0.0, to * to * (from * from - to * to) / (from * from)));
      down = std::sqrt(std::max(0.0, to * to - step.noise * step.noise));
    }
    step.gain = down - from;
    if (kind == SamplerKind::heun && i + 1 < timesteps.size()) {
      end_heun_step(plan.steps.emplace_back(slope_step(schedule, timesteps[i + 1], to)), to - from);
    }
  }
  const double top = *std::max_element(plan.sigmas.begin(), plan.sigmas.end());
  plan.init_noise_sigma =
      schedule.config().spacing == TimestepSpacing::leading ? std::sqrt(top * top + 1) : top;
  return plan;
}

// The state is √ᾱ·x0 + √(1−ᾱ)·ε; the estimate is the output itself.
SamplingPlan ddim(const VpObjective& objective, int n) {
  const NoiseSchedule& schedule = objective.schedule();
  const int stride = schedule.steps() / n;
  const double before = schedule.config().set_alpha_to_one ? 1.0 : schedule.alpha_cumprod(0);
  SamplingPlan plan;
  for (const double spaced : spaced_timesteps(schedule, n)) {
    SamplerStep step;
    step.timestep = round_even(spaced);
    const int previous = static_cast<int>(step.timestep) - stride;
    const double alpha = previous >= 0 ? schedule.alpha_cumprod(previous) : before;
    const Reconstruction r = objective.reconstruct(objective.level(step.timestep));
    const double a = std::sqrt(alpha), s = std::sqrt(1 - alpha);
    step.keep = a * r.x0_x + s * r.noise_x;
    step.gain = a * r.x0_output + s * r.noise_output;
    plan.steps.push_back(step);
  }
  return plan;
}

// Inverse of the σ table by linear interpolation in log σ, rounded to an integer.
double timestep_of(const std::vector<double>& table, double sigma) {
  const auto above = std::upper_bound(table.begin(), table.end(), sigma);
  const auto low = std::clamp<std::ptrdiff_t>(above - table.begin() - 1, 0,
                                              static_cast<std::ptrdiff_t>(table.size()) - 2);
  const double a = std::log(table[static_cast<std::size_t>(low)]);
  const double b = std::log(table[static_cast<std::size_t>(low) + 1]);
  const double u = std::clamp((std::log(sigma) - a) / (b - a), 0.0, 1.0);
  return round_even(static_cast<double>(low) + u);
}

// The state is √ᾱ·x0 + √(1−ᾱ)·ε; the estimate is x0.
SamplingPlan dpmpp_2m_karras(const NoiseSchedule& schedule, int n) {
  const bool v = schedule.prediction() == Prediction::v;
  const std::vector<double> table = finite_sigmas(schedule);
  constexpr double kRho = 7;
  const double low = std::pow(table.front(), 1 / kRho);
  const double high = std::pow(table.back(), 1 / kRho);
  SamplingPlan plan;
  for (int i = 0; i < n; ++i) {
    const double u = n == 1 ? 0.0 : i / (n - 1.0);
    plan.sigmas.push_back(std::pow(high + u * (low - high), kRho));
  }
  plan.sigmas.push_back(0);
  for (std::size_t i = 0; i + 1 < plan.sigmas.size(); ++i) {
    const double from = plan.sigmas[i], to = plan.sigmas[i + 1];
    // VP form of σ: a = 1/√(σ²+1), s = σ·a.
    const double a_from = 1 / std::sqrt(from * from + 1), s_from = from * a_from;
    const double a_to = 1 / std::sqrt(to * to + 1), s_to = to * a_to;
    SamplerStep step;
    step.timestep = timestep_of(table, from);
    step.estimate_x = v ? a_from : 1 / a_from;
    step.estimate_output = v ? -s_from : -s_from / a_from;
    step.keep = s_to / s_from;
    step.gain = a_to * (1 - to / from);  // −a·(e^{−h} − 1), since e^{−h} = σ_to/σ_from
    const bool first_order = i == 0 || i + 2 == plan.sigmas.size();
    if (!first_order) {
      const double correction = 0.5 * std::log(from / to) / std::log(plan.sigmas[i - 1] / from);
      step.gain_before = -step.gain * correction;
      step.gain += step.gain * correction;
    }
    plan.steps.push_back(step);
  }
  return plan;
}

}  // namespace

SamplingPlan VpObjective::sampling(SamplerKind kind, int steps, double) const {
  if (steps < 1 || steps > schedule_.steps()) {
    throw Error(message<"a sampler takes 1 to {most} steps; {steps} were asked for">(
        schedule_.steps(), steps));
  }
  switch (kind) {
    case SamplerKind::euler:
    case SamplerKind::euler_a:
    case SamplerKind::heun:
      return euler(schedule_, kind, steps);
    case SamplerKind::ddim:
      return ddim(*this, steps);
    case SamplerKind::dpmpp_2m_karras:
      return dpmpp_2m_karras(schedule_, steps);
  }
  throw Error(Message::verbatim("unknown sampler"));
}

}  // namespace mantissa
