#pragma once

#include <string>

#include "engine/graph/graph.h"
#include "engine/nn/scope.h"

namespace mantissa {

/// How a Linear's weight is stored: [out, in], or [out, in, 1, 1] where a model uses a 1x1
/// convolution in its place (SD 1.5).
enum class LinearWeight { matrix, conv1x1 };

/// y = W·x (+ bias) (+ addend) (+ adapter), computed in the dtype of its precision rules.
class Linear {
 public:
  Linear(const Scope& scope, std::int64_t in, std::int64_t out, bool bias = true,
         LinearWeight form = LinearWeight::matrix);
  /// x [..., in] -> [..., out] in the dtype of `addend` if present, else of x. `addend`, of the
  /// result's shape, is added in the same pass.
  Value operator()(Value x, Value addend = {}) const;

 private:
  friend class Projections;
  std::string path_;
  ModulePrecision precision_;
  Tensor* weight_;
  Tensor* bias_ = nullptr;
  Adapter* adapter_;
  LayerChanges* beside_;
  Fp8State fp8_;
};

}  // namespace mantissa
