#include "engine/adapters/finite_change.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/adapters/delta.h"
#include "engine/core/error.h"

namespace mantissa {
namespace {

/// Values up to this size have finite products and sums, at any rank: no need to compute them.
constexpr double kHarmless = 1e9;

bool all_harmless(std::span<const float> values) {
  return std::ranges::all_of(
      values, [](float x) { return std::fabs(static_cast<double>(x)) <= kHarmless; });
}

bool is_harmless(const AdapterModule& m, double strength) {
  return std::fabs(m.alpha) <= kHarmless && std::fabs(strength) <= kHarmless &&
         all_harmless(m.down) && all_harmless(m.up) && all_harmless(m.dense) &&
         all_harmless(m.magnitude);
}

/// ‖values‖·|strength| is within FP32, and so is each value and each singular value.
bool fits(std::span<const float> values, double strength) {
  double squares = 0;
  for (const float x : values) {
    squares += static_cast<double>(x) * static_cast<double>(x);
  }
  return std::sqrt(squares) * std::fabs(strength) <=
         static_cast<double>(std::numeric_limits<float>::max());
}

}  // namespace

void refuse_overflow(const std::string& file, const std::string& module) {
  throw Error(
      message<"{file}: what it changes in {module} is beyond what FP32 holds and would be written "
              "as Inf/NaN: the factors are damaged or from a run that had diverged. Use an earlier "
              "save of the adapter">(file, module));
}

void require_finite_changes(
    std::span<const AdapterModule> modules, const std::string& file,
    const std::function<std::vector<float>(std::string_view path)>& base_weight, double strength) {
  for (const AdapterModule& m : modules) {
    if (is_harmless(m, strength)) {
      continue;
    }
    const auto rows = static_cast<std::size_t>(m.up_shape[0]);
    const std::size_t count =
        m.rank > 0 ? rows * (m.down.size() / static_cast<std::size_t>(m.rank)) : m.dense.size();
    const std::vector<float> weight =
        m.dora_axis ? base_weight(m.path) : std::vector<float>(count, 0.0F);
    if (!fits(weight_delta(m, weight), strength)) {
      refuse_overflow(file, m.path);
    }
  }
}

}  // namespace mantissa
