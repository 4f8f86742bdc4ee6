#pragma once

#include <string>

#include "engine/graph/graph.h"
#include "engine/nn/scope.h"

namespace mantissa {

class GroupNorm {
 public:
  GroupNorm(const Scope& scope, std::int64_t channels, int groups, double eps);
  /// x [b, ..., c].
  Value operator()(Value x) const { return run(x, false); }
  /// The norm and the SiLU that follows it, fused.
  Value with_silu(Value x) const { return run(x, true); }

 private:
  Value run(Value x, bool silu) const;
  std::string path_;
  Tensor* gamma_;
  Tensor* beta_;
  int groups_;
  float eps_;
};

class LayerNorm {
 public:
  LayerNorm(const Scope& scope, std::int64_t width, double eps);
  /// x [..., width].
  Value operator()(Value x) const;

 private:
  std::string path_;
  Tensor* gamma_;
  Tensor* beta_;
  float eps_;
};

class RmsNorm {
 public:
  RmsNorm(const Scope& scope, std::int64_t width, double eps);
  /// x [..., width].
  Value operator()(Value x) const;

 private:
  std::string path_;
  Tensor* gamma_;
  float eps_;
};

}  // namespace mantissa
