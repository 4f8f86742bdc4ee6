// GEMMs as in cuBLASLt, in fp64 by plain loops, and its documented refusals: incompatible types,
// FP8 and int8 in a form other than A transposed and B not, unsupported sizes and addresses, too
// small workspaces.
#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <cublasLt.h>
#include <optional>
#include <vector>

#include "kernels/dtype.h"

#include "clock.h"
#include "machine.h"

using mantissa::DType;

struct cublasLtMatmulDescOpaque_t {
  cublasComputeType_t compute = CUBLAS_COMPUTE_32F;
  cudaDataType_t scale = CUDA_R_32F;
  cublasOperation_t transposed_a = CUBLAS_OP_N, transposed_b = CUBLAS_OP_N;
  cublasLtEpilogue_t epilogue = CUBLASLT_EPILOGUE_DEFAULT;
  const void* bias = nullptr;
  std::optional<cudaDataType_t> bias_type;
  cublasLtMatmulMatrixScale_t a_mode = CUBLASLT_MATMUL_MATRIX_SCALE_SCALAR_32F;
  cublasLtMatmulMatrixScale_t b_mode = CUBLASLT_MATMUL_MATRIX_SCALE_SCALAR_32F;
  const float* a_scale = nullptr;
  const float* b_scale = nullptr;
};
/// Column-major.
struct cublasLtMatrixLayoutOpaque_t {
  cudaDataType_t type = CUDA_R_32F;
  std::uint64_t rows = 0, cols = 0;
  std::int64_t ld = 0;
  std::int32_t batch = 1;
  std::int64_t batch_stride = 0;
};
struct cublasLtMatmulPreferenceOpaque_t {
  std::size_t workspace = 0;
  std::uint32_t reductions = CUBLASLT_REDUCTION_SCHEME_MASK;
  std::array<std::uint32_t, 4> alignment{256, 256, 256, 256};  ///< of A, B, C, D: the defaults
};
struct cublasLtContext {};

namespace cuda_on_host {
namespace {

using Matmul = cublasLtMatmulDescOpaque_t;
using Layout = cublasLtMatrixLayoutOpaque_t;

GemmAlgorithm last_algorithm = GemmAlgorithm::packed;
std::chrono::microseconds product_time{10};
std::int64_t product_count = 0;
bool wrong_products = false;
constexpr std::uint64_t kMark = 0x6d61746d756c;  ///< an algorithm of ours, data[0]
constexpr std::uintptr_t kPacked = 16;           ///< bytes moved at a time, but for int8

DType dtype(cudaDataType_t type) {
  switch (type) {
    case CUDA_R_64F:
      return DType::f64;
    case CUDA_R_16F:
      return DType::f16;
    case CUDA_R_16BF:
      return DType::bf16;
    case CUDA_R_8F_E4M3:
      return DType::f8_e4m3;
    case CUDA_R_8F_E5M2:
      return DType::f8_e5m2;
    case CUDA_R_8I:
      return DType::i8;
    case CUDA_R_32I:
      return DType::i32;
    default:
      return DType::f32;
  }
}
bool is_fp8(cudaDataType_t type) {
  return type == CUDA_R_8F_E4M3 || type == CUDA_R_8F_E5M2;
}
bool is_code(cudaDataType_t type) {
  return is_fp8(type) || type == CUDA_R_8I;
}
bool is_half(cudaDataType_t type) {
  return type == CUDA_R_16F || type == CUDA_R_16BF;
}

/// One product's matrices, in cuBLASLt's order.
struct Problem {
  const Matmul& matmul;
  const Layout &a, &b, &c, &d;
  std::uint64_t m() const { return d.rows; }
  std::uint64_t n() const { return d.cols; }
  std::uint64_t k() const { return matmul.transposed_a == CUBLAS_OP_T ? a.rows : a.cols; }
};

/// What C and D of a product must share; their rows may lie differently far apart.
bool same(const Layout& x, const Layout& y) {
  return x.type == y.type && x.rows == y.rows && x.cols == y.cols && x.batch == y.batch;
}

cublasStatus_t check_shapes(const Problem& p) {
  const bool ta = p.matmul.transposed_a == CUBLAS_OP_T, tb = p.matmul.transposed_b == CUBLAS_OP_T;
  const bool fits = (ta ? p.a.cols : p.a.rows) == p.m() && (tb ? p.b.rows : p.b.cols) == p.n() &&
                    (tb ? p.b.cols : p.b.rows) == p.k() && same(p.c, p.d) &&
                    p.a.batch == p.d.batch && p.b.batch == p.d.batch;
  for (const Layout* l : {&p.a, &p.b, &p.d}) {
    if (l->rows == 0 || l->cols == 0 || l->ld < static_cast<std::int64_t>(l->rows)) {
      return CUBLAS_STATUS_INVALID_VALUE;
    }
  }
  return fits ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INVALID_VALUE;
}

int capability() {
  return settings().capability;
}

bool check_fp8(const Problem& p) {
  const auto& [matmul, a, b, c, d] = p;
  const bool by_vector = matmul.a_mode == CUBLASLT_MATMUL_MATRIX_SCALE_OUTER_VEC_32F;
  const auto aligned = [](const float* scale) {
    return reinterpret_cast<std::uintptr_t>(scale) % 16 == 0;
  };
  const bool sixteens =
      a.rows % 16 == 0 && d.rows % 16 == 0 && aligned(matmul.a_scale) && aligned(matmul.b_scale);
  const cudaDataType_t bias = matmul.bias_type.value_or(d.type);
  return capability() >= 89 && is_fp8(a.type) && is_fp8(b.type) &&
         !(a.type == CUDA_R_8F_E5M2 && b.type == CUDA_R_8F_E5M2) &&
         (is_half(d.type) || d.type == CUDA_R_32F) && matmul.compute == CUBLAS_COMPUTE_32F &&
         matmul.transposed_a == CUBLAS_OP_T && matmul.transposed_b == CUBLAS_OP_N && sixteens &&
         matmul.a_mode == matmul.b_mode && (!by_vector || capability() == 90) &&
         (!by_vector || (matmul.a_scale != nullptr && matmul.b_scale != nullptr)) &&
         (matmul.epilogue == CUBLASLT_EPILOGUE_DEFAULT ||
          bias == (d.type == CUDA_R_16F ? CUDA_R_16F : CUDA_R_16BF));
}

/// On the units for int8: sums of 32 bits, nothing but the product.
bool check_int8(const Problem& p) {
  const auto& [matmul, a, b, c, d] = p;
  const auto in_words = [](const Layout& l) { return l.ld % 4 == 0; };
  return capability() >= 75 && a.type == CUDA_R_8I && b.type == CUDA_R_8I && d.type == CUDA_R_32I &&
         matmul.compute == CUBLAS_COMPUTE_32I && matmul.transposed_a == CUBLAS_OP_T &&
         matmul.transposed_b == CUBLAS_OP_N && d.rows % 4 == 0 && a.rows % 4 == 0 && in_words(a) &&
         in_words(b) && in_words(d) && matmul.a_scale == nullptr && matmul.b_scale == nullptr &&
         matmul.epilogue == CUBLASLT_EPILOGUE_DEFAULT;
}

cudaDataType_t scale_type(cublasComputeType_t compute) {
  return compute == CUBLAS_COMPUTE_64F   ? CUDA_R_64F
         : compute == CUBLAS_COMPUTE_32I ? CUDA_R_32I
                                         : CUDA_R_32F;
}

/// Whether the library has a GEMM of these types at all.
bool check_types(const Problem& p) {
  const auto& [matmul, a, b, c, d] = p;
  if (matmul.scale != scale_type(matmul.compute)) {
    return false;
  }
  if (a.type == CUDA_R_8I || b.type == CUDA_R_8I || matmul.compute == CUBLAS_COMPUTE_32I) {
    return check_int8(p);
  }
  if (is_fp8(a.type) || is_fp8(b.type)) {
    return check_fp8(p);
  }
  if (matmul.a_scale != nullptr || matmul.b_scale != nullptr || a.type != b.type) {
    return false;
  }
  if (matmul.epilogue == CUBLASLT_EPILOGUE_BIAS && matmul.bias_type.value_or(d.type) != d.type) {
    return false;
  }
  switch (matmul.compute) {
    case CUBLAS_COMPUTE_64F:
      return a.type == CUDA_R_64F && d.type == CUDA_R_64F &&
             matmul.epilogue == CUBLASLT_EPILOGUE_DEFAULT;
    case CUBLAS_COMPUTE_32F_FAST_TF32:
      return a.type == CUDA_R_32F && d.type == CUDA_R_32F;
    case CUBLAS_COMPUTE_32F:
      return (a.type == CUDA_R_32F && d.type == CUDA_R_32F) ||
             (is_half(a.type) && (d.type == a.type || d.type == CUDA_R_32F));
    case CUBLAS_COMPUTE_32I:
      break;
  }
  return false;
}

std::size_t workspace_of(GemmAlgorithm algorithm, const Problem& p) {
  return algorithm == GemmAlgorithm::split ? p.m() * p.n() * sizeof(float) : 0;
}

/// Bytes moved at a time.
std::uintptr_t unit_of(const Problem& p) {
  return p.a.type == CUDA_R_8I ? 4 : kPacked;
}
/// Whether the algorithm supports rows and batches of these strides.
bool takes_strides(GemmAlgorithm algorithm, const Problem& p) {
  if (algorithm != GemmAlgorithm::packed && !is_code(p.a.type)) {
    return true;
  }
  return std::ranges::all_of(std::array{&p.a, &p.b, &p.d}, [&p](const Layout* l) {
    const auto size = static_cast<std::int64_t>(mantissa::dtype_size(dtype(l->type)));
    const auto unit = static_cast<std::int64_t>(unit_of(p));
    return l->ld * size % unit == 0 && l->batch_stride * size % unit == 0;
  });
}
/// Its required alignment.
std::uintptr_t alignment_of(GemmAlgorithm algorithm, const Layout& of, const Problem& p) {
  return algorithm != GemmAlgorithm::packed && !is_code(p.a.type)
             ? mantissa::dtype_size(dtype(of.type))
             : unit_of(p);
}

GemmAlgorithm algorithm_of(const cublasLtMatmulAlgo_t& algorithm) {
  return static_cast<GemmAlgorithm>(algorithm.data[1]);
}
cublasLtMatmulHeuristicResult_t result_of(GemmAlgorithm algorithm, const Problem& p) {
  cublasLtMatmulHeuristicResult_t result{};
  result.algo.data[0] = kMark;
  result.algo.data[1] = static_cast<std::uint64_t>(algorithm);
  result.workspaceSize = workspace_of(algorithm, p);
  return result;
}

// -- the product ---------------------------------------------------------------------------------

/// Ten bits of mantissa, to nearest even.
float round_tf32(float x) {
  const auto bits = std::bit_cast<std::uint32_t>(x);
  if ((bits & 0x7f800000u) == 0x7f800000u) {
    return x;
  }
  return std::bit_cast<float>((bits + 0xfffu + (bits >> 13 & 1u)) & ~0x1fffu);
}
double read(const void* data, cudaDataType_t type, std::int64_t i) {
  switch (type) {
    case CUDA_R_8F_E4M3:
      return static_cast<float>(static_cast<const mantissa::float8_e4m3*>(data)[i]);
    case CUDA_R_8F_E5M2:
      return static_cast<float>(static_cast<const mantissa::float8_e5m2*>(data)[i]);
    case CUDA_R_8I:
      return static_cast<const std::int8_t*>(data)[i];
    case CUDA_R_32I:
      return static_cast<const std::int32_t*>(data)[i];
    default:
      return mantissa::dispatch_float(dtype(type), [&]<typename T>() {
        return static_cast<double>(
            static_cast<mantissa::accumulator_t<T>>(static_cast<const T*>(data)[i]));
      });
  }
}
void write(void* data, cudaDataType_t type, std::int64_t i, double value) {
  if (type == CUDA_R_32I) {
    static_cast<std::int32_t*>(data)[i] = static_cast<std::int32_t>(value);
    return;
  }
  mantissa::dispatch_float(dtype(type), [&]<typename T>() {
    static_cast<T*>(data)[i] = T(static_cast<mantissa::accumulator_t<T>>(value));
  });
}

struct Operands {
  const void* a = nullptr;
  const void* b = nullptr;
  const void* c = nullptr;
  void* d = nullptr;
  double alpha = 1, beta = 0;
};

/// [k, out] of op(A) or, `second`, of op(B) transposed, in fp64.
std::vector<double> depth_first(const void* data, const Layout& l, bool depth_is_rows,
                                std::int64_t offset, std::int64_t k, std::int64_t out, bool tf32) {
  std::vector<double> values;
  values.reserve(static_cast<std::size_t>(k * out));
  for (std::int64_t p = 0; p < k; ++p) {
    for (std::int64_t i = 0; i < out; ++i) {
      const double x = read(data, l.type, offset + (depth_is_rows ? i * l.ld + p : p * l.ld + i));
      values.push_back(tf32 ? round_tf32(static_cast<float>(x)) : x);
    }
  }
  return values;
}

void multiply(const Matmul& matmul, const std::array<Layout, 4>& layouts, const Operands& o) {
  const auto& [a, b, c, d] = layouts;
  const Problem problem{matmul, a, b, c, d};
  const auto m = static_cast<std::int64_t>(problem.m()), n = static_cast<std::int64_t>(problem.n()),
             k = static_cast<std::int64_t>(problem.k());
  const bool tf32 = matmul.compute == CUBLAS_COMPUTE_32F_FAST_TF32;
  const bool by_vector = matmul.a_mode == CUBLASLT_MATMUL_MATRIX_SCALE_OUTER_VEC_32F;
  const auto factor = [&](const float* scale, std::int64_t i) {
    return scale == nullptr ? 1.0 : static_cast<double>(scale[by_vector ? i : 0]);
  };
  for (std::int64_t batch = 0; batch < d.batch; ++batch) {
    const std::vector<double> x =
        depth_first(o.a, a, matmul.transposed_a == CUBLAS_OP_T, batch * a.batch_stride, k, m, tf32);
    const std::vector<double> y =
        depth_first(o.b, b, matmul.transposed_b == CUBLAS_OP_N, batch * b.batch_stride, k, n, tf32);
    std::vector<double> sums(static_cast<std::size_t>(m * n));
    for (std::int64_t p = 0; p < k; ++p) {
      const double* row = x.data() + p * m;
      for (std::int64_t j = 0; j < n; ++j) {
        const double times = y[static_cast<std::size_t>(p * n + j)];
        double* to = sums.data() + j * m;
        for (std::int64_t i = 0; i < m; ++i) {
          to[i] += times * row[i];
        }
      }
    }
    for (std::int64_t e = 0; e < m * n; ++e) {
      const std::int64_t i = e % m, j = e / m, at = batch * d.batch_stride + j * d.ld + i;
      double value = o.alpha * factor(matmul.a_scale, i) * factor(matmul.b_scale, j) *
                     sums[static_cast<std::size_t>(e)];
      value +=
          o.beta != 0 ? o.beta * read(o.c, c.type, batch * c.batch_stride + j * c.ld + i) : 0.0;
      value += matmul.epilogue == CUBLASLT_EPILOGUE_BIAS
                   ? read(matmul.bias, matmul.bias_type.value_or(d.type), i)
                   : 0.0;
      write(o.d, d.type, at, wrong_products && e % 2 == 0 ? 0.0 : value);
    }
  }
  ++product_count;
  pass_time(product_time);
}

/// Whether every element of the matrix is in device memory with that alignment.
bool is_there(const void* data, const Layout& l, std::uintptr_t alignment) {
  const std::size_t size = mantissa::dtype_size(dtype(l.type));
  const auto last = (l.batch - 1) * l.batch_stride +
                    (static_cast<std::int64_t>(l.cols) - 1) * l.ld +
                    static_cast<std::int64_t>(l.rows);
  return reinterpret_cast<std::uintptr_t>(data) % alignment == 0 &&
         is_device_memory(data, static_cast<std::size_t>(last) * size);
}

bool bias_is_there(const Matmul& matmul, const Layout& d) {
  const DType type = dtype(matmul.bias_type.value_or(d.type));
  return reinterpret_cast<std::uintptr_t>(matmul.bias) % kPacked == 0 &&
         is_device_memory(matmul.bias, d.rows * mantissa::dtype_size(type));
}

template <typename T>
cublasStatus_t take(T& to, const void* value, std::size_t bytes) {
  if (value == nullptr || bytes != sizeof(T)) {
    return CUBLAS_STATUS_INVALID_VALUE;
  }
  std::memcpy(&to, value, bytes);
  return CUBLAS_STATUS_SUCCESS;
}

}  // namespace

GemmAlgorithm last_gemm_algorithm() {
  return last_algorithm;
}
void set_product_time(std::chrono::microseconds time) {
  product_time = time;
}
std::int64_t products() {
  return product_count;
}
void set_wrong_products(bool on) {
  wrong_products = on;
}

}  // namespace cuda_on_host

using namespace cuda_on_host;

const char* cublasLtGetStatusString(cublasStatus_t status) {
  switch (status) {
    case CUBLAS_STATUS_SUCCESS:
      return "CUBLAS_STATUS_SUCCESS";
    case CUBLAS_STATUS_NOT_INITIALIZED:
      return "CUBLAS_STATUS_NOT_INITIALIZED";
    case CUBLAS_STATUS_ALLOC_FAILED:
      return "CUBLAS_STATUS_ALLOC_FAILED";
    case CUBLAS_STATUS_INVALID_VALUE:
      return "CUBLAS_STATUS_INVALID_VALUE";
    case CUBLAS_STATUS_EXECUTION_FAILED:
      return "CUBLAS_STATUS_EXECUTION_FAILED";
    case CUBLAS_STATUS_NOT_SUPPORTED:
      return "CUBLAS_STATUS_NOT_SUPPORTED";
  }
  return "unknown status";
}
std::size_t cublasLtGetVersion() {
  return 130100;
}
cublasStatus_t cublasLtCreate(cublasLtHandle_t* handle) {
  *handle = new cublasLtContext;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtDestroy(cublasLtHandle_t handle) {
  delete handle;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t* descriptor,
                                        cublasComputeType_t compute, cudaDataType_t scale) {
  *descriptor = new cublasLtMatmulDescOpaque_t{.compute = compute, .scale = scale};
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t descriptor) {
  delete descriptor;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t descriptor,
                                              cublasLtMatmulDescAttributes_t attribute,
                                              const void* value, std::size_t bytes) {
  Matmul& m = *descriptor;
  switch (attribute) {
    case CUBLASLT_MATMUL_DESC_TRANSA:
      return take(m.transposed_a, value, bytes);
    case CUBLASLT_MATMUL_DESC_TRANSB:
      return take(m.transposed_b, value, bytes);
    case CUBLASLT_MATMUL_DESC_EPILOGUE:
      return take(m.epilogue, value, bytes);
    case CUBLASLT_MATMUL_DESC_BIAS_POINTER:
      return take(m.bias, value, bytes);
    case CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE:
      return take(m.bias_type.emplace(), value, bytes);
    case CUBLASLT_MATMUL_DESC_A_SCALE_POINTER:
      return take(m.a_scale, value, bytes);
    case CUBLASLT_MATMUL_DESC_B_SCALE_POINTER:
      return take(m.b_scale, value, bytes);
    case CUBLASLT_MATMUL_DESC_A_SCALE_MODE:
      return take(m.a_mode, value, bytes);
    case CUBLASLT_MATMUL_DESC_B_SCALE_MODE:
      return take(m.b_mode, value, bytes);
  }
  return CUBLAS_STATUS_INVALID_VALUE;
}

cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t* layout, cudaDataType_t type,
                                          std::uint64_t rows, std::uint64_t cols, std::int64_t ld) {
  *layout = new cublasLtMatrixLayoutOpaque_t{.type = type, .rows = rows, .cols = cols, .ld = ld};
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t layout) {
  delete layout;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatrixLayoutSetAttribute(cublasLtMatrixLayout_t layout,
                                                cublasLtMatrixLayoutAttribute_t attribute,
                                                const void* value, std::size_t bytes) {
  switch (attribute) {
    case CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT:
      return take(layout->batch, value, bytes);
    case CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET:
      return take(layout->batch_stride, value, bytes);
  }
  return CUBLAS_STATUS_INVALID_VALUE;
}
cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t* preference) {
  *preference = new cublasLtMatmulPreferenceOpaque_t;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulPreferenceDestroy(cublasLtMatmulPreference_t preference) {
  delete preference;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulPreferenceSetAttribute(cublasLtMatmulPreference_t preference,
                                                    cublasLtMatmulPreferenceAttributes_t attribute,
                                                    const void* value, std::size_t bytes) {
  switch (attribute) {
    case CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES:
      return take(preference->workspace, value, bytes);
    case CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK:
      return take(preference->reductions, value, bytes);
    case CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES:
    case CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES:
    case CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES:
    case CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES:
      return take(preference->alignment[static_cast<std::size_t>(
                      attribute - CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES)],
                  value, bytes);
  }
  return CUBLAS_STATUS_INVALID_VALUE;
}

cublasStatus_t cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t, cublasLtMatmulDesc_t descriptor,
                                              cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                                              cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
                                              cublasLtMatmulPreference_t preference, int requested,
                                              cublasLtMatmulHeuristicResult_t* results,
                                              int* found) {
  *found = 0;
  const Problem p{*descriptor, *a, *b, *c, *d};
  if (const cublasStatus_t status = check_shapes(p); status != CUBLAS_STATUS_SUCCESS) {
    return status;
  }
  if (!check_types(p)) {
    return CUBLAS_STATUS_NOT_SUPPORTED;
  }
  const std::array<const Layout*, 4> layouts{a, b, c, d};
  for (const GemmAlgorithm algorithm :
       {GemmAlgorithm::packed, GemmAlgorithm::split, GemmAlgorithm::plain}) {
    bool suits = *found < requested && takes_strides(algorithm, p) &&
                 workspace_of(algorithm, p) <= preference->workspace &&
                 (algorithm != GemmAlgorithm::split ||
                  (d->batch == 1 && !is_code(a->type) &&
                   (preference->reductions & CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE) != 0));
    for (std::size_t i = 0; i < layouts.size(); ++i) {
      suits = suits && preference->alignment[i] >= alignment_of(algorithm, *layouts[i], p);
    }
    if (suits) {
      results[(*found)++] = result_of(algorithm, p);
    }
  }
  return *found > 0 ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_NOT_SUPPORTED;
}

cublasStatus_t cublasLtMatmulAlgoCheck(cublasLtHandle_t, cublasLtMatmulDesc_t descriptor,
                                       cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                                       cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
                                       const cublasLtMatmulAlgo_t* algorithm,
                                       cublasLtMatmulHeuristicResult_t* result) {
  const Problem p{*descriptor, *a, *b, *c, *d};
  if (algorithm->data[0] != kMark || check_shapes(p) != CUBLAS_STATUS_SUCCESS) {
    return CUBLAS_STATUS_INVALID_VALUE;
  }
  if (!check_types(p) || !takes_strides(algorithm_of(*algorithm), p)) {
    return CUBLAS_STATUS_NOT_SUPPORTED;
  }
  *result = result_of(algorithm_of(*algorithm), p);
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmul(cublasLtHandle_t handle, cublasLtMatmulDesc_t descriptor,
                              const void* alpha, const void* a, cublasLtMatrixLayout_t a_layout,
                              const void* b, cublasLtMatrixLayout_t b_layout, const void* beta,
                              const void* c, cublasLtMatrixLayout_t c_layout, void* d,
                              cublasLtMatrixLayout_t d_layout,
                              const cublasLtMatmulAlgo_t* algorithm, void* workspace,
                              std::size_t workspace_bytes, cudaStream_t stream) {
  const Problem p{*descriptor, *a_layout, *b_layout, *c_layout, *d_layout};
  cublasLtMatmulHeuristicResult_t known;
  const cublasStatus_t status = cublasLtMatmulAlgoCheck(handle, descriptor, a_layout, b_layout,
                                                        c_layout, d_layout, algorithm, &known);
  if (status != CUBLAS_STATUS_SUCCESS) {
    return status;
  }
  // As on an H200: the algorithm was found, and only the call is refused.
  const auto aligned = [](const float* scale) {
    return reinterpret_cast<std::uintptr_t>(scale) % 16 == 0;
  };
  if (!aligned(descriptor->a_scale) || !aligned(descriptor->b_scale)) {
    return CUBLAS_STATUS_NOT_SUPPORTED;
  }
  const GemmAlgorithm chosen = algorithm_of(*algorithm);
  const auto there = [&](const void* data, const Layout& l) {
    return is_there(data, l, alignment_of(chosen, l, p));
  };
  Operands o{a, b, c, d};
  if (descriptor->scale == CUDA_R_64F) {
    std::memcpy(&o.alpha, alpha, sizeof o.alpha);
    std::memcpy(&o.beta, beta, sizeof o.beta);
  } else if (descriptor->scale == CUDA_R_32I) {
    std::int32_t values[2];
    std::memcpy(&values[0], alpha, sizeof(std::int32_t));
    std::memcpy(&values[1], beta, sizeof(std::int32_t));
    o.alpha = values[0];
    o.beta = values[1];
  } else {
    float values[2];
    std::memcpy(&values[0], alpha, sizeof(float));
    std::memcpy(&values[1], beta, sizeof(float));
    o.alpha = values[0];
    o.beta = values[1];
  }
  if (!there(a, *a_layout) || !there(b, *b_layout) || !there(d, *d_layout) ||
      (o.beta != 0 && !there(c, *c_layout)) || known.workspaceSize > workspace_bytes ||
      (known.workspaceSize > 0 && !is_device_memory(workspace, known.workspaceSize)) ||
      (descriptor->epilogue == CUBLASLT_EPILOGUE_BIAS && !bias_is_there(*descriptor, *d_layout))) {
    return CUBLAS_STATUS_INVALID_VALUE;
  }
  if (launch_fails()) {
    return CUBLAS_STATUS_EXECUTION_FAILED;
  }
  last_algorithm = chosen;
  enqueue(stream, [matmul = *descriptor, o, workspace, bytes = known.workspaceSize,
                   layouts = std::array{*a_layout, *b_layout, *c_layout, *d_layout}] {
    if (bytes > 0) {
      std::memset(workspace, 0xff, bytes);  // previous content is lost
    }
    multiply(matmul, layouts, o);
  });
  return CUBLAS_STATUS_SUCCESS;
}
