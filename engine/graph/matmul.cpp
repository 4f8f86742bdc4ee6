// Matmul with bias and addend, and its backward.
#include <numeric>

#include "engine/graph/channels.h"
#include "engine/graph/gradient_op.h"
#include "engine/graph/op_check.h"
#include "engine/graph/ops.h"

namespace mantissa {
namespace {

using Views = std::vector<View>;

/// A GEMM that accumulates into a gradient.
class AccumulateProductOp final : public GradientOp {
 public:
  // inputs: a, b, and two absent ones
  AccumulateProductOp(const GradientTerm& term, const MatmulOptions& options)
      : GradientOp(term), options_(options) {}
  const char* name() const override { return "accumulate_product"; }
  bool takes_slice(int) const override { return true; }
  int blocks() const override { return options_.blocks; }

 protected:
  void add_onto(const View& sum, Kernels& k, const Views& in) const override {
    k.matmul(in[0], in[1], {}, sum, options_);
  }

 private:
  MatmulOptions options_;
};

class MatmulOp final : public Op {
 public:
  // inputs: a, b, bias, addend
  explicit MatmulOp(const MatmulArgs& args)
      : ta_(args.transpose_a),
        tb_(args.transpose_b),
        alpha_(args.alpha),
        tf32_(args.tf32),
        blocks_(args.blocks) {}
  const char* name() const override { return "matmul"; }
  bool takes_slice(int input) const override { return input != 2; }
  int blocks() const override { return blocks_; }
  void run(Kernels& k, const Views& in, const Views& out, const RunContext&) const override {
    MatmulOptions options{ta_, tb_, alpha_, 0.0F, tf32_, blocks_};
    if (in[3]) {
      options.addend = in[3].data != out[0].data ? in[3] : View{};
      options.beta = 1.0F;
    }
    k.matmul(in[0], in[1], in[2], out[0], options);
  }
  bool may_overwrite(int input) const override { return input == 3; }
  bool takes_codes(int input) const override { return input == 1 && !tf32_ && blocks_ == 1; }
  std::shared_ptr<const Op> accumulating(const Node& node,
                                         const GradientTerm& term) const override {
    if (node.inputs[2] >= 0 || node.inputs[3] >= 0) {
      return nullptr;
    }
    return std::make_shared<AccumulateProductOp>(
        term, MatmulOptions{ta_, tb_, alpha_, 1.0F, tf32_, blocks_});
  }

  void backward(Backward& b) const override {
    const Value grad = b.grad();
    if (b.needs(3)) {
      b.add(3, grad);
    }
    if (b.needs(2)) {
      b.add(2, reshape(column_sums(grad), b.input(2).shape()));
    }
    if (b.needs(0)) {
      MatmulArgs args{.transpose_b = !tb_, .alpha = alpha_, .tf32 = tf32_, .blocks = blocks_};
      if (ta_) {
        // out = aᵀ·b: d_a = b·d_outᵀ
        args.transpose_a = tb_;
        args.transpose_b = true;
        args.addend = b.take_partial(0);
        b.add(0, reshape(matmul(b.input(1), grad, args), b.input(0).shape()));
      } else {
        args.addend = b.take_partial(0);
        b.add(0, matmul(grad, b.input(1), args));
      }
    }
    if (b.needs(1)) {
      MatmulArgs args{.transpose_a = !ta_, .alpha = alpha_, .tf32 = tf32_, .blocks = blocks_};
      args.addend = b.take_partial(1);
      if (tb_) {
        // out = a·bᵀ: d_b = d_outᵀ·a
        args.transpose_a = true;
        args.transpose_b = ta_;
        b.add(1, matmul(grad, b.input(0), args));
      } else {
        b.add(1, matmul(b.input(0), grad, args));
      }
    }
  }

 private:
  bool ta_, tb_;
  float alpha_;
  bool tf32_;
  int blocks_;
};

/// x by several weights, the results side by side.
class LinearsOp final : public Op {
 public:
  // inputs: x, the weights, bias, addend
  LinearsOp(std::vector<std::int64_t> widths, bool tf32)
      : widths_(std::move(widths)), tf32_(tf32) {}
  const char* name() const override { return "linears"; }
  int products() const override { return static_cast<int>(widths_.size()); }
  bool takes_slice(int input) const override { return input == 0; }
  bool takes_codes(int input) const override { return 0 < input && input < bias_ && !tf32_; }
  bool may_overwrite(int input) const override { return input == bias_ + 1; }
  void run(Kernels& k, const Views& in, const Views& out, const RunContext&) const override {
    const auto last = static_cast<std::size_t>(bias_);
    const View &biases = in[last], &addend = in[last + 1];
    std::int64_t begin = 0;
    for (std::size_t i = 0; i < widths_.size(); ++i) {
      const std::int64_t width = widths_[i];
      MatmulOptions options{.transpose_b = true, .tf32 = tf32_};
      if (addend) {
        options.addend = addend.data != out[0].data ? channels_of(addend, begin, width) : View{};
        options.beta = 1.0F;
      }
      const View bias = biases ? channels_of(biases, begin, width) : View{};
      k.matmul(in[0], in[1 + i], bias, channels_of(out[0], begin, width), options);
      begin += width;
    }
  }
  void backward(Backward& b) const override {
    const Value grad = b.grad();
    if (b.needs(bias_ + 1)) {
      b.add(bias_ + 1, grad);
    }
    if (!b.needs(0)) {
      return;
    }
    const std::vector<Value> d_out = split_channels(grad, widths_);
    MatmulArgs args{.tf32 = tf32_, .addend = b.take_partial(0)};
    for (std::size_t i = 0; i < d_out.size(); ++i) {
      args.addend = matmul(d_out[i], b.input(1 + static_cast<int>(i)), args);
    }
    b.add(0, args.addend);
  }

 private:
  std::vector<std::int64_t> widths_;
  bool tf32_;
  int bias_ = 1 + static_cast<int>(widths_.size());  ///< its place, which the addend follows
};

}  // namespace

Value matmul(Value a, Value b, const MatmulArgs& args) {
  check_same_dtype("matmul", {a, b, args.bias, args.addend});
  // Sizes of one block: a [m, k] or [k, m], b [k, n] or [n, k].
  const std::int64_t count = args.blocks;
  const bool columns = args.transpose_a;  // b is divided by columns, else by rows
  const std::int64_t b_rows = b.shape().rows() / (columns ? 1 : count);
  const std::int64_t b_cols = b.shape().cols() / (columns ? count : 1);
  const std::int64_t a_rows = a.shape().rows(), a_cols = a.shape().cols() / count;
  const std::int64_t m = args.transpose_a ? a_cols : a_rows;
  const std::int64_t k = args.transpose_a ? a_rows : a_cols;
  const std::int64_t n = args.transpose_b ? b_rows : b_cols;
  check_op(count >= 1 && a.shape().cols() % count == 0 &&
               (columns ? b.shape().cols() : b.shape().rows()) % count == 0,
           "matmul", a, [&] {
             return describe(a) + " and " + describe(b) + " can't be divided into " +
                    std::to_string(count) + " blocks";
           });
  check_op((args.transpose_b ? b_cols : b_rows) == k, "matmul", a,
           [&] { return "inner sizes differ: " + describe(a) + " and " + describe(b); });
  check_op(!args.bias || (count == 1 && args.bias.shape().count() == n), "matmul", a,
           [&] { return "bias must hold " + std::to_string(n) + " values"; });
  Shape shape = a.shape();
  if (args.transpose_a) {
    shape = {count * m, n};
  } else {
    shape[shape.rank() - 1] = count * n;
  }
  check_op(!args.addend || args.addend.shape().count() == shape.count(), "matmul", a,
           [&] { return "addend must have the result's shape " + shape.str(); });
  return a.graph().record(std::make_shared<MatmulOp>(args), {a, b, args.bias, args.addend},
                          {{shape, a.dtype()}})[0];
}

Value linears(Value x, const std::vector<Value>& weights, Value bias, Value addend, bool tf32) {
  check_same_dtype("linears", {x, bias, addend});
  std::vector<Value> inputs{x};
  Shape shape = x.shape();
  std::vector<std::int64_t> widths;
  for (const Value weight : weights) {
    check_same_dtype("linears", {x, weight});
    check_op(
        weight.shape().rank() == 2 && weight.shape()[1] == x.shape().cols() && !weight.needs_grad(),
        "linears", x,
        [&] { return "frozen weights expect its channels; got " + describe(weight); });
    widths.push_back(weight.shape()[0]);
    inputs.push_back(weight);
  }
  inputs.insert(inputs.end(), {bias, addend});
  shape[shape.rank() - 1] = std::accumulate(widths.begin(), widths.end(), std::int64_t{0});
  check_op(
      !bias || (bias.shape().count() == shape.cols() && !bias.needs_grad()), "linears", x,
      [&] { return "bias must be frozen and hold " + std::to_string(shape.cols()) + " values"; });
  check_op(!addend || addend.shape().count() == shape.count(), "linears", x,
           [&] { return "addend must have the result's shape " + shape.str(); });
  return x.graph().record(std::make_shared<LinearsOp>(std::move(widths), tf32), inputs,
                          {{shape, x.dtype()}})[0];
}

Value column_sums(Value x) {
  const Value ones = constant(x.graph(), x.dtype(), {1, x.shape().rows()}, 1.0F);
  return reshape(matmul(ones, reshape(x, {x.shape().rows(), x.shape().cols()}), {}),
                 {x.shape().cols()});
}

Value linear(Value x, Value weight, Value bias) {
  check_op(weight.shape().rank() == 2 && weight.shape()[1] == x.shape().cols(), "linear", x, [&] {
    return "weight expects " + std::to_string(weight.shape().cols()) + " inputs; got " +
           describe(x);
  });
  return matmul(x, weight, {.transpose_b = true, .bias = bias});
}

}  // namespace mantissa
