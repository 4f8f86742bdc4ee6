// Upsampling, embeddings and token selection, with their backwards.
#include "engine/graph/op_check.h"
#include "engine/graph/ops.h"

namespace mantissa {
namespace {

using Views = std::vector<View>;

class UpsampleBackwardOp final : public Op {
 public:
  const char* name() const override { return "upsample_nearest_backward"; }
  void run(Kernels& k, const Views& in, const Views& out, const RunContext&) const override {
    k.upsample_nearest_backward(in[0], out[0]);
  }
};

class UpsampleOp final : public Op {
 public:
  const char* name() const override { return "upsample_nearest"; }
  void run(Kernels& k, const Views& in, const Views& out, const RunContext&) const override {
    k.upsample_nearest(in[0], out[0]);
  }
  void backward(Backward& b) const override {
    const Value x = b.input(0);
    b.add(0, b.graph().record(std::make_shared<UpsampleBackwardOp>(), {b.grad()},
                              {{x.shape(), x.dtype()}})[0]);
  }
};

class TimestepEmbeddingOp final : public Op {
 public:
  const char* name() const override { return "timestep_embedding"; }
  void run(Kernels& k, const Views& in, const Views& out, const RunContext&) const override {
    k.timestep_embedding(in[0], out[0]);
  }
};

class EmbeddingBackwardOp final : public Op {
 public:
  const char* name() const override { return "embedding_backward"; }
  void run(Kernels& k, const Views& in, const Views& out, const RunContext&) const override {
    k.fill(out[0], 0.0F);
    k.embedding_backward(in[0], in[1], out[0]);
  }
};

class EmbeddingOp final : public Op {
 public:
  const char* name() const override { return "embedding"; }
  void run(Kernels& k, const Views& in, const Views& out, const RunContext&) const override {
    k.embedding(in[0], in[1], out[0]);
  }
  void backward(Backward& b) const override {
    const Value table = b.input(0);
    b.add(0, b.graph().record(std::make_shared<EmbeddingBackwardOp>(), {b.grad(), b.input(1)},
                              {{table.shape(), table.dtype()}})[0]);
  }
};

class ScatterTokensOp final : public Op {
 public:
  const char* name() const override { return "scatter_tokens"; }
  void run(Kernels& k, const Views& in, const Views& out, const RunContext&) const override {
    k.scatter_tokens(in[0], in[1], out[0]);
  }
};

class GatherTokensOp final : public Op {
 public:
  const char* name() const override { return "gather_tokens"; }
  void run(Kernels& k, const Views& in, const Views& out, const RunContext&) const override {
    k.gather_tokens(in[0], in[1], out[0]);
  }
  void backward(Backward& b) const override {
    const Value x = b.input(0);
    b.add(0, b.graph().record(std::make_shared<ScatterTokensOp>(), {b.grad(), b.input(1)},
                              {{x.shape(), x.dtype()}})[0]);
  }
};

}  // namespace

Value upsample_nearest(Value x, std::int64_t height, std::int64_t width) {
  const Shape& s = x.shape();
  check_op(s.rank() == 4 && height >= s[1] && width >= s[2], "upsample_nearest", x, [&] {
    return "can't bring " + describe(x) + " to " + std::to_string(height) + "x" +
           std::to_string(width);
  });
  return x.graph().record(std::make_shared<UpsampleOp>(), {x},
                          {{{s[0], height, width, s[3]}, x.dtype()}})[0];
}

Value timestep_embedding(Value t, std::int64_t width, DType dtype) {
  check_op(t.shape().rank() == 1 && width % 2 == 0, "timestep_embedding", t, [&] {
    return "expected [n] timesteps and an even width; got " + describe(t) + " and " +
           std::to_string(width);
  });
  // The sinusoid is computed from fp32 timesteps: 999 isn't representable in 16 bits.
  const Value e = t.graph().record(std::make_shared<TimestepEmbeddingOp>(), {t},
                                   {{{t.shape()[0], width}, t.dtype()}})[0];
  return cast(e, dtype);
}

Value embedding(Value table, Value ids) {
  check_op(table.shape().rank() == 2 && ids.dtype() == DType::i32, "embedding", table, [&] {
    return "expected a [vocab, width] table and int32 ids; got " + describe(table) + " and " +
           describe(ids);
  });
  Shape shape = ids.shape();
  shape.push_back(table.shape()[1]);
  return table.graph().record(std::make_shared<EmbeddingOp>(), {table, ids},
                              {{shape, table.dtype()}})[0];
}

Value gather_tokens(Value x, Value index) {
  check_op(
      x.shape().rank() == 3 && index.dtype() == DType::i32 && index.shape() == Shape{x.shape()[0]},
      "gather_tokens", x, [&] {
        return "expected [b, t, c] and [b] int32; got " + describe(x) + " and " + describe(index);
      });
  return x.graph().record(std::make_shared<GatherTokensOp>(), {x, index},
                          {{{x.shape()[0], x.shape()[2]}, x.dtype()}})[0];
}

}  // namespace mantissa
