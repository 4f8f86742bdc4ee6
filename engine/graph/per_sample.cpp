// One vector [batch or 1, channels] applied to all rows of a sample: shifts, scales and gates, with
// their backwards.
#include "engine/graph/op_check.h"
#include "engine/graph/ops.h"

namespace mantissa {
namespace {

using Views = std::vector<View>;

class SumPerSampleOp final : public Op {
 public:
  const char* name() const override { return "sum_per_sample"; }
  void run(Kernels& k, const Views& in, const Views& out, const RunContext&) const override {
    k.sum_per_sample(in[0], out[0], false);
  }
};

class DotPerSampleOp final : public Op {
 public:
  const char* name() const override { return "dot_per_sample"; }
  void run(Kernels& k, const Views& in, const Views& out, const RunContext&) const override {
    k.dot_per_sample(in[0], in[1], out[0]);
  }
};

/// y·gate, without the residual: the gradient of gated_add's y.
class GateOp final : public Op {
 public:
  const char* name() const override { return "gate"; }
  void run(Kernels& k, const Views& in, const Views& out, const RunContext&) const override {
    k.gated_add({}, in[0], in[1], out[0]);
  }
  bool may_overwrite(int input) const override { return input == 0; }
  bool takes_slice(int input) const override { return input == 1; }
};

Value sum_per_sample(Value x, const Shape& shape) {
  return x.graph().record(std::make_shared<SumPerSampleOp>(), {x}, {{shape, x.dtype()}})[0];
}

Value dot_per_sample(Value x, Value y, const Shape& shape) {
  return x.graph().record(std::make_shared<DotPerSampleOp>(), {x, y}, {{shape, x.dtype()}})[0];
}

class AddPerSampleOp final : public Op {
 public:
  const char* name() const override { return "add_per_sample"; }
  void run(Kernels& k, const Views& in, const Views& out, const RunContext&) const override {
    k.add_per_sample(in[0], in[1], out[0]);
  }
  void backward(Backward& b) const override {
    if (b.needs(0)) {
      b.add(0, b.grad());
    }
    if (b.needs(1)) {
      b.add(1, sum_per_sample(b.grad(), b.input(1).shape()));
    }
  }
  bool may_overwrite(int input) const override { return input == 0; }
  bool takes_slice(int input) const override { return input == 1; }
};

class ModulateOp final : public Op {
 public:
  // inputs: x, scale, shift (absent in the backward, or where there is none)
  const char* name() const override { return "modulate"; }
  bool cheap_to_repeat() const override { return true; }
  void run(Kernels& k, const Views& in, const Views& out, const RunContext&) const override {
    k.modulate(in[0], in[1], in[2], out[0]);
  }
  void backward(Backward& b) const override {
    if (b.needs(0)) {
      b.add(0, b.graph().record(std::make_shared<ModulateOp>(), {b.grad(), b.input(1), Value{}},
                                {{b.grad().shape(), b.grad().dtype()}})[0]);
    }
    if (b.needs(1)) {
      b.add(1, dot_per_sample(b.grad(), b.input(0), b.input(1).shape()));
    }
    if (b.needs(2)) {
      b.add(2, sum_per_sample(b.grad(), b.input(2).shape()));
    }
  }
  bool may_overwrite(int input) const override { return input == 0; }
  bool takes_slice(int input) const override { return input > 0; }
};

class GatedAddOp final : public Op {
 public:
  // inputs: x, y, gate
  const char* name() const override { return "gated_add"; }
  void run(Kernels& k, const Views& in, const Views& out, const RunContext&) const override {
    k.gated_add(in[0], in[1], in[2], out[0]);
  }
  void backward(Backward& b) const override {
    if (b.needs(0)) {
      b.add(0, b.grad());
    }
    if (b.needs(1)) {
      b.add(1, b.graph().record(std::make_shared<GateOp>(), {b.grad(), b.input(2)},
                                {{b.grad().shape(), b.grad().dtype()}})[0]);
    }
    if (b.needs(2)) {
      b.add(2, dot_per_sample(b.grad(), b.input(1), b.input(2).shape()));
    }
  }
  bool may_overwrite(int input) const override { return input < 2; }
  bool takes_slice(int input) const override { return input == 2; }
};

void check_per_sample(const char* op, Value x, Value t) {
  check_op(x.shape().rank() >= 2 && t.shape().rank() == 2 && t.shape()[1] == x.shape().cols() &&
               (t.shape()[0] == x.shape()[0] || t.shape()[0] == 1),
           op, x, [&] {
             return "expected [batch, channels] beside " + describe(x) + "; got " + describe(t);
           });
}

}  // namespace

Value add_per_sample(Value x, Value t) {
  check_same_dtype("add_per_sample", {x, t});
  check_per_sample("add_per_sample", x, t);
  return x.graph().record(std::make_shared<AddPerSampleOp>(), {x, t}, {{x.shape(), x.dtype()}})[0];
}

Value modulate(Value x, Value scale, Value shift) {
  check_same_dtype("modulate", {x, scale, shift});
  check_per_sample("modulate", x, scale);
  if (shift) {
    check_per_sample("modulate", x, shift);
  }
  return x.graph().record(std::make_shared<ModulateOp>(), {x, scale, shift},
                          {{x.shape(), x.dtype()}})[0];
}

Value gated_add(Value x, Value y, Value gate) {
  check_same_dtype("gated_add", {x, y, gate});
  check_op(x.shape() == y.shape(), "gated_add", x,
           [&] { return "shapes differ: " + describe(x) + " and " + describe(y); });
  check_per_sample("gated_add", x, gate);
  return x.graph().record(std::make_shared<GatedAddOp>(), {x, y, gate},
                          {{x.shape(), x.dtype()}})[0];
}

}  // namespace mantissa
