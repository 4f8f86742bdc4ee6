#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <vector>

#include "kernels/check.h"
#include "tests/kernels/backends.h"
#include "tests/kernels/golden_cases.h"

// Grouped-query attention over several blocks of keys and queries: the same as plain attention on
// repeated heads of keys, whose gradients are summed.

namespace mantissa::testing {
namespace {

class GroupedAttention : public ::testing::TestWithParam<TestBackend> {
 protected:
  std::unique_ptr<Kernels> kernels = GetParam().make();
};
MANTISSA_FOR_EACH_BACKEND(GroupedAttention);

constexpr std::int64_t kBatch = 2, kGroups = 2, kShare = 2, kWidth = 12, kQueries = 260,
                       kTokens = 110, kHeads = kGroups * kShare;

/// Column of a repeated head -> column of the shared one.
std::int64_t shared_column(std::int64_t column) {
  const std::int64_t head = column / kWidth;
  return head / kShare * kWidth + column % kWidth;
}

Tensor repeated(const Tensor& shared) {
  Tensor wide(shared.view.dtype, {kBatch, kTokens, kHeads * kWidth});
  for (std::int64_t i = 0; i < wide.view.count(); ++i) {
    const std::int64_t row = i / wide.view.cols(), column = i % wide.view.cols();
    wide.set(i, shared.get(row * shared.view.cols() + shared_column(column)));
  }
  return wide;
}

struct Gradients {
  Tensor out, lse, d_q, d_k, d_v;
  Gradients(Kernels& k, const Tensor& q, const Tensor& key, const Tensor& value,
            const Tensor& d_out, const Tensor& mask, int kv_heads, bool causal)
      : out(q.view.dtype, q.view.shape),
        lse(statistics_dtype(q.view.dtype), {kBatch, kHeads, kQueries}),
        d_q(q.view.dtype, q.view.shape),
        d_k(q.view.dtype, key.view.shape),
        d_v(q.view.dtype, key.view.shape) {
    const AttentionOptions options{static_cast<int>(kHeads), 0.3F, causal, kv_heads};
    const AttentionBias bias{{}, mask.view};
    k.attention(q.view, key.view, value.view, bias, out.view, lse.view, options);
    k.attention_backward(q.view, key.view, value.view, bias, out.view, lse.view, d_out.view,
                         d_q.view, d_k.view, d_v.view, options);
  }
};

/// The gradient of repeated heads, summed over those that share one.
std::vector<double> summed(const Tensor& wide) {
  std::vector<double> sums(static_cast<std::size_t>(kBatch * kTokens * kGroups * kWidth));
  for (std::int64_t i = 0; i < wide.view.count(); ++i) {
    const std::int64_t row = i / wide.view.cols(), column = i % wide.view.cols();
    sums[static_cast<std::size_t>(row * kGroups * kWidth + shared_column(column))] += wide.get(i);
  }
  return sums;
}

std::vector<double> values_of(const Tensor& t) {
  std::vector<double> values;
  for (std::int64_t i = 0; i < t.view.count(); ++i) {
    values.push_back(t.get(i));
  }
  return values;
}

/// Within four units in the last place of the largest value.
void expect_near(const Tensor& got, const std::vector<double>& expected, const char* what) {
  double top = 0;
  for (const double e : expected) {
    top = std::max(top, std::fabs(e));
  }
  const double ulp = std::ldexp(top, -float_format(got.view.dtype).mantissa_bits);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    ASSERT_NEAR(got.get(static_cast<std::int64_t>(i)), expected[i], 4 * ulp) << what << " " << i;
  }
}

TEST_P(GroupedAttention, IsAttentionOnRepeatedHeads) {
  for (const DType type : {DType::f64, DType::f32, DType::bf16}) {
    for (const bool causal : {false, true}) {
      const Tensor q = hash_tensor(type, {kBatch, kQueries, kHeads * kWidth}, 1, 2.0F);
      const Tensor k = hash_tensor(type, {kBatch, kTokens, kGroups * kWidth}, 2);
      const Tensor v = hash_tensor(type, {kBatch, kTokens, kGroups * kWidth}, 3);
      const Tensor d = hash_tensor(type, {kBatch, kQueries, kHeads * kWidth}, 4);
      // The second sample has 70 keys, the rest is padding.
      Tensor mask(statistics_dtype(type), {kBatch, kTokens});
      for (std::int64_t i = 0; i < mask.view.count(); ++i) {
        mask.set(i, i >= kTokens + 70 ? -1e9 : 0);
      }
      const Gradients shared(*kernels, q, k, v, d, mask, kGroups, causal);
      const Gradients wide(*kernels, q, repeated(k), repeated(v), d, mask, 0, causal);
      SCOPED_TRACE(std::string(dtype_name(type)) + (causal ? " causal" : ""));
      expect_near(shared.out, values_of(wide.out), "out");
      expect_near(shared.lse, values_of(wide.lse), "log_sum_exp");
      expect_near(shared.d_q, values_of(wide.d_q), "d_q");
      expect_near(shared.d_k, summed(wide.d_k), "d_k");
      expect_near(shared.d_v, summed(wide.d_v), "d_v");
      for (std::int64_t i = (kTokens + 70) * kGroups * kWidth; i < k.view.count(); ++i) {
        // The processor's exponential of fp32 ends at e^-87.
        ASSERT_LT(std::fabs(shared.d_k.get(i)), 1e-30) << "a padded key has a gradient";
        ASSERT_LT(std::fabs(shared.d_v.get(i)), 1e-30) << "a padded value has a gradient";
      }
    }
  }
}

}  // namespace
}  // namespace mantissa::testing
