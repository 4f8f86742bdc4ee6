// DoRA: the magnitude's factor from the factored norm or that of a whole change, and the scaling of
// channels by it.
#include "engine/graph/op_check.h"
#include "engine/graph/ops.h"

namespace mantissa {
namespace {

using Views = std::vector<View>;

DType norm_dtype(Value weight) {
  return weight.dtype() == DType::f64 ? DType::f64 : DType::f32;
}

class DetachOp final : public Op {
 public:
  const char* name() const override { return "detach"; }
  void run(Kernels&, const Views&, const Views&, const RunContext&) const override {}
  bool is_alias() const override { return true; }
};

class DoraNormOp final : public Op {
 public:
  // inputs: weight, weight scale, down, up, squares. No backward: the norm is detached.
  // `quantized` is the weight's tensor if it holds codes: it has their scales.
  DoraNormOp(const Tensor* quantized, float scale, bool per_input)
      : quantized_(quantized), scale_(scale), per_input_(per_input) {}
  const char* name() const override { return "dora_norm"; }
  void run(Kernels& k, const Views& in, const Views& out, const RunContext&) const override {
    const View weight_scale = quantized_ != nullptr ? quantized_->scale_view() : in[1];
    k.dora_norm({in[0], weight_scale, in[2], in[3], in[4], scale_, per_input_}, out[0]);
  }

 private:
  const Tensor* quantized_;
  float scale_;
  bool per_input_;
};

/// One value for each channel over a matrix [out, cols]: of its rows, or of `area` columns each.
Value over_matrix(Value channels, const Shape& matrix, bool per_input) {
  Graph& graph = channels.graph();
  const std::int64_t count = channels.shape().count(), rows = matrix[0], cols = matrix[1];
  const auto ones = [&](const Shape& shape) {
    return constant(graph, channels.dtype(), shape, 1.0F);
  };
  const Value column = reshape(channels, {count, 1});
  if (!per_input) {
    return matmul(column, ones({1, cols}), {});
  }
  return matmul(ones({rows, 1}), reshape(matmul(column, ones({1, cols / count}), {}), {1, cols}),
                {});
}

/// numerator / norm; 0 where the norm or the weight's own vanishes.
Value divided_by_norm(Value numerator, Value norm, Value squares);

class ChangedNormOp final : public Op {
 public:
  // inputs: weight, change, squares
  ChangedNormOp(Tensor& weight, bool per_input) : weight_(&weight), per_input_(per_input) {}
  const char* name() const override { return "changed_norm"; }
  void run(Kernels& k, const Views& in, const Views& out, const RunContext&) const override {
    DoraNormArgs args;
    args.weight = in[0];
    args.weight_scale = is_coded(in[0].dtype) ? weight_->scale_view() : View{};
    args.down = in[1];
    args.per_input = per_input_;
    k.dora_norm(args, out[0]);
  }
  void backward(Backward& b) const override {
    // d‖V_i‖ = V_i/‖V_i‖, with V the sum again.
    const Value change = b.input(1), norm = b.output(0);
    const DType type = norm.dtype();
    const Value weight = read_tensor(b.graph(), *weight_, type);
    const Value v = add(reshape(weight, change.shape()), cast(change, type));
    const Value share = divided_by_norm(b.grad(), norm, b.input(2));
    b.add(1, cast(multiply(v, over_matrix(share, change.shape(), per_input_)), change.dtype()));
  }

 private:
  Tensor* weight_;
  bool per_input_;
};

class DivideByNormOp final : public Op {
 public:
  // inputs: numerator, norm, squares
  DivideByNormOp(float least, float otherwise, NormGradient gradient = NormGradient::detached)
      : least_(least), otherwise_(otherwise), gradient_(gradient) {}
  const char* name() const override { return "divide_by_norm"; }
  void run(Kernels& k, const Views& in, const Views& out, const RunContext&) const override {
    k.divide_by_norm(in[0], in[1], in[2], least_, otherwise_, out[0]);
  }
  bool may_overwrite(int input) const override { return input == 0; }
  void backward(Backward& b) const override {
    if (b.needs(0)) {
      b.add(0, b.graph().record(std::make_shared<DivideByNormOp>(least_, 0.0F),
                                {b.grad(), b.input(1), b.input(2)},
                                {{b.input(0).shape(), b.input(0).dtype()}})[0]);
    }
    if (gradient_ == NormGradient::of_norm && b.needs(1)) {
      // d(m/n)/dn = -(m/n)/n
      const Value slope = divided_by_norm(b.output(0), b.input(1), b.input(2));
      b.add(1, scale(multiply(b.grad(), slope), -1.0F));
    }
  }

 private:
  float least_, otherwise_;
  NormGradient gradient_;
};

Value divided_by_norm(Value numerator, Value norm, Value squares) {
  return numerator.graph().record(std::make_shared<DivideByNormOp>(kDoraLeastNorm, 0.0F),
                                  {numerator, norm, squares},
                                  {{numerator.shape(), numerator.dtype()}})[0];
}

class ScaleChannelsBackwardOp final : public Op {
 public:
  // inputs: d_out, z, v, bias, addend, factor -> (d_v, ) d_factor
  const char* name() const override { return "scale_channels_backward"; }
  void run(Kernels& k, const Views& in, const Views& out, const RunContext&) const override {
    // If v is given, z is not read.
    const View& z = in[1] ? in[1] : in[2];
    const View d_v = out.size() > 1 ? out[0] : View{};
    k.scale_channels_backward(in[0], z, in[2], in[3], in[4], in[5], d_v, out.back());
  }
  bool may_overwrite(int input) const override { return input == 0; }
};

class ScaleChannelsOp final : public Op {
 public:
  // inputs: z, v, bias, addend, factor; factor is absent if v is added unscaled
  const char* name() const override { return "scale_channels"; }
  void run(Kernels& k, const Views& in, const Views& out, const RunContext&) const override {
    k.scale_channels(in[0], in[1], in[2], in[3], in[4], out[0]);
  }
  bool may_overwrite(int input) const override { return input < 2; }
  void backward(Backward& b) const override {
    const Value grad = b.grad(), v = b.input(1);
    if (!b.input(4)) {
      for (int i : {0, 1}) {
        if (b.needs(i)) {
          b.add(i, grad);
        }
      }
      return;
    }
    const int scaled = v ? 1 : 0;  // the input that the factor scales
    std::vector<OutputSpec> outputs;
    if (b.needs(scaled)) {
      outputs.push_back({grad.shape(), grad.dtype()});
    }
    outputs.push_back({b.input(4).shape(), b.input(4).dtype()});
    if (b.needs(4) || b.needs(scaled)) {
      const std::vector<Value> d = b.graph().record(
          std::make_shared<ScaleChannelsBackwardOp>(),
          {grad, v ? Value{} : b.input(0), v, b.input(2), b.input(3), b.input(4)}, outputs);
      if (b.needs(4)) {
        b.add(4, d.back());
      }
      if (b.needs(scaled)) {
        b.add(scaled, d.front());
      }
    }
    if (v && b.needs(0)) {
      b.add(0, grad);
    }
    if (b.needs(3)) {
      b.add(3, grad);
    }
  }
};

}  // namespace

Value detach(Value x) {
  return x.graph().record(std::make_shared<DetachOp>(), {x}, {{x.shape(), x.dtype()}})[0];
}

Value norm_operand(Graph& graph, Tensor& weight) {
  return is_grouped(weight.dtype) ? read_tensor(graph, weight, DType::f32) : graph.use(weight);
}

Value dora_norm(const DoraNormInputs& in, float scale, bool per_input) {
  const Shape& w = in.weight.shape();
  const std::int64_t rank = in.down.shape()[0];
  check_op((w.rank() == 2 || w.rank() == 4) && in.down.shape().count() * w[0] == rank * w.count() &&
               in.up.shape().count() == w[0] * rank,
           "dora_norm", in.weight, [&] {
             return "down " + in.down.shape().str() + " and up " + in.up.shape().str() +
                    " don't fit the weight " + describe(in.weight);
           });
  const DType type = norm_dtype(in.weight);
  const Shape channels{per_input ? w[1] : w[0]};
  check_op(in.squares.dtype() == type && in.squares.shape() == channels, "dora_norm", in.weight,
           [&] {
             return "squares must be " + std::string(dtype_name(type)) + " " + channels.str() +
                    "; got " + describe(in.squares);
           });
  const Tensor* tensor =
      in.weight.graph().values()[static_cast<std::size_t>(in.weight.id())].tensor;
  const bool quantized = tensor != nullptr && tensor->has_scale();
  return in.weight.graph().record(
      std::make_shared<DoraNormOp>(quantized ? tensor : nullptr, scale, per_input),
      {in.weight, in.weight_scale, in.down, in.up, in.squares}, {{channels, type}})[0];
}

Value changed_norm(Tensor& weight, Value change, Value squares, bool per_input) {
  const Value stored = norm_operand(change.graph(), weight);
  const Shape& w = weight.shape;
  const DType type = norm_dtype(stored);
  const Shape channels{per_input ? w[1] : w[0]};
  check_op(change.shape().rank() == 2 && change.shape()[0] == w[0] &&
               change.shape().count() == w.count() &&
               (change.dtype() == DType::f64) == (type == DType::f64),
           "changed_norm", change,
           [&] { return describe(change) + " doesn't fit the weight " + describe(stored); });
  check_op(squares.dtype() == type && squares.shape() == channels, "changed_norm", change, [&] {
    return "squares must be " + std::string(dtype_name(type)) + " " + channels.str() + "; got " +
           describe(squares);
  });
  return change.graph().record(std::make_shared<ChangedNormOp>(weight, per_input),
                               {stored, change, squares}, {{channels, type}})[0];
}

Value dora_factor(Value magnitude, Value norm, Value squares, NormGradient gradient) {
  check_same_dtype("divide_by_norm", {magnitude, norm, squares});
  check_op(magnitude.shape() == norm.shape() && magnitude.shape() == squares.shape(),
           "divide_by_norm", magnitude, [&] {
             return "shapes differ: " + describe(magnitude) + ", " + describe(norm) + " and " +
                    describe(squares);
           });
  return magnitude.graph().record(std::make_shared<DivideByNormOp>(kDoraLeastNorm, 1.0F, gradient),
                                  {magnitude, norm, squares},
                                  {{magnitude.shape(), magnitude.dtype()}})[0];
}

Value scale_channels(Value z, Value factor, const ScaleChannelsArgs& args) {
  check_same_dtype("scale_channels", {z, args.v, args.addend});
  const DType type = z.dtype() == DType::f64 ? DType::f64 : DType::f32;
  check_op(factor || args.v, "scale_channels", z, "without a factor there must be v");
  check_op(!factor || (factor.dtype() == type && factor.shape().count() == z.shape().cols()),
           "scale_channels", z, [&] {
             return "factor must be " + std::string(dtype_name(type)) +
                    ", one value a channel of " + describe(z) + "; got " +
                    (factor ? describe(factor) : "");
           });
  check_op(!args.v || (!args.bias && !args.addend), "scale_channels", z,
           "v excludes bias and addend");
  check_op(!args.bias || ((args.bias.dtype() == z.dtype() || args.bias.dtype() == type) &&
                          args.bias.shape().count() == z.shape().cols()),
           "scale_channels", z, "bias must hold one value a channel, in z's dtype or fp32");
  for (const Value& like : {args.v, args.addend}) {
    check_op(!like || like.shape() == z.shape(), "scale_channels", z,
             [&] { return "v and addend must have the shape of " + describe(z); });
  }
  return z.graph().record(std::make_shared<ScaleChannelsOp>(),
                          {z, args.v, args.bias, args.addend, factor}, {{z.shape(), z.dtype()}})[0];
}

}  // namespace mantissa
