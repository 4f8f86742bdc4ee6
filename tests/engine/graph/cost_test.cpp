#include "engine/graph/cost.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>

#include "engine/graph/ops.h"

namespace mantissa {
namespace {

/// Costs by name of what was recorded, in the order of execution.
std::multimap<std::string, OpCost> costs_of(const Graph& graph) {
  const Plan plan = make_plan(graph);
  std::multimap<std::string, OpCost> costs;
  for (const int index : plan.order) {
    const Node& node = graph.nodes()[static_cast<std::size_t>(index)];
    for (const OpCost& cost : op_costs(graph, plan, node)) {
      costs.emplace(node.op->name(), cost);
    }
  }
  return costs;
}

TEST(OpCost, MatmulCountsEverySideWhateverIsTransposed) {
  for (const bool ta : {false, true}) {
    for (const bool tb : {false, true}) {
      Graph graph;
      const Value a = graph.input("a", DType::bf16, ta ? Shape{384, 640} : Shape{640, 384});
      const Value b = graph.input("b", DType::bf16, tb ? Shape{512, 384} : Shape{384, 512});
      graph.output("y", matmul(a, b, {.transpose_a = ta, .transpose_b = tb}));
      const OpCost cost = costs_of(graph).find("matmul")->second;
      EXPECT_EQ(cost.kind, CostKind::gemm);
      EXPECT_EQ(cost.flop, 2.0 * 640 * 512 * 384);
      EXPECT_EQ(cost.bytes, 2.0 * (640 * 384 + 384 * 512 + 640 * 512));
      EXPECT_EQ(cost.m * 1000000 + cost.n * 1000 + cost.k, 640512384);
      EXPECT_EQ(cost.operands, DType::bf16);
      EXPECT_EQ(cost.launches, 1);
    }
  }
}

TEST(OpCost, ARankMakesAGemmSkinny) {
  Graph graph;
  const Value x = graph.input("x", DType::bf16, {4096, 640});
  graph.output("h", matmul(x, graph.input("a", DType::bf16, {16, 640}), {.transpose_b = true}));
  EXPECT_EQ(costs_of(graph).find("matmul")->second.kind, CostKind::skinny_gemm);
}

TEST(OpCost, AGemmAddsWhatIsStillNeededWithoutACopy) {
  Graph graph;
  const Value a = graph.input("a", DType::f32, {256, 256}),
              b = graph.input("b", DType::f32, {256, 256});
  const Value sum = scale(a, 2.0F);
  graph.output("y", matmul(a, b, {.addend = sum}));
  EXPECT_EQ(costs_of(graph).find("matmul")->second.launches, 1);
  graph.output("kept", sum);
  EXPECT_EQ(costs_of(graph).find("matmul")->second.launches, 1);
}

TEST(OpCost, AConvolutionsAddendThatIsStillNeededCostsACopy) {
  Graph graph;
  const Value x = graph.input("x", DType::f32, {1, 8, 8, 4});
  const Value w = graph.input("w", DType::f32, {4, 4, 1, 1});
  const Value sum = scale(x, 2.0F);
  graph.output("y", conv2d(x, w, {}, {}, sum));
  const int launches = costs_of(graph).find("conv2d")->second.launches;
  graph.output("kept", sum);
  EXPECT_EQ(costs_of(graph).find("conv2d")->second.launches, launches + 1);
}

TEST(OpCost, ProductsSideBySideAreOneLaunch) {
  Graph graph;
  const Value h = graph.input("h", DType::bf16, {512, 3 * 16});
  const Value up = graph.input("up", DType::bf16, {3 * 640, 16});
  graph.output("y", matmul(h, up, {.transpose_b = true, .blocks = 3}));
  const OpCost cost = costs_of(graph).find("matmul")->second;
  EXPECT_EQ(cost.flop, 3 * 2.0 * 512 * 640 * 16);
  EXPECT_EQ(cost.m * 1000000 + cost.n * 1000 + cost.k, 512640016);
  EXPECT_EQ(cost.batch, 3);
  EXPECT_EQ(cost.launches, 1);
}

TEST(OpCost, ConvolutionsAndTheirBackwardMultiplyTheSame) {
  Graph graph;
  const Value x = graph.input("x", DType::f32, {2, 16, 16, 32}, true);
  const Value w = graph.input("w", DType::f32, {64, 32, 3, 3}, true);
  ConvOptions options;
  options.pad_top = options.pad_left = options.pad_bottom = options.pad_right = 1;
  const Value y = conv2d(x, w, {}, options);
  const Value target = graph.input("t", DType::f32, {2, 16, 16, 64});
  const Value weight = graph.input("s", DType::f32, {2});
  graph.backward(mse_loss(y, target, weight).loss, false);
  graph.output("dx", graph.gradient(x));
  graph.output("dw", graph.gradient(w));
  const auto costs = costs_of(graph);
  const double flop = 2.0 * (2 * 16 * 16) * 64 * (32 * 9);
  for (const char* name : {"conv2d", "conv2d_backward_data", "conv2d_backward_weight"}) {
    const auto [begin, end] = costs.equal_range(name);
    const auto products = std::find_if(begin, end, [](const auto& c) { return c.second.flop > 0; });
    ASSERT_NE(products, end) << name;
    EXPECT_EQ(products->second.flop, flop) << name;
    EXPECT_EQ(products->second.kind, CostKind::convolution);
  }
}

TEST(OpCost, AWeightThatTheStepMakesIsTurnedForItsConvolution) {
  Tensor base{.name = "base", .dtype = DType::f32, .shape = {4, 4, 3, 3}};
  Graph graph;
  const Value x = graph.input("x", DType::f32, {1, 8, 8, 4});
  graph.output("y", conv2d(x, graph.use(base), {}, {}));
  EXPECT_EQ(costs_of(graph).count("conv2d"), 1U) << "that of a base model is kept turned";
  graph.output("z", conv2d(x, scale(graph.use(base), 2.0F), {}, {}));
  const auto costs = costs_of(graph);
  EXPECT_EQ(costs.count("conv2d"), 3U);
  const auto turned =
      std::ranges::find(costs, CostKind::decoding, [](const auto& c) { return c.second.kind; });
  ASSERT_NE(turned, costs.end());
  EXPECT_EQ(turned->second.bytes, 2.0 * (4 * 4 * 9) * 4);
}

TEST(OpCost, AttentionCountsTwoProductsAndFiveBackward) {
  Graph graph;
  const Value q = graph.input("q", DType::f32, {2, 64, 80}, true);
  const Value k = graph.input("k", DType::f32, {2, 77, 80}, true);
  const Value v = graph.input("v", DType::f32, {2, 77, 80}, true);
  AttentionOptions options;
  options.heads = 5;
  const Value y = attention(q, k, v, options);
  graph.backward(
      mse_loss(y, graph.input("t", DType::f32, {2, 64, 80}), graph.input("s", DType::f32, {2}))
          .loss,
      false);
  graph.output("dq", graph.gradient(q));
  const auto costs = costs_of(graph);
  const double product = 2.0 * 2 * 64 * 77 * 80;
  EXPECT_EQ(costs.find("attention")->second.flop, 2 * product);
  EXPECT_EQ(costs.find("attention_backward")->second.flop, 5 * product);
}

TEST(OpCost, ARotationReadsItsTablesOnceForAllSamples) {
  Graph graph;
  const Value x = graph.input("x", DType::bf16, {2, 64, 80});
  const Value cos = graph.input("cos", DType::f32, {1, 64, 8});
  const Value sin = graph.input("sin", DType::f32, {1, 64, 8});
  graph.output("y", rope(x, cos, sin, {5}));
  const OpCost cost = costs_of(graph).find("rope")->second;
  EXPECT_EQ(cost.kind, CostKind::elementwise);
  EXPECT_EQ(cost.bytes, 2.0 * (2 * 64 * 80) * 2 + 2.0 * (64 * 8) * 4);
  EXPECT_EQ(cost.flop, 0);
  EXPECT_EQ(cost.launches, 1);
}

TEST(OpCost, WhatRunsNothingCostsNothing) {
  Graph graph;
  graph.output("y", scale(reshape(graph.input("x", DType::f32, {4, 4}), {16}), 2.0F));
  const auto costs = costs_of(graph);
  EXPECT_FALSE(costs.contains("reshape"));
  EXPECT_EQ(costs.find("scale")->second.bytes, 2.0 * 16 * 4);
  EXPECT_EQ(costs.find("scale")->second.flop, 0);
}

}  // namespace
}  // namespace mantissa
