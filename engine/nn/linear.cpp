#include "engine/nn/linear.h"

#include "engine/graph/ops.h"
#include "engine/nn/adapted.h"

namespace mantissa {

Linear::Linear(const Scope& scope, std::int64_t in, std::int64_t out, bool bias, LinearWeight form)
    : path_(scope.path()), precision_(scope.precision(ModuleKind::linear)) {
  const Shape shape = form == LinearWeight::conv1x1 ? Shape{out, in, 1, 1} : Shape{out, in};
  weight_ = &scope.weight("weight", shape, ModuleKind::linear);
  if (bias) {
    bias_ = &scope.weight("bias", {out}, ModuleKind::vector);
  }
  adapter_ = scope.adapter(*weight_);
  beside_ = scope.training_changes(*weight_, precision_.compute);
  if (precision_.codes) {
    fp8_ = scope.fp8_state();
  }
}

Value Linear::operator()(Value x, Value addend) const {
  Graph& graph = x.graph();
  graph.set_path(path_);
  const DType result = addend ? addend.dtype() : x.dtype();
  const Value in = cast(x, precision_.compute);
  const Value bias = bias_ != nullptr ? read_tensor(graph, *bias_, in.dtype()) : Value{};
  const Value fused = result == in.dtype() ? addend : Value{};
  AdaptedLayer layer{
      .weight = weight_, .adapter = adapter_, .beside = beside_, .tf32 = precision_.tf32};
  layer.base = [&](Value from, Value plus_bias, Value plus) {
    return precision_.codes
               ? linear_codes(from, *weight_, plus_bias, plus, fp8_)
               : matmul(
                     from, matrix_for(from, *weight_),
                     {.transpose_b = true, .tf32 = layer.tf32, .bias = plus_bias, .addend = plus});
  };
  layer.down = [&](Value from, Tensor& matrix) {
    return matmul(from, matrix_for(from, matrix), {.transpose_b = true, .tf32 = layer.tf32});
  };
  layer.by = [&](Value from, Value weight) {
    return matmul(from, weight, {.transpose_b = true, .tf32 = layer.tf32});
  };
  const Value y = cast(adapted(layer, in, bias, fused), result);
  return addend && !fused ? add(y, addend) : y;
}

}  // namespace mantissa
