#pragma once

#include "engine/nn/linear.h"

namespace mantissa {

/// linear_2(silu(linear_1 x)): time_embedding and add_embedding.
class TimestepMlp {
 public:
  TimestepMlp(const Scope& scope, std::int64_t in, std::int64_t width, bool bias = true);
  /// x [b, in] -> [b, width].
  Value operator()(Value x) const;

 private:
  std::string path_;
  Linear first_, second_;
};

}  // namespace mantissa
