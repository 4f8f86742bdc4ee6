#include "engine/graph/scratch_needs.h"

#include <algorithm>
#include <string_view>

namespace mantissa {
namespace {

/// A kernel [co, ci, kh, kw] whose outputs read one input each is a matrix: nothing is gathered.
bool is_matrix(const Shape& weight, const Shape& x, const Shape& out) {
  return weight[2] * weight[3] == 1 && x[1] == out[1] && x[2] == out[2];
}

/// y = x·W or its backward, of codes.
ScratchNeeds needs_of_codes(const Shape& result, const ValueInfo& weight, bool backward) {
  ScratchNeeds need;
  const std::int64_t rows = product_rows(result.rows(), result.cols(), kProductBytes);
  need.product = static_cast<std::size_t>(rows * result.cols()) * sizeof(float);
  need.turned = backward ? static_cast<std::size_t>(weight.shape.count()) : 0;
  return need;
}

ScratchNeeds scratch_of(const Graph& graph, const Node& node) {
  const auto info = [&](int id) -> const ValueInfo& {
    return graph.values()[static_cast<std::size_t>(id)];
  };
  const std::string_view op = node.op->name();
  if (op.starts_with("linear_int8") || op.starts_with("linear_fp8")) {
    return needs_of_codes(info(node.outputs[0]).shape, info(node.inputs[1]),
                          op.ends_with("_backward"));
  }
  const bool forward = op == "conv2d", to_image = op == "conv2d_backward_data";
  const bool to_weight = op == "conv2d_backward_weight";
  ScratchNeeds need;
  if (!forward && !to_image && !to_weight) {
    return need;
  }
  const ValueInfo& in = info(node.inputs[0]);
  const ValueInfo& weight = info(to_weight ? node.outputs[0] : node.inputs[1]);
  const Shape& out = to_weight ? info(node.inputs[1]).shape : info(node.outputs[0]).shape;
  if (is_matrix(weight.shape, in.shape, out)) {
    return need;
  }
  const std::int64_t taps = weight.shape[2] * weight.shape[3];
  const auto size = static_cast<std::int64_t>(dtype_size(in.dtype));
  const auto weight_bytes = [&](DType dtype) {
    return static_cast<std::size_t>(weight.shape.count()) * dtype_size(dtype);
  };
  need.cover_patches(out.rows(), taps * in.shape[3], size);
  if (to_weight) {
    need.sums = weight_bytes(in.dtype == DType::f64 ? DType::f64 : DType::f32);
  } else {
    // A frozen weight on the device is packed once, on its own.
    const Tensor* tensor = weight.tensor;
    const bool kept = forward && tensor != nullptr && !tensor->trainable && !tensor->streamed;
    need.weight = kept ? 0 : weight_bytes(in.dtype);
  }
  return need;
}

}  // namespace

ScratchNeeds planned_scratch(const Graph& graph, const Plan& plan) {
  ScratchNeeds most;
  for (int node : plan.order) {
    most.cover(scratch_of(graph, graph.nodes()[static_cast<std::size_t>(node)]));
  }
  return most;
}

}  // namespace mantissa
