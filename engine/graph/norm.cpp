// GroupNorm (with the following SiLU), LayerNorm and RMSNorm, with their backwards.
#include "engine/graph/op_check.h"
#include "engine/graph/ops.h"

namespace mantissa {
namespace {

using Views = std::vector<View>;

/// Outputs of a norm's backward: d_x always, d_gamma and d_beta only if needed.
class NormBackwardOp : public Op {
 public:
  explicit NormBackwardOp(bool parameters) : parameters_(parameters) {}

 protected:
  /// Zeroed [c] views to accumulate into, or empty ones.
  void parameter_views(Kernels& k, const Views& out, View& d_gamma, View& d_beta) const {
    if (parameters_) {
      d_gamma = out[1];
      d_beta = out[2];
      k.fill(d_gamma, 0.0F);
      k.fill(d_beta, 0.0F);
    }
  }
  bool parameters_;
};

class GroupNormBackwardOp final : public NormBackwardOp {
 public:
  // inputs: d_out, x, gamma, beta, statistics
  GroupNormBackwardOp(int groups, bool silu, bool parameters)
      : NormBackwardOp(parameters), groups_(groups), silu_(silu) {}
  const char* name() const override { return "group_norm_backward"; }
  void run(Kernels& k, const Views& in, const Views& out, const RunContext&) const override {
    View d_gamma, d_beta;
    parameter_views(k, out, d_gamma, d_beta);
    k.group_norm_backward(in[0], in[1], in[2], in[3], in[4], out[0], d_gamma, d_beta, groups_,
                          silu_);
  }

 private:
  int groups_;
  bool silu_;
};

class LayerNormBackwardOp final : public NormBackwardOp {
 public:
  // inputs: d_out, x, gamma, statistics, x's gradient so far (may be absent)
  using NormBackwardOp::NormBackwardOp;
  const char* name() const override { return "layer_norm_backward"; }
  bool may_overwrite(int input) const override { return input == 4; }
  void run(Kernels& k, const Views& in, const Views& out, const RunContext&) const override {
    View d_gamma, d_beta;
    parameter_views(k, out, d_gamma, d_beta);
    k.layer_norm_backward(in[0], in[1], in[2], in[3], in[4], out[0], d_gamma, d_beta);
  }
};

class RmsNormBackwardOp final : public Op {
 public:
  // inputs: d_out, x, gamma, statistics; outputs: d_x and, with `parameters`, d_gamma
  RmsNormBackwardOp(bool parameters, bool unit_offset)
      : parameters_(parameters), unit_offset_(unit_offset) {}
  const char* name() const override { return "rms_norm_backward"; }
  void run(Kernels& k, const Views& in, const Views& out, const RunContext&) const override {
    View d_gamma;
    if (parameters_) {
      d_gamma = out[1];
      k.fill(d_gamma, 0.0F);
    }
    k.rms_norm_backward(in[0], in[1], in[2], in[3], out[0], d_gamma, unit_offset_);
  }

 private:
  bool parameters_, unit_offset_;
};

std::vector<OutputSpec> backward_outputs(Value x, Value gamma, bool parameters) {
  std::vector<OutputSpec> specs{{x.shape(), x.dtype()}};
  if (parameters) {
    specs.push_back({gamma.shape(), statistics_dtype(x.dtype())});
    specs.push_back({gamma.shape(), statistics_dtype(x.dtype())});
  }
  return specs;
}

void add_norm_gradients(Backward& b, const std::vector<Value>& d) {
  for (int i = 0; i < 3; ++i) {
    if (b.needs(i)) {
      b.add(i, cast(d[static_cast<std::size_t>(i)], b.input(i).dtype()));
    }
  }
}

class GroupNormOp final : public Op {
 public:
  // inputs: x, gamma, beta; outputs: y, statistics
  GroupNormOp(int groups, float eps, bool silu) : groups_(groups), eps_(eps), silu_(silu) {}
  const char* name() const override { return "group_norm"; }
  bool cheap_to_repeat() const override { return true; }
  void run(Kernels& k, const Views& in, const Views& out, const RunContext&) const override {
    k.group_norm(in[0], in[1], in[2], out[0], out[1], groups_, eps_, silu_);
  }
  void backward(Backward& b) const override {
    const bool parameters = b.needs(1) || b.needs(2);
    add_norm_gradients(
        b, b.graph().record(std::make_shared<GroupNormBackwardOp>(groups_, silu_, parameters),
                            {b.grad(), b.input(0), b.input(1), b.input(2), b.output(1)},
                            backward_outputs(b.input(0), b.input(1), parameters)));
  }

 private:
  int groups_;
  float eps_;
  bool silu_;
};

class LayerNormOp final : public Op {
 public:
  explicit LayerNormOp(float eps) : eps_(eps) {}
  const char* name() const override { return "layer_norm"; }
  bool cheap_to_repeat() const override { return true; }
  void run(Kernels& k, const Views& in, const Views& out, const RunContext&) const override {
    k.layer_norm(in[0], in[1], in[2], out[0], out[1], eps_);
  }
  void backward(Backward& b) const override {
    const bool parameters = b.needs(1) || b.needs(2);
    // A residual's gradient comes first: adding to it saves an op and a rounding.
    const Value addend = b.needs(0) ? b.take_partial(0) : Value();
    add_norm_gradients(b, b.graph().record(std::make_shared<LayerNormBackwardOp>(parameters),
                                           {b.grad(), b.input(0), b.input(1), b.output(1), addend},
                                           backward_outputs(b.input(0), b.input(1), parameters)));
  }

 private:
  float eps_;
};

class RmsNormOp final : public Op {
 public:
  // inputs: x, gamma; outputs: y, statistics
  RmsNormOp(float eps, bool unit_offset) : eps_(eps), unit_offset_(unit_offset) {}
  const char* name() const override { return "rms_norm"; }
  bool cheap_to_repeat() const override { return true; }
  void run(Kernels& k, const Views& in, const Views& out, const RunContext&) const override {
    k.rms_norm(in[0], in[1], out[0], out[1], eps_, unit_offset_);
  }
  void backward(Backward& b) const override {
    std::vector<OutputSpec> specs{{b.input(0).shape(), b.input(0).dtype()}};
    if (b.needs(1)) {
      specs.push_back({b.input(1).shape(), statistics_dtype(b.input(0).dtype())});
    }
    const auto d = b.graph().record(std::make_shared<RmsNormBackwardOp>(b.needs(1), unit_offset_),
                                    {b.grad(), b.input(0), b.input(1), b.output(1)}, specs);
    for (int i : {0, 1}) {
      if (b.needs(i)) {
        b.add(i, cast(d[static_cast<std::size_t>(i)], b.input(i).dtype()));
      }
    }
  }

 private:
  float eps_;
  bool unit_offset_;
};

void check_parameter(const char* op, Value x, Value p, const char* what) {
  const std::int64_t c = x.shape().cols();
  check_op(p.shape() == Shape{c}, op, x, [&] {
    return std::string(what) + " must hold " + std::to_string(c) + " values; got " + describe(p);
  });
  check_op(p.dtype() == x.dtype() || p.dtype() == DType::f32, op, x, [&] {
    return std::string(what) + " must be fp32 or the input's dtype; got " + describe(p) +
           " beside " + describe(x);
  });
}

}  // namespace

Value group_norm(Value x, Value gamma, Value beta, int groups, float eps, bool with_silu) {
  check_parameter("group_norm", x, gamma, "gamma");
  check_parameter("group_norm", x, beta, "beta");
  check_op(groups > 0 && x.shape().cols() % groups == 0, "group_norm", x, [&] {
    return std::to_string(groups) + " groups don't divide the channels of " + describe(x);
  });
  return x.graph().record(
      std::make_shared<GroupNormOp>(groups, eps, with_silu), {x, gamma, beta},
      {{x.shape(), x.dtype()}, {{x.shape()[0], groups, 2}, statistics_dtype(x.dtype())}})[0];
}

Value layer_norm(Value x, Value gamma, Value beta, float eps) {
  check_op(static_cast<bool>(gamma) == static_cast<bool>(beta), "layer_norm", x,
           "gamma and beta are both given or both absent");
  if (gamma) {
    check_parameter("layer_norm", x, gamma, "gamma");
    check_parameter("layer_norm", x, beta, "beta");
  }
  return x.graph().record(
      std::make_shared<LayerNormOp>(eps), {x, gamma, beta},
      {{x.shape(), x.dtype()}, {{x.shape().rows(), 2}, statistics_dtype(x.dtype())}})[0];
}

Value rms_norm(Value x, Value gamma, float eps, bool unit_offset) {
  check_parameter("rms_norm", x, gamma, "gamma");
  return x.graph().record(
      std::make_shared<RmsNormOp>(eps, unit_offset), {x, gamma},
      {{x.shape(), x.dtype()}, {{x.shape().rows(), 2}, statistics_dtype(x.dtype())}})[0];
}

}  // namespace mantissa
