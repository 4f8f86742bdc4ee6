// Changes of a weight that are products of small factors: LoHa and LoKr.
#include "engine/graph/op_check.h"
#include "engine/graph/ops.h"

namespace mantissa {
namespace {

using Views = std::vector<View>;

MatmulOptions options_of(float alpha, bool tf32) {
  MatmulOptions options;
  options.alpha = alpha;
  options.tf32 = tf32;
  return options;
}

/// The factors alone outlive the forward pass: a matrix of the weight's own size for each product
/// of each layer would not fit where an adapter does.
class LohaWeightOp final : public Op {
 public:
  // inputs: w1_a, w1_b, w2_a, w2_b; outputs: the weight, scratch
  LohaWeightOp(float scale, bool tf32) : scale_(scale), tf32_(tf32) {}
  const char* name() const override { return "loha_weight"; }
  void run(Kernels& k, const Views& in, const Views& out, const RunContext&) const override {
    k.matmul(in[0], in[1], {}, out[0], options_of(scale_, tf32_));
    k.matmul(in[2], in[3], {}, out[1], options_of(1.0F, tf32_));
    k.multiply(out[0], out[1], out[0]);
  }
  bool repeat_in_backward() const override { return true; }

  void backward(Backward& b) const override {
    const Value grad = b.grad();
    for (const int half : {0, 2}) {
      if (!b.needs(half) && !b.needs(half + 1)) {
        continue;
      }
      const int other = 2 - half;
      // The scale belongs to one of the two products, and so to each gradient once.
      const Value inner = multiply(
          grad, matmul(b.input(other), b.input(other + 1), {.alpha = scale_, .tf32 = tf32_}));
      if (b.needs(half)) {
        b.add(half, matmul(inner, b.input(half + 1), {.transpose_b = true, .tf32 = tf32_}));
      }
      if (b.needs(half + 1)) {
        b.add(half + 1, matmul(b.input(half), inner, {.transpose_a = true, .tf32 = tf32_}));
      }
    }
  }

 private:
  float scale_;
  bool tf32_;
};

/// All products of one entry of w1 and one of w2, in the weight's order.
class LokrWeightOp final : public Op {
 public:
  // inputs: w1 [a, b], w2 [c, d]; outputs: the weight [a·c, b·d], scratch
  LokrWeightOp(float scale, bool tf32) : scale_(scale), tf32_(tf32) {}
  const char* name() const override { return "lokr_weight"; }
  void run(Kernels& k, const Views& in, const Views& out, const RunContext&) const override {
    const std::int64_t ab = in[0].count(), cd = in[1].count();
    k.matmul({in[0].data, in[0].dtype, {ab, 1}}, {in[1].data, in[1].dtype, {1, cd}}, {},
             {out[1].data, out[1].dtype, {ab, cd}}, options_of(scale_, tf32_));
    const Shape a = in[0].shape, c = in[1].shape;
    k.swap_middle({out[1].data, out[1].dtype, {a[0], a[1], c[0], c[1]}},
                  {out[0].data, out[0].dtype, {a[0], c[0], a[1], c[1]}});
  }
  bool repeat_in_backward() const override { return true; }

  void backward(Backward& b) const override {
    const Shape one = b.input(0).shape(), two = b.input(1).shape();
    const Value grad = reshape(swap_middle(reshape(b.grad(), {one[0], two[0], one[1], two[1]})),
                               {one.count(), two.count()});
    const MatmulArgs args{.alpha = scale_, .tf32 = tf32_};
    if (b.needs(0)) {
      MatmulArgs to_first = args;
      to_first.transpose_b = true;
      b.add(0, reshape(matmul(grad, reshape(b.input(1), {1, two.count()}), to_first), one));
    }
    if (b.needs(1)) {
      MatmulArgs to_second = args;
      to_second.transpose_a = true;
      b.add(1, reshape(matmul(reshape(b.input(0), {one.count(), 1}), grad, to_second), two));
    }
  }

 private:
  float scale_;
  bool tf32_;
};

void check_matrix(const char* op, Value v) {
  check_op(v.shape().rank() == 2, op, v, [&] { return "expected a matrix; got " + describe(v); });
}

}  // namespace

Value loha_weight(const LohaFactors& f, float scale, bool tf32) {
  constexpr const char* kName = "loha_weight";
  check_same_dtype(kName, {f.w1_a, f.w1_b, f.w2_a, f.w2_b});
  for (const Value v : {f.w1_a, f.w1_b, f.w2_a, f.w2_b}) {
    check_matrix(kName, v);
  }
  const std::int64_t out = f.w1_a.shape()[0], in = f.w1_b.shape()[1];
  check_op(f.w1_a.shape()[1] == f.w1_b.shape()[0] && f.w2_a.shape()[1] == f.w2_b.shape()[0] &&
               f.w2_a.shape()[0] == out && f.w2_b.shape()[1] == in,
           kName, f.w1_a, [&] {
             return describe(f.w1_a) + "·" + describe(f.w1_b) + " and " + describe(f.w2_a) + "·" +
                    describe(f.w2_b) + " aren't of one shape";
           });
  const OutputSpec spec{{out, in}, f.w1_a.dtype()};
  return f.w1_a.graph().record(std::make_shared<LohaWeightOp>(scale, tf32),
                               {f.w1_a, f.w1_b, f.w2_a, f.w2_b}, {spec, spec})[0];
}

Value lokr_weight(Value w1, Value w2, float scale, bool tf32) {
  constexpr const char* kName = "lokr_weight";
  check_same_dtype(kName, {w1, w2});
  check_matrix(kName, w1);
  check_matrix(kName, w2);
  const OutputSpec spec{{w1.shape()[0] * w2.shape()[0], w1.shape()[1] * w2.shape()[1]}, w1.dtype()};
  return w1.graph().record(std::make_shared<LokrWeightOp>(scale, tf32), {w1, w2}, {spec, spec})[0];
}

Value lokr_product(Value x, Value w1, const std::vector<Value>& w2, float scale, bool tf32) {
  constexpr const char* kName = "lokr_product";
  check_matrix(kName, w1);
  const std::int64_t rows = x.shape().rows(), a = w1.shape()[0], b = w1.shape()[1];
  check_op(!w2.empty() && b * w2.front().shape().cols() == x.shape().cols(), kName, x, [&] {
    return "the factors don't take " + std::to_string(x.shape().cols()) + " channels";
  });
  const ValueInfo& info = x.graph().values()[static_cast<std::size_t>(x.id())];
  const Value whole = info.row_stride != 0 ? join_channels({x}) : x;
  Value h = reshape(whole, {rows * b, x.shape().cols() / b});
  for (const Value factor : w2) {
    h = matmul(h, factor, {.transpose_b = true, .tf32 = tf32});
  }
  const std::int64_t c = h.shape().cols();
  h = reshape(swap_middle(reshape(h, {rows, b, c, 1})), {rows * c, b});
  h = matmul(h, w1, {.transpose_b = true, .alpha = scale, .tf32 = tf32});
  Shape shape = x.shape();
  shape[shape.rank() - 1] = a * c;
  return reshape(swap_middle(reshape(h, {rows, c, a, 1})), shape);
}

}  // namespace mantissa
