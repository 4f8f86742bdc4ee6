#include "engine/graph/scratch_needs.h"

#include <gtest/gtest.h>
#include <vector>

#include "engine/graph/ops.h"

namespace mantissa {
namespace {

/// Of a linear layer of codes [out, in] on `rows` inputs, forward and backward.
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

TEST(ScratchNeeds, ALargeProductIsMadeInPieces) {
  const std::int64_t rows = 4 * static_cast<std::int64_t>(kPatchBytes) / (4 * 128);
  EXPECT_EQ(needs_of_linear(rows, 64, 128).product, kPatchBytes);
}

}  // namespace
}  // namespace mantissa
