#pragma once
// What live health says, as plain numbers.

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/message.h"
#include "kernels/dtype.h"
#include "kernels/statistics.h"

namespace mantissa {

/// Which tensor of a layer was looked at.
enum class HealthKind : std::uint8_t {
  output,            ///< what the layer gives on
  gradient,          ///< the gradient of that
  operand,           ///< its input as an FP8 product reads it
  gradient_operand,  ///< the gradient as an FP8 product reads it
  weight,            ///< the frozen weight as it is stored, against the file
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
  DType format = DType::f32;  ///< what the tensor is stored in
  TensorStatistics statistics;
  /// HealthKind::magnitude: mean |m/‖W‖ - 1|; NaN for the rest.
  double drift = std::numeric_limits<double>::quiet_NaN();
};

/// Everything looked at in one step; step 0 holds the weights.
struct HealthRecord {
  std::int64_t step = 0;
  double seconds = 0;  ///< what looking cost
  std::vector<HealthRow> rows;
};

/// The first tensor of a step, in execution order, that holds NaN or infinity.
struct NonFiniteReport {
  std::int64_t step = 0;
  std::string layer;  ///< module path, or the tensor's name
  std::string op;     ///< "matmul"
  Message tensor;     ///< "output", "gradient", "weight unet.….weight", "input latents"
  std::string phase;  ///< "forward", "recompute" or "backward"
  DType format = DType::f32;
  std::int64_t non_finite = 0, count = 0;
  double last_amax = 0;   ///< largest finite value that entered the op, 0 where nothing did
  double format_max = 0;  ///< what the format can hold

  /// "unet.….to_q (matmul, forward): 3 of 4096 values of its output (fp16) are not finite. Before
  /// it the largest value was 5.1e+04; fp16 holds up to 65504"
  Message text() const;
};

/// How bad a row is, 0 for healthy: shares lost to underflow, overflow and non-finite values, and
/// what the SQNR lacks to 10 dB. For putting the worst first.
double health_badness(const HealthRow& row);

}  // namespace mantissa
