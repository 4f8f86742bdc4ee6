#include <atomic>
#include <cstdint>
#include <gtest/gtest.h>
#include <stdexcept>

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
  // Tensors not marked constant may change between calls.
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

TEST(CpuDevice, CountsHowOftenItTakesMemory) {
  const auto k = make_cpu_kernels(4);
  void* p = k->allocate(1000);
  EXPECT_EQ(k->allocations(), 1u);
  k->release(p);
  EXPECT_EQ(k->allocations(), 1u) << "memory given back";
  const Tensor a = hash_tensor(DType::f32, {200, 64}, 1), w = hash_tensor(DType::f32, {64, 64}, 2);
  Tensor out(DType::f32, {200, 64});
  View constant = w.view;
  constant.constant_id = 1;
  k->matmul(a.view, constant, {}, out.view, {});
  const std::uint64_t first = k->allocations();
  EXPECT_GT(first, 1u) << "the packed constant and scratch";
  // Which thread gets which chunk differs from call to call.
  k->settle_scratch();
  const std::uint64_t settled = k->allocations();
  for (int i = 0; i < 200; ++i) {
    k->matmul(a.view, constant, {}, out.view, {});
  }
  EXPECT_EQ(k->allocations(), settled);
  k->release_constants();
  k->matmul(a.view, constant, {}, out.view, {});
  EXPECT_EQ(k->allocations(), settled + 1) << "packed again";
}

TEST(CpuDevice, PrefetchesFromAlignedZeroedHostMemory) {
  const auto k = make_cpu_kernels(1);
  auto* host = static_cast<float*>(k->allocate_host(3 * sizeof(float)));
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(host) % 64, 0u);
  EXPECT_EQ(host[0] + host[1] + host[2], 0.0F);
  host[0] = 1;
  host[1] = 2;
  host[2] = 3;
  float first[2]{}, second[1]{};
  const std::vector<Transfer> transfers{{host, first, sizeof first},
                                        {host + 2, second, sizeof second}};
  k->prefetch(1, transfers);
  k->await_prefetch(1);
  EXPECT_EQ(first[0], 1);
  EXPECT_EQ(first[1], 2);
  EXPECT_EQ(second[0], 3);
  k->release_host(host);
  k->release_host(nullptr);
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
