#include "kernels/cuda/cublas.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <cublasLt.h>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "kernels/cuda/algorithm_cache.h"
#include "kernels/cuda/timing.h"

namespace mantissa::cuda {
namespace {

void check(cublasStatus_t status, const char* what) {
  if (status != CUBLAS_STATUS_SUCCESS) {
    check_alive("gemm");
    if (status == CUBLAS_STATUS_ALLOC_FAILED) {
      check_cuda(cudaErrorMemoryAllocation, "gemm");
    }
    throw std::runtime_error(std::string("[gemm] cuBLASLt, ") + what + ": " +
                             cublasLtGetStatusString(status));
  }
}

cudaDataType_t data_type(DType type) {
  switch (type) {
    case DType::f64:
      return CUDA_R_64F;
    case DType::f32:
      return CUDA_R_32F;
    case DType::f16:
      return CUDA_R_16F;
    case DType::bf16:
      return CUDA_R_16BF;
    case DType::f8_e4m3:
      return CUDA_R_8F_E4M3;
    case DType::f8_e5m2:
      return CUDA_R_8F_E5M2;
    case DType::i8:
      return CUDA_R_8I;
    case DType::i32:
      return CUDA_R_32I;
    default:
      throw std::invalid_argument("[gemm] no matrices of " + dtype_text(type));
  }
}

/// A handle of cuBLASLt that is destroyed with it.
template <typename Handle, cublasStatus_t (*kDestroy)(Handle)>
class Owned {
 public:
  Owned() = default;
  ~Owned() {
    if (handle_ != nullptr) {
      kDestroy(handle_);
    }
  }
  Owned(const Owned&) = delete;
  Owned& operator=(const Owned&) = delete;
  Handle* address() { return &handle_; }
  Handle get() const { return handle_; }

 private:
  Handle handle_ = nullptr;
};
using Descriptor = Owned<cublasLtMatmulDesc_t, cublasLtMatmulDescDestroy>;
using Layout = Owned<cublasLtMatrixLayout_t, cublasLtMatrixLayoutDestroy>;
using Preference = Owned<cublasLtMatmulPreference_t, cublasLtMatmulPreferenceDestroy>;

/// One GEMM in cuBLASLt's terms. Its matrices are column-major, and a row-major matrix is the
/// transposed column-major one: outᵀ = op(b)ᵀ·op(a)ᵀ, so that b comes first.
struct Product {
  Descriptor descriptor;
  Layout first, second, result, addend;
  const void* first_data = nullptr;
  const void* second_data = nullptr;
  const void* addend_data = nullptr;  ///< the result itself if there is no addend
  void* result_data = nullptr;
  double alpha = 1, beta = 0;
  cudaDataType_t factors = CUDA_R_32F;  ///< of alpha and beta
  bool sums_in_place = false;    ///< the result has the accumulator's type: partial sums can be
                                 ///  added there
  std::size_t result_bytes = 0;  ///< from its first element to its last
  /// See `alignment`; over all matrices of a batch.
  int first_alignment = 1, second_alignment = 1, result_alignment = 1, addend_alignment = 1;
  std::string shape;  ///< unique name of the GEMM, without spaces

  template <typename T>
  void set(cublasLtMatmulDescAttributes_t attribute, const T& value) {
    check(cublasLtMatmulDescSetAttribute(descriptor.get(), attribute, &value, sizeof value),
          "an attribute of the product");
  }
};

void make_layout(Layout& layout, DType type, std::int64_t rows, std::int64_t cols,
                 std::int64_t stride, std::int64_t batch, std::int64_t batch_stride) {
  check(cublasLtMatrixLayoutCreate(layout.address(), data_type(type),
                                   static_cast<std::uint64_t>(rows),
                                   static_cast<std::uint64_t>(cols), stride),
        "a matrix layout");
  if (batch > 1) {
    const auto count = static_cast<std::int32_t>(batch);
    check(cublasLtMatrixLayoutSetAttribute(layout.get(), CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &count,
                                           sizeof count),
          "a batch");
    check(
        cublasLtMatrixLayoutSetAttribute(layout.get(), CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET,
                                         &batch_stride, sizeof batch_stride),
        "a batch's stride");
  }
}

/// Largest power of two up to 256 that divides an address or a distance.
int dividing_power(std::uintptr_t number) {
  int power = 1;
  while (power < 256 && number % (static_cast<std::uintptr_t>(power) * 2) == 0) {
    power *= 2;
  }
  return power;
}

/// Alignment of an address: algorithms depend on it.
int alignment(const void* data) {
  return dividing_power(reinterpret_cast<std::uintptr_t>(data));
}

/// Alignment of `batch` matrices that are `step` bytes apart.
int alignment(const void* data, std::int64_t batch, std::int64_t step) {
  const int first = alignment(data);
  return batch > 1 ? std::min(first, dividing_power(static_cast<std::uintptr_t>(step))) : first;
}

std::string join(std::initializer_list<std::int64_t> numbers) {
  std::string text;
  for (const std::int64_t n : numbers) {
    text += (text.empty() ? "" : ",") + std::to_string(n);
  }
  return text;
}

class Cublas final : public Gemm {
 public:
  Cublas(Context& context, const CublasOptions& options)
      : context_(context),
        deterministic_(options.deterministic),
        cache_(options.cache_folder, context.card() + "-" + std::to_string(cublasLtGetVersion())) {
    check(cublasLtCreate(handle_.address()), "no handle");
  }

  std::string version() const override {
    const auto v = static_cast<int>(cublasLtGetVersion());
    return std::to_string(v / 10000) + "." + std::to_string(v / 100 % 100) + "." +
           std::to_string(v % 100);
  }

  void run(const GemmCall& call) override {
    context_.use();
    for (std::int64_t i = 0; i < call.outer_count; ++i) {
      Product product;
      describe(product, call, i);
      if (!launch(product)) {
        check_alive("gemm");
        throw std::runtime_error("[gemm] cuBLASLt has no algorithm for the product " +
                                 product.shape + " on " + context_.card());
      }
    }
  }

  bool run_fp8(const Fp8GemmCall& call) override {
    context_.use();
    // The hardware needs rows of 16 bytes, cuBLASLt scales at such addresses; below compute
    // capability 8.9 there is no FP8.
    const auto whole = [](const float* scale) {
      return reinterpret_cast<std::uintptr_t>(scale) % 16 == 0;
    };
    if (context_.capability() < 89 || call.k % 16 != 0 || call.n % 16 != 0 ||
        !whole(call.a_scale) || !whole(call.b_scale)) {
      return false;
    }
    const bool by_channel = call.b_scale != nullptr;
    Product p;
    check(cublasLtMatmulDescCreate(p.descriptor.address(), CUBLAS_COMPUTE_32F, CUDA_R_32F),
          "a product");
    p.set(CUBLASLT_MATMUL_DESC_TRANSA, CUBLAS_OP_T);
    p.set(CUBLASLT_MATMUL_DESC_TRANSB, CUBLAS_OP_N);
    if (call.bias != nullptr) {
      p.set(CUBLASLT_MATMUL_DESC_EPILOGUE, CUBLASLT_EPILOGUE_BIAS);
      p.set(CUBLASLT_MATMUL_DESC_BIAS_POINTER, call.bias);
      p.set(CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE, CUDA_R_16BF);
    }
    if (by_channel) {
      const auto mode = CUBLASLT_MATMUL_MATRIX_SCALE_OUTER_VEC_32F;
      p.set(CUBLASLT_MATMUL_DESC_A_SCALE_MODE, mode);
      p.set(CUBLASLT_MATMUL_DESC_B_SCALE_MODE, mode);
      p.set(CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, call.b_scale);
      p.set(CUBLASLT_MATMUL_DESC_B_SCALE_POINTER, call.a_scale);
    } else if (call.a_scale != nullptr) {
      p.set(CUBLASLT_MATMUL_DESC_B_SCALE_POINTER, call.a_scale);
    }
    make_layout(p.first, call.b_type, call.k, call.n, call.k, 1, 0);
    make_layout(p.second, call.a_type, call.k, call.m, call.k, 1, 0);
    make_layout(p.result, call.out_type, call.n, call.m, call.out_stride, 1, 0);
    const bool apart = call.addend != nullptr;
    make_layout(p.addend, call.out_type, call.n, call.m,
                apart ? call.addend_stride : call.out_stride, 1, 0);
    p.first_data = call.b;
    p.second_data = call.a;
    p.result_data = call.out;
    p.addend_data = apart ? call.addend : call.out;
    p.beta = call.beta;
    p.first_alignment = alignment(call.b);
    p.second_alignment = alignment(call.a);
    p.result_alignment = alignment(call.out);
    p.addend_alignment = alignment(p.addend_data);
    p.result_bytes = static_cast<std::size_t>((call.m - 1) * call.out_stride + call.n) *
                     dtype_size(call.out_type);
    p.sums_in_place = call.out_type == DType::f32;
    p.shape =
        "fp8:" + join({call.m, call.n, call.k, call.out_stride, static_cast<int>(call.a_type),
                       static_cast<int>(call.b_type), static_cast<int>(call.out_type),
                       by_channel ? 1 : 0, call.bias != nullptr ? 1 : 0, call.beta != 0 ? 1 : 0,
                       alignment(call.a), alignment(call.b), alignment(call.out)});
    if (apart) {
      p.shape += "+" + join({call.addend_stride, p.addend_alignment});
    }
    return launch(p);
  }

  bool run_int8(const Int8GemmCall& call) override {
    context_.use();
    // The documentation's conditions for its INT8 units: rows of whole words, A transposed alone.
    if (context_.capability() < 75 || call.k % 4 != 0 || call.n % 4 != 0) {
      return false;
    }
    Product p;
    p.factors = CUDA_R_32I;
    check(cublasLtMatmulDescCreate(p.descriptor.address(), CUBLAS_COMPUTE_32I, p.factors),
          "a product");
    p.set(CUBLASLT_MATMUL_DESC_TRANSA, CUBLAS_OP_T);
    p.set(CUBLASLT_MATMUL_DESC_TRANSB, CUBLAS_OP_N);
    make_layout(p.first, DType::i8, call.k, call.n, call.k, 1, 0);
    make_layout(p.second, DType::i8, call.k, call.m, call.k, 1, 0);
    make_layout(p.result, DType::i32, call.n, call.m, call.n, 1, 0);
    make_layout(p.addend, DType::i32, call.n, call.m, call.n, 1, 0);
    p.first_data = call.b;
    p.second_data = call.a;
    p.result_data = call.out;
    p.addend_data = call.out;
    p.first_alignment = alignment(call.b);
    p.second_alignment = alignment(call.a);
    p.result_alignment = p.addend_alignment = alignment(call.out);
    p.result_bytes = static_cast<std::size_t>(call.m * call.n) * sizeof(std::int32_t);
    p.sums_in_place = true;
    p.shape = "int8:" + join({call.m, call.n, call.k, p.second_alignment, p.first_alignment,
                              p.result_alignment});
    return launch(p);
  }

  bool scales_channels() const override { return context_.capability() == 90; }

  std::optional<bool> first_is_faster(const std::string& shape, const Work& first,
                                      const Work& second) override {
    if (deterministic_) {
      return std::nullopt;
    }
    if (const auto kept = cache_.find(shape)) {
      return (*kept)[0] == 1;
    }
    if (context_.recording()) {
      return std::nullopt;
    }
    context_.use();
    const float first_ms = milliseconds_of(context_.stream(), first);
    const float second_ms = milliseconds_of(context_.stream(), second);
    cudaGetLastError();  // from a failed one; the next launch must not see it
    if (std::isinf(first_ms) && std::isinf(second_ms)) {
      return std::nullopt;
    }
    const bool faster = first_ms < second_ms;
    cache_.keep(shape, {faster ? std::uint64_t{1} : std::uint64_t{0}});
    return faster;
  }

 private:
  /// Maximum workspace of an algorithm: NVIDIA's recommendation for Hopper.
  static constexpr std::size_t kMostWorkspace = std::size_t{32} << 20;
  /// While algorithms are timed, an accumulated result goes to a temporary of up to this size.
  static constexpr std::size_t kMostTrial = std::size_t{64} << 20;

  struct Algorithm {
    cublasLtMatmulAlgo_t algorithm;
    std::size_t workspace = 0;
  };

  void describe(Product& p, const GemmCall& call, std::int64_t outer) const {
    const bool wide = call.type == DType::f64;
    p.factors = wide ? CUDA_R_64F : CUDA_R_32F;
    const cublasComputeType_t compute =
        wide ? CUBLAS_COMPUTE_64F
             : (call.type == DType::f32 && call.tf32 ? CUBLAS_COMPUTE_32F_FAST_TF32
                                                     : CUBLAS_COMPUTE_32F);
    check(cublasLtMatmulDescCreate(p.descriptor.address(), compute, p.factors), "a product");
    p.set(CUBLASLT_MATMUL_DESC_TRANSA, call.transpose_b ? CUBLAS_OP_T : CUBLAS_OP_N);
    p.set(CUBLASLT_MATMUL_DESC_TRANSB, call.transpose_a ? CUBLAS_OP_T : CUBLAS_OP_N);
    if (call.bias != nullptr) {
      p.set(CUBLASLT_MATMUL_DESC_EPILOGUE, CUBLASLT_EPILOGUE_BIAS);
      p.set(CUBLASLT_MATMUL_DESC_BIAS_POINTER, call.bias);
      p.set(CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE, data_type(call.out_type));
    }
    const std::int64_t batch = call.inner_count;
    make_layout(p.first, call.type, call.transpose_b ? call.k : call.n,
                call.transpose_b ? call.n : call.k, call.b_stride, batch, call.b_inner);
    make_layout(p.second, call.type, call.transpose_a ? call.m : call.k,
                call.transpose_a ? call.k : call.m, call.a_stride, batch, call.a_inner);
    make_layout(p.result, call.out_type, call.n, call.m, call.out_stride, batch, call.out_inner);
    const auto size = static_cast<std::int64_t>(dtype_size(call.type));
    const auto out_size = static_cast<std::int64_t>(dtype_size(call.out_type));
    p.first_data = static_cast<const char*>(call.b) + outer * call.b_outer * size;
    p.second_data = static_cast<const char*>(call.a) + outer * call.a_outer * size;
    p.result_data = static_cast<char*>(call.out) + outer * call.out_outer * out_size;
    const bool apart = call.addend != nullptr;
    make_layout(p.addend, call.out_type, call.n, call.m,
                apart ? call.addend_stride : call.out_stride, batch,
                apart ? call.addend_inner : call.out_inner);
    p.addend_data = apart ? call.addend : p.result_data;
    p.first_alignment = alignment(p.first_data, batch, call.b_inner * size);
    p.second_alignment = alignment(p.second_data, batch, call.a_inner * size);
    p.result_alignment = alignment(p.result_data, batch, call.out_inner * out_size);
    p.addend_alignment =
        apart ? alignment(p.addend_data, batch, call.addend_inner * out_size) : p.result_alignment;
    p.alpha = call.alpha;
    p.beta = call.beta;
    p.sums_in_place = call.out_type == DType::f32;
    p.result_bytes = static_cast<std::size_t>((batch - 1) * call.out_inner +
                                              (call.m - 1) * call.out_stride + call.n) *
                     dtype_size(call.out_type);
    p.shape = std::string(dtype_name(call.type)) + ":" +
              join({call.m, call.n, call.k, call.a_stride, call.b_stride, call.out_stride,
                    call.transpose_a ? 1 : 0, call.transpose_b ? 1 : 0, call.tf32 ? 1 : 0,
                    static_cast<int>(call.out_type), call.bias != nullptr ? 1 : 0,
                    call.beta != 0 ? 1 : 0, batch, call.a_inner, call.b_inner, call.out_inner,
                    p.second_alignment, p.first_alignment, p.result_alignment});
    if (apart) {
      p.shape += "+" + join({call.addend_stride, call.addend_inner, p.addend_alignment});
    }
  }

  /// False if the library proposes no algorithm.
  bool launch(Product& p) {
    const Algorithm* algorithm = choose(p);
    if (algorithm == nullptr) {
      return false;
    }
    check(multiply(p, *algorithm, p.result_data), "the product");
    return true;
  }

  cublasStatus_t multiply(const Product& p, const Algorithm& algorithm, void* result) {
    union Factor {
      double wide;
      float single;
      std::int32_t whole;
    };
    const auto factor = [&](double value) {
      Factor f{.wide = value};
      if (p.factors == CUDA_R_32F) {
        f.single = static_cast<float>(value);
      } else if (p.factors == CUDA_R_32I) {
        f.whole = static_cast<std::int32_t>(value);
      }
      return f;
    };
    const Factor alpha = factor(p.alpha), beta = factor(p.beta);
    void* workspace =
        algorithm.workspace == 0
            ? nullptr
            : context_.scratch<char>(Scratch::gemm, static_cast<std::int64_t>(algorithm.workspace));
    return cublasLtMatmul(handle_.get(), p.descriptor.get(), &alpha, p.first_data, p.first.get(),
                          p.second_data, p.second.get(), &beta, p.addend_data, p.addend.get(),
                          result, p.result.get(), &algorithm.algorithm, workspace,
                          algorithm.workspace, context_.stream());
  }

  const Algorithm* choose(Product& p) {
    if (const auto it = chosen_.find(p.shape); it != chosen_.end()) {
      return &it->second;
    }
    if (!deterministic_) {
      if (const auto kept = cache_.find(p.shape)) {
        cublasLtMatmulAlgo_t algorithm;
        std::memcpy(algorithm.data, kept->data(), sizeof algorithm.data);
        cublasLtMatmulHeuristicResult_t result;
        // A file may come from another driver: algorithms that this library refuses are searched
        // again.
        if (cublasLtMatmulAlgoCheck(handle_.get(), p.descriptor.get(), p.first.get(),
                                    p.second.get(), p.addend.get(), p.result.get(), &algorithm,
                                    &result) == CUBLAS_STATUS_SUCCESS &&
            result.workspaceSize <= kMostWorkspace) {
          return &chosen_.emplace(p.shape, Algorithm{algorithm, result.workspaceSize})
                      .first->second;
        }
      }
    }
    const std::vector<Algorithm> proposed = proposals(p);
    if (proposed.empty()) {
      return nullptr;
    }
    std::size_t best = 0;
    if (!deterministic_ && !context_.recording() && proposed.size() > 1) {
      if (const std::optional<std::size_t> timed = fastest(p, proposed)) {
        best = *timed;
        AlgorithmCache::Algorithm kept;
        static_assert(sizeof kept == sizeof proposed[best].algorithm.data);
        std::memcpy(kept.data(), proposed[best].algorithm.data, sizeof kept);
        cache_.keep(p.shape, kept);
      }
    }
    return &chosen_.emplace(p.shape, proposed[best]).first->second;
  }

  /// Those without a workspace too, where they can be timed: many others clear a few bytes of it
  /// first, which takes a launch of its own.
  std::vector<Algorithm> proposals(const Product& p) {
    std::vector<Algorithm> all = proposals(p, kMostWorkspace);
    if (!deterministic_) {
      for (const Algorithm& more : proposals(p, 0)) {
        const bool known = std::ranges::any_of(all, [&](const Algorithm& one) {
          return std::memcmp(&one.algorithm, &more.algorithm, sizeof one.algorithm) == 0;
        });
        if (!known) {
          all.push_back(more);
        }
      }
    }
    return all;
  }

  std::vector<Algorithm> proposals(const Product& p, std::size_t workspace) {
    Preference preference;
    check(cublasLtMatmulPreferenceCreate(preference.address()), "a preference");
    check(cublasLtMatmulPreferenceSetAttribute(preference.get(),
                                               CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &workspace,
                                               sizeof workspace),
          "a workspace");
    // Without it the library assumes addresses that are multiples of 256.
    const auto aligned = [&](cublasLtMatmulPreferenceAttributes_t attribute, int alignment) {
      const auto bytes = static_cast<std::uint32_t>(alignment);
      check(cublasLtMatmulPreferenceSetAttribute(preference.get(), attribute, &bytes, sizeof bytes),
            "an alignment");
    };
    aligned(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, p.first_alignment);
    aligned(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES, p.second_alignment);
    aligned(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, p.addend_alignment);
    aligned(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES, p.result_alignment);
    if (deterministic_) {
      // Split-K with parts summed in a fixed order, in fp32: sequentially into the result, or in a
      // second step. Without it skinny gradients would use few processors.
      const std::uint32_t ordered =
          CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE |
          (p.sums_in_place ? CUBLASLT_REDUCTION_SCHEME_INPLACE : CUBLASLT_REDUCTION_SCHEME_NONE);
      check(cublasLtMatmulPreferenceSetAttribute(preference.get(),
                                                 CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK,
                                                 &ordered, sizeof ordered),
            "a reduction scheme");
    }
    constexpr int kMost = 8;
    std::vector<cublasLtMatmulHeuristicResult_t> results(kMost);
    int found = 0;
    const cublasStatus_t status = cublasLtMatmulAlgoGetHeuristic(
        handle_.get(), p.descriptor.get(), p.first.get(), p.second.get(), p.addend.get(),
        p.result.get(), preference.get(), deterministic_ ? 1 : kMost, results.data(), &found);
    std::vector<Algorithm> proposed;
    for (int i = 0; status == CUBLAS_STATUS_SUCCESS && i < found; ++i) {
      const auto& result = results[static_cast<std::size_t>(i)];
      if (result.state == CUBLAS_STATUS_SUCCESS) {
        proposed.push_back({result.algo, result.workspaceSize});
      }
    }
    return proposed;
  }

  /// Times each after a warm-up. Results go to their destination, and are overwritten in the end;
  /// accumulating GEMMs use temporary memory; without that nothing is timed.
  std::optional<std::size_t> fastest(const Product& p, std::span<const Algorithm> proposed) {
    struct Trial {
      void* data = nullptr;
      ~Trial() { cudaFree(data); }
    } trial;
    const bool adds_in_place = p.beta != 0 && p.addend_data == p.result_data;
    if (adds_in_place) {
      if (p.result_bytes > kMostTrial || cudaMalloc(&trial.data, p.result_bytes) != cudaSuccess) {
        cudaGetLastError();  // the library's first choice needs no memory
        return std::nullopt;
      }
      context_.count_allocation();
    }
    void* result = adds_in_place ? trial.data : p.result_data;
    std::size_t best = 0;
    float best_ms = std::numeric_limits<float>::infinity();
    for (std::size_t i = 0; i < proposed.size(); ++i) {
      const float ms = time_of(p, proposed[i], result);
      if (ms < best_ms) {
        best_ms = ms;
        best = i;
      }
    }
    cudaGetLastError();  // from a failed algorithm; the next launch must not see it
    return best;
  }

  float time_of(const Product& p, const Algorithm& algorithm, void* result) {
    return milliseconds_of(context_.stream(),
                           [&] { return multiply(p, algorithm, result) == CUBLAS_STATUS_SUCCESS; });
  }

  Context& context_;
  bool deterministic_;
  AlgorithmCache cache_;
  Owned<cublasLtHandle_t, cublasLtDestroy> handle_;
  std::map<std::string, Algorithm> chosen_;
};

}  // namespace

std::unique_ptr<Gemm> make_cublas(Context& context, const CublasOptions& options) {
  return std::make_unique<Cublas>(context, options);
}

}  // namespace mantissa::cuda
