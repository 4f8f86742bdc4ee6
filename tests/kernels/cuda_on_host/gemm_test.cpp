#include <gtest/gtest.h>

#include "tests/kernels/cuda_on_host/both_backends.h"

#include "machine.h"

namespace mantissa::testing {
namespace {

struct Case {
  int capability;
  std::size_t part_bytes;
};

/// FP8 GEMMs on cards that support per-channel scales, a single scale, or none.
class Fp8OnHost : public ::testing::TestWithParam<Case> {
 protected:
  void TearDown() override { cuda_on_host::settings() = {}; }
};

TEST_P(Fp8OnHost, IsTheCpusWholeAndInParts) {
  constexpr std::int64_t kM = 37, kN = 48, kK = 96;
  cuda_on_host::settings() = {.capability = GetParam().capability};
  BothBackends both(GetParam().part_bytes);
  const Twin &wide_a = both.random(DType::f32, {kM, kK}, 1),
             &wide_b = both.random(DType::f32, {kN, kK}, 2);
  const Twin &a = both.poisoned(DType::f8_e4m3, {kM, kK}),
             &b = both.poisoned(DType::f8_e4m3, {kN, kK}),
             &a_scale = both.poisoned(DType::f32, {1}), &b_scale = both.poisoned(DType::f32, {kN});
  const Twin& bias = both.random(DType::bf16, {kN}, 3);
  const Twin &plain = both.poisoned(DType::bf16, {kM, kN}, 8),
             &added = both.random(DType::bf16, {kM, kN}, 4, {.gap = 8}),
             &unscaled = both.poisoned(DType::bf16, {kM, kN});
  const Twin &row_codes = both.poisoned(DType::f8_e5m2, {kM, kK}),
             &row_scales = both.poisoned(DType::f32, {kM}),
             &by_row = both.random(DType::bf16, {kM, kN}, 5, {.gap = 8}),
             &by_row_alone = both.poisoned(DType::bf16, {kM, kN});
  both.run([&](Kernels& k, const BothBackends::Choose& of) {
    k.quantize(of(wide_a), {}, of(a), of(a_scale), {});
    k.quantize(of(wide_b), {}, of(b), of(b_scale), {});
    k.matmul_codes(of(a), of(a_scale), of(b), of(b_scale), of(bias), of(plain),
                   {.transpose_b = true});
    k.matmul_codes(of(a), of(a_scale), of(b), of(b_scale), {}, of(added),
                   {.transpose_b = true, .beta = 1.0F});
    k.matmul_codes(of(a), of(a_scale), of(b), {}, {}, of(unscaled), {.transpose_b = true});
    k.quantize(of(wide_a), {}, of(row_codes), of(row_scales), {});
    k.matmul_codes(of(row_codes), of(row_scales), of(b), of(b_scale), of(bias), of(by_row),
                   {.transpose_b = true, .beta = 1.0F});
    k.matmul_codes(of(row_codes), of(row_scales), of(b), {}, {}, of(by_row_alone),
                   {.transpose_b = true});
  });
  for (const auto& [twin, what] : {std::pair{&plain, "with a bias"}, std::pair{&added, "added"},
                                   std::pair{&unscaled, "without scales of channels"},
                                   std::pair{&by_row, "with scales of rows and channels"},
                                   std::pair{&by_row_alone, "with scales of rows alone"}}) {
    both.expect_near(*twin, rounding_tolerance(DType::bf16), what);
  }
}

TEST(TurnedCodes, AreThoseOfEveryTimeAndMadeOnce) {
  constexpr std::int64_t kM = 16, kN = 32, kK = 48;
  cuda_on_host::settings() = {.capability = 90};
  BothBackends both(std::size_t{1} << 20);
  const Twin &wide_a = both.random(DType::f32, {kM, kK}, 1),
             &wide_b = both.random(DType::f32, {kK, kN}, 2);
  const Twin &a = both.poisoned(DType::f8_e5m2, {kM, kK}),
             &b = both.poisoned(DType::f8_e4m3, {kK, kN}),
             &a_scale = both.poisoned(DType::f32, {kM}), &b_scale = both.poisoned(DType::f32, {kK});
  const Twin &every_time = both.poisoned(DType::bf16, {kM, kN}),
             &kept = both.poisoned(DType::bf16, {kM, kN}),
             &again = both.poisoned(DType::bf16, {kM, kN});
  both.run([&](Kernels& k, const BothBackends::Choose& of) {
    k.quantize(of(wide_a), {}, of(a), of(a_scale), {});
    k.quantize(of(wide_b), {}, of(b), of(b_scale), {});
    k.keep_turned_codes(false);
    View frozen = of(b);
    frozen.constant_id = 7;
    k.matmul_codes(of(a), of(a_scale), frozen, {}, {}, of(every_time), {});
    EXPECT_EQ(k.constant_bytes(), 0u) << "not unless it was said that there is room";
    k.keep_turned_codes(true);
    for (const Twin* out : {&kept, &again}) {
      k.matmul_codes(of(a), of(a_scale), frozen, {}, {}, of(*out), {});
      EXPECT_EQ(k.constant_bytes(), k.host_memory() ? 0u : kK * kN);
    }
    k.matmul_codes(of(a), of(a_scale), of(b), {}, {}, of(again), {});  // may change: not kept
    EXPECT_EQ(k.constant_bytes(), k.host_memory() ? 0u : kK * kN);
    k.release_constants();
    EXPECT_EQ(k.constant_bytes(), 0u);
  });
  both.expect_near(every_time, rounding_tolerance(DType::bf16), "turned every time");
  both.expect_near(kept, rounding_tolerance(DType::bf16), "turned once");
  both.expect_near(again, rounding_tolerance(DType::bf16), "of codes that aren't frozen");
  cuda_on_host::settings() = {};
}

/// int8 GEMMs where the card has units for them, has none, or they don't take the sizes.
class Int8OnHost : public Fp8OnHost {
 protected:
  static constexpr std::int64_t kM = 37;
  /// Forward and backward of a layer [n, k] of 16-bit values, against the CPU's.
  void compare(std::int64_t n, std::int64_t k, DType type = DType::bf16) {
    cuda_on_host::settings() = {.capability = GetParam().capability};
    BothBackends both(GetParam().part_bytes);
    const Twin &wide_x = both.random(DType::f32, {kM, k}, 1),
               &wide_w = both.random(DType::f32, {n, k}, 2),
               &wide_g = both.random(DType::f32, {kM, n}, 3);
    const Twin &x = both.poisoned(DType::i8, {kM, k}), &w = both.poisoned(DType::i8, {n, k}),
               &g = both.poisoned(DType::i8, {kM, n});
    const Twin &x_scale = both.poisoned(DType::f32, {kM}),
               &w_scale = both.poisoned(DType::f32, {n}),
               &g_scale = both.poisoned(DType::f32, {kM}),
               &one_scale = both.random(DType::f32, {1}, 7);
    const Twin& bias = both.random(type, {n}, 4);
    const Twin &y = both.poisoned(type, {kM, n}, 8),
               &added = both.random(type, {kM, n}, 5, {.gap = 8}),
               &shared = both.poisoned(type, {kM, n}), &d_x = both.random(type, {kM, k}, 6);
    both.run([&](Kernels& kernels, const BothBackends::Choose& of) {
      kernels.quantize(of(wide_x), {}, of(x), of(x_scale), {});
      kernels.quantize(of(wide_w), {}, of(w), of(w_scale), {});
      kernels.quantize(of(wide_g), of(w_scale), of(g), of(g_scale), {});
      kernels.matmul_codes(of(x), of(x_scale), of(w), of(w_scale), of(bias), of(y),
                           {.transpose_b = true});
      kernels.matmul_codes(of(x), of(x_scale), of(w), of(w_scale), of(bias), of(added),
                           {.transpose_b = true, .beta = 0.75F});
      kernels.matmul_codes(of(x), of(one_scale), of(w), {}, {}, of(shared), {.transpose_b = true});
      kernels.matmul_codes(of(g), of(g_scale), of(w), {}, {}, of(d_x), {.beta = 1.0F});
    });
    for (const auto& [twin, what] :
         {std::pair{&y, "with a bias"}, std::pair{&added, "added, with a bias"},
          std::pair{&shared, "with one scale for all rows"}, std::pair{&d_x, "the gradient"}}) {
      both.expect_same(*twin, what);
    }
  }
};

TEST_P(Int8OnHost, HasTheCpusBits) {
  compare(48, 96);
}

TEST_P(Int8OnHost, HasTheCpusBitsInFp16) {
  compare(48, 96, DType::f16);
  compare(46, 33, DType::f16);
}

/// Sums of less than 2^24 are exact in fp32 too.
TEST_P(Int8OnHost, HasTheCpusBitsInSizesThatAreNotWords) {
  compare(46, 33);
}

INSTANTIATE_TEST_SUITE_P(Cards, Int8OnHost,
                         ::testing::Values(Case{70, 0}, Case{75, 0}, Case{86, 2000}, Case{90, 1}),
                         [](const auto& info) {
                           return "sm" + std::to_string(info.param.capability) + "_parts_of_" +
                                  std::to_string(info.param.part_bytes);
                         });

/// A bias one element after an aligned address.
TEST(GemmOnHost, TakesABiasWhereverItLies) {
  for (const DType type : {DType::f64, DType::f32, DType::f16, DType::bf16}) {
    BothBackends both;
    const Twin &a = both.random(type, {5, 24}, 1), &b = both.random(type, {16, 24}, 2),
               &longer = both.random(type, {17}, 3), &out = both.poisoned(type, {5, 16}, 3);
    both.run([&](Kernels& k, const BothBackends::Choose& of) {
      View bias = of(longer);
      bias.data = bias.as<std::byte>() + dtype_size(type);
      bias.shape = {16};
      k.matmul(of(a), of(b), bias, of(out), {.transpose_b = true});
    });
    both.expect_near(out, rounding_tolerance(type), "with a bias");
  }
}

INSTANTIATE_TEST_SUITE_P(Cards, Fp8OnHost,
                         ::testing::Values(Case{80, 0}, Case{80, 2000}, Case{89, 0}, Case{89, 2000},
                                           Case{89, 1}, Case{90, 0}, Case{120, 2000}),
                         [](const auto& info) {
                           return "sm" + std::to_string(info.param.capability) + "_parts_of_" +
                                  std::to_string(info.param.part_bytes);
                         });

}  // namespace
}  // namespace mantissa::testing
