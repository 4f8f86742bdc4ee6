// Gated linear units: SwiGLU, GEGLU and attention's sigmoid gate, with their backwards.
#include <optional>

#include "engine/graph/channels.h"
#include "engine/graph/op_check.h"
#include "engine/graph/ops.h"

namespace mantissa {
namespace {

using Views = std::vector<View>;

/// Gate and value: two tensors, or the halves of one.
struct GateAndValue {
  View gate, value;
  GateAndValue(const Views& views, std::size_t first, std::optional<GateHalf> half) {
    gate = views[first];
    if (!half) {
      value = views[first + 1];
      return;
    }
    const std::int64_t width = gate.cols() / 2;
    const std::int64_t at = *half == GateHalf::first ? 0 : width;
    value = channels_of(views[first], width - at, width);
    gate = channels_of(views[first], at, width);
  }
};

/// Kernels::glu_codes takes these.
bool codes_of_gate(Unary kind) {
  return kind == Unary::silu || kind == Unary::gelu_erf;
}

class GluBackwardOp final : public Op {
 public:
  // inputs: d_out, then gate and value, or both as one; outputs: their gradients
  GluBackwardOp(Unary kind, std::optional<GateHalf> half) : kind_(kind), half_(half) {}
  const char* name() const override {
    return kind_ == Unary::gelu_erf ? "geglu_backward" : "glu_backward";
  }
  void run(Kernels& k, const Views& in, const Views& out, const RunContext&) const override {
    const GateAndValue x(in, 1, half_), d(out, 0, half_);
    k.glu_backward(kind_, in[0], x.gate, x.value, d.gate, d.value);
  }
  bool gives_codes() const override { return half_ && codes_of_gate(kind_); }
  void run_to_codes(Kernels& k, const Views& in, const View& factor, const View& codes,
                    const View& scale) const override {
    const GateAndValue x(in, 1, half_), d({codes}, 0, half_);
    k.glu_backward_codes(kind_, in[0], x.gate, x.value, factor, d.gate, d.value, scale);
  }
  bool may_overwrite(int input) const override { return !half_ || input == 1; }
  bool takes_slice(int input) const override { return !half_ || input == 0; }

 private:
  Unary kind_;
  std::optional<GateHalf> half_;
};

class GluOp final : public Op {
 public:
  // inputs: gate and value, or both as one
  GluOp(Unary kind, std::optional<GateHalf> half) : kind_(kind), half_(half) {}
  const char* name() const override { return kind_ == Unary::gelu_erf ? "geglu" : "glu"; }
  bool cheap_to_repeat() const override { return true; }
  void run(Kernels& k, const Views& in, const Views& out, const RunContext&) const override {
    const GateAndValue x(in, 0, half_);
    k.glu(kind_, x.gate, x.value, out[0]);
  }
  bool gives_codes() const override { return codes_of_gate(kind_); }
  void run_to_codes(Kernels& k, const Views& in, const View&, const View& codes,
                    const View& scale) const override {
    const GateAndValue x(in, 0, half_);
    k.glu_codes(kind_, x.gate, x.value, codes, scale);
  }
  void backward(Backward& b) const override {
    const int count = half_ ? 1 : 2;
    std::vector<Value> inputs{b.grad()};
    std::vector<OutputSpec> outputs;
    for (int i = 0; i < count; ++i) {
      inputs.push_back(b.input(i));
      outputs.push_back({b.input(i).shape(), b.input(i).dtype()});
    }
    const std::vector<Value> d =
        b.graph().record(std::make_shared<GluBackwardOp>(kind_, half_), inputs, outputs);
    for (int i = 0; i < count; ++i) {
      if (b.needs(i)) {
        b.add(i, d[static_cast<std::size_t>(i)]);
      }
    }
  }
  bool may_overwrite(int) const override { return !half_; }
  bool takes_slice(int) const override { return !half_; }

 private:
  Unary kind_;
  std::optional<GateHalf> half_;
};

void check_gate(Unary kind, Value at) {
  check_op(
      kind == Unary::silu || kind == Unary::gelu_erf || kind == Unary::sigmoid, "glu", at,
      [&] { return "a gate is silu, gelu_erf or sigmoid, not " + std::string(unary_name(kind)); });
}

/// What split_channels divided into `part` and others.
Value whole_of(Value part) {
  Graph& graph = part.graph();
  const int producer = graph.values()[static_cast<std::size_t>(part.id())].producer;
  return {&graph, graph.nodes()[static_cast<std::size_t>(producer)].inputs[0]};
}

}  // namespace

Value glu(Unary kind, Value gate, Value value) {
  check_gate(kind, gate);
  check_same_dtype("glu", {gate, value});
  check_op(gate.shape() == value.shape(), "glu", gate,
           [&] { return "shapes differ: " + describe(gate) + " and " + describe(value); });
  if (is_whole_split({gate, value})) {
    return glu(kind, whole_of(gate), GateHalf::first);
  }
  if (is_whole_split({value, gate})) {
    return glu(kind, whole_of(gate), GateHalf::second);
  }
  return gate.graph().record(std::make_shared<GluOp>(kind, std::nullopt), {gate, value},
                             {{gate.shape(), gate.dtype()}})[0];
}

Value glu(Unary kind, Value x, GateHalf gate) {
  check_gate(kind, x);
  Shape shape = x.shape();
  check_op(shape.rank() > 0 && shape.cols() % 2 == 0, "glu", x,
           [&] { return "needs an even width; got " + describe(x); });
  shape[shape.rank() - 1] /= 2;
  return x.graph().record(std::make_shared<GluOp>(kind, gate), {x}, {{shape, x.dtype()}})[0];
}

}  // namespace mantissa
