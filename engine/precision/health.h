#pragma once
// Layer statistics, as plain numbers.

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/fields.h"
#include "engine/core/message.h"
#include "kernels/dtype.h"
#include "kernels/statistics.h"

namespace mantissa {

/// The measured tensor of a layer.
enum class HealthKind : std::uint8_t {
  output,            ///< the layer's output
  gradient,          ///< its gradient
  operand,           ///< its input as an 8-bit operand
  gradient_operand,  ///< the gradient as an 8-bit operand
  weight,            ///< the frozen weight as stored, compared with the file
  adapter_gradient,  ///< the accumulated gradient of an adapter tensor, times the loss scale
  magnitude          ///< DoRA's m/‖W‖ by channel
};
/// "output", "gradient", …
std::string_view health_kind_name(HealthKind kind);
std::optional<HealthKind> health_kind(std::string_view name);

/// One tensor of one layer at one step.
struct HealthRow {
  std::string layer;  ///< module path; the tensor's name for adapter gradients
  HealthKind kind = HealthKind::output;
  DType format = DType::f32;  ///< storage dtype
  TensorStatistics statistics;
  /// HealthKind::magnitude: mean |m/‖W‖ - 1|; NaN for the rest.
  double drift = std::numeric_limits<double>::quiet_NaN();

  static constexpr auto fields() {
    constexpr auto kStatistics = &HealthRow::statistics;
    using T = TensorStatistics;
    return field_list(
        Field{"layer", &HealthRow::layer}, Field{"kind", &HealthRow::kind},
        Field{"format", &HealthRow::format}, Field{"count", kStatistics, &T::count},
        Field{"zeros", kStatistics, &T::zeros}, Field{"non_finite", kStatistics, &T::non_finite},
        Field{"underflow", kStatistics, &T::underflow},
        Field{"subnormal", kStatistics, &T::subnormal},
        Field{"overflow", kStatistics, &T::overflow}, Field{"amax", kStatistics, &T::amax},
        Field{"scaled_amax", kStatistics, &T::scaled_amax},
        Field{"signal", kStatistics, &T::signal}, Field{"noise", kStatistics, &T::noise},
        Field{"histogram", kStatistics, &T::histogram}, Field{"drift", &HealthRow::drift});
  }
};

/// All measurements of one step; step 0 holds the weights.
struct HealthRecord {
  std::int64_t step = 0;
  double seconds = 0;  ///< time taken by measuring
  std::vector<HealthRow> rows;

  static constexpr auto fields() {
    return field_list(Field{"step", &HealthRecord::step}, Field{"seconds", &HealthRecord::seconds},
                      Field{"rows", &HealthRecord::rows});
  }
};

/// The first tensor of a step, in execution order, with NaN or infinity.
struct NonFiniteReport {
  std::int64_t step = 0;
  std::string layer;  ///< module path, or the tensor's name
  std::string op;     ///< "matmul"
  Message tensor;     ///< "output", "gradient", "weight unet.….weight", "input latents"
  std::string phase;  ///< "forward", "recompute" or "backward"
  DType format = DType::f32;
  std::int64_t non_finite = 0, count = 0;
  double last_amax = 0;   ///< largest finite input of the op, 0 if none
  double format_max = 0;  ///< the format's largest value

  static constexpr auto fields() {
    return field_list(
        Field{"step", &NonFiniteReport::step}, Field{"layer", &NonFiniteReport::layer},
        Field{"op", &NonFiniteReport::op}, Field{"tensor", &NonFiniteReport::tensor},
        Field{"phase", &NonFiniteReport::phase}, Field{"format", &NonFiniteReport::format},
        Field{"non_finite", &NonFiniteReport::non_finite}, Field{"values", &NonFiniteReport::count},
        Field{"last_amax", &NonFiniteReport::last_amax},
        Field{"format_max", &NonFiniteReport::format_max});
  }

  /// "denoiser.….to_q (matmul, forward): 3 of 4096 values of its output (fp16) are not finite.
  /// Before it the largest value was 5.1e+04; fp16 holds up to 65504"
  Message text() const;
};

/// Statistics of values in fp32 and of what blocks hold of them: a format without a scale that says
/// which numbers it has. All others are measured by Kernels::tensor_statistics.
TensorStatistics block_statistics(std::span<const float> values, std::span<const float> stored);

/// How bad a row is, 0 if healthy: shares lost to underflow, overflow and non-finite values, and
/// the SQNR's shortfall from 10 dB. For sorting the worst first.
double health_badness(const HealthRow& row);

}  // namespace mantissa
