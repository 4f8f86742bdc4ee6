#include "engine/nn/conv2d.h"

#include "engine/graph/ops.h"
#include "engine/nn/adapted.h"
#include "engine/nn/linear.h"

namespace mantissa {

Conv2d::Conv2d(const Scope& scope, std::int64_t in, std::int64_t out, int kernel,
               const ConvOptions& options)
    : path_(scope.path()),
      precision_(scope.precision(ModuleKind::conv)),
      options_(options),
      pointwise_(kernel == 1 && options.stride == 1) {
  const Shape shape{out, in, kernel, kernel};
  weight_ = &scope.weight("weight", shape, ModuleKind::conv);
  bias_ = &scope.weight("bias", {out}, ModuleKind::vector);
  adapter_ = scope.adapter(*weight_);
  beside_ = scope.training_changes(*weight_, precision_.compute);
  options_.tf32 = precision_.tf32;
}

Value Conv2d::operator()(Value x, Value addend) const {
  Graph& graph = x.graph();
  graph.set_path(path_);
  const DType result = addend ? addend.dtype() : x.dtype();
  const Value in = cast(x, precision_.compute);
  // A 1x1 convolution over NHWC is a GEMM over the pixels.
  const auto apply = [&](Value from, Tensor& weight, Value bias, Value plus) {
    if (pointwise_) {
      return matmul(from, matrix_for(from, weight),
                    {.transpose_b = true, .tf32 = options_.tf32, .bias = bias, .addend = plus});
    }
    return conv2d(from, read_tensor(graph, weight, from.dtype()), bias, options_, plus);
  };
  const Value fused = result == in.dtype() ? addend : Value{};
  AdaptedLayer layer{.weight = weight_,
                     .adapter = adapter_,
                     .beside = beside_,
                     .tf32 = options_.tf32,
                     .pointwise = pointwise_};
  layer.base = [&](Value from, Value bias, Value plus) {
    return apply(from, *weight_, bias, plus);
  };
  layer.down = [&](Value from, Tensor& matrix) { return apply(from, matrix, {}, {}); };
  layer.by = [&](Value from, Value weight) {
    return pointwise_ ? matmul(from, weight, {.transpose_b = true, .tf32 = options_.tf32})
                      : conv2d(from, reshape(weight, weight_->shape), {}, options_);
  };
  const Value y = cast(adapted(layer, in, read_tensor(graph, *bias_, in.dtype()), fused), result);
  return addend && !fused ? add(y, addend) : y;
}

}  // namespace mantissa
