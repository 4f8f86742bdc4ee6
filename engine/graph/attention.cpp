// Scaled dot-product attention and its backward.
#include "engine/graph/channels.h"
#include "engine/graph/op_check.h"
#include "engine/graph/ops.h"

namespace mantissa {
namespace {

using Views = std::vector<View>;

class AttentionBackwardOp final : public Op {
 public:
  // inputs: q, k, v, score bias, key bias, out, log_sum_exp, d_out; outputs: d_q, d_k, d_v, the
  // last `joined` of them as one tensor, side by side
  AttentionBackwardOp(const AttentionOptions& options, int joined)
      : options_(options), joined_(joined) {}
  const char* name() const override { return "attention_backward"; }
  void run(Kernels& k, const Views& in, const Views& out, const RunContext&) const override {
    Views d(out.begin(), out.end() - 1);
    const std::int64_t width = out.back().cols() / joined_;
    for (int i = 0; i < joined_; ++i) {
      d.push_back(channels_of(out.back(), i * width, width));
    }
    k.attention_backward(in[0], in[1], in[2], {in[3], in[4]}, in[5], in[6], in[7], d[0], d[1], d[2],
                         options_);
  }
  bool takes_slice(int input) const override { return input < 3 || input == 5 || input == 7; }

 private:
  AttentionOptions options_;
  int joined_;
};

class AttentionOp final : public Op {
 public:
  // inputs: q, k, v, score bias or absent, key bias or absent; outputs: y, log_sum_exp
  explicit AttentionOp(const AttentionOptions& options) : options_(options) {}
  const char* name() const override { return "attention"; }
  void run(Kernels& k, const Views& in, const Views& out, const RunContext&) const override {
    k.attention(in[0], in[1], in[2], {in[3], in[4]}, out[0], out[1], options_);
  }
  bool takes_slice(int input) const override { return input < 3; }
  void backward(Backward& b) const override {
    const Value q = b.input(0), k = b.input(1), v = b.input(2);
    // The gradients of slices of one tensor are written as one tensor.
    const int joined = is_whole_split({q, k, v}) ? 3 : is_whole_split({k, v}) ? 2 : 1;
    std::vector<OutputSpec> outputs{
        {q.shape(), q.dtype()}, {k.shape(), k.dtype()}, {v.shape(), v.dtype()}};
    outputs.resize(static_cast<std::size_t>(4 - joined));
    Shape& last = outputs.back().shape;
    last[2] *= joined;
    std::vector<Value> d = b.graph().record(
        std::make_shared<AttentionBackwardOp>(options_, joined),
        {q, k, v, b.input(3), b.input(4), b.output(0), b.output(1), b.grad()}, outputs);
    if (joined > 1) {
      const std::vector<Value> parts = split_channels(d.back(), joined);
      d.pop_back();
      d.insert(d.end(), parts.begin(), parts.end());
    }
    for (int i = 0; i < 3; ++i) {
      if (b.needs(i)) {
        b.add(i, d[static_cast<std::size_t>(i)]);
      }
    }
  }

 private:
  AttentionOptions options_;
};

void check_bias(Value q, Value bias, const Shape& expected, const char* what) {
  check_op(bias.shape() == expected, "attention", q, [&] {
    return std::string(what) + " must be " + expected.str() + "; got " + describe(bias);
  });
  check_op(bias.dtype() == statistics_dtype(q.dtype()), "attention", q, [&] {
    return std::string(what) + " must be " + std::string(dtype_name(statistics_dtype(q.dtype()))) +
           "; got " + describe(bias);
  });
  check_op(!bias.needs_grad(), "attention", q, [&] {
    return std::string(what) + " gets no gradient, but " + describe(bias) + " needs one";
  });
}

}  // namespace

Value attention(Value q, Value k, Value v, const AttentionOptions& options,
                const AttentionBiasValues& bias) {
  check_same_dtype("attention", {q, k, v});
  const Shape &qs = q.shape(), &ks = k.shape();
  check_op(qs.rank() == 3 && ks.rank() == 3 && v.shape() == ks && qs[0] == ks[0], "attention", q,
           [&] {
             return "expected q [b, tq, w] and k, v [b, tk, w']; got " + describe(q) + ", " +
                    describe(k) + ", " + describe(v);
           });
  check_op(options.heads > 0 && qs[2] % options.heads == 0, "attention", q, [&] {
    return std::to_string(options.heads) + " heads don't divide the width of " + describe(q);
  });
  check_op(options.kv_heads >= 0 && options.heads % options.key_heads() == 0 &&
               ks[2] == qs[2] / options.heads * options.key_heads(),
           "attention", q, [&] {
             return "expected " + std::to_string(options.key_heads()) +
                    " heads of k and v for the " + std::to_string(options.heads) + " of " +
                    describe(q) + "; got " + describe(k);
           });
  if (bias.scores) {
    const bool shared = bias.scores.shape().rank() > 0 && bias.scores.shape()[0] == 1;
    check_bias(q, bias.scores, {shared ? 1 : options.heads, qs[1], ks[1]}, "the score bias");
  }
  if (bias.keys) {
    check_bias(q, bias.keys, {qs[0], ks[1]}, "the key bias");
  }
  return q.graph().record(
      std::make_shared<AttentionOp>(options), {q, k, v, bias.scores, bias.keys},
      {{qs, q.dtype()}, {{qs[0], options.heads, qs[1]}, statistics_dtype(q.dtype())}})[0];
}

}  // namespace mantissa
