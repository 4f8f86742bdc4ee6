#include "engine/diffusion/samplers.h"

#include <array>
#include <cmath>
#include <fmt/format.h>
#include <string>

#include "engine/core/error.h"

namespace mantissa {

namespace {

/// Empty past the last.
constexpr std::string_view name_of(SamplerKind kind) {
  switch (kind) {
    case SamplerKind::euler:
      return "euler";
    case SamplerKind::euler_a:
      return "euler_a";
    case SamplerKind::ddim:
      return "ddim";
    case SamplerKind::dpmpp_2m_karras:
      return "dpmpp_2m_karras";
    case SamplerKind::heun:
      return "heun";
  }
  return {};
}

constexpr auto kNames = [] {
  constexpr auto kCount = [] {
    std::size_t count = 0;
    while (!name_of(static_cast<SamplerKind>(count)).empty()) {
      ++count;
    }
    return count;
  }();
  std::array<std::string_view, kCount> names{};
  for (std::size_t i = 0; i < kCount; ++i) {
    names[i] = name_of(static_cast<SamplerKind>(i));
  }
  return names;
}();

}  // namespace

std::span<const std::string_view> sampler_names() {
  return kNames;
}

SamplerKind sampler_from_name(std::string_view name) {
  std::vector<Message> known;
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    if (kNames[i] == name) {
      return static_cast<SamplerKind>(i);
    }
    known.push_back(Message::verbatim(std::string(kNames[i])));
  }
  throw Error(message<"there is no sampler \"{name}\"; choose one of {choices}">(
      name, joined<", ">(std::move(known))));
}

void Sampler::scale_model_input(std::span<const float> x, int i, std::span<float> scaled) const {
  if (x.size() != scaled.size() || i < 0 || i >= steps()) {
    throw Error(
        Message::verbatim(fmt::format("sampler: step {} of {} was given {} values and room for {}",
                                      i, steps(), x.size(), scaled.size())));
  }
  const double factor = plan_.steps[static_cast<std::size_t>(i)].input_scale;
  for (std::size_t k = 0; k < x.size(); ++k) {
    scaled[k] = static_cast<float>(factor * x[k]);
  }
}

void Sampler::step(int i, std::span<const float> model_output, std::span<float> x,
                   std::span<const float> noise) {
  if (i < 0 || i >= steps() || (i != 0 && i != next_)) {
    throw Error(Message::verbatim(
        fmt::format("sampler: step {} of {} is due; step {} was asked for", next_, steps(), i)));
  }
  if (model_output.size() != x.size() || (needs_noise(i) && noise.size() != x.size())) {
    throw Error(Message::verbatim(
        fmt::format("sampler: the state has {} values, the model's output {}, the noise {}",
                    x.size(), model_output.size(), noise.size())));
  }
  next_ = i + 1;
  const SamplerStep& s = plan_.steps[static_cast<std::size_t>(i)];
  previous_.resize(x.size());
  for (std::size_t k = 0; k < x.size(); ++k) {
    const double estimate = s.estimate_x * x[k] + s.estimate_output * model_output[k];
    double next = s.keep * x[k] + s.gain * estimate;
    if (s.gain_before != 0) {
      next += s.gain_before * previous_[k];
    }
    if (s.noise > 0) {
      next += s.noise * noise[k];
    }
    previous_[k] = static_cast<float>(estimate);
    x[k] = static_cast<float>(next);
  }
}

void apply_guidance(std::span<const float> unconditional, std::span<const float> conditional,
                    double scale, std::span<float> guided) {
  if (unconditional.size() != conditional.size() || guided.size() != conditional.size()) {
    throw Error(Message::verbatim(
        fmt::format("guidance: the two predictions have {} and {} values, the result {}",
                    unconditional.size(), conditional.size(), guided.size())));
  }
  for (std::size_t k = 0; k < guided.size(); ++k) {
    const double u = unconditional[k];
    guided[k] = static_cast<float>(u + scale * (static_cast<double>(conditional[k]) - u));
  }
}

void keep_token_norms(std::span<const float> conditional, const TokenGrid& grid,
                      std::span<float> guided) {
  const std::int64_t row = grid.patch * grid.channels;  // values of a token side by side
  const std::int64_t line = grid.width * grid.channels;
  for (std::int64_t y = 0; y < grid.height; y += grid.patch) {
    for (std::int64_t x = 0; x < grid.width; x += grid.patch) {
      const auto for_each = [&](auto&& act) {
        for (std::int64_t inside = 0; inside < grid.patch; ++inside) {
          const std::int64_t begin = (y + inside) * line + x * grid.channels;
          for (std::int64_t k = begin; k < begin + row; ++k) {
            act(static_cast<std::size_t>(k));
          }
        }
      };
      double wanted = 0, found = 0;
      for_each([&](std::size_t k) {
        wanted += double{conditional[k]} * conditional[k];
        found += double{guided[k]} * guided[k];
      });
      const double scale = found > 0 ? std::sqrt(wanted / found) : 1;
      for_each([&](std::size_t k) { guided[k] = static_cast<float>(guided[k] * scale); });
    }
  }
}

}  // namespace mantissa
