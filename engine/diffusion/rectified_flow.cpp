#include "engine/diffusion/rectified_flow.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <optional>
#include <span>

#include "engine/core/error.h"

namespace mantissa {

namespace {

// The slope between two levels is the output itself.
SamplerStep euler_step(double from, double to) {
  SamplerStep step;
  step.gain = to - from;
  return step;
}

// The state keeps as much of its noise as of its distance to x0; new noise supplies the rest of the
// variance at the next level.
SamplerStep euler_ancestral_step(double from, double to) {
  const double down = to * to / from;
  const double keep = (1 - to) / (1 - down);
  SamplerStep step;
  step.noise = std::sqrt(std::max(0.0, to * to - keep * keep * down * down));
  step.keep = keep;
  step.gain = keep * (down - from);
  return step;
}

// The estimate is x0. `before`: the level of the step before, for the second order.
SamplerStep dpmpp_2m_step(double from, double to, std::optional<double> before) {
  SamplerStep step;
  step.estimate_x = 1;
  step.estimate_output = -from;
  step.keep = to / from;
  step.gain = (1 - to) - (1 - from) * to / from;
  if (before) {
    const auto lambda = [](double t) { return std::log((1 - t) / t); };
    const double correction = 0.5 * (lambda(to) - lambda(from)) / (lambda(from) - lambda(*before));
    step.gain_before = -step.gain * correction;
    step.gain += step.gain * correction;
  }
  return step;
}

// The step from level i to the next.
SamplerStep flow_step(SamplerKind kind, std::span<const double> levels, std::size_t i) {
  const double from = levels[i], to = levels[i + 1];
  switch (kind) {
    case SamplerKind::euler:
    case SamplerKind::ddim:
    case SamplerKind::heun:
      return euler_step(from, to);
    case SamplerKind::euler_a:
      return euler_ancestral_step(from, to);
    case SamplerKind::dpmpp_2m_karras: {
      const bool first_order = i == 0 || i + 2 == levels.size();
      return dpmpp_2m_step(from, to, first_order ? std::nullopt : std::optional(levels[i - 1]));
    }
  }
  throw Error(Message::verbatim("unknown sampler"));
}

// The first level, before the shift.
double first_level(SamplerKind kind, int train_steps) {
  switch (kind) {
    case SamplerKind::euler:
    case SamplerKind::euler_a:
    case SamplerKind::ddim:
    case SamplerKind::heun:
      return 1;
    case SamplerKind::dpmpp_2m_karras:
      return 1 - 1.0 / train_steps;  // it needs some signal
  }
  throw Error(Message::verbatim("unknown sampler"));
}

double require_shift(double shift) {
  if (!(shift > 0) || !std::isfinite(shift)) {
    throw Error(message<"rectified flow: the shift must be above 0; it is {value}">(
        fmt::format("{}", shift)));
  }
  return shift;
}

void require_tokens(double tokens) {
  if (!(tokens > 0)) {
    throw Error(Message::verbatim(
        "rectified flow: the shift depends on the image's size, which was not given"));
  }
}

double shifted(double level, double shift) {
  return shift * level / (1 + (shift - 1) * level);
}

/// Level i of `steps` before the shift: evenly spaced, or along a grid.
double spaced(std::span<const double> grid, int i, int steps) {
  if (grid.empty()) {
    return static_cast<double>(steps - i) / steps;
  }
  const double at = static_cast<double>(i) * static_cast<double>(grid.size()) / steps;
  const auto k = static_cast<std::size_t>(at);
  const double next = k + 1 < grid.size() ? grid[k + 1] : 0;
  return grid[k] + (at - static_cast<double>(k)) * (next - grid[k]);
}

/// Stretches levels so that the last is `terminal`; pure noise stays as it is.
void stretch(std::span<double> levels, double terminal) {
  const double scale = (1 - levels.back()) / (1 - terminal);
  for (double& level : levels) {
    level = scale > 0 ? 1 - (1 - level) / scale : level;
  }
}

}  // namespace

double DynamicShift::shift(double tokens) const {
  require_tokens(tokens);
  const double slope = (most - base) / (most_tokens - base_tokens);
  return of_mu(base + slope * (tokens - base_tokens));
}

double DynamicShift::of_mu(double mu) const {
  return require_shift(kind == Kind::linear ? mu : std::exp(mu));
}

RectifiedFlow::RectifiedFlow(const FlowConfig& config) : config_(config) {
  require_shift(config.shift);
}

double RectifiedFlow::own_shift(double tokens) const {
  return config_.dynamic ? config_.dynamic->shift(tokens) : config_.shift;
}

double RectifiedFlow::sampling_shift(double tokens, int steps) const {
  if (!config_.dynamic || config_.sampling_mu == nullptr) {
    return own_shift(tokens);
  }
  require_tokens(tokens);
  return config_.dynamic->of_mu(config_.sampling_mu(tokens, steps));
}

NoiseCoefficients RectifiedFlow::coefficients(double level) const {
  require_level(level);
  return {1 - level, level, -1, 1};
}

Reconstruction RectifiedFlow::reconstruct(double level) const {
  require_level(level);
  return {1, -level, 1, 1 - level};
}

double RectifiedFlow::loss_weight(double level, const LossWeight& weight) const {
  require_level(level);
  switch (weight.kind) {
    case LossWeighting::uniform:
      return 1;
    case LossWeighting::min_snr:
      if (!(weight.gamma > 0)) {
        throw Error(message<"training.min_snr_gamma must be above 0; it is {value}">(
            fmt::format("{}", weight.gamma)));
      }
      return std::min((1 - level) * (1 - level), weight.gamma * level * level);  // SNR·t² or γ·t²
    case LossWeighting::debiased:
      return level * level;
  }
  return 1;
}

double RectifiedFlow::timestep(double level) const {
  require_level(level);
  return level * config_.num_train_timesteps;
}

double RectifiedFlow::level(double timestep) const {
  if (!(timestep >= 0 && timestep <= config_.num_train_timesteps)) {
    throw Error(Message::verbatim(fmt::format("timestep {} is outside 0 to {} of the flow",
                                              timestep, config_.num_train_timesteps)));
  }
  return timestep / config_.num_train_timesteps;
}

double RectifiedFlow::trained_level(double u, const LevelShift& shift) const {
  return shifted(u, shift.fixed ? require_shift(*shift.fixed) : own_shift(shift.tokens));
}

SamplingPlan RectifiedFlow::sampling(SamplerKind kind, int steps, double tokens) const {
  if (steps < 1 || steps > config_.num_train_timesteps) {
    throw Error(message<"a sampler takes 1 to {most} steps; {steps} were asked for">(
        config_.num_train_timesteps, steps));
  }
  SamplingPlan plan;
  const double shift = sampling_shift(tokens, steps);
  const double first = first_level(kind, config_.num_train_timesteps);
  for (int i = 0; i < steps; ++i) {
    plan.sigmas.push_back(shifted(first * spaced(config_.sampling_grid, i, steps), shift));
  }
  if (config_.terminal > 0) {
    stretch(plan.sigmas, config_.terminal);
  }
  plan.sigmas.push_back(0);
  for (std::size_t i = 0; i + 1 < plan.sigmas.size(); ++i) {
    plan.steps.push_back(flow_step(kind, plan.sigmas, i));
    plan.steps.back().timestep = timestep(plan.sigmas[i]);
    if (kind == SamplerKind::heun && i + 2 < plan.sigmas.size()) {
      SamplerStep& end = plan.steps.emplace_back();
      end.timestep = timestep(plan.sigmas[i + 1]);
      end_heun_step(end, plan.sigmas[i + 1] - plan.sigmas[i]);
    }
  }
  return plan;
}

}  // namespace mantissa
