// Data movement and elementwise ops, each with its backward; accumulation of gradients into
// tensors.
#include <algorithm>

#include "engine/graph/channels.h"
#include "engine/graph/gradient_op.h"
#include "engine/graph/op_check.h"
#include "engine/graph/ops.h"

namespace mantissa {
namespace {

using Views = std::vector<View>;

class CastOp final : public Op {
 public:
  const char* name() const override { return "cast"; }
  void run(Kernels& k, const Views& in, const Views& out, const RunContext&) const override {
    k.copy(in[0], out[0]);
  }
  void backward(Backward& b) const override { b.add(0, cast(b.grad(), b.input(0).dtype())); }
};

class ReshapeOp final : public Op {
 public:
  const char* name() const override { return "reshape"; }
  void run(Kernels&, const Views&, const Views&, const RunContext&) const override {}
  void backward(Backward& b) const override { b.add(0, reshape(b.grad(), b.input(0).shape())); }
  bool is_alias() const override { return true; }
};

class SwapMiddleOp final : public Op {
 public:
  const char* name() const override { return "swap_middle"; }
  void run(Kernels& k, const Views& in, const Views& out, const RunContext&) const override {
    k.swap_middle(in[0], out[0]);
  }
  void backward(Backward& b) const override { b.add(0, swap_middle(b.grad())); }
};

class ConstantOp final : public Op {
 public:
  explicit ConstantOp(float value) : value_(value) {}
  const char* name() const override { return "constant"; }
  void run(Kernels& k, const Views&, const Views& out, const RunContext&) const override {
    k.fill(out[0], value_);
  }

 private:
  float value_;
};

class ConcatOp final : public Op {
 public:
  const char* name() const override { return "concat_channels"; }
  void run(Kernels& k, const Views& in, const Views& out, const RunContext&) const override {
    k.copy(in[0], channels_of(out[0], 0, in[0].cols()));
    k.copy(in[1], channels_of(out[0], in[0].cols(), in[1].cols()));
  }
  void backward(Backward& b) const override {
    const std::int64_t first = b.input(0).shape().cols();
    if (b.needs(0)) {
      b.add(0, slice_channels(b.grad(), 0, first));
    }
    if (b.needs(1)) {
      b.add(1, slice_channels(b.grad(), first, b.input(1).shape().cols()));
    }
  }
};

/// Writes x into channels [begin, …) of a wider tensor of zeros: the backward of a slice.
class EmbedChannelsOp final : public Op {
 public:
  explicit EmbedChannelsOp(std::int64_t begin) : begin_(begin) {}
  const char* name() const override { return "embed_channels"; }
  void run(Kernels& k, const Views& in, const Views& out, const RunContext&) const override {
    k.fill(out[0], 0.0F);
    k.copy(in[0], channels_of(out[0], begin_, in[0].cols()));
  }

 private:
  std::int64_t begin_;
};

class SliceOp final : public Op {
 public:
  explicit SliceOp(std::int64_t begin) : begin_(begin) {}
  const char* name() const override { return "slice_channels"; }
  void run(Kernels& k, const Views& in, const Views& out, const RunContext&) const override {
    k.copy(channels_of(in[0], begin_, out[0].cols()), out[0]);
  }
  void backward(Backward& b) const override {
    const Value x = b.input(0);
    b.add(0, b.graph().record(std::make_shared<EmbedChannelsOp>(begin_), {b.grad()},
                              {{x.shape(), x.dtype()}})[0]);
  }

 private:
  std::int64_t begin_;
};

class AddOp final : public Op {
 public:
  const char* name() const override { return "add"; }
  void run(Kernels& k, const Views& in, const Views& out, const RunContext&) const override {
    k.add(in[0], in[1], out[0]);
  }
  void backward(Backward& b) const override {
    for (int i : {0, 1}) {
      if (b.needs(i)) {
        b.add(i, b.grad());
      }
    }
  }
  bool may_overwrite(int) const override { return true; }
};

class MultiplyOp final : public Op {
 public:
  const char* name() const override { return "multiply"; }
  void run(Kernels& k, const Views& in, const Views& out, const RunContext&) const override {
    k.multiply(in[0], in[1], out[0]);
  }
  void backward(Backward& b) const override {
    for (int i : {0, 1}) {
      if (b.needs(i)) {
        b.add(i, multiply(b.grad(), b.input(1 - i)));
      }
    }
  }
  bool may_overwrite(int) const override { return true; }
};

class ScaleOp final : public Op {
 public:
  explicit ScaleOp(float factor) : factor_(factor) {}
  const char* name() const override { return "scale"; }
  void run(Kernels& k, const Views& in, const Views& out, const RunContext&) const override {
    k.scale(in[0], factor_, out[0]);
  }
  void backward(Backward& b) const override { b.add(0, scale(b.grad(), factor_)); }
  bool may_overwrite(int) const override { return true; }

 private:
  float factor_;
};

class DropoutOp final : public Op {
 public:
  DropoutOp(float p, std::uint32_t stream) : p_(p), stream_(stream) {}
  const char* name() const override { return "dropout"; }
  bool cheap_to_repeat() const override { return true; }
  void run(Kernels& k, const Views& in, const Views& out, const RunContext& c) const override {
    k.dropout(in[0], p_, {c.seed, stream_, c.step, 0}, out[0]);
  }
  void backward(Backward& b) const override { b.add(0, dropout(b.grad(), p_, stream_)); }
  bool may_overwrite(int) const override { return true; }

 private:
  float p_;
  std::uint32_t stream_;
};

class AccumulateGradientOp final : public GradientOp {
 public:
  using GradientOp::GradientOp;
  const char* name() const override { return "accumulate_gradient"; }

 protected:
  void add_onto(const View& sum, Kernels& k, const Views& in) const override {
    k.add(sum, in[0], sum);
  }
};

const Node* producer(Value value) {
  const Graph& graph = value.graph();
  const int index = graph.values()[static_cast<std::size_t>(value.id())].producer;
  return index < 0 ? nullptr : &graph.nodes()[static_cast<std::size_t>(index)];
}

template <typename OpType>
bool is_a(const Node* node) {
  return node != nullptr && dynamic_cast<const OpType*>(node->op.get()) != nullptr;
}

/// `value` before casts and reshapes.
Value uncast(Value value) {
  while (is_a<CastOp>(producer(value)) || is_a<ReshapeOp>(producer(value))) {
    value = {&value.graph(), producer(value)->inputs[0]};
  }
  return value;
}

/// The op that accumulates `term` into its tensor's gradient directly; null if there is none.
std::shared_ptr<const Op> accumulating(Value value, const GradientTerm& term) {
  const Node* node = producer(value);
  const DType sum = term.tensor->grad_dtype;
  const bool fits = sum == DType::f32 && (value.dtype() == sum || dtype_size(value.dtype()) == 2);
  return node != nullptr && fits && node->outputs[0] == value.id()
             ? node->op->accumulating(*node, term)
             : nullptr;
}

/// The terms that `gradient` was summed from.
void find_terms(Value gradient, std::vector<Value>& terms) {
  if (!is_a<AddOp>(producer(gradient))) {
    terms.push_back(gradient);
    return;
  }
  const std::vector<int> inputs = producer(gradient)->inputs;
  for (int id : inputs) {
    find_terms({&gradient.graph(), id}, terms);
  }
}

}  // namespace

Value cast(Value x, DType dtype) {
  if (x.dtype() == dtype) {
    return x;
  }
  return x.graph().record(std::make_shared<CastOp>(), {x}, {{x.shape(), dtype}})[0];
}

Value reshape(Value x, const Shape& shape) {
  check_op(x.shape().count() == shape.count(), "reshape", x,
           [&] { return "can't see " + describe(x) + " as " + shape.str(); });
  if (x.shape() == shape) {
    return x;
  }
  return x.graph().record(std::make_shared<ReshapeOp>(), {x}, {{shape, x.dtype()}})[0];
}

Value swap_middle(Value x) {
  const Shape& s = x.shape();
  check_op(s.rank() == 4, "swap_middle", x, [&] { return "expected rank 4; got " + describe(x); });
  return x.graph().record(std::make_shared<SwapMiddleOp>(), {x},
                          {{{s[0], s[2], s[1], s[3]}, x.dtype()}})[0];
}

Value constant(Graph& graph, DType dtype, const Shape& shape, float value) {
  return graph.record(std::make_shared<ConstantOp>(value), {}, {{shape, dtype}})[0];
}

Value concat_channels(Value a, Value b) {
  check_same_dtype("concat_channels", {a, b});
  Shape shape = a.shape();
  Shape other = b.shape();
  bool match = shape.rank() == other.rank() && shape.rank() > 0;
  for (int i = 0; match && i + 1 < shape.rank(); ++i) {
    match = shape[i] == other[i];
  }
  check_op(match, "concat_channels", a, [&] {
    return "shapes differ before the last dimension: " + describe(a) + " and " + describe(b);
  });
  shape[shape.rank() - 1] += other[-1];
  return a.graph().record(std::make_shared<ConcatOp>(), {a, b}, {{shape, a.dtype()}})[0];
}

Value slice_channels(Value x, std::int64_t begin, std::int64_t count) {
  Shape shape = x.shape();
  check_op(begin >= 0 && count > 0 && begin + count <= shape.cols(), "slice_channels", x, [&] {
    return "channels " + std::to_string(begin) + "+" + std::to_string(count) + " lie outside " +
           describe(x);
  });
  shape[shape.rank() - 1] = count;
  return x.graph().record(std::make_shared<SliceOp>(begin), {x}, {{shape, x.dtype()}})[0];
}

Value add(Value a, Value b) {
  check_same_dtype("add", {a, b});
  check_op(a.shape() == b.shape(), "add", a,
           [&] { return "shapes differ: " + describe(a) + " and " + describe(b); });
  return a.graph().record(std::make_shared<AddOp>(), {a, b}, {{a.shape(), a.dtype()}})[0];
}

Value multiply(Value a, Value b) {
  check_same_dtype("multiply", {a, b});
  check_op(a.shape() == b.shape(), "multiply", a,
           [&] { return "shapes differ: " + describe(a) + " and " + describe(b); });
  return a.graph().record(std::make_shared<MultiplyOp>(), {a, b}, {{a.shape(), a.dtype()}})[0];
}

Value scale(Value x, float factor) {
  return x.graph().record(std::make_shared<ScaleOp>(factor), {x}, {{x.shape(), x.dtype()}})[0];
}

Value dropout(Value x, float p, std::uint32_t stream) {
  check_op(p >= 0.0F && p < 1.0F, "dropout", x,
           [&] { return "p must lie in [0, 1); got " + std::to_string(p); });
  return p == 0.0F ? x
                   : x.graph().record(std::make_shared<DropoutOp>(p, stream), {x},
                                      {{x.shape(), x.dtype()}})[0];
}

void accumulate_gradient(Value gradient, Tensor& tensor) {
  Graph& graph = gradient.graph();
  const auto adding = [&](Value value, bool last) {
    return accumulating(value, {&tensor, value.shape(), last});
  };
  // GEMMs accumulate directly: one launch instead of three, without rounding to their own dtype.
  // The plan drops what is no longer read.
  std::vector<Value> terms;
  find_terms(gradient, terms);
  if (std::none_of(terms.begin(), terms.end(),
                   [&](Value term) { return adding(uncast(term), false) != nullptr; })) {
    terms = {gradient};
  }
  for (std::size_t i = 0; i < terms.size(); ++i) {
    const bool last = i + 1 == terms.size();
    const Value product = uncast(terms[i]);
    if (std::shared_ptr<const Op> op = adding(product, last)) {
      std::vector<Value> inputs;
      for (int id : producer(product)->inputs) {
        inputs.push_back(id < 0 ? Value{} : Value{&graph, id});
      }
      graph.record(std::move(op), inputs, {});
    } else {
      graph.record(
          std::make_shared<AccumulateGradientOp>(GradientTerm{&tensor, tensor.shape, last}),
          {cast(terms[i], tensor.grad_dtype)}, {});
    }
  }
}

}  // namespace mantissa
