#pragma once

#include <string>
#include <vector>

#include "engine/nn/linear.h"

namespace mantissa {

/// Linear layers of one size that read the same input, in runs of neighbours: attention's q, k and
/// v, or k and v alone. A run is one product with one down product of its adapters if its layers
/// are alike (`may_join` in projections.cpp), else one product per layer.
class Projections {
 public:
  /// A run of `layers`, by position.
  struct Run {
    int first = 0, count = 0;
  };
  /// `layers` are bound below `scope`, whose path is that of their joint ops. Longer runs come
  /// before those they include.
  Projections(const Scope& scope, std::vector<Linear> layers, const std::vector<Run>& runs);
  /// One result per layer: slices of one tensor if the run is one product.
  std::vector<Value> operator()(Value x, Run run) const;

 private:
  struct Joint {
    Run run;
    Tensor* weight = nullptr;
    Tensor* bias = nullptr;
    AdapterStack* adapters = nullptr;
  };
  bool may_join(const Joint& joint) const;
  bool in_blocks(const Joint& joint) const;
  /// x by every layer's weight (+ bias) (+ addend), side by side.
  Value products(Value x, const Joint& joint, Value bias, Value addend) const;
  Value factors(Value x, const Joint& joint) const;
  std::vector<Value> together(Value x, const Joint& joint) const;

  std::string path_;
  std::vector<Linear> layers_;
  std::vector<Joint> joints_;
};

}  // namespace mantissa
