#include <chrono>
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "kernels/cuda/cublas.h"
#include "tests/kernels/cuda_on_host/both_backends.h"

#include "cublasLt.h"
#include "machine.h"

namespace mantissa::testing {
namespace {

using Products = Kernels::CodesProducts;
using ::testing::HasSubstr;

struct Case {
  int capability;
  std::size_t part_bytes;
  Products own = Products::library;
};
std::string name_of(const ::testing::TestParamInfo<Case>& info) {
  const auto& [capability, part_bytes, own] = info.param;
  return "sm" + std::to_string(capability) +
         (own == Products::ours ? "_ours" : "_parts_of_" + std::to_string(part_bytes));
}

/// Products on cards that support per-channel scales, a single scale, or none, by the library and
/// by our kernel.
class CodesOnHost : public ::testing::TestWithParam<Case> {
 protected:
  CodesOnHost() { cuda_on_host::settings() = {.capability = GetParam().capability}; }
  void TearDown() override { cuda_on_host::settings() = {}; }
  void choose(BothBackends& both) const { both.cuda().choose_products(GetParam().own); }
};

class Fp8OnHost : public CodesOnHost {};

TEST_P(Fp8OnHost, IsTheCpusWholeAndInParts) {
  constexpr std::int64_t kM = 37, kN = 48, kK = 96;
  BothBackends both(GetParam().part_bytes);
  choose(both);
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
class Int8OnHost : public CodesOnHost {
 protected:
  /// Forward and backward of a layer [n, k] with m rows of 16-bit values, against the CPU's.
  void compare(std::int64_t m, std::int64_t n, std::int64_t k, DType type = DType::bf16) {
    BothBackends both(GetParam().part_bytes);
    choose(both);
    const Twin &wide_x = both.random(DType::f32, {m, k}, 1),
               &wide_w = both.random(DType::f32, {n, k}, 2),
               &wide_g = both.random(DType::f32, {m, n}, 3);
    const Twin &x = both.poisoned(DType::i8, {m, k}), &w = both.poisoned(DType::i8, {n, k}),
               &g = both.poisoned(DType::i8, {m, n});
    const Twin &x_scale = both.poisoned(DType::f32, {m}), &w_scale = both.poisoned(DType::f32, {n}),
               &g_scale = both.poisoned(DType::f32, {m}),
               &one_scale = both.random(DType::f32, {1}, 7);
    const Twin& bias = both.random(type, {n}, 4);
    const Twin &y = both.poisoned(type, {m, n}, 8),
               &added = both.random(type, {m, n}, 5, {.gap = 8}),
               &shared = both.poisoned(type, {m, n}), &d_x = both.random(type, {m, k}, 6);
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
  compare(37, 48, 96);
}

TEST_P(Int8OnHost, HasTheCpusBitsInFp16) {
  compare(37, 48, 96, DType::f16);
  compare(37, 46, 33, DType::f16);
}

/// Sums of less than 2^24 are exact in fp32 too.
TEST_P(Int8OnHost, HasTheCpusBitsInSizesThatAreNotWords) {
  compare(37, 46, 33);
}

/// Several tiles each way, with a part of one at both ends and half a step at the end of the depth;
/// rows that are not whole packs.
TEST_P(Int8OnHost, HasTheCpusBitsInSeveralTiles) {
  compare(150, 264, 208);
  compare(131, 142, 32);
}

INSTANTIATE_TEST_SUITE_P(Cards, Int8OnHost,
                         ::testing::Values(Case{70, 0}, Case{75, 0}, Case{86, 2000}, Case{90, 1},
                                           Case{75, 0, Products::ours},
                                           Case{90, 0, Products::ours}),
                         name_of);

/// As for int8, in both orders of the types.
TEST_P(Fp8OnHost, IsTheCpusInSeveralTiles) {
  constexpr std::int64_t kM = 150, kN = 264, kK = 208;
  for (const auto& [a_type, b_type] :
       {std::pair{DType::f8_e4m3, DType::f8_e4m3}, std::pair{DType::f8_e5m2, DType::f8_e4m3},
        std::pair{DType::f8_e4m3, DType::f8_e5m2}}) {
    BothBackends both(GetParam().part_bytes);
    choose(both);
    const Twin &wide_a = both.random(DType::f32, {kM, kK}, 1),
               &wide_b = both.random(DType::f32, {kN, kK}, 2);
    const Twin &a = both.poisoned(a_type, {kM, kK}), &b = both.poisoned(b_type, {kN, kK}),
               &a_scale = both.poisoned(DType::f32, {kM}),
               &b_scale = both.poisoned(DType::f32, {kN});
    const Twin &bias = both.random(DType::bf16, {kN}, 3),
               &addend = both.random(DType::bf16, {kM, kN}, 4),
               &out = both.poisoned(DType::bf16, {kM, kN}, 8);
    both.run([&](Kernels& k, const BothBackends::Choose& of) {
      k.quantize(of(wide_a), {}, of(a), of(a_scale), {});
      k.quantize(of(wide_b), {}, of(b), of(b_scale), {});
      k.matmul_codes(of(a), of(a_scale), of(b), of(b_scale), of(bias), of(out),
                     {.transpose_b = true, .beta = 0.5F, .addend = of(addend)});
    });
    both.expect_near(out, rounding_tolerance(DType::bf16),
                     dtype_text(a_type) + " by " + dtype_text(b_type));
  }
}

INSTANTIATE_TEST_SUITE_P(Cards, Fp8OnHost,
                         ::testing::Values(Case{80, 0}, Case{80, 2000}, Case{89, 0}, Case{89, 2000},
                                           Case{89, 1}, Case{90, 0}, Case{120, 2000},
                                           Case{89, 0, Products::ours},
                                           Case{120, 0, Products::ours}),
                         name_of);

/// Which kernel is taken, by a library that times what it can choose from.
class OwnProduct : public ::testing::Test {
 protected:
  OwnProduct() {
    cuda_on_host::settings() = {.capability = 86};
    std::filesystem::remove_all(folder_);
  }
  ~OwnProduct() override {
    std::filesystem::remove_all(folder_);
    cuda_on_host::set_product_time(std::chrono::microseconds(10));
    cuda_on_host::set_memory_limit(std::size_t{4} << 30);
    cuda_on_host::settings() = {};
  }

  /// int8 codes of [kM, kK] and [kN, kK], all ones, and a result of ones that they are added to.
  class Card {
   public:
    explicit Card(const std::string& folder, bool deterministic = false) {
      auto context = std::make_unique<cuda::Context>(0);
      auto gemm = cuda::make_cublas(*context, {deterministic, folder});
      kernels_ = std::make_unique<cuda::CudaKernels>(std::move(context), std::move(gemm), nullptr);
      const std::vector<std::int8_t> codes(kM * kK, 1);
      const std::vector<float> scales(kM, 0.5F);
      a_ = put(DType::i8, {kM, kK}, codes.data());
      b_ = put(DType::i8, {kN, kK}, codes.data());
      scale_ = put(DType::f32, {kM}, scales.data());
      const std::vector<bfloat16> ones(kM * kN, bfloat16(1.0F));
      out_ = put(DType::bf16, {kM, kN}, ones.data());
    }
    ~Card() {
      for (const View& v : {a_, b_, scale_, out_}) {
        kernels_->release(v.data);
      }
    }
    Card(const Card&) = delete;
    Card& operator=(const Card&) = delete;
    /// How many products the library calculated for one.
    std::int64_t multiply(float beta = 0) {
      const std::int64_t before = cuda_on_host::products();
      kernels_->matmul_codes(a_, scale_, b_, {}, {}, out_, {.transpose_b = true, .beta = beta});
      return cuda_on_host::products() - before;
    }
    /// The result's first value and last.
    std::pair<float, float> ends() {
      std::vector<bfloat16> values(kM * kN);
      kernels_->download(out_, values.data());
      return {static_cast<float>(values.front()), static_cast<float>(values.back())};
    }
    cuda::CudaKernels& kernels() { return *kernels_; }

   private:
    View put(DType type, const Shape& shape, const void* values) {
      View v(nullptr, type, shape);
      v.data = kernels_->allocate(static_cast<std::size_t>(v.count()) * dtype_size(type));
      kernels_->upload(values, v);
      return v;
    }
    std::unique_ptr<cuda::CudaKernels> kernels_;
    View a_, b_, scale_, out_;
  };

  static constexpr std::int64_t kM = 32, kN = 16, kK = 64;
  static constexpr float kProduct = 0.5F * kK;
  const std::string folder_ = ::testing::TempDir() + "own products";
};

TEST_F(OwnProduct, IsTakenWhereItIsFasterAndTimedOnce) {
  {
    Card card(folder_);
    EXPECT_GT(card.multiply(), 1) << "the library's is timed";
    EXPECT_EQ(card.multiply(), 0) << "ours takes no time by this card's clock";
    EXPECT_EQ(card.ends(), std::pair(kProduct, kProduct));
  }
  Card later(folder_);
  EXPECT_EQ(later.multiply(), 0) << "the file says so";
  EXPECT_EQ(later.ends(), std::pair(kProduct, kProduct));
}

TEST_F(OwnProduct, IsLeftWhereItIsNotFaster) {
  cuda_on_host::set_product_time(std::chrono::microseconds(0));
  Card card(folder_);
  EXPECT_GT(card.multiply(), 1);
  EXPECT_EQ(card.multiply(), 1);
  EXPECT_EQ(card.ends(), std::pair(kProduct, kProduct));
}

TEST_F(OwnProduct, IsNotTimedDeterministicallyNorWhileRecording) {
  Card same(folder_, true);
  EXPECT_EQ(same.multiply(), 1);
  Card card(folder_);
  card.kernels().choose_products(Products::library);
  EXPECT_GE(card.multiply(), 1);  // takes the scratch that a recording can't
  card.kernels().choose_products(Products::faster);
  std::filesystem::remove_all(folder_);
  const auto replayed_products = [&] {
    const auto recording = card.kernels().record([&] { card.multiply(); });
    const std::int64_t before = cuda_on_host::products();
    recording->replay();
    return cuda_on_host::products() - before;
  };
  EXPECT_EQ(replayed_products(), 1);
  EXPECT_FALSE(std::filesystem::exists(folder_));
  EXPECT_GT(card.multiply(), 1);
  EXPECT_TRUE(std::filesystem::exists(folder_));
  EXPECT_EQ(replayed_products(), 0) << "what is known serves a recording too";
}

TEST_F(OwnProduct, NeedsCodeThatHasTheUnits) {
  Card card(folder_);
  card.kernels().choose_products(Products::ours);
  EXPECT_EQ(card.multiply(), 0);
  card.kernels().context().set_code_capability(70);
  EXPECT_GE(card.multiply(), 1) << "the library's, which times its algorithms first";
  EXPECT_EQ(card.ends(), std::pair(kProduct, kProduct));
}

TEST_F(OwnProduct, AddsOnceWhateverWasTimed) {
  Card card(folder_);
  EXPECT_GT(card.multiply(1.0F), 1);
  EXPECT_EQ(card.ends(), std::pair(kProduct + 1, kProduct + 1));
  EXPECT_EQ(card.multiply(1.0F), 0);
  EXPECT_EQ(card.ends(), std::pair(2 * kProduct + 1, 2 * kProduct + 1));
}

/// By a library that leaves out every second value: of two that differ, ours is not trusted.
TEST_F(OwnProduct, IsNotTakenWhereItDiffers) {
  Card card(folder_);
  cuda_on_host::set_wrong_products(true);
  EXPECT_GT(card.multiply(), 1);
  EXPECT_EQ(card.multiply(), 1);
  cuda_on_host::set_wrong_products(false);
  const std::vector<std::string> notices = card.kernels().take_notices();
  ASSERT_EQ(notices.size(), 1u);
  EXPECT_THAT(notices[0], HasSubstr("product of int8 codes [32, 64] by [16, 64] differs"));
  EXPECT_EQ(Card(folder_).multiply(), 1) << "the file says so";
}

TEST_F(OwnProduct, IsNotTimedWithoutMemoryForItsTrial) {
  Card card(folder_);
  EXPECT_GT(card.multiply(), 1);  // takes the scratch
  cuda_on_host::set_memory_limit(cuda_on_host::memory_used());
  EXPECT_EQ(card.multiply(1.0F), 1) << "another shape";
  EXPECT_EQ(card.ends(), std::pair(2 * kProduct, 2 * kProduct));
}

}  // namespace
}  // namespace mantissa::testing
