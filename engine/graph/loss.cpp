// The noised input and the loss, with their backwards.
#include "engine/graph/op_check.h"
#include "engine/graph/ops.h"

namespace mantissa {
namespace {

using Views = std::vector<View>;

class AddNoiseOp final : public Op {
 public:
  const char* name() const override { return "add_noise"; }
  void run(Kernels& k, const Views& in, const Views& out, const RunContext&) const override {
    k.add_noise(in[0], in[1], in[2], in[3], out[0]);
  }
};

class MseLossBackwardOp final : public Op {
 public:
  const char* name() const override { return "mse_loss_backward"; }
  void run(Kernels& k, const Views& in, const Views& out, const RunContext&) const override {
    k.mse_loss_backward(in[0], in[1], in[2], in[3], out[0]);
  }
};

class MseLossOp final : public Op {
 public:
  const char* name() const override { return "mse_loss"; }
  void run(Kernels& k, const Views& in, const Views& out, const RunContext&) const override {
    k.mse_loss(in[0], in[1], in[2], out[1], out[0]);
  }
  void backward(Backward& b) const override {
    const Value p = b.input(0);
    b.add(0, b.graph().record(std::make_shared<MseLossBackwardOp>(),
                              {b.grad(), p, b.input(1), b.input(2)}, {{p.shape(), p.dtype()}})[0]);
  }
};

class HuberLossBackwardOp final : public Op {
 public:
  const char* name() const override { return "huber_loss_backward"; }
  void run(Kernels& k, const Views& in, const Views& out, const RunContext&) const override {
    k.huber_loss_backward(in[0], in[1], in[2], in[3], in[4], out[0]);
  }
};

class HuberLossOp final : public Op {
 public:
  const char* name() const override { return "huber_loss"; }
  void run(Kernels& k, const Views& in, const Views& out, const RunContext&) const override {
    k.huber_loss(in[0], in[1], in[2], in[3], out[1], out[0]);
  }
  void backward(Backward& b) const override {
    const Value p = b.input(0);
    b.add(0, b.graph().record(std::make_shared<HuberLossBackwardOp>(),
                              {b.grad(), p, b.input(1), b.input(2), b.input(3)},
                              {{p.shape(), p.dtype()}})[0]);
  }
};

void check_loss(const char* op, Value prediction, Value target, Value weight) {
  check_same_dtype(op, {prediction, target, weight});
  check_op(prediction.dtype() == DType::f32 || prediction.dtype() == DType::f64, op, prediction,
           [&] { return "the loss is taken in fp32; got " + describe(prediction); });
  check_op(prediction.shape() == target.shape() && weight.shape() == Shape{prediction.shape()[0]},
           op, prediction, [&] {
             return "expected a target of the prediction's shape and [batch] weights; got " +
                    describe(prediction) + ", " + describe(target) + ", " + describe(weight);
           });
  check_op(!target.needs_grad(), op, prediction, "the target can't be trained");
}

Loss record_loss(std::shared_ptr<const Op> op, const std::vector<Value>& inputs) {
  const Value prediction = inputs[0];
  const auto out = prediction.graph().record(
      std::move(op), inputs,
      {{Shape{}, prediction.dtype()}, {{prediction.shape()[0]}, prediction.dtype()}});
  return {out[0], out[1]};
}

}  // namespace

Value add_noise(Value x, Value noise, Value a, Value s) {
  check_same_dtype("add_noise", {x, noise});
  const Shape batch{x.shape()[0]};
  check_op(x.shape() == noise.shape() && a.shape() == batch && s.shape() == batch, "add_noise", x,
           [&] {
             return "expected noise like " + describe(x) + " and [batch] factors; got " +
                    describe(noise) + ", " + describe(a) + ", " + describe(s);
           });
  check_op(!x.needs_grad() && !noise.needs_grad(), "add_noise", x, "its inputs can't be trained");
  return x.graph().record(std::make_shared<AddNoiseOp>(), {x, noise, a, s},
                          {{x.shape(), x.dtype()}})[0];
}

Loss mse_loss(Value prediction, Value target, Value weight) {
  check_loss("mse_loss", prediction, target, weight);
  return record_loss(std::make_shared<MseLossOp>(), {prediction, target, weight});
}

Loss huber_loss(Value prediction, Value target, Value weight, Value width) {
  check_loss("huber_loss", prediction, target, weight);
  check_same_dtype("huber_loss", {weight, width});
  check_op(width.shape() == weight.shape(), "huber_loss", prediction,
           [&] { return "expected [batch] widths; got " + describe(width); });
  return record_loss(std::make_shared<HuberLossOp>(), {prediction, target, weight, width});
}

}  // namespace mantissa
