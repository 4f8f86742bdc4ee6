#pragma once

#include <optional>

#include "engine/nn/conv2d.h"
#include "engine/nn/linear.h"
#include "engine/nn/norms.h"

namespace mantissa {

struct ResnetShape {
  std::int64_t in, out;
  std::int64_t time_width = 0;  ///< 0: no time embedding (VAE)
  int groups = 32;
  double eps = 1e-5;
};

/// conv2(silu(norm2(conv1(silu(norm1 x)) + time))) + shortcut(x). One checkpointing segment.
class ResnetBlock {
 public:
  ResnetBlock(const Scope& scope, const ResnetShape& shape);
  /// x [b, h, w, in]; silu_time [b, time_width], already through SiLU, absent for the VAE.
  Value operator()(Value x, Value silu_time = {}) const;

 private:
  GroupNorm norm1_;
  Conv2d conv1_;
  std::optional<Linear> time_;
  GroupNorm norm2_;
  Conv2d conv2_;
  std::optional<Conv2d> shortcut_;
};

}  // namespace mantissa
