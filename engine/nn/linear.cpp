#include "engine/nn/linear.h"

#include "engine/graph/ops.h"

namespace mantissa {

Value matrix_for(Value x, Tensor& tensor) {
  const Value w = cast(x.graph().use(tensor), x.dtype());
  return reshape(w, {w.shape()[0], w.shape()[1]});
}

Linear::Linear(const Scope& scope, std::int64_t in, std::int64_t out, bool bias, LinearWeight form)
    : path_(scope.path()) {
  const Shape shape = form == LinearWeight::conv1x1 ? Shape{out, in, 1, 1} : Shape{out, in};
  weight_ = &scope.weight("weight", shape);
  if (bias) {
    bias_ = &scope.weight("bias", {out});
  }
  adapter_ = scope.adapter(shape);
}

Value Linear::operator()(Value x, Value addend) const {
  Graph& graph = x.graph();
  graph.set_path(path_);
  const Value bias = bias_ != nullptr ? cast(graph.use(*bias_), x.dtype()) : Value{};
  const Value y =
      matmul(x, matrix_for(x, *weight_), {.transpose_b = true, .bias = bias, .addend = addend});
  if (adapter_ == nullptr) {
    return y;
  }
  const Value dropped = dropout(
      x, adapter_->dropout, kAdapterDropoutStream + static_cast<std::uint32_t>(adapter_->index));
  const Value h = matmul(dropped, matrix_for(x, adapter_->down), {.transpose_b = true});
  return matmul(h, matrix_for(x, adapter_->up),
                {.transpose_b = true, .alpha = adapter_->scale, .addend = y});
}

}  // namespace mantissa
