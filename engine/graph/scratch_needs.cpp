#include "engine/graph/scratch_needs.h"

#include <algorithm>
#include <set>
#include <string_view>

#include "engine/graph/source_of.h"
#include "kernels/attention_parts.h"

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

/// Of attention without an engine, as kernels/cuda/attention.cu takes it. `statistics` are
/// log_sum_exp [batch, heads, queries].
ScratchNeeds needs_of_attention(const ValueInfo& q, const ValueInfo& k, const Shape& statistics,
                                bool backward) {
  const Heads h{statistics[0], statistics[1], q.shape[2] / statistics[1],
                statistics[2], k.shape[1],    q.shape[2] / k.shape[2]};
  const DType wide = statistics_dtype(q.dtype);
  // Scores and, if they are wider than the operands of a GEMM, their rounded copy.
  const std::size_t once = dtype_size(wide) + (wide == q.dtype ? 0 : dtype_size(q.dtype));
  const std::size_t a_score = (backward ? 2 : 1) * once;
  const std::int64_t rows = AttentionParts(h, a_score, kPatchBytes).rows();
  ScratchNeeds need;
  need.scores = static_cast<std::size_t>(rows * score_stride(h)) * a_score;
  std::int64_t sums = rows * h.d;
  if (backward) {  // of dK and dV, unrounded
    sums = wide == q.dtype ? 0 : 2 * (h.group == 1 ? 1 : h.batch) * h.keys * h.d;
  }
  need.sums = static_cast<std::size_t>(sums) * dtype_size(wide);
  return need;
}

ScratchNeeds scratch_of(const Graph& graph, const Node& node, bool attention_engine) {
  const auto info = [&](int id) -> const ValueInfo& {
    return graph.values()[static_cast<std::size_t>(id)];
  };
  const std::string_view op = node.op->name();
  if (op.starts_with("linear_int8") || op.starts_with("linear_fp8")) {
    return needs_of_codes(info(node.outputs[0]).shape, info(node.inputs[1]),
                          op.ends_with("_backward"));
  }
  if (op == "attention" || op == "attention_backward") {
    const bool backward = op == "attention_backward";
    const ValueInfo& q = info(node.inputs[0]);
    const bool in_16_bits = q.dtype == DType::f16 || q.dtype == DType::bf16;
    return in_16_bits && attention_engine
               ? ScratchNeeds{}
               : needs_of_attention(q, info(node.inputs[1]),
                                    info(backward ? node.inputs[6] : node.outputs[1]).shape,
                                    backward);
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

ScratchNeeds planned_scratch(const Graph& graph, const Plan& plan, bool attention_engine) {
  ScratchNeeds most;
  for (int node : plan.order) {
    most.cover(scratch_of(graph, graph.nodes()[static_cast<std::size_t>(node)], attention_engine));
  }
  return most;
}

std::size_t turned_bytes(const Graph& graph, const Plan& plan) {
  std::set<const Tensor*> weights;
  for (const int index : plan.order) {
    const Node& node = graph.nodes()[static_cast<std::size_t>(index)];
    const std::string_view op = node.op->name();
    if (op == "linear_fp8_backward" || op == "linear_int8_backward") {
      const int weight = source_of(graph, node.inputs[1]);
      weights.insert(graph.values()[static_cast<std::size_t>(weight)].tensor);
    }
  }
  std::size_t bytes = 0;
  for (const Tensor* weight : weights) {
    bytes += weight == nullptr || weight->streamed || weight->trainable
                 ? 0
                 : static_cast<std::size_t>(weight->shape.count());
  }
  return bytes;
}

}  // namespace mantissa
