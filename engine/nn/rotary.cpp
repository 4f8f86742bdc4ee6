#include "engine/nn/rotary.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "engine/core/error.h"

namespace mantissa {
namespace {

/// How much of YaRN's factor each pair has, 0 to 1, for frequencies of base θ.
std::vector<double> yarn_shares(const YarnScaling& yarn, double theta, double width) {
  // The pair that turns so many times, between the whole ones.
  const auto pair_of = [&](double turns) {
    return width * std::log(yarn.trained / (2 * std::numbers::pi * turns)) / (2 * std::log(theta));
  };
  const double first = std::max(std::floor(pair_of(yarn.fast)), 0.0);
  const double last = std::min(std::ceil(pair_of(yarn.slow)), width - 1);
  const double span = last == first ? 0.001 : last - first;
  std::vector<double> shares;
  for (double i = 0; 2 * i < width; ++i) {
    shares.push_back(std::clamp((i - first) / span, 0.0, 1.0));
  }
  return shares;
}

/// Angles of each pair of the axis, for a position of 1.
std::vector<double> rotary_frequencies(const RotaryAxis& axis) {
  const auto width = static_cast<double>(axis.width);
  double theta = axis.theta;
  if (axis.width > 2) {  // a single pair has frequency 1 for every θ
    theta *= std::pow(axis.ntk_factor, width / (width - 2.0));
  }
  std::vector<double> frequencies;
  for (std::int64_t i = 0; i < axis.width; i += 2) {
    frequencies.push_back(std::pow(theta, -static_cast<double>(i) / width));
  }
  if (axis.yarn.factor != 1) {
    const std::vector<double> shares = yarn_shares(axis.yarn, theta, width);
    for (std::size_t i = 0; i < frequencies.size(); ++i) {
      frequencies[i] *= 1 - shares[i] + shares[i] / axis.yarn.factor;
    }
  }
  return frequencies;
}

}  // namespace

RotaryTables rotary_tables(std::span<const RotaryAxis> axes, std::span<const double> positions) {
  if (axes.empty() || positions.size() % axes.size() != 0) {
    throw Error(Message::verbatim("[rotary_tables] " + std::to_string(positions.size()) +
                                  " coordinates aren't positions on " +
                                  std::to_string(axes.size()) + " axes"));
  }
  RotaryTables tables;
  tables.tokens = static_cast<std::int64_t>(positions.size() / axes.size());
  std::vector<std::vector<double>> frequencies;
  for (const RotaryAxis& axis : axes) {
    if (axis.width <= 0 || axis.width % 2 != 0) {
      throw Error(Message::verbatim("[rotary_tables] an axis needs pairs of channels; it has " +
                                    std::to_string(axis.width) + " channels"));
    }
    frequencies.push_back(rotary_frequencies(axis));
    tables.pairs += axis.width / 2;
  }
  const auto count = static_cast<std::size_t>(tables.tokens * tables.pairs);
  tables.cos.reserve(count);
  tables.sin.reserve(count);
  for (std::size_t i = 0; i < positions.size(); ++i) {
    for (const double frequency : frequencies[i % axes.size()]) {
      const double angle = positions[i] * frequency;
      tables.cos.push_back(static_cast<float>(std::cos(angle)));
      tables.sin.push_back(static_cast<float>(std::sin(angle)));
    }
  }
  return tables;
}

}  // namespace mantissa
