#include "kernels/cuda/cublas.h"

#include <chrono>
#include <cmath>
#include <cstring>
#include <cublasLt.h>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <vector>

#include "kernels/cuda/algorithm_cache.h"

#include "machine.h"

// How kernels/cuda/cublas.cpp calls cuBLASLt, against a fake with the library's refusals. The
// parity tests, which all use it here, check its results.

namespace mantissa::cuda {
namespace {

using cuda_on_host::GemmAlgorithm;
using cuda_on_host::last_gemm_algorithm;
using ::testing::HasSubstr;

constexpr std::int64_t kM = 5, kN = 48, kK = 32;

/// A GEMM of small integers, exact in every dtype: a·bᵀ with a [5, 32] and b [48, 32].
class Cublas : public ::testing::Test {
 protected:
  explicit Cublas(int capability = 75) {
    cuda_on_host::settings() = {.capability = capability};
    context_ = std::make_unique<Context>(0);
  }
  void TearDown() override {
    cuda_on_host::set_memory_limit(std::size_t{4} << 30);
    for (void* data : blocks_) {
      context_->release(data);
    }
    context_.reset();
    cuda_on_host::settings() = {};
  }

  /// Values in device memory, `late` elements after an address that any algorithm accepts.
  template <typename T>
  T* put(const std::vector<float>& values, std::size_t late = 0) {
    std::vector<T> rounded(values.begin(), values.end());
    blocks_.push_back(context_->allocate((rounded.size() + late) * sizeof(T)));
    T* data = static_cast<T*>(blocks_.back()) + late;
    context_->upload(rounded.data(), data, rounded.size() * sizeof(T));
    return data;
  }
  template <typename T>
  std::vector<float> get(const T* data, std::int64_t count = kM * kN) {
    std::vector<T> values(static_cast<std::size_t>(count));
    context_->download(data, values.data(), values.size() * sizeof(T));
    return {values.begin(), values.end()};
  }
  static std::size_t free_memory() {
    std::size_t free = 0, total = 0;
    cudaMemGetInfo(&free, &total);
    return free;
  }
  static std::vector<float> whole_numbers(std::int64_t count, int seed) {
    std::vector<float> values;
    for (std::int64_t i = 0; i < count; ++i) {
      values.push_back(static_cast<float>((i * 7 + seed * 13) % 5 - 2));
    }
    return values;
  }
  std::vector<float> expected(float onto = 0) const {
    std::vector<float> out;
    for (std::int64_t i = 0; i < kM; ++i) {
      for (std::int64_t j = 0; j < kN; ++j) {
        float sum = onto;
        for (std::int64_t p = 0; p < kK; ++p) {
          sum +=
              a_[static_cast<std::size_t>(i * kK + p)] * b_[static_cast<std::size_t>(j * kK + p)];
        }
        out.push_back(sum);
      }
    }
    return out;
  }
  GemmCall call(const float16* a, const float16* b, void* out, DType out_type = DType::f16) const {
    GemmCall c;
    c.a = a;
    c.b = b;
    c.out = out;
    c.type = DType::f16;
    c.out_type = out_type;
    c.m = kM;
    c.n = c.out_stride = kN;
    c.k = c.a_stride = c.b_stride = kK;
    c.transpose_b = true;
    return c;
  }

  std::vector<float> a_ = whole_numbers(kM * kK, 1), b_ = whole_numbers(kN * kK, 2);
  std::unique_ptr<Context> context_;
  std::vector<void*> blocks_;
};

TEST_F(Cublas, TellsTheLibraryHowAddressesAreAligned) {
  const auto gemm = make_cublas(*context_, {});
  const std::vector<float> zeros(kM * kN);
  struct Case {
    std::size_t a, b, out;
    GemmAlgorithm algorithm;
  };
  for (const Case& c : {Case{0, 0, 0, GemmAlgorithm::packed}, Case{8, 8, 8, GemmAlgorithm::packed},
                        Case{1, 0, 0, GemmAlgorithm::split}, Case{0, 3, 0, GemmAlgorithm::split},
                        Case{0, 0, 4, GemmAlgorithm::split}}) {
    auto* out = put<float16>(zeros, c.out);
    gemm->run(call(put<float16>(a_, c.a), put<float16>(b_, c.b), out));
    EXPECT_EQ(last_gemm_algorithm(), c.algorithm) << c.a << " " << c.b << " " << c.out;
    EXPECT_EQ(get(out), expected());
  }
}

TEST_F(Cublas, DeterministicMaySumPartsInAFixedOrderAndTimesNothing) {
  const std::int64_t graphs = cuda_on_host::graphs_instantiated();
  const auto gemm = make_cublas(*context_, {.deterministic = true, .cache_folder = {}});
  auto* out = put<float>(std::vector<float>(kM * kN, 3.0F));
  GemmCall c = call(put<float16>(a_, 1), put<float16>(b_), out, DType::f32);
  c.beta = 1;
  gemm->run(c);
  EXPECT_EQ(last_gemm_algorithm(), GemmAlgorithm::split);
  EXPECT_EQ(get(out), expected(3.0F));
  EXPECT_EQ(cuda_on_host::graphs_instantiated(), graphs);
}

TEST_F(Cublas, TimesEachAlgorithmAsOneGraph) {
  const auto gemm = make_cublas(*context_, {.deterministic = false, .cache_folder = {}});
  const std::int64_t graphs = cuda_on_host::graphs_instantiated();
  auto* out = put<float16>(std::vector<float>(kM * kN));
  gemm->run(call(put<float16>(a_), put<float16>(b_), out));
  EXPECT_EQ(cuda_on_host::graphs_instantiated() - graphs, 3) << "packed, split, plain";
  EXPECT_EQ(get(out), expected());
}

TEST_F(Cublas, TimesNoMoreAtOnceThanASystemWaitsFor) {
  auto* out = put<float16>(std::vector<float>(kM * kN));
  const auto timed_products = [&](std::chrono::microseconds each) {
    cuda_on_host::set_product_time(each);
    const auto gemm = make_cublas(*context_, {.deterministic = false, .cache_folder = {}});
    const std::int64_t before = cuda_on_host::products();
    gemm->run(call(put<float16>(a_), put<float16>(b_), out));
    cuda_on_host::set_product_time(std::chrono::microseconds(10));
    return cuda_on_host::products() - before;
  };
  // Of each of three algorithms two alone, and a chain twice; then the product itself.
  EXPECT_EQ(timed_products(std::chrono::microseconds(10)), 3 * (2 + 2 * 24) + 1);
  EXPECT_EQ(timed_products(std::chrono::milliseconds(11)), 3 * (2 + 2 * 4) + 1)
      << "50 ms hold four of 11 ms";
  EXPECT_EQ(timed_products(std::chrono::milliseconds(30)), 3 * 2 + 1) << "one alone is timed";
  EXPECT_EQ(get(out), expected());
}

TEST_F(Cublas, LinesThatTwoProcessesMixedAreNoAlgorithms) {
  const std::filesystem::path folder =
      std::filesystem::path(::testing::TempDir()) / "mixed cublas algorithms";
  std::filesystem::remove_all(folder);
  AlgorithmCache::Algorithm words{1, 2, 3, 4, 5, 6, 7, 0xabc};
  AlgorithmCache(folder.string(), "a card").keep("fp16:1", words);
  AlgorithmCache(folder.string(), "a card").keep("fp16:2", words);
  EXPECT_EQ(AlgorithmCache(folder.string(), "a card").find("fp16:1"), words);
  EXPECT_EQ(AlgorithmCache(folder.string(), "a card").find("fp16:2"), words);
  const auto file = std::filesystem::directory_iterator(folder)->path();
  std::ofstream(file) << "fp16:1 1 2 3 4 5 6 7 8fp16:2 1 2 3 4 5 6 7 8\n"
                      << "fp16:3 1 2 3 4 5 6 7 8 fp16:4\nfp16:5 1 2 3\nfp16:6 1 2 3 4 5 6 7 8\n";
  const AlgorithmCache mixed(folder.string(), "a card");
  for (const char* shape : {"fp16:1", "fp16:2", "fp16:3", "fp16:4", "fp16:5"}) {
    EXPECT_FALSE(mixed.find(shape)) << shape;
  }
  EXPECT_TRUE(mixed.find("fp16:6"));
  std::filesystem::remove_all(folder);
}

TEST_F(Cublas, SearchLeavesTheResultAloneAndKeepsWhatItFound) {
  const std::filesystem::path folder =
      std::filesystem::path(::testing::TempDir()) / "cublas algorithms";
  std::filesystem::remove_all(folder);
  const CublasOptions searching{.deterministic = false, .cache_folder = folder.string()};
  auto* out = put<float>(std::vector<float>(kM * kN, 3.0F));
  GemmCall c = call(put<float16>(a_), put<float16>(b_), out, DType::f32);
  c.beta = 1;
  const std::size_t free_before = free_memory();
  make_cublas(*context_, searching)->run(c);
  EXPECT_EQ(get(out), expected(3.0F)) << "added once, whatever was timed";
  EXPECT_GE(free_memory() + kM * kN * sizeof(float), free_before)
      << "no more is kept than the workspace of an algorithm that was timed";

  const auto file = std::filesystem::directory_iterator(folder)->path();
  std::ifstream in(file);
  std::string shape, mark, kept, rest;
  in >> shape >> mark >> kept;
  std::getline(in, rest);
  EXPECT_THAT(shape, HasSubstr("fp16:5,48,32"));
  in.close();

  // The file's algorithm is used as long as the library accepts it.
  for (const auto algorithm : {GemmAlgorithm::packed, GemmAlgorithm::split, GemmAlgorithm::plain}) {
    std::ofstream(file) << "not a line of it\n"
                        << shape << ' ' << mark << ' ' << static_cast<int>(algorithm) << rest
                        << '\n';
    make_cublas(*context_, searching)->run(c);
    EXPECT_EQ(last_gemm_algorithm(), algorithm);
  }
  std::ofstream(file) << shape << " 0 0" << rest << '\n';  // of another library
  auto* fresh = put<float>(std::vector<float>(kM * kN));
  c.out = fresh;
  make_cublas(*context_, searching)->run(c);
  EXPECT_EQ(get(fresh), expected());
  std::filesystem::remove_all(folder);
}

TEST_F(Cublas, SearchesWithoutMemoryToSpare) {
  const std::filesystem::path folder =
      std::filesystem::path(::testing::TempDir()) / "no cublas algorithms";
  std::filesystem::remove_all(folder);
  const auto gemm =
      make_cublas(*context_, {.deterministic = false, .cache_folder = folder.string()});
  const auto *a = put<float16>(a_), *b = put<float16>(b_);
  auto* out = put<float>(std::vector<float>(kM * kN, 3.0F));
  void* workspace = context_->scratch<char>(Scratch::gemm, kM * kN * sizeof(float));
  ASSERT_NE(workspace, nullptr);
  cuda_on_host::set_memory_limit((std::size_t{4} << 30) - free_memory());
  GemmCall c = call(a, b, out, DType::f32);
  c.beta = 1;
  gemm->run(c);
  EXPECT_EQ(last_gemm_algorithm(), GemmAlgorithm::packed) << "the first that is proposed";
  EXPECT_EQ(get(out), expected(3.0F));
  EXPECT_FALSE(std::filesystem::exists(folder)) << "what was not timed is not kept";
  c.beta = 0;
  gemm->run(c);
  EXPECT_EQ(get(out), expected());
  EXPECT_TRUE(std::filesystem::exists(folder));
  std::filesystem::remove_all(folder);
}

TEST_F(Cublas, NamesAProductThatTheLibraryDoesNotHave) {
  const auto gemm = make_cublas(*context_, {});
  GemmCall c = call(put<float16>(a_), put<float16>(b_), put<float>(a_), DType::f64);
  try {
    gemm->run(c);
    FAIL() << "fp16 with fp64 sums was taken";
  } catch (const std::runtime_error& error) {
    EXPECT_THAT(error.what(), HasSubstr("no algorithm for the product fp16:5,48,32"));
  }
}

class CublasFp8 : public Cublas, public ::testing::WithParamInterface<int> {
 protected:
  CublasFp8() : Cublas(GetParam()) {}
  Fp8GemmCall fp8_call(const float8_e4m3* a, const float8_e4m3* b, bfloat16* out) const {
    Fp8GemmCall c;
    c.a = a;
    c.b = b;
    c.out = out;
    c.m = kM;
    c.n = c.out_stride = kN;
    c.k = kK;
    return c;
  }
};

TEST_P(CublasFp8, ProductsOfCodes) {
  const auto gemm = make_cublas(*context_, {});
  auto* out = put<bfloat16>(std::vector<float>(kM * kN));
  Fp8GemmCall c = fp8_call(put<float8_e4m3>(a_), put<float8_e4m3>(b_), out);
  c.a_scale = put<float>({2.0F});
  c.bias = put<bfloat16>(std::vector<float>(kN, 1.0F));
  ASSERT_EQ(gemm->run_fp8(c), GetParam() >= 89);
  if (GetParam() >= 89) {
    std::vector<float> want = expected();
    for (float& x : want) {
      x = 2.0F * x + 1.0F;
    }
    EXPECT_EQ(get(out), want);
  }
}

TEST_P(CublasFp8, AScaleForEveryChannelOnlyWhereTheCardHasThat) {
  const auto gemm = make_cublas(*context_, {});
  EXPECT_EQ(gemm->scales_channels(), GetParam() == 90);
  auto* out = put<bfloat16>(std::vector<float>(kM * kN));
  Fp8GemmCall c = fp8_call(put<float8_e4m3>(a_), put<float8_e4m3>(b_), out);
  std::vector<float> scales;
  for (std::int64_t n = 0; n < kN; ++n) {
    scales.push_back(std::exp2(static_cast<float>(n % 4)));
  }
  c.a_scale = put<float>(std::vector<float>(kM, 0.5F));
  c.b_scale = put<float>(scales);
  ASSERT_EQ(gemm->run_fp8(c), GetParam() == 90);
  if (GetParam() == 90) {
    std::vector<float> want = expected();
    for (std::size_t i = 0; i < want.size(); ++i) {
      want[i] *= 0.5F * scales[i % kN];
    }
    EXPECT_EQ(get(out), want);
  }
}

TEST_P(CublasFp8, RefusesWhatTheHardwareDoesNotTake) {
  const auto gemm = make_cublas(*context_, {});
  auto* a = put<float8_e4m3>(a_);
  auto* b = put<float8_e4m3>(b_);
  auto* out = put<bfloat16>(std::vector<float>(kM * kN), 1);
  EXPECT_FALSE(gemm->run_fp8(fp8_call(a, b, out))) << "result at an odd address";
  Fp8GemmCall odd = fp8_call(a, b, put<bfloat16>(std::vector<float>(kM * kN)));
  odd.k = 24;
  EXPECT_FALSE(gemm->run_fp8(odd));
  odd.k = kK;
  odd.a_type = odd.b_type = DType::f8_e5m2;
  EXPECT_FALSE(gemm->run_fp8(odd));
}

// The algorithm is that of the first call, and cuBLASLt refuses the second one's scale only then.
TEST_P(CublasFp8, AScaleBehindAnotherOneIsNotTaken) {
  const auto gemm = make_cublas(*context_, {});
  auto* out = put<bfloat16>(std::vector<float>(kM * kN));
  Fp8GemmCall c = fp8_call(put<float8_e4m3>(a_), put<float8_e4m3>(b_), out);
  c.a_scale = put<float>({2.0F});
  EXPECT_EQ(gemm->run_fp8(c), GetParam() >= 89);
  c.a_scale = put<float>({2.0F}, 1);
  EXPECT_FALSE(gemm->run_fp8(c));
  c.a_scale = put<float>(std::vector<float>(kM, 0.5F));
  c.b_scale = put<float>(std::vector<float>(kN, 0.5F));
  EXPECT_EQ(gemm->run_fp8(c), GetParam() == 90);
  c.b_scale = put<float>(std::vector<float>(kN, 0.5F), 1);
  EXPECT_FALSE(gemm->run_fp8(c));
}

class CublasInt8 : public Cublas, public ::testing::WithParamInterface<int> {
 protected:
  CublasInt8() : Cublas(GetParam()) {}
  /// Values as codes of the same numbers.
  const std::int8_t* codes(const std::vector<float>& values, std::size_t late = 0) {
    return put<std::int8_t>(values, late);
  }
};

TEST_P(CublasInt8, SumsAreExact) {
  const auto gemm = make_cublas(*context_, {});
  auto* out = put<std::int32_t>(std::vector<float>(kM * kN));
  ASSERT_EQ(gemm->run_int8({codes(a_), codes(b_), out, kM, kN, kK}), GetParam() >= 75);
  if (GetParam() >= 75) {
    EXPECT_EQ(get(out), expected());
  }
}

TEST_P(CublasInt8, RefusesWhatTheUnitsDoNotTake) {
  const auto gemm = make_cublas(*context_, {});
  auto* out = put<std::int32_t>(std::vector<float>(kM * kN));
  EXPECT_FALSE(gemm->run_int8({codes(a_), codes(b_), out, kM, kN, kK - 2}));
  EXPECT_FALSE(gemm->run_int8({codes(a_), codes(b_), out, kM, kN - 2, kK}));
  EXPECT_FALSE(gemm->run_int8({codes(a_, 2), codes(b_), out, kM, kN, kK})) << "half a word late";
  EXPECT_EQ(gemm->run_int8({codes(a_, 4), codes(b_), out, kM, kN, kK}), GetParam() >= 75);
}

INSTANTIATE_TEST_SUITE_P(Capability, CublasInt8, ::testing::Values(70, 75, 86, 90, 120));

INSTANTIATE_TEST_SUITE_P(Capability, CublasFp8, ::testing::Values(80, 89, 90, 120));

}  // namespace
}  // namespace mantissa::cuda
