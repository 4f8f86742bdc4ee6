#include "engine/graph/cost.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "engine/graph/gradient_op.h"

namespace mantissa {
namespace {

constexpr std::array<std::string_view, kCostKinds> kNames{
    "gemm", "skinny_gemm", "convolution", "attention",
    "norm", "activation",  "elementwise", "quantization"};

/// Ops other than GEMMs: their kind, launched kernels, and how often the largest operand is read
/// (statistics are computed first).
struct PlainOp {
  CostKind kind;
  int launches = 1;
  int reads = 1;
};
const std::map<std::string_view, PlainOp>& plain_ops() {
  static const std::map<std::string_view, PlainOp> ops{
      {"group_norm", {CostKind::norm, 2, 2}},
      {"group_norm_backward", {CostKind::norm, 3, 2}},
      {"layer_norm", {CostKind::norm, 1, 1}},
      {"layer_norm_backward", {CostKind::norm, 1, 1}},
      {"rms_norm", {CostKind::norm, 1, 1}},
      {"rms_norm_backward", {CostKind::norm, 1, 1}},
      {"unary", {CostKind::activation}},
      {"unary_backward", {CostKind::activation}},
      {"geglu", {CostKind::activation}},
      {"geglu_backward", {CostKind::activation}},
      {"glu", {CostKind::activation}},
      {"glu_backward", {CostKind::activation}},
      {"dequantize", {CostKind::quantization}},
      {"lokr_weight", {CostKind::elementwise, 2, 1}},
      {"dora_norm", {CostKind::norm, 4, 1}},
      {"changed_norm", {CostKind::norm, 1, 1}},
      {"dora_factors", {CostKind::norm, 6, 1}},  // two for every 32 MB of prepared factors
      {"sum_per_sample", {CostKind::elementwise, 2, 1}},
      {"dot_per_sample", {CostKind::elementwise, 2, 1}},
      {"mse_loss", {CostKind::elementwise, 2, 1}},
      {"huber_loss", {CostKind::elementwise, 2, 1}},
  };
  return ops;
}

/// Bytes of a sum of 32 bits, written and read, which stays in the cache in part: as on an H200.
constexpr double kSumBytes = 6.5;

class Counter {
 public:
  Counter(const Graph& graph, const Plan& plan, const Node& node)
      : graph_(graph), plan_(plan), node_(node), name_(node.op->name()) {}

  OpCost count() {
    OpCost cost;
    cost.bytes = bytes(node_.inputs) + bytes(node_.outputs) + node_.op->other_bytes();
    if (const auto* gradient = dynamic_cast<const GradientOp*>(node_.op.get())) {
      cost.bytes += 2.0 * static_cast<double>(gradient->shape().count()) *
                    static_cast<double>(dtype_size(gradient->dtype()));
    }
    if (name_ == "matmul" || name_ == "accumulate_product") {
      count_matmul(cost);
    } else if (name_ == "linears") {
      set_product(cost, shape(0).rows(), result_shape().cols(), shape(0).cols());
      cost.kind = CostKind::gemm;
      cost.launches = node_.op->products();
    } else if (name_ == "loha_weight") {
      count_loha(cost);
    } else if (name_.starts_with("linear_fp8") || name_.starts_with("linear_int8")) {
      count_matmul(cost);
      count_coding(cost);
    } else if (name_.find("conv2d") != std::string_view::npos) {
      count_convolution(cost);
    } else if (name_.starts_with("attention")) {
      count_attention(cost);
    } else if (const auto plain = plain_ops().find(name_); plain != plain_ops().end()) {
      cost.kind = plain->second.kind;
      cost.launches = plain->second.launches;
      cost.bytes += (plain->second.reads - 1) * size_of(0);
    }
    return cost;
  }

 private:
  const ValueInfo& info(int id) const { return graph_.values()[static_cast<std::size_t>(id)]; }
  bool has(std::size_t input) const {
    return input < node_.inputs.size() && node_.inputs[input] >= 0;
  }
  const Shape& shape(std::size_t input) const { return info(node_.inputs[input]).shape; }
  double size_of(std::size_t input) const {
    const ValueInfo& v = info(node_.inputs[input]);
    return static_cast<double>(stored_bytes(v.dtype, v.shape.count()));
  }
  double bytes(const std::vector<int>& ids) const {
    double sum = 0;
    for (const int id : ids) {
      if (id >= 0) {
        sum += static_cast<double>(stored_bytes(info(id).dtype, info(id).shape.count()));
      }
    }
    return sum;
  }
  Shape result_shape() const {
    const auto* gradient = dynamic_cast<const GradientOp*>(node_.op.get());
    return gradient != nullptr ? gradient->shape() : info(node_.outputs[0]).shape;
  }

  void set_product(OpCost& cost, std::int64_t m, std::int64_t n, std::int64_t k) const {
    cost.m = m;
    cost.n = n;
    cost.k = k;
    cost.operands = info(node_.inputs[1]).dtype;
    cost.flop = 2.0 * static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k) *
                static_cast<double>(cost.batch);
  }

  /// [m, k]·[k, n]: whichever operands are transposed, the three areas determine the three sides.
  void count_matmul(OpCost& cost) {
    const Shape result = result_shape();
    const auto count = static_cast<double>(node_.op->blocks());
    const double a = static_cast<double>(shape(0).count()) / count;
    const double b = static_cast<double>(shape(1).count()) / count;
    const double out = static_cast<double>(result.count()) / count;
    cost.batch = node_.op->blocks();
    const double k = std::sqrt(a * b / out), m = a / k, n = b / k;
    set_product(cost, std::llround(m), std::llround(n), std::llround(k));
    cost.kind =
        std::min({cost.m, cost.n, cost.k}) <= kSkinnySide ? CostKind::skinny_gemm : CostKind::gemm;
  }

  /// What matmul_codes does beside its GEMM.
  void count_coding(OpCost& cost) const {
    const double operand = static_cast<double>(shape(0).count());
    const bool backward = name_.ends_with("_backward"), whole = is_int8(cost.operands);
    // With a scale for all, the largest value is searched first.
    const bool by_row = info(node_.outputs[2]).shape.count() > 1;
    cost.launches += by_row ? 1 : 2;
    cost.coding_bytes = operand * (by_row ? 3 : 5);
    if (whole) {  // then the scales
      cost.launches += 1;
      cost.coding_bytes += kSumBytes * static_cast<double>(cost.m) * static_cast<double>(cost.n);
    }
    if (backward) {  // each layer's gradient by itself, with its part of the weight, turned
      cost.launches = (cost.launches + 1) * node_.op->products();
      cost.coding_bytes += 2.0 * static_cast<double>(shape(1).count());
    }
  }

  /// Two products of one shape, as one of both ranks, and their elementwise product.
  void count_loha(OpCost& cost) {
    const Shape result = result_shape();
    set_product(cost, result[0], result[1], shape(0)[1] + shape(2)[1]);
    cost.kind =
        std::min({cost.m, cost.n, cost.k}) <= kSkinnySide ? CostKind::skinny_gemm : CostKind::gemm;
    cost.launches = 3;
  }

  /// As a GEMM of patches [b·h·w, kh·kw·ci].
  void count_convolution(OpCost& cost) {
    const bool to_weight = name_ == "conv2d_backward_weight" || name_ == "accumulate_conv2d";
    const bool to_image = name_ == "conv2d_backward_data";
    // A convolution's weight is [co, ci, kh, kw]; its gradient has the same values in any shape.
    const Shape weight = to_weight ? result_shape() : shape(1);
    const Shape& out = to_weight ? shape(1) : (to_image ? shape(0) : info(node_.outputs[0]).shape);
    const std::int64_t co = out[3];
    set_product(cost, out.rows(), co, weight.count() / co);
    cost.kind = CostKind::convolution;
    count_copy(cost, to_image ? 2 : 3);
  }

  /// Q·Kᵀ and P·V; the backward recomputes the first and has four more.
  void count_attention(OpCost& cost) const {
    const bool backward = name_ == "attention_backward";
    const Shape &q = shape(0), &k = shape(1);
    const double product = 2.0 * static_cast<double>(q.count()) * static_cast<double>(k[1]);
    cost.flop = product * (backward ? 5 : 2);
    cost.kind = CostKind::attention;
    cost.operands = info(node_.inputs[0]).dtype;
    cost.launches = backward ? 3 : 1;
    cost.m = q[1];
    cost.n = k[1];
    cost.batch = q[0];
  }

  /// An addend that is still needed, or is elsewhere, is copied to the result first.
  void count_copy(OpCost& cost, std::size_t addend) const {
    if (!has(addend) || node_.outputs.empty()) {
      return;
    }
    const auto place = [this](int id) { return plan_.offset[static_cast<std::size_t>(id)]; };
    if (place(node_.inputs[addend]) != place(node_.outputs[0])) {
      cost.launches += 1;
      cost.bytes += 2 * size_of(addend);
    }
  }

  const Graph& graph_;
  const Plan& plan_;
  const Node& node_;
  std::string_view name_;
};

}  // namespace

std::string_view cost_kind_name(CostKind kind) {
  return kNames[static_cast<std::size_t>(kind)];
}

std::optional<OpCost> op_cost(const Graph& graph, const Plan& plan, const Node& node) {
  if (node.op->is_alias()) {
    return std::nullopt;
  }
  return Counter(graph, plan, node).count();
}

}  // namespace mantissa
