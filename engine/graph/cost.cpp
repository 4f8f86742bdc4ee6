#include "engine/graph/cost.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "engine/graph/gradient_op.h"
#include "kernels/scratch_needs.h"

namespace mantissa {
namespace {

constexpr std::array<std::string_view, kCostKinds> kNames{
    "gemm",        "skinny_gemm", "convolution", "attention", "norm",     "activation",
    "elementwise", "dora",        "encoding",    "decoding",  "int8_sums"};

/// Ops that multiply nothing: `again` of their operands, from the first, are read twice, as
/// statistics are computed first.
struct PlainOp {
  CostKind kind;
  int launches = 1;
  Pace pace = Pace::copy;
  std::size_t again = 0;
};
const std::map<std::string_view, PlainOp>& plain_ops() {
  static const std::map<std::string_view, PlainOp> ops{
      {"group_norm", {CostKind::norm, 3, Pace::column_norm, 1}},
      {"group_norm_backward", {CostKind::norm, 3, Pace::column_norm, 2}},
      {"layer_norm", {CostKind::norm, 1, Pace::row_norm}},
      {"layer_norm_backward", {CostKind::norm, 1, Pace::row_norm_backward}},
      {"rms_norm", {CostKind::norm, 1, Pace::row_norm}},
      {"rms_norm_backward", {CostKind::norm, 1, Pace::row_norm_backward}},
      {"unary", {CostKind::activation}},
      {"unary_backward", {CostKind::activation}},
      {"geglu", {CostKind::activation}},
      {"geglu_backward", {CostKind::activation}},
      {"glu", {CostKind::activation}},
      {"glu_backward", {CostKind::activation}},
      {"lokr_weight", {CostKind::elementwise, 2}},
      {"dora_norm", {CostKind::dora, 4, Pace::weight_norm}},
      {"changed_norm", {CostKind::dora, 1, Pace::weight_norm}},
      // Two for every 32 MB of prepared factors.
      {"dora_factors", {CostKind::dora, 6, Pace::weight_norm}},
      {"add_magnitude_gradients", {CostKind::dora}},
      {"scale_channels_backward", {CostKind::dora, 1, Pace::channel_scaling_backward}},
      {"sum_per_sample", {CostKind::elementwise, 2}},
      {"dot_per_sample", {CostKind::elementwise, 2}},
      {"mse_loss", {CostKind::elementwise, 2}},
      {"huber_loss", {CostKind::elementwise, 2}},
  };
  return ops;
}

/// A skinny GEMM as deep is split over the depth, and its parts are summed by a second kernel.
constexpr std::int64_t kSplitDepth = 4096;

/// Whether cuBLASLt's fastest algorithm clears a few bytes of its workspace first: as on an H200.
bool clears(const OpCost& gemm) {
  constexpr std::int64_t kWideResult = 5'400'000, kCodesResult = 1'000'000, kInt8Depth = 1280;
  if (is_int8(gemm.operands)) {
    return gemm.k >= kInt8Depth;
  }
  const bool codes = dtype_size(gemm.operands) == 1;
  return gemm.kind == CostKind::gemm && gemm.m * gemm.n > (codes ? kCodesResult : kWideResult);
}

class Counter {
 public:
  Counter(const Graph& graph, const Plan& plan, const Node& node)
      : graph_(graph), plan_(plan), node_(node), name_(node.op->name()) {}

  std::vector<OpCost> count() {
    const auto index = static_cast<int>(&node_ - graph_.nodes().data());
    if (const auto encoder = plan_.encoders.find(index); encoder != plan_.encoders.end()) {
      return {counted_codes_of_unit(graph_.nodes()[static_cast<std::size_t>(encoder->second)])};
    }
    if (name_ == "matmul" || name_ == "accumulate_product" || name_ == "linears" ||
        name_ == "loha_weight") {
      return {counted_gemm()};
    }
    if (name_.starts_with("linear_fp8") || name_.starts_with("linear_int8")) {
      return counted_codes();
    }
    if (name_.find("conv2d") != std::string_view::npos) {
      return counted_convolution();
    }
    if (name_.starts_with("attention")) {
      return {counted_attention()};
    }
    return {counted_plain()};
  }

 private:
  const ValueInfo& info(int id) const { return graph_.values()[static_cast<std::size_t>(id)]; }
  bool has(std::size_t input) const {
    return input < node_.inputs.size() && node_.inputs[input] >= 0;
  }
  const Shape& shape(std::size_t input) const { return info(node_.inputs[input]).shape; }
  double size_of(int id) const {
    return id < 0 ? 0 : static_cast<double>(stored_bytes(info(id).dtype, info(id).shape.count()));
  }
  double input_bytes(std::size_t input) const {
    return has(input) ? size_of(node_.inputs[input]) : 0;
  }
  double all_bytes() const {
    double sum = node_.op->other_bytes() + 2 * gradient_bytes();
    for (const auto* ids : {&node_.inputs, &node_.outputs}) {
      for (const int id : *ids) {
        sum += size_of(id);
      }
    }
    return sum;
  }
  const GradientOp* gradient() const { return dynamic_cast<const GradientOp*>(node_.op.get()); }
  double gradient_bytes() const {
    const GradientOp* op = gradient();
    return op == nullptr ? 0 : static_cast<double>(stored_bytes(op->dtype(), op->shape().count()));
  }
  Shape result_shape() const {
    const GradientOp* op = gradient();
    return op != nullptr ? op->shape() : info(node_.outputs[0]).shape;
  }
  double result_bytes() const {
    return gradient() != nullptr ? gradient_bytes() : size_of(node_.outputs[0]);
  }

  void set_product(OpCost& cost, std::int64_t m, std::int64_t n, std::int64_t k) const {
    cost.m = m;
    cost.n = n;
    cost.k = k;
    cost.operands = info(node_.inputs[1]).dtype;
    cost.flop = 2.0 * static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k) *
                static_cast<double>(cost.batch * cost.products);
  }

  /// [m, k]·[k, n]: whichever operands are transposed, the three areas determine the three sides.
  void set_matmul(OpCost& cost) const {
    const auto count = static_cast<double>(node_.op->blocks());
    const double a = static_cast<double>(shape(0).count()) / count;
    const double b = static_cast<double>(shape(1).count()) / count;
    const double out = static_cast<double>(result_shape().count()) / count;
    cost.batch = node_.op->blocks();
    const double k = std::sqrt(a * b / out), m = a / k, n = b / k;
    set_product(cost, std::llround(m), std::llround(n), std::llround(k));
  }

  OpCost counted_gemm() const {
    OpCost cost;
    cost.bytes = all_bytes();
    if (name_ == "linears") {
      cost.products = node_.op->products();
      set_product(cost, shape(0).rows(), result_shape().cols() / cost.products, shape(0).cols());
    } else if (name_ == "loha_weight") {  // two products of one shape, as one of both ranks
      set_product(cost, result_shape()[0], result_shape()[1], shape(0)[1] + shape(2)[1]);
    } else {
      set_matmul(cost);
    }
    const bool skinny = std::min({cost.m, cost.n, cost.k}) <= kSkinnySide && name_ != "linears";
    cost.kind = skinny ? CostKind::skinny_gemm : CostKind::gemm;
    const bool adds = gradient() != nullptr || (name_ == "matmul" && has(3)) ||
                      (name_ == "linears" && has(node_.inputs.size() - 1));
    cost.written = result_bytes() * (adds ? 2 : 1);
    const bool split = skinny && cost.k >= kSplitDepth && cost.batch == 1;
    set_launches(cost, name_ == "loha_weight" ? 3 : (split ? 2 : 1));
    return cost;
  }

  static void set_launches(OpCost& cost, int of_product) {
    const int times = static_cast<int>(cost.products);
    cost.cleared = clears(cost) ? times : 0;
    cost.launches = of_product * times + cost.cleared;
  }

  /// The codes of an operand, their GEMM, and for INT8 the scaling of its sums.
  std::vector<OpCost> counted_codes() const {
    const bool backward = name_.ends_with("_backward");
    const int layers = node_.op->products();
    OpCost gemm;
    gemm.kind = CostKind::gemm;
    set_matmul(gemm);
    gemm.k /= layers;
    gemm.products = layers;
    const double result = result_bytes();
    const double addends = has(backward ? 2 : 3) ? result : 0;
    OpCost sums{.kind = CostKind::int8_sums, .pace = Pace::int8_sums};
    if (is_int8(gemm.operands)) {
      const double whole = static_cast<double>(layers * gemm.m * gemm.n) * sizeof(std::int32_t);
      const std::int64_t rows = product_rows(gemm.m, gemm.n, kProductBytes);
      gemm.products *= (gemm.m + rows - 1) / rows;
      gemm.m = rows;
      gemm.written = whole;
      sums.launches = static_cast<int>(gemm.products);
      sums.bytes = whole + result * (2 * layers - 1) + addends;
      sums.cached = whole;
    } else {
      gemm.written = result + addends;
    }
    gemm.bytes = static_cast<double>(shape(0).count()) + input_bytes(1) + gemm.written;
    set_launches(gemm, 1);
    std::vector<OpCost> costs{gemm};
    if (!has_codes()) {
      costs.insert(costs.begin(), encoding(backward));
    }
    if (is_int8(gemm.operands)) {
      costs.push_back(sums);
    }
    if (backward && gemm.operands == DType::i8_rotated) {  // d_x is turned back
      costs.push_back({.kind = CostKind::encoding, .bytes = 2 * result + addends});
    }
    return costs;
  }

  /// Whether another op wrote the codes of the first operand.
  bool has_codes() const {
    return std::ranges::any_of(plan_.encoders, [&](const auto& pair) {
      return &graph_.nodes()[static_cast<std::size_t>(pair.second)] == &node_;
    });
  }

  /// A gated unit that writes the codes of `encoder`.
  OpCost counted_codes_of_unit(const Node& encoder) const {
    const bool backward = name_.ends_with("_backward");
    OpCost cost{.kind = CostKind::activation,
                .pace = backward ? Pace::gradient_encoding : Pace::encoding};
    for (const int id : node_.inputs) {
      cost.bytes += size_of(id);
    }
    cost.bytes += size_of(encoder.outputs[1]) + size_of(encoder.outputs[2]);
    return cost;
  }

  /// Of the first operand, as often as it has layers.
  OpCost encoding(bool backward) const {
    // With a scale for all, the largest value is searched first.
    const bool by_row = info(node_.outputs[2]).shape.count() > 1;
    return {.kind = CostKind::encoding,
            .bytes = input_bytes(0) * (by_row ? 1 : 2) + static_cast<double>(shape(0).count()),
            .pace = backward ? Pace::gradient_encoding : Pace::encoding,
            .launches = node_.op->products() * (by_row ? 1 : 2)};
  }

  /// As a GEMM of patches [b·h·w, kh·kw·ci].
  std::vector<OpCost> counted_convolution() const {
    OpCost cost{.kind = CostKind::convolution, .bytes = all_bytes()};
    const bool to_weight = name_ == "conv2d_backward_weight" || name_ == "accumulate_conv2d";
    const bool to_image = name_ == "conv2d_backward_data";
    // A convolution's weight is [co, ci, kh, kw]; its gradient has the same values in any shape.
    const Shape weight = to_weight ? result_shape() : shape(1);
    const Shape& out = to_weight ? shape(1) : (to_image ? shape(0) : info(node_.outputs[0]).shape);
    const std::int64_t co = out[3];
    set_product(cost, out.rows(), co, weight.count() / co);
    cost.written = result_bytes();
    cost.cleared = 1;
    cost.launches = 2;
    add_copy(cost, to_image ? 2 : 3);
    // That of a base model is turned once; one that the step makes, each time.
    const bool made = !to_weight && info(node_.inputs[1]).kind != ValueKind::tensor;
    if (made && weight.rank() == 4 && weight[2] * weight[3] > 1) {
      return {{.kind = CostKind::decoding, .bytes = 2 * input_bytes(1), .pace = Pace::turning},
              cost};
    }
    return {cost};
  }

  /// Q·Kᵀ and P·V; the backward recomputes the first and has four more.
  OpCost counted_attention() const {
    const bool backward = name_ == "attention_backward";
    const Shape &q = shape(0), &k = shape(1);
    OpCost cost{.kind = CostKind::attention, .bytes = all_bytes()};
    cost.flop =
        2.0 * static_cast<double>(q.count()) * static_cast<double>(k[1]) * (backward ? 5 : 2);
    cost.operands = info(node_.inputs[0]).dtype;
    cost.m = q[1];
    cost.n = k[1];
    const int statistics = backward ? node_.inputs[6] : node_.outputs[1];  // [b, heads, tq]
    cost.batch = q[0] * info(statistics).shape[1];
    cost.cleared = 1;
    cost.launches = 2;
    if (backward) {  // d_out is read for the sums of rows too; d_q is FP32 first
      cost.launches = 4;
      cost.bytes += static_cast<double>(q.count()) *
                    static_cast<double>(dtype_size(cost.operands) + 2 * sizeof(float));
    }
    return cost;
  }

  OpCost counted_plain() const {
    OpCost cost{.bytes = all_bytes()};
    if (name_ == "dequantize") {
      cost.kind = CostKind::decoding;
      cost.pace = is_grouped(info(node_.inputs[0]).dtype) ? Pace::block_decoding : Pace::copy;
    } else if (name_ == "scale_channels" && has(4)) {
      cost.kind = CostKind::dora;
      cost.pace = Pace::channel_scaling;
      // Every value reads its channel's factor.
      cost.cached = static_cast<double>(shape(0).count()) * sizeof(float);
      cost.bytes += cost.cached;
    } else if (name_ == "concat_channels" || name_ == "join_channels") {
      cost.launches = static_cast<int>(node_.inputs.size());
    } else if (const auto plain = plain_ops().find(name_); plain != plain_ops().end()) {
      cost.kind = plain->second.kind;
      cost.launches = plain->second.launches;
      cost.pace = plain->second.pace;
      for (std::size_t i = 0; i < plain->second.again; ++i) {
        cost.bytes += input_bytes(i);
      }
    }
    return cost;
  }

  /// An addend that is still needed, or is elsewhere, is copied to the result first.
  void add_copy(OpCost& cost, std::size_t addend) const {
    if (!has(addend) || node_.outputs.empty()) {
      return;
    }
    const auto place = [this](int id) { return plan_.offset[static_cast<std::size_t>(id)]; };
    if (place(node_.inputs[addend]) != place(node_.outputs[0])) {
      cost.launches += 1;
      cost.bytes += 2 * input_bytes(addend);
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

std::vector<OpCost> op_costs(const Graph& graph, const Plan& plan, const Node& node) {
  return node.op->is_alias() ? std::vector<OpCost>{} : Counter(graph, plan, node).count();
}

}  // namespace mantissa
