#include "engine/nn/rotary.h"

#include <cmath>
#include <string>

#include "engine/core/error.h"

namespace mantissa {
namespace {

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
