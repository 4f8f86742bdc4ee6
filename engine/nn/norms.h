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

/// How a checkpoint stores RMSNorm's factor.
enum class RmsWeight {
  factor,  ///< as it is
  offset,  ///< less 1 (Krea 2); the sum is fp32
};

class RmsNorm {
 public:
  RmsNorm(const Scope& scope, std::int64_t width, double eps, RmsWeight form = RmsWeight::factor);
  /// x [..., width].
  Value operator()(Value x) const;
  /// Each head of x [b, tokens, heads·width] by itself.
  Value of_heads(Value x) const;

 private:
  std::string path_;
  Tensor* gamma_;
  float eps_;
  bool unit_offset_;
};

}  // namespace mantissa
