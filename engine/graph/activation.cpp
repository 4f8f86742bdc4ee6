// Activations with their backwards.
#include "engine/graph/op_check.h"
#include "engine/graph/ops.h"

namespace mantissa {
namespace {

using Views = std::vector<View>;

class UnaryBackwardOp final : public Op {
 public:
  explicit UnaryBackwardOp(Unary kind) : kind_(kind) {}
  const char* name() const override { return "unary_backward"; }
  void run(Kernels& k, const Views& in, const Views& out, const RunContext&) const override {
    k.unary_backward(kind_, in[0], in[1], out[0]);
  }
  bool may_overwrite(int) const override { return true; }
  bool takes_slice(int) const override { return true; }

 private:
  Unary kind_;
};

class UnaryOp final : public Op {
 public:
  explicit UnaryOp(Unary kind) : kind_(kind) {}
  const char* name() const override { return "unary"; }
  bool cheap_to_repeat() const override { return true; }
  void run(Kernels& k, const Views& in, const Views& out, const RunContext&) const override {
    k.unary(kind_, in[0], out[0]);
  }
  void backward(Backward& b) const override {
    const Value x = b.input(0);
    b.add(0, b.graph().record(std::make_shared<UnaryBackwardOp>(kind_), {b.grad(), x},
                              {{x.shape(), x.dtype()}})[0]);
  }
  bool may_overwrite(int) const override { return true; }
  bool takes_slice(int) const override { return true; }

 private:
  Unary kind_;
};

}  // namespace

Value unary(Unary kind, Value x) {
  return x.graph().record(std::make_shared<UnaryOp>(kind), {x}, {{x.shape(), x.dtype()}})[0];
}

}  // namespace mantissa
