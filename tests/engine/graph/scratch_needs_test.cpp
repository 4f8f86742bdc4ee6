#include "engine/graph/scratch_needs.h"

#include <gtest/gtest.h>
#include <vector>

#include "engine/graph/ops.h"

namespace mantissa {
namespace {

/// Needs of a linear layer of codes [out, in] on `rows` inputs, forward and backward.
ScratchNeeds needs_of_linear(std::int64_t rows, std::int64_t out, std::int64_t in) {
  Graph graph;
  Tensor weight{.name = "w", .dtype = DType::i8, .shape = {out, in}};
  const Value x = graph.input("x", DType::bf16, {rows, in}, true);
  const Value y = linear_codes(x, weight, {}, {}, {});
  const Value flat = reshape(cast(y, DType::f32), {1, rows * out});
  const Value ones = constant(graph, DType::f32, {rows * out, 1}, 1.0F);
  graph.backward(reshape(matmul(flat, ones, {}), Shape{}), false);
  graph.output("d_x", graph.gradient(x));
  return planned_scratch(graph, make_plan(graph), true);
}

/// Needs of attention of four heads, forward and backward.
ScratchNeeds needs_of_attention(DType dtype, std::int64_t queries, std::int64_t keys,
                                std::int64_t key_heads, bool engine = true) {
  constexpr std::int64_t kHeads = 4, kChannels = 16, kBatch = 2;
  Graph graph;
  const Value q = graph.input("q", dtype, {kBatch, queries, kHeads * kChannels}, true);
  const Value k = graph.input("k", dtype, {kBatch, keys, key_heads * kChannels}, true);
  const Value y = attention(q, k, k, {.heads = kHeads, .kv_heads = static_cast<int>(key_heads)});
  const std::int64_t count = y.shape().count();
  const Value flat = reshape(cast(y, DType::f32), {1, count});
  const Value ones = constant(graph, DType::f32, {count, 1}, 1.0F);
  graph.backward(reshape(matmul(flat, ones, {}), Shape{}), false);
  graph.output("d_q", graph.gradient(q));
  return planned_scratch(graph, make_plan(graph), engine);
}

TEST(ScratchNeeds, OfAttentionWithoutAnEngine) {
  const ScratchNeeds needs = needs_of_attention(DType::f32, 300, 77, 4);
  EXPECT_EQ(needs.scores, 2U * 2 * 4 * 300 * 80 * 4) << "and their gradients, in whole packs";
  EXPECT_EQ(needs.sums, 2U * 4 * 300 * 16 * 4);
  EXPECT_EQ(needs.bytes(), needs.scores + needs.sums);
  EXPECT_EQ(needs_of_attention(DType::f32, 300, 77, 2).scores, 2U * 2 * 2 * 300 * 80 * 4)
      << "heads that share keys are a part";
  EXPECT_EQ(needs_of_attention(DType::bf16, 300, 77, 4).bytes(), 0U);
  const ScratchNeeds narrow = needs_of_attention(DType::bf16, 300, 77, 4, false);
  EXPECT_EQ(narrow.scores, 2U * 2 * 4 * 300 * 80 * 6) << "rounded for the products, too";
  EXPECT_EQ(narrow.sums, 2U * 4 * 300 * 16 * 4);
  const std::size_t large = needs_of_attention(DType::f32, 16384, 16384, 4).scores;
  EXPECT_LE(large, kPatchBytes);
  EXPECT_GT(large, kPatchBytes * 99 / 100);
}

TEST(ScratchNeeds, OfProductsOfCodes) {
  const ScratchNeeds needs = needs_of_linear(300, 64, 128);
  EXPECT_EQ(needs.product, 300U * 128 * 4) << "d_x is the larger of the two";
  EXPECT_EQ(needs.turned, 64U * 128);
  EXPECT_EQ(needs.bytes(), needs.product + needs.turned);
}

TEST(ScratchNeeds, ALargeProductIsMadeInParts) {
  const std::int64_t rows = 4 * static_cast<std::int64_t>(kProductBytes) / (4 * 128);
  EXPECT_EQ(needs_of_linear(rows, 64, 128).product, kProductBytes);
}

TEST(ScratchNeeds, PartsOfAProductAreEvenAndWholeTiles) {
  constexpr std::size_t kBytes = std::size_t{400} * 100 * 4;  // 400 rows of 100
  EXPECT_EQ(product_rows(400, 100, kBytes), 400) << "one part";
  EXPECT_EQ(product_rows(401, 100, kBytes), 256) << "two, of which the first is rounded up";
  EXPECT_EQ(product_rows(1536, 100, kBytes), 384) << "four of three tiles";
  EXPECT_EQ(product_rows(1540, 100, kBytes), 384);
  EXPECT_EQ(product_rows(1000, 100, std::size_t{100} * 100 * 4), 100) << "less than a tile";
  EXPECT_EQ(product_rows(7, 100, 1), 1);
}

}  // namespace
}  // namespace mantissa
