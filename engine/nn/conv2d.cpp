#include "engine/nn/conv2d.h"

#include "engine/graph/ops.h"
#include "engine/nn/linear.h"

namespace mantissa {

Conv2d::Conv2d(const Scope& scope, std::int64_t in, std::int64_t out, int kernel,
               const ConvOptions& options)
    : path_(scope.path()), options_(options), pointwise_(kernel == 1 && options.stride == 1) {
  const Shape shape{out, in, kernel, kernel};
  weight_ = &scope.weight("weight", shape);
  bias_ = &scope.weight("bias", {out});
  adapter_ = scope.adapter(shape);
}

Value Conv2d::operator()(Value x, Value addend) const {
  Graph& graph = x.graph();
  graph.set_path(path_);
  // A 1x1 convolution over NHWC is a matrix product over the pixels.
  const auto apply = [&](Value from, Tensor& weight, Value bias, Value plus) {
    if (pointwise_) {
      return matmul(from, matrix_for(from, weight),
                    {.transpose_b = true, .bias = bias, .addend = plus});
    }
    return conv2d(from, cast(graph.use(weight), from.dtype()), bias, options_, plus);
  };
  const Value y = apply(x, *weight_, cast(graph.use(*bias_), x.dtype()), addend);
  if (adapter_ == nullptr) {
    return y;
  }
  const Value dropped = dropout(
      x, adapter_->dropout, kAdapterDropoutStream + static_cast<std::uint32_t>(adapter_->index));
  const Value h = apply(dropped, adapter_->down, {}, {});  // [b, h', w', rank]
  return matmul(h, matrix_for(x, adapter_->up),
                {.transpose_b = true, .alpha = adapter_->scale, .addend = y});
}

}  // namespace mantissa
