#pragma once

#include <string>

#include "engine/graph/graph.h"
#include "engine/nn/scope.h"

namespace mantissa {

/// A 2-D convolution with bias (+ addend) (+ adapter), NHWC, computed in the dtype of its precision
/// rules.
class Conv2d {
 public:
  /// Square kernel; `options` give stride and padding.
  Conv2d(const Scope& scope, std::int64_t in, std::int64_t out, int kernel,
         const ConvOptions& options);
  /// 3x3, padding 1, stride 1: the usual one.
  static Conv2d same3x3(const Scope& scope, std::int64_t in, std::int64_t out) {
    return {scope, in, out, 3, {1, 1, 1, 1, 1}};
  }
  static Conv2d pointwise(const Scope& scope, std::int64_t in, std::int64_t out) {
    return {scope, in, out, 1, {}};
  }
  /// x [b, h, w, in] -> [b, h', w', out] in the dtype of `addend` if present, else of x.
  Value operator()(Value x, Value addend = {}) const;

 private:
  std::string path_;
  ModulePrecision precision_;
  ConvOptions options_;
  Tensor* weight_;
  Tensor* bias_;
  Adapter* adapter_;
  LayerChanges* beside_;
  bool pointwise_;
};

}  // namespace mantissa
