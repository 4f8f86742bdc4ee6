// 2-D convolution and its backwards.
#include "engine/graph/gradient_op.h"
#include "engine/graph/op_check.h"
#include "engine/graph/ops.h"

namespace mantissa {
namespace {

using Views = std::vector<View>;

class ConvBackwardDataOp final : public Op {
 public:
  // inputs: d_out, weight, addend
  explicit ConvBackwardDataOp(const ConvOptions& options) : options_(options) {}
  const char* name() const override { return "conv2d_backward_data"; }
  void run(Kernels& k, const Views& in, const Views& out, const RunContext&) const override {
    if (in[2] && in[2].data != out[0].data) {
      k.copy(in[2], out[0]);
    }
    k.conv2d_backward_data(in[0], in[1], out[0], options_, static_cast<bool>(in[2]));
  }
  bool may_overwrite(int input) const override { return input == 2; }
  bool takes_codes(int input) const override { return input == 1 && !options_.tf32; }

 private:
  ConvOptions options_;
};

/// A weight's backward that accumulates into its gradient.
class AccumulateConvOp final : public GradientOp {
 public:
  // inputs: x, d_out
  AccumulateConvOp(const GradientTerm& term, const ConvOptions& options)
      : GradientOp(term), options_(options) {}
  const char* name() const override { return "accumulate_conv2d"; }

 protected:
  void add_onto(const View& sum, Kernels& k, const Views& in) const override {
    k.conv2d_backward_weight(in[0], in[1], sum, options_, true);
  }

 private:
  ConvOptions options_;
};

class ConvBackwardWeightOp final : public Op {
 public:
  explicit ConvBackwardWeightOp(const ConvOptions& options) : options_(options) {}
  const char* name() const override { return "conv2d_backward_weight"; }
  void run(Kernels& k, const Views& in, const Views& out, const RunContext&) const override {
    k.conv2d_backward_weight(in[0], in[1], out[0], options_, false);
  }
  std::shared_ptr<const Op> accumulating(const Node&, const GradientTerm& term) const override {
    return std::make_shared<AccumulateConvOp>(term, options_);
  }

 private:
  ConvOptions options_;
};

class ConvOp final : public Op {
 public:
  // inputs: x, weight, bias, addend
  explicit ConvOp(const ConvOptions& options) : options_(options) {}
  const char* name() const override { return "conv2d"; }
  void run(Kernels& k, const Views& in, const Views& out, const RunContext&) const override {
    if (in[3] && in[3].data != out[0].data) {
      k.copy(in[3], out[0]);
    }
    k.conv2d(in[0], in[1], in[2], out[0], options_, static_cast<bool>(in[3]));
  }
  bool may_overwrite(int input) const override { return input == 3; }
  bool takes_codes(int input) const override { return input == 1 && !options_.tf32; }

  void backward(Backward& b) const override {
    const Value grad = b.grad();
    if (b.needs(3)) {
      b.add(3, grad);
    }
    if (b.needs(2)) {
      b.add(2, reshape(column_sums(grad), b.input(2).shape()));
    }
    if (b.needs(0)) {
      const Value x = b.input(0);
      const Value partial = b.take_partial(0);
      b.add(0, b.graph().record(std::make_shared<ConvBackwardDataOp>(options_),
                                {grad, b.input(1), partial}, {{x.shape(), x.dtype()}})[0]);
    }
    if (b.needs(1)) {
      const Value w = b.input(1);
      const DType sum = w.dtype() == DType::f64 ? DType::f64 : DType::f32;
      const Value d_w = b.graph().record(std::make_shared<ConvBackwardWeightOp>(options_),
                                         {b.input(0), grad}, {{w.shape(), sum}})[0];
      b.add(1, cast(d_w, w.dtype()));
    }
  }

 private:
  ConvOptions options_;
};

}  // namespace

Value conv2d(Value x, Value weight, Value bias, const ConvOptions& o, Value addend) {
  check_same_dtype("conv2d", {x, weight, bias, addend});
  const Shape& xs = x.shape();
  const Shape& ws = weight.shape();
  check_op(xs.rank() == 4 && ws.rank() == 4, "conv2d", x, [&] {
    return "expected an image and a [co, ci, kh, kw] weight; got " + describe(x) + " and " +
           describe(weight);
  });
  check_op(xs[3] == ws[1], "conv2d", x, [&] {
    return "weight expects " + std::to_string(ws[1]) + " input channels; input has " +
           std::to_string(xs[3]) + " " + xs.str();
  });
  check_op(!bias || bias.shape().count() == ws[0], "conv2d", x,
           [&] { return "bias must hold " + std::to_string(ws[0]) + " values"; });
  const std::int64_t h = (xs[1] + o.pad_top + o.pad_bottom - ws[2]) / o.stride + 1;
  const std::int64_t w = (xs[2] + o.pad_left + o.pad_right - ws[3]) / o.stride + 1;
  check_op(h > 0 && w > 0, "conv2d", x,
           [&] { return "the kernel is larger than the padded input " + xs.str(); });
  const Shape shape{xs[0], h, w, ws[0]};
  check_op(!addend || addend.shape() == shape, "conv2d", x,
           [&] { return "addend must have the result's shape " + shape.str(); });
  return x.graph().record(std::make_shared<ConvOp>(o), {x, weight, bias, addend},
                          {{shape, x.dtype()}})[0];
}

}  // namespace mantissa
