#include "engine/nn/linear.h"

#include "engine/graph/ops.h"

namespace mantissa {

Value matrix_for(Value x, Tensor& tensor) {
  const Value w = read_tensor(x.graph(), tensor, x.dtype());
  return reshape(w, {w.shape()[0], w.shape().count() / w.shape()[0]});
}

Linear::Linear(const Scope& scope, std::int64_t in, std::int64_t out, bool bias, LinearWeight form)
    : path_(scope.path()), precision_(scope.precision(ModuleKind::linear)) {
  const Shape shape = form == LinearWeight::conv1x1 ? Shape{out, in, 1, 1} : Shape{out, in};
  weight_ = &scope.weight("weight", shape, ModuleKind::linear);
  if (bias) {
    bias_ = &scope.weight("bias", {out}, ModuleKind::vector);
  }
  adapter_ = scope.adapter(shape);
  if (precision_.fp8) {
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
  Value y =
      precision_.fp8
          ? linear_fp8(in, *weight_, bias, fused, fp8_)
          : matmul(in, matrix_for(in, *weight_),
                   {.transpose_b = true, .tf32 = precision_.tf32, .bias = bias, .addend = fused});
  if (adapter_ != nullptr) {
    const Value dropped = dropout(
        in, adapter_->dropout, kAdapterDropoutStream + static_cast<std::uint32_t>(adapter_->index));
    const Value h = matmul(dropped, matrix_for(in, adapter_->down),
                           {.transpose_b = true, .tf32 = precision_.tf32});
    y = matmul(
        h, matrix_for(in, adapter_->up),
        {.transpose_b = true, .alpha = adapter_->scale, .tf32 = precision_.tf32, .addend = y});
  }
  y = cast(y, result);
  return addend && !fused ? add(y, addend) : y;
}

}  // namespace mantissa
