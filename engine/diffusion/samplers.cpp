#include "engine/diffusion/samplers.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "engine/core/error.h"
#include "engine/diffusion/target.h"

namespace mantissa {

namespace {

constexpr std::array<std::string_view, 4> kNames{"euler", "euler_a", "ddim", "dpmpp_2m_karras"};

// Half to even, whatever the floating-point environment says.
double round_even(double x) {
  const double down = std::floor(x);
  const double rest = x - down;
  if (rest != 0.5) {
    return std::floor(x + 0.5);
  }
  return std::fmod(down, 2) == 0 ? down : down + 1;
}

// Falling timesteps (models in the wild were trained with arXiv 2305.08891's three spacings).
std::vector<double> spaced_timesteps(const NoiseSchedule& schedule, int n,
                                     TimestepSpacing spacing) {
  const int train = schedule.steps();
  std::vector<double> t;
  for (int i = 0; i < n; ++i) {
    const int rising = n - 1 - i;
    switch (spacing) {
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

class Euler final : public Sampler {
 public:
  Euler(const NoiseSchedule& schedule, Prediction prediction, int n, TimestepSpacing spacing,
        bool ancestral)
      : v_(prediction == Prediction::v), ancestral_(ancestral) {
    const std::vector<double> table = finite_sigmas(schedule);
    for (const double t : spaced_timesteps(schedule, n, spacing)) {
      // The model reads t as FP32: σ belongs to that very number.
      timesteps_.push_back(static_cast<double>(static_cast<float>(t)));
      sigmas_.push_back(interpolate(table, timesteps_.back()));
    }
    sigmas_.push_back(0);
    const double top = *std::max_element(sigmas_.begin(), sigmas_.end());
    init_noise_sigma_ = spacing == TimestepSpacing::leading ? std::sqrt(top * top + 1) : top;
  }

  double input_scale(int i) const override {
    const double sigma = sigmas_[static_cast<std::size_t>(i)];
    return 1 / std::sqrt(sigma * sigma + 1);
  }

  bool needs_noise(int i) const override {
    return ancestral_ && sigmas_[static_cast<std::size_t>(i) + 1] > 0;
  }

 protected:
  void advance(int i, std::span<const float> output, std::span<float> x,
               std::span<const float> noise) override {
    const double from = sigmas_[static_cast<std::size_t>(i)];
    const double to = sigmas_[static_cast<std::size_t>(i) + 1];
    double up = 0;
    double down = to;
    if (ancestral_) {
      up = std::sqrt(std::max(0.0, to * to * (from * from - to * to) / (from * from)));
      down = std::sqrt(std::max(0.0, to * to - up * up));
    }
    // Slope d = (x − x0)/σ = slope_x·x + slope_output·output.
    const double square = from * from + 1;
    const double slope_x = v_ ? (1 - 1 / square) / from : 0;
    const double slope_output = v_ ? 1 / std::sqrt(square) : 1;
    for (std::size_t k = 0; k < x.size(); ++k) {
      const double slope = slope_x * x[k] + slope_output * output[k];
      double next = x[k] + slope * (down - from);
      if (up > 0) {
        next += up * noise[k];
      }
      x[k] = static_cast<float>(next);
    }
  }

 private:
  bool v_, ancestral_;
};

class Ddim final : public Sampler {
 public:
  Ddim(const NoiseSchedule& schedule, Prediction prediction, int n, TimestepSpacing spacing)
      : schedule_(schedule), prediction_(prediction), stride_(schedule.steps() / n) {
    for (const double t : spaced_timesteps(schedule, n, spacing)) {
      timesteps_.push_back(round_even(t));
    }
  }

 protected:
  void advance(int i, std::span<const float> output, std::span<float> x,
               std::span<const float>) override {
    const int t = static_cast<int>(timesteps_[static_cast<std::size_t>(i)]);
    const int previous = t - stride_;
    const double before = schedule_.config().set_alpha_to_one ? 1.0 : schedule_.alpha_cumprod(0);
    const double alpha = previous >= 0 ? schedule_.alpha_cumprod(previous) : before;
    const Reconstruction r = reconstruct(schedule_, prediction_, t);
    const double a = std::sqrt(alpha);
    const double s = std::sqrt(1 - alpha);
    const double from_x = a * r.x0_x + s * r.noise_x;
    const double from_output = a * r.x0_output + s * r.noise_output;
    for (std::size_t k = 0; k < x.size(); ++k) {
      x[k] = static_cast<float>(from_x * x[k] + from_output * output[k]);
    }
  }

 private:
  NoiseSchedule schedule_;
  Prediction prediction_;
  int stride_;
};

class DpmPp2mKarras final : public Sampler {
 public:
  DpmPp2mKarras(const NoiseSchedule& schedule, Prediction prediction, int n)
      : v_(prediction == Prediction::v) {
    const std::vector<double> table = finite_sigmas(schedule);
    constexpr double kRho = 7;
    const double low = std::pow(table.front(), 1 / kRho);
    const double high = std::pow(table.back(), 1 / kRho);
    for (int i = 0; i < n; ++i) {
      const double u = n == 1 ? 0.0 : i / (n - 1.0);
      sigmas_.push_back(std::pow(high + u * (low - high), kRho));
      timesteps_.push_back(timestep_of(table, sigmas_.back()));
    }
    sigmas_.push_back(0);
  }

 protected:
  void advance(int i, std::span<const float> output, std::span<float> x,
               std::span<const float>) override {
    const double from = sigmas_[static_cast<std::size_t>(i)];
    const double to = sigmas_[static_cast<std::size_t>(i) + 1];
    // VP form of σ: a = 1/√(σ²+1), s = σ·a.
    const double a_from = 1 / std::sqrt(from * from + 1);
    const double s_from = from * a_from;
    const double a_to = 1 / std::sqrt(to * to + 1);
    const double s_to = to * a_to;
    const double x0_x = v_ ? a_from : 1 / a_from;
    const double x0_output = v_ ? -s_from : -s_from / a_from;
    const double keep = s_to / s_from;
    const double gain = a_to * (1 - to / from);  // −a·(e^{−h} − 1), since e^{−h} = σ_to/σ_from
    const bool first_order = i == 0 || i + 1 == steps();
    double slope = 0;  // ½/r
    if (!first_order) {
      const double h = std::log(from / to);
      const double h0 = std::log(sigmas_[static_cast<std::size_t>(i) - 1] / from);
      slope = 0.5 * h / h0;
    }
    previous_.resize(x.size());
    for (std::size_t k = 0; k < x.size(); ++k) {
      const double m = x0_x * x[k] + x0_output * output[k];
      const double m_used = first_order ? m : m + slope * (m - previous_[k]);
      previous_[k] = static_cast<float>(m);
      x[k] = static_cast<float>(keep * x[k] + gain * m_used);
    }
  }

 private:
  // Inverse of the σ table by linear interpolation in log σ, rounded to an integer.
  static double timestep_of(const std::vector<double>& table, double sigma) {
    const auto above = std::upper_bound(table.begin(), table.end(), sigma);
    const auto low = std::clamp<std::ptrdiff_t>(above - table.begin() - 1, 0,
                                                static_cast<std::ptrdiff_t>(table.size()) - 2);
    const double a = std::log(table[static_cast<std::size_t>(low)]);
    const double b = std::log(table[static_cast<std::size_t>(low) + 1]);
    const double u = std::clamp((std::log(sigma) - a) / (b - a), 0.0, 1.0);
    return round_even(static_cast<double>(low) + u);
  }

  bool v_;
  std::vector<float> previous_;  // x0 of the step before
};

}  // namespace

std::span<const std::string_view> sampler_names() {
  return kNames;
}

SamplerKind sampler_from_name(std::string_view name) {
  std::string known;
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    if (kNames[i] == name) {
      return static_cast<SamplerKind>(i);
    }
    known += (i == 0 ? "" : ", ") + std::string(kNames[i]);
  }
  throw Error("there is no sampler \"" + std::string(name) + "\"; choose one of " + known);
}

void Sampler::scale_model_input(std::span<const float> x, int i, std::span<float> scaled) const {
  if (x.size() != scaled.size() || i < 0 || i >= steps()) {
    throw Error("sampler: step " + std::to_string(i) + " of " + std::to_string(steps()) +
                " was given " + std::to_string(x.size()) + " values and room for " +
                std::to_string(scaled.size()));
  }
  const double factor = input_scale(i);
  for (std::size_t k = 0; k < x.size(); ++k) {
    scaled[k] = static_cast<float>(factor * x[k]);
  }
}

void Sampler::step(int i, std::span<const float> model_output, std::span<float> x,
                   std::span<const float> noise) {
  if (i < 0 || i >= steps() || (i != 0 && i != next_)) {
    throw Error("sampler: step " + std::to_string(next_) + " of " + std::to_string(steps()) +
                " is due; step " + std::to_string(i) + " was asked for");
  }
  if (model_output.size() != x.size() || (needs_noise(i) && noise.size() != x.size())) {
    throw Error("sampler: the state has " + std::to_string(x.size()) +
                " values, the model's output " + std::to_string(model_output.size()) +
                ", the noise " + std::to_string(noise.size()));
  }
  next_ = i + 1;
  advance(i, model_output, x, noise);
}

std::unique_ptr<Sampler> make_sampler(SamplerKind kind, const NoiseSchedule& schedule,
                                      Prediction prediction, int steps, TimestepSpacing spacing) {
  if (steps < 1 || steps > schedule.steps()) {
    throw Error("a sampler takes 1 to " + std::to_string(schedule.steps()) + " steps; " +
                std::to_string(steps) + " were asked for");
  }
  if (prediction == Prediction::automatic) {
    throw Error("the prediction type must be decided (epsilon or v) before sampling");
  }
  switch (kind) {
    case SamplerKind::euler:
      return std::make_unique<Euler>(schedule, prediction, steps, spacing, false);
    case SamplerKind::euler_a:
      return std::make_unique<Euler>(schedule, prediction, steps, spacing, true);
    case SamplerKind::ddim:
      return std::make_unique<Ddim>(schedule, prediction, steps, spacing);
    case SamplerKind::dpmpp_2m_karras:
      return std::make_unique<DpmPp2mKarras>(schedule, prediction, steps);
  }
  throw Error("unknown sampler");
}

void apply_guidance(std::span<const float> unconditional, std::span<const float> conditional,
                    double scale, std::span<float> guided) {
  if (unconditional.size() != conditional.size() || guided.size() != conditional.size()) {
    throw Error("guidance: the two predictions have " + std::to_string(unconditional.size()) +
                " and " + std::to_string(conditional.size()) + " values, the result " +
                std::to_string(guided.size()));
  }
  for (std::size_t k = 0; k < guided.size(); ++k) {
    const double u = unconditional[k];
    guided[k] = static_cast<float>(u + scale * (static_cast<double>(conditional[k]) - u));
  }
}

}  // namespace mantissa
