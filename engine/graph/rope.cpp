// Rotary position embedding; the backward pass is the transposed rotation.
#include "engine/graph/op_check.h"
#include "engine/graph/ops.h"

namespace mantissa {
namespace {

using Views = std::vector<View>;

class RopeOp final : public Op {
 public:
  // inputs: x, cos, sin
  explicit RopeOp(const RopeOptions& options) : options_(options) {}
  const char* name() const override { return "rope"; }
  void run(Kernels& k, const Views& in, const Views& out, const RunContext&) const override {
    k.rope(in[0], in[1], in[2], out[0], options_);
  }
  void backward(Backward& b) const override {
    RopeOptions back = options_;
    back.inverse = !back.inverse;
    b.add(0, rope(b.grad(), b.input(1), b.input(2), back));
  }
  bool may_overwrite(int input) const override { return input == 0; }
  bool takes_slice(int input) const override { return input == 0; }

 private:
  RopeOptions options_;
};

}  // namespace

Value rope(Value x, Value cos, Value sin, const RopeOptions& options) {
  const Shape& shape = x.shape();
  check_op(shape.rank() == 3 && options.heads > 0 && shape[2] % (2 * options.heads) == 0, "rope", x,
           [&] {
             return "expected [b, tokens, width] with pairs of channels in each of " +
                    std::to_string(options.heads) + " heads; got " + describe(x);
           });
  const bool shared = cos.shape().rank() > 0 && cos.shape()[0] == 1;
  const std::int64_t pairs = shape[2] / (2 * options.heads);
  const bool own = options.pairs == RopePairs::halves && cos.shape().rank() > 0 &&
                   cos.shape().cols() == 2 * pairs;
  const Shape table{shared ? 1 : shape[0], shape[1], own ? 2 * pairs : pairs};
  for (const Value& t : {cos, sin}) {
    check_op(t.shape() == table && t.dtype() == statistics_dtype(x.dtype()), "rope", x, [&] {
      return "cos and sin must be " + std::string(dtype_name(statistics_dtype(x.dtype()))) + " " +
             table.str() + " for " + describe(x) + "; got " + describe(t);
    });
    check_op(!t.needs_grad(), "rope", x,
             [&] { return "cos and sin get no gradient, but " + describe(t) + " needs one"; });
  }
  return x.graph().record(std::make_shared<RopeOp>(options), {x, cos, sin},
                          {{shape, x.dtype()}})[0];
}

}  // namespace mantissa
