#include "engine/store/memorising.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

namespace mantissa {
namespace {

/// Of logarithms of ratios, each with the nearest training image.
Memorising of_ratios(std::int64_t step, const std::vector<std::pair<double, std::string>>& found) {
  double sum = 0;
  for (const auto& [log_ratio, nearest] : found) {
    sum += log_ratio;
  }
  const auto smallest = std::min_element(found.begin(), found.end());
  return {.step = step,
          .samples = static_cast<std::int64_t>(found.size()),
          .ratio = std::exp(smallest->first),
          .mean = std::exp(sum / static_cast<double>(found.size())),
          .nearest = smallest->second};
}

}  // namespace

bool Memorising::sign() const {
  return ratio < kSign;
}

Message Memorising::text() const {
  const std::string times = fmt::format("{:.2f}", ratio);
  if (sign()) {
    return message<
        "a sign of memorising at step {step}: a sample is {ratio} times as far from the training "
        "image {image} as from the nearest validation image">(step, times, nearest);
  }
  return message<
      "no sign of memorising at step {step}: no sample is nearer to a training image than {ratio} "
      "times its distance to the nearest validation image">(step, times);
}

std::vector<Memorising> memorising_by_step(const std::vector<SampleRow>& samples) {
  std::map<std::int64_t, std::vector<std::pair<double, std::string>>> by_step;
  for (const SampleRow& sample : samples) {
    const double ratio = sample.trained_distance / sample.held_out_distance;
    if (std::isfinite(ratio) && ratio >= 0) {
      constexpr double kLeast = 1e-6;  // of a sample that is a training image
      by_step[sample.step].emplace_back(std::log(std::max(ratio, kLeast)), sample.nearest);
    }
  }
  std::vector<Memorising> steps;
  for (const auto& [step, found] : by_step) {
    steps.push_back(of_ratios(step, found));
  }
  return steps;
}

std::optional<Memorising> memorising_at(const std::vector<SampleRow>& samples, std::int64_t step) {
  std::optional<Memorising> last;
  for (const Memorising& of_step : memorising_by_step(samples)) {
    if (of_step.step <= step) {
      last = of_step;
    }
  }
  return last;
}

nlohmann::ordered_json memorising_json(const Memorising& m) {
  return {{"step", m.step},         {"samples", m.samples}, {"ratio", m.ratio},
          {"mean", m.mean},         {"nearest", m.nearest}, {"sign", m.sign()},
          {"text", m.text().text()}};
}

std::optional<Memorising> memorising_of(const nlohmann::json& value) {
  try {
    return Memorising{.step = value.at("step").get<std::int64_t>(),
                      .samples = value.at("samples").get<std::int64_t>(),
                      .ratio = value.at("ratio").get<double>(),
                      .mean = value.at("mean").get<double>(),
                      .nearest = value.at("nearest").get<std::string>()};
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;
  }
}

}  // namespace mantissa
