#include <gtest/gtest.h>

#include "tests/kernels/cuda_on_host/both_backends.h"

namespace mantissa::testing {
namespace {

constexpr DType kDTypes[] = {DType::f64, DType::f32, DType::f16, DType::bf16};

enum class Bias { none, scores, shared_scores, keys, both };

struct AttentionCase {
  std::int64_t batch, heads, width, queries, keys;
  bool causal = false;
  Bias bias = Bias::none;
  std::int64_t gap = 0;
  std::size_t part_bytes = 0;
  std::int64_t group = 1;  ///< heads of q that share keys
};

const AttentionCase kCases[] = {
    {1, 1, 1, 1, 1},
    {2, 3, 8, 5, 7},
    {1, 2, 16, 33, 77, false, Bias::none, 3},
    {2, 2, 4, 9, 9, true},
    {1, 2, 8, 5, 12, true},                // keys that no query sees
    {1, 2, 8, 12, 5, true, Bias::scores},  // more queries than keys
    {2, 3, 5, 6, 11, false, Bias::shared_scores},
    {3, 2, 8, 4, 10, false, Bias::keys},
    {2, 2, 7, 7, 13, false, Bias::both, 1},
    {1, 1, 24, 2, 2100},  // a block per row
    {1, 1, 3, 2, 2053, true, Bias::keys},
    {3, 4, 8, 10, 10, false, Bias::both, 0, 8000},  // parts of samples and heads
    {2, 3, 8, 21, 10, false, Bias::both, 8, 1000},  // parts of queries
    {2, 2, 8, 13, 13, true, Bias::none, 0, 1},      // a query per part
    {2, 4, 8, 5, 7, false, Bias::none, 0, 0, 2},
    {1, 6, 5, 9, 9, true, Bias::keys, 3, 0, 3},
    {3, 4, 8, 6, 11, false, Bias::both, 0, 0, 4},     // one head of keys
    {3, 4, 8, 10, 10, false, Bias::both, 0, 700, 2},  // parts of a group
    {2, 6, 8, 10, 10, true, Bias::none, 8, 4000, 3},  // parts of samples
    {2, 4, 8, 13, 9, false, Bias::keys, 0, 1, 2},     // a query per part
};

class AttentionOnHost : public ::testing::TestWithParam<DType> {};
INSTANTIATE_TEST_SUITE_P(AllTypes, AttentionOnHost, ::testing::ValuesIn(kDTypes),
                         [](const auto& info) { return std::string(dtype_name(info.param)); });

struct Inputs {
  const Twin &q, &k, &v, &scores, &keys;
  AttentionOptions options;
};

Inputs make_inputs(BothBackends& both, const AttentionCase& c, DType type) {
  const DType wide = statistics_dtype(type);
  const std::int64_t width = c.heads * c.width;
  const bool scores = c.bias == Bias::scores || c.bias == Bias::both;
  const std::int64_t bias_heads = c.bias == Bias::shared_scores ? 1 : scores ? c.heads : 0;
  const bool keys = c.bias == Bias::keys || c.bias == Bias::both;
  AttentionOptions options;
  options.heads = static_cast<int>(c.heads);
  options.scale = 1 / std::sqrt(static_cast<float>(c.width));
  options.causal = c.causal;
  options.kv_heads = static_cast<int>(c.heads / c.group);
  const Shape keyed{c.batch, c.keys, width / c.group};
  return {both.random(type, {c.batch, c.queries, width}, 1, {c.gap, 2}),
          both.random(type, keyed, 2, {c.gap, 2}),
          both.random(type, keyed, 3, {c.gap}),
          bias_heads > 0 ? both.random(wide, {bias_heads, c.queries, c.keys}, 4) : both.absent(),
          keys ? both.random(wide, {c.batch, c.keys}, 5, {0, 2, -1}) : both.absent(),
          options};
}

std::string name_of(const AttentionCase& c) {
  return "attention " + Shape{c.batch, c.heads, c.width, c.queries, c.keys}.str() +
         (c.group > 1 ? " in groups of " + std::to_string(c.group) : "");
}

TEST_P(AttentionOnHost, ForwardIsTheCpus) {
  const DType type = GetParam();
  for (const AttentionCase& c : kCases) {
    BothBackends both(c.part_bytes);
    const Inputs in = make_inputs(both, c, type);
    const Twin& out = both.poisoned(type, in.q.cpu.shape, c.gap);
    const Twin& log_sum_exp = both.poisoned(statistics_dtype(type), {c.batch, c.heads, c.queries});
    both.run([&](Kernels& k, const auto& at) {
      k.attention(at(in.q), at(in.k), at(in.v), {at(in.scores), at(in.keys)}, at(out),
                  at(log_sum_exp), in.options);
    });
    both.expect_near(out, rounding_tolerance(type), name_of(c));
    both.expect_near(log_sum_exp, type == DType::f64 ? 1e-13 : 2e-6, name_of(c) + " log_sum_exp",
                     1);
  }
}

TEST_P(AttentionOnHost, BackwardIsTheCpus) {
  const DType type = GetParam();
  for (const AttentionCase& c : kCases) {
    BothBackends both(c.part_bytes);
    const Inputs in = make_inputs(both, c, type);
    const Twin& d_out = both.random(type, in.q.cpu.shape, 6, {c.gap});
    const Twin& out = both.poisoned(type, in.q.cpu.shape, c.gap);
    const Twin& log_sum_exp = both.poisoned(statistics_dtype(type), {c.batch, c.heads, c.queries});
    const Twin& d_q = both.poisoned(type, in.q.cpu.shape, c.gap);
    const Twin& d_k = both.poisoned(type, in.k.cpu.shape, c.gap);
    const Twin& d_v = both.poisoned(type, in.k.cpu.shape, c.gap);
    both.run([&](Kernels& k, const auto& at) {
      const AttentionBias bias{at(in.scores), at(in.keys)};
      k.attention(at(in.q), at(in.k), at(in.v), bias, at(out), at(log_sum_exp), in.options);
      k.attention_backward(at(in.q), at(in.k), at(in.v), bias, at(out), at(log_sum_exp), at(d_out),
                           at(d_q), at(d_k), at(d_v), in.options);
    });
    // D comes from an out rounded on both sides, but not always to the same neighbour, and here P
    // and its gradient are rounded before their GEMMs.
    const double tolerance = 2 * rounding_tolerance(type);
    both.expect_near(d_q, tolerance, name_of(c) + " d_q", 1);
    both.expect_near(d_k, tolerance, name_of(c) + " d_k", 1);
    both.expect_near(d_v, tolerance, name_of(c) + " d_v", 1);
  }
}

TEST(AttentionOnHost, NoQueriesAreNoWork) {
  BothBackends both;
  const Twin& q = both.random(DType::f32, {2, 0, 8}, 1);
  const Twin& k = both.random(DType::f32, {2, 3, 8}, 2);
  const Twin& log_sum_exp = both.poisoned(DType::f32, {2, 1, 0});
  both.run([&](Kernels& kernels, const auto& at) {
    kernels.attention(at(q), at(k), at(k), {}, at(q), at(log_sum_exp), {});
  });
}

}  // namespace
}  // namespace mantissa::testing
