#include <atomic>
#include <cstdint>
#include <gtest/gtest.h>
#include <stdexcept>

#include "kernels/check.h"
#include "kernels/cpu/cpu.h"
#include "kernels/cpu/parallel.h"
#include "tests/kernels/golden_cases.h"

namespace mantissa::testing {
namespace {

TEST(CpuDevice, NamesItself) {
  EXPECT_NE(make_cpu_kernels(3)->name().find("3 threads"), std::string::npos);
  EXPECT_NE(make_cpu_kernels(1)->name().find("1 thread)"), std::string::npos);
  EXPECT_EQ(make_cpu_kernels(0)->name().rfind("cpu (", 0), 0u);
}

TEST(CpuDevice, AllocatesAlignedZeros) {
  const auto k = make_cpu_kernels(1);
  for (std::size_t bytes : {std::size_t{0}, std::size_t{1}, std::size_t{1000}}) {
    auto* p = static_cast<unsigned char*>(k->allocate(bytes));
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(p) % 64, 0u);
    for (std::size_t i = 0; i < bytes; ++i) {
      ASSERT_EQ(p[i], 0);
    }
    k->release(p);
  }
  k->release(nullptr);
  k->synchronize();
}

TEST(CpuDevice, CountsPackedConstantsAndScratch) {
  const auto k = make_cpu_kernels(2);
  EXPECT_EQ(k->constant_bytes(), 0u);
  EXPECT_EQ(k->scratch_bytes(), 0u);
  const Tensor a = hash_tensor(DType::f32, {32, 64}, 1);
  Tensor w = hash_tensor(DType::f32, {64, 64}, 2);
  Tensor out(DType::f32, {32, 64});
  MatmulOptions o;
  o.transpose_b = true;
  View constant = w.view;
  constant.constant_id = 1;
  k->matmul(a.view, constant, {}, out.view, o);
  EXPECT_EQ(k->constant_bytes(), 64u * 64u * 4u);
  k->matmul(a.view, constant, {}, out.view, o);
  EXPECT_EQ(k->constant_bytes(), 64u * 64u * 4u) << "packed again";
  o.transpose_b = false;
  k->matmul(a.view, constant, {}, out.view, o);
  EXPECT_EQ(k->constant_bytes(), 2u * 64u * 64u * 4u) << "the backward has its own layout";
  k->release_constants();
  EXPECT_EQ(k->constant_bytes(), 0u);
  // What is not marked constant may change between calls.
  const Tensor before = hash_tensor(DType::f32, {64, 64}, 2);
  k->matmul(a.view, w.view, {}, out.view, o);
  EXPECT_GT(k->scratch_bytes(), 0u) << "what is packed for one call";
  const std::vector<std::uint8_t> first = out.bytes;
  for (std::int64_t i = 0; i < 64 * 64; ++i) {
    w.set(i, 2.0 * before.get(i));
  }
  Tensor doubled(DType::f32, {32, 64});
  k->matmul(a.view, w.view, {}, doubled.view, o);
  for (std::int64_t i = 0; i < 32 * 64; ++i) {
    ASSERT_EQ(doubled.get(i), 2.0 * out.get(i));
  }
  EXPECT_EQ(k->constant_bytes(), 0u);
}

TEST(CpuDevice, BadViewsThrowBeforeAnythingIsWritten) {
  const auto k = make_cpu_kernels(2);
  const Tensor x = hash_tensor(DType::f32, {2, 4, 4, 8}, 1);
  const Tensor half = hash_tensor(DType::f16, {2, 4, 4, 8}, 1);
  const Tensor w = hash_tensor(DType::f32, {8, 8, 3, 3}, 2);
  const Tensor wrong = hash_tensor(DType::f32, {8, 7, 3, 3}, 2);
  const Tensor c = hash_tensor(DType::f32, {8}, 3), c7 = hash_tensor(DType::f32, {7}, 3);
  const Tensor tokens = hash_tensor(DType::f32, {2, 16, 8}, 4);
  Tensor out = hash_tensor(DType::f32, {2, 4, 4, 8}, 9);
  Tensor stats = hash_tensor(DType::f32, {2, 4, 2}, 9),
         lse = hash_tensor(DType::f32, {2, 2, 16}, 9);
  Tensor token_out = hash_tensor(DType::f32, {2, 16, 8}, 9),
         rows = hash_tensor(DType::f32, {2, 8}, 9);
  const std::vector<std::uint8_t> before = out.bytes, before_tokens = token_out.bytes,
                                  before_rows = rows.bytes;
  Tensor ids(DType::i32, {2});
  ids.view.as<std::int32_t>()[0] = 0;
  ids.view.as<std::int32_t>()[1] = 99;
  View overlapping = x.view;
  overlapping.row_stride = 4;
  const ConvOptions pad1{1, 1, 1, 1, 1};
  MatmulOptions o;
  EXPECT_THROW(k->add(x.view, half.view, out.view), KernelError);
  EXPECT_THROW(k->add(x.view, c.view, out.view), KernelError);
  EXPECT_THROW(k->add(x.view, overlapping, out.view), KernelError);
  EXPECT_THROW(k->multiply(x.view, View(nullptr, DType::f32, x.view.shape), out.view), KernelError);
  EXPECT_THROW(k->scale(half.view, 2.0F, out.view), KernelError);
  EXPECT_THROW(k->copy(c.view, out.view), KernelError);
  EXPECT_THROW(k->copy(ids.view, View(out.view.data, DType::f32, {2})), KernelError);
  EXPECT_THROW(k->add_per_sample(x.view, c.view, out.view), KernelError);
  EXPECT_THROW(k->unary(Unary::silu, half.view, out.view), KernelError);
  EXPECT_THROW(k->geglu(x.view, out.view), KernelError);
  EXPECT_THROW(k->dropout(x.view, 1.0F, {}, out.view), KernelError);
  EXPECT_THROW(k->matmul(x.view, c7.view, {}, out.view, o), KernelError);
  EXPECT_THROW(k->conv2d(x.view, wrong.view, {}, out.view, pad1, false), KernelError);
  EXPECT_THROW(k->conv2d(x.view, w.view, c7.view, out.view, pad1, false), KernelError);
  EXPECT_THROW(k->conv2d(x.view, w.view, {}, out.view, {2, 1, 1, 1, 1}, false), KernelError);
  EXPECT_THROW(k->conv2d_backward_data(x.view, wrong.view, out.view, pad1, false), KernelError);
  EXPECT_THROW(k->conv2d_backward_weight(x.view, half.view, w.view, pad1, false), KernelError);
  EXPECT_THROW(k->group_norm(x.view, c.view, c.view, out.view, stats.view, 3, 1e-5F, true),
               KernelError);
  EXPECT_THROW(k->group_norm(x.view, c7.view, c.view, out.view, stats.view, 4, 1e-5F, true),
               KernelError);
  EXPECT_THROW(k->layer_norm(x.view, c.view, c.view, out.view, stats.view, 1e-5F), KernelError);
  EXPECT_THROW(k->upsample_nearest(x.view, View(out.view.data, DType::f32, {2, 2, 2, 8})),
               KernelError);
  EXPECT_THROW(k->add_noise(x.view, x.view, c.view, c.view, out.view), KernelError);
  EXPECT_THROW(k->attention(tokens.view, tokens.view, tokens.view, {}, token_out.view, lse.view,
                            {3, 1.0F, false}),
               KernelError);
  EXPECT_THROW(k->attention(tokens.view, tokens.view, tokens.view, {}, token_out.view, stats.view,
                            {2, 1.0F, false}),
               KernelError);
  EXPECT_THROW(k->gather_tokens(tokens.view, ids.view, rows.view), KernelError);
  EXPECT_THROW(k->embedding(tokens.view, ids.view, rows.view), KernelError);
  EXPECT_THROW(k->fill(ids.view, 1.0F), KernelError);
  EXPECT_THROW(k->sum_of_squares(overlapping), KernelError);
  EXPECT_EQ(out.bytes, before);
  EXPECT_EQ(token_out.bytes, before_tokens);
  EXPECT_EQ(rows.bytes, before_rows);
  try {
    k->conv2d(x.view, wrong.view, {}, out.view, pad1, false);
  } catch (const KernelError& e) {
    EXPECT_STREQ(e.what(),
                 "[conv2d] weight [8, 7, 3, 3] expects 7 input channels; x is [2, 4, 4, 8]");
  }
}

TEST(CpuDevice, CountsNonFinite) {
  const auto k = make_cpu_kernels(2);
  for (DType d : {DType::f32, DType::f64, DType::f16, DType::bf16}) {
    Tensor x = hash_tensor(d, {100003}, 1);
    EXPECT_EQ(k->count_non_finite(x.view), 0);
    x.set(0, std::numeric_limits<double>::infinity());
    x.set(70000, -std::numeric_limits<double>::infinity());
    x.set(100002, std::numeric_limits<double>::quiet_NaN());
    EXPECT_EQ(k->count_non_finite(x.view), 3);
    EXPECT_TRUE(std::isnan(k->sum_of_squares(x.view)));
  }
}

TEST(ThreadPool, RunsEveryChunkOnceAndRethrows) {
  ThreadPool pool(4);
  for (int round = 0; round < 2000; ++round) {
    std::atomic<int> sum{0};
    pool.run(round % 9, [&](std::int64_t chunk, int) { sum += static_cast<int>(chunk) + 1; });
    const int n = round % 9;
    ASSERT_EQ(sum.load(), n * (n + 1) / 2);
  }
  EXPECT_THROW(pool.run(64,
                        [](std::int64_t chunk, int) {
                          if (chunk == 5) {
                            throw std::runtime_error("chunk 5");
                          }
                        }),
               std::runtime_error);
  std::atomic<int> count{0};
  pool.run(10, [&](std::int64_t, int) { ++count; });
  EXPECT_EQ(count.load(), 10);
}

}  // namespace
}  // namespace mantissa::testing
