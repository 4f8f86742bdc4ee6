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
  return planned_scratch(graph, make_plan(graph));
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
