#include "engine/probe/rate_curve.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <fmt/format.h>
#include <limits>
#include <numbers>
#include <string>
#include <utility>

namespace mantissa {
namespace {

constexpr double kDiverged = 1.5;  ///< times the loss of the start
constexpr double kLargestChange = 1;
constexpr double kBelowLowest = 10;                 ///< the suggestion is so many times lower
constexpr double kLeastFall = 0.002, kOfNoise = 3;  ///< a fall that counts

/// Deviation of the smoothing kernel, in steps: on both sides alike, so that no rate is shifted.
double width_of(std::int64_t steps) {
  return std::max(1.5, static_cast<double>(steps) / 40);
}

/// Change from the start's loss, over its mean; bounded, so that a diverging point doesn't hide
/// those before it.
std::vector<double> changes_of(const std::vector<RatePoint>& points, double start_loss) {
  std::vector<double> changes;
  for (const RatePoint& p : points) {
    if (!std::isnan(p.loss)) {
      changes.push_back(std::min((p.loss - p.start_loss) / start_loss, kLargestChange));
    }
  }
  return changes;
}

std::vector<double> smooth(const std::vector<double>& values, double width) {
  std::vector<double> smoothed;
  for (std::size_t i = 0; i < values.size(); ++i) {
    double sum = 0, weights = 0;
    for (std::size_t j = 0; j < values.size(); ++j) {
      const double away = (static_cast<double>(j) - static_cast<double>(i)) / width;
      const double weight = std::exp(-away * away / 2);
      sum += weight * values[j];
      weights += weight;
    }
    smoothed.push_back(sum / weights);
  }
  return smoothed;
}

/// Standard error of the smoothed curve, from what the values differ from it up to `end`.
double noise_of(const std::vector<double>& values, const std::vector<double>& smoothed,
                std::size_t end, double width) {
  double squares = 0;
  for (std::size_t i = 0; i <= end; ++i) {
    squares += (values[i] - smoothed[i]) * (values[i] - smoothed[i]);
  }
  const double averaged = 2 * std::sqrt(std::numbers::pi) * width;
  return std::sqrt(squares / static_cast<double>(end + 1) / averaged);
}

/// One digit: the curve says no more.
double rounded_rate(double rate) {
  return std::strtod(fmt::format("{:.0e}", rate).c_str(), nullptr);
}

/// Where the smoothed loss falls the most from one step to the next, before `end`.
std::size_t steepest_of(const std::vector<double>& smoothed, std::size_t end) {
  std::size_t steepest = 0;
  double fall = 0;
  for (std::size_t i = 0; i < end; ++i) {
    if (smoothed[i + 1] - smoothed[i] < fall) {
      fall = smoothed[i + 1] - smoothed[i];
      steepest = i;
    }
  }
  return steepest;
}

std::string rate_text(double rate) {
  return fmt::format("{:g}", rate);
}

/// Why the curve supports no suggestion, with its lowest point at `lowest`; empty if it does.
Message no_suggestion(const RateTest& test, const RateTestOptions& options,
                      const std::vector<double>& changes, const std::vector<double>& smoothed,
                      std::size_t lowest) {
  const double width = width_of(options.steps);
  const double noise = noise_of(changes, smoothed, lowest, width);
  if (-smoothed[lowest] < std::max(kLeastFall, kOfNoise * noise)) {
    return test.diverged
               ? message<
                     "The loss doesn't fall by more than its noise before it diverges at "
                     "{rate}: no rate can be suggested. Test more steps, or a larger batch.">(
                     rate_text(*test.diverged))
               : message<
                     "The loss doesn't fall by more than its noise at any of these rates: none "
                     "can be suggested. Test more steps, a larger batch, or a higher last "
                     "rate.">();
  }
  const auto last = static_cast<double>(smoothed.size() - 1);
  if (!test.diverged && static_cast<double>(lowest) + 2 * width > last) {
    return message<
        "The loss still falls at the highest rate, {rate}: no rate can be suggested. "
        "Test with a higher last rate.">(rate_text(options.to));
  }
  if (test.points[lowest].rate / kBelowLowest < options.from) {
    return message<
        "The loss is lowest at {rate} already, near the first rate: none can be "
        "suggested. Test with a lower first rate.">(rate_text(test.points[lowest].rate));
  }
  return {};
}

}  // namespace

bool has_diverged(const std::vector<RatePoint>& points, std::int64_t steps) {
  if (std::isnan(points.back().loss)) {
    return true;
  }
  const auto window = static_cast<std::size_t>(std::max<std::int64_t>(3, steps / 20));
  if (points.size() < window) {
    return false;
  }
  double loss = 0, start = 0;
  for (std::size_t i = points.size() - window; i < points.size(); ++i) {
    loss += points[i].loss;
    start += points[i].start_loss;
  }
  return loss > kDiverged * start;
}

RateTest read_rate_curve(std::vector<RatePoint> points, const RateTestOptions& options,
                         bool diverged) {
  RateTest test;
  for (const RatePoint& p : points) {
    test.start_loss += p.start_loss / static_cast<double>(points.size());
  }
  if (diverged) {
    test.diverged = points.back().rate;
  }
  const std::vector<double> changes = changes_of(points, test.start_loss);
  const std::vector<double> smoothed = smooth(changes, width_of(options.steps));
  for (std::size_t i = 0; i < points.size(); ++i) {
    points[i].smoothed = i < smoothed.size() ? test.start_loss * (1 + smoothed[i])
                                             : std::numeric_limits<double>::quiet_NaN();
  }
  test.points = std::move(points);
  if (smoothed.empty()) {
    test.verdict =
        message<"The first loss isn't finite: no rate can be suggested. Probe the precision.">();
    return test;
  }
  const auto lowest =
      static_cast<std::size_t>(std::ranges::min_element(smoothed) - smoothed.begin());
  test.lowest = test.points[lowest].rate;
  test.steepest = test.points[steepest_of(smoothed, lowest)].rate;
  test.verdict = no_suggestion(test, options, changes, smoothed, lowest);
  if (test.verdict.empty()) {
    test.suggestion = rounded_rate(*test.lowest / kBelowLowest);
    test.verdict = message<
        "Suggested learning rate: {rate}, a tenth of the rate of the lowest loss, {lowest}. The "
        "loss falls fastest at {steepest}.">(rate_text(*test.suggestion),
                                             rate_text(rounded_rate(*test.lowest)),
                                             rate_text(rounded_rate(*test.steepest)));
  }
  return test;
}

}  // namespace mantissa
