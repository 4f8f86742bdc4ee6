#include "engine/precision/health.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <utility>

namespace mantissa {
namespace {

constexpr std::array kHealthKinds{std::pair{HealthKind::output, "output"},
                                  std::pair{HealthKind::gradient, "gradient"},
                                  std::pair{HealthKind::operand, "operand"},
                                  std::pair{HealthKind::gradient_operand, "gradient_operand"},
                                  std::pair{HealthKind::weight, "weight"},
                                  std::pair{HealthKind::adapter_gradient, "adapter_gradient"},
                                  std::pair{HealthKind::magnitude, "magnitude"}};

}  // namespace

std::string_view health_kind_name(HealthKind kind) {
  for (const auto& [k, name] : kHealthKinds) {
    if (k == kind) {
      return name;
    }
  }
  return "?";
}

std::optional<HealthKind> health_kind(std::string_view name) {
  for (const auto& [kind, n] : kHealthKinds) {
    if (n == name) {
      return kind;
    }
  }
  return std::nullopt;
}

Message NonFiniteReport::text() const {
  const Message before =
      last_amax > 0
          ? message<" Before it the largest value was {value}; {type} holds up to {most}.">(
                fmt::format("{:.4g}", last_amax), dtype_name(format),
                fmt::format("{:.5g}", format_max))
          : Message();
  return message<
      "{layer} ({op}, {phase}): {bad} of {count} values of its {tensor} ({format}) are not "
      "finite.{before}">(layer, op, phase, non_finite, count, tensor, dtype_name(format), before);
}

TensorStatistics block_statistics(std::span<const float> values, std::span<const float> stored) {
  TensorStatistics s;
  s.count = std::ssize(values);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double x = values[i], y = stored[i];
    if (!std::isfinite(x)) {
      ++s.non_finite;
      continue;
    }
    if (x == 0) {
      ++s.zeros;
    } else {
      s.underflow += y == 0 ? 1 : 0;
      const int bin = std::ilogb(x) - TensorStatistics::kFirstExponent;
      ++s.histogram[static_cast<std::size_t>(std::clamp(bin, 0, TensorStatistics::kBins - 1))];
    }
    s.amax = std::max(s.amax, std::fabs(x));
    s.signal += x * x;
    s.noise += (x - y) * (x - y);
  }
  s.scaled_amax = s.amax > 0 ? 1 : 0;  // a share of its block
  return s;
}

double health_badness(const HealthRow& row) {
  const TensorStatistics& s = row.statistics;
  if (s.non_finite > 0) {
    return 10 + static_cast<double>(s.non_finite) / static_cast<double>(s.count);
  }
  constexpr double kEnoughDb = 10;
  const double noise = std::clamp((kEnoughDb - s.sqnr()) / kEnoughDb, 0.0, 1.0);
  return s.share(s.underflow) + s.share(s.overflow) + s.share(s.subnormal) / 4 + noise;
}

}  // namespace mantissa
