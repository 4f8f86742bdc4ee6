// What the backward pass computes again instead of keeping it.
#include <algorithm>
#include <gtest/gtest.h>

#include "engine/graph/ops.h"
#include "engine/graph/plan.h"

namespace mantissa {
namespace {

/// Residual layers: a norm that two trained products read. A gated unit behind them.
struct RepeatCase {
  explicit RepeatCase(bool repeat) {
    for (Tensor* weight : {&a, &b}) {
      weight->name = "weight";
      weight->shape = {64, 64};
      weight->trainable = true;
    }
    graph.repeat_cheap_ops(repeat);
    Value x = graph.input("x", DType::f32, {1024, 64}, true);
    for (int i = 0; i < kLayers; ++i) {
      const Value n = layer_norm(x, {}, {}, 1e-5F);
      x = add(x, add(matmul(n, graph.use(a), {}), matmul(n, graph.use(b), {})));
    }
    const Value target = graph.input("target", DType::f32, {1024, 32});
    graph.backward(mse_loss(geglu(x), target, graph.input("weight", DType::f32, {1024})).loss,
                   false);
  }
  std::int64_t recomputed(std::string_view op) const {
    return std::ranges::count_if(graph.nodes(), [op](const Node& n) {
      return n.phase == Phase::recompute && n.op->name() == op;
    });
  }

  static constexpr int kLayers = 4;
  Tensor a, b;
  Graph graph;
};

TEST(Repeat, NothingUnlessAsked) {
  const RepeatCase r(false);
  EXPECT_EQ(r.recomputed("layer_norm"), 0);
  EXPECT_EQ(r.recomputed("geglu"), 0);
}

TEST(Repeat, ACheapOpOnceForAllThatReadIt) {
  const RepeatCase r(true);
  EXPECT_EQ(r.recomputed("layer_norm"), RepeatCase::kLayers);
  EXPECT_EQ(r.recomputed("geglu"), 1);
  EXPECT_EQ(r.recomputed("matmul"), 0);
}

TEST(Repeat, ItsResultIsNotKept) {
  EXPECT_LT(make_plan(RepeatCase(true).graph).arena_bytes,
            make_plan(RepeatCase(false).graph).arena_bytes);
}

}  // namespace
}  // namespace mantissa
