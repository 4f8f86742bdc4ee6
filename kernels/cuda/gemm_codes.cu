// Products of FP8 and int8 codes.

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include "kernels/check_matmul.h"
#include "kernels/cuda/backend.h"
#include "kernels/cuda/codes_product.h"
#include "kernels/cuda/device.cuh"
#include "kernels/cuda/finish_product.cuh"

namespace mantissa::cuda {
namespace {

constexpr int kTile = 32;

/// Tiles of transpose_words_kernel: words of four codes, of which a thread turns four by four.
constexpr int kTurnedRows = 64, kTurnedCols = 128;
constexpr int kGroups = kTurnedRows / 4;

/// out [cols, rows] = inᵀ of bytes; tiles go through shared memory, so that both sides are accessed
/// along rows.
__global__ void transpose_codes_kernel(const std::uint8_t* in, std::uint8_t* out, std::int64_t rows,
                                       std::int64_t cols) {
  __shared__ std::uint8_t tile[kTile][kTile + 4];
  const int x = static_cast<int>(threadIdx.x) % kTile;
  const int y = static_cast<int>(threadIdx.x) / kTile;
  const int step = static_cast<int>(blockDim.x) / kTile;
  const std::int64_t column = static_cast<std::int64_t>(blockIdx.x) * kTile;
  const std::int64_t row = static_cast<std::int64_t>(blockIdx.y) * kTile;
  for (int i = y; i < kTile; i += step) {
    if (row + i < rows && column + x < cols) {
      tile[i][x] = in[(row + i) * cols + column + x];
    }
  }
  __syncthreads();
  for (int i = y; i < kTile; i += step) {
    if (column + i < cols && row + x < rows) {
      out[(column + i) * rows + row + x] = tile[x][i];
    }
  }
}

/// Transposes where both sides are whole words. A warp's eight columns of words and four of its
/// groups of rows lie in 32 banks.
__global__ void __launch_bounds__(kThreads)
    transpose_words_kernel(const std::uint32_t* in, std::uint32_t* out, std::int64_t rows,
                           std::int64_t cols) {
  __shared__ std::uint32_t tile[kTurnedCols][kGroups + 1];
  const int thread = static_cast<int>(threadIdx.x), lane = thread % kWarp, warp = thread / kWarp;
  const int x = 8 * (warp % 4) + lane % 8;
  const std::int64_t first_col = static_cast<std::int64_t>(blockIdx.x) * kTurnedCols;
  const std::int64_t first_row = static_cast<std::int64_t>(blockIdx.y) * kTurnedRows;
#pragma unroll
  for (int group = 4 * (warp / 4) + lane / 8; group < kGroups; group += 8) {
    std::uint32_t word[4];
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const std::int64_t row = first_row + 4 * group + i, col = first_col + 4 * x;
      word[i] = row < rows && col < cols ? in[(row * cols + col) / 4] : 0;
    }
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      std::uint32_t turned = 0;
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        turned |= (word[i] >> (8 * j) & 255U) << (8 * i);
      }
      tile[4 * x + j][group] = turned;
    }
  }
  __syncthreads();
#pragma unroll
  for (int i = thread; i < kTurnedCols * kGroups; i += kThreads) {
    const std::int64_t col = first_col + i / kGroups, row = first_row + 4 * (i % kGroups);
    if (col < cols && row < rows) {
      out[(col * rows + row) / 4] = tile[i / kGroups][i % kGroups];
    }
  }
}

__global__ void repeat_kernel(const float* value, float* out, std::int64_t count) {
  for (std::int64_t i = global_thread(); i < count; i += global_threads()) {
    out[i] = *value;
  }
}

/// out [cols, rows] = inᵀ
void transpose_codes(cudaStream_t stream, const std::uint8_t* in, std::uint8_t* out,
                     std::int64_t rows, std::int64_t cols) {
  const auto blocks = [&](int tile_cols, int tile_rows) {
    return dim3(static_cast<unsigned>(ceil_div(cols, tile_cols)),
                static_cast<unsigned>(ceil_div(rows, tile_rows)));
  };
  if (rows % 4 == 0 && cols % 4 == 0 && reinterpret_cast<std::uintptr_t>(in) % 4 == 0) {
    launch<transpose_words_kernel>(stream, {blocks(kTurnedCols, kTurnedRows), kThreads, 0},
                                   reinterpret_cast<const std::uint32_t*>(in),
                                   reinterpret_cast<std::uint32_t*>(out), rows, cols);
  } else {
    launch<transpose_codes_kernel>(stream, {blocks(kTile, kTile), kThreads, 0}, in, out, rows,
                                   cols);
  }
}

/// What `p` multiplies, as a call of the library.
Fp8GemmCall operands_of(const CodesProduct& p) {
  Fp8GemmCall call;
  call.a = p.a.data;
  call.b = p.b.data;
  call.a_type = p.a.dtype;
  call.b_type = p.b.dtype;
  call.m = p.a.rows();
  call.n = p.b.rows();
  call.k = p.a.cols();
  return call;
}

/// All of `p`.
Fp8GemmCall library_call(Context& context, const CodesProduct& p) {
  Fp8GemmCall call = operands_of(p);
  call.out = p.out.data;
  call.bias = bias_for_gemm(context, p.bias);
  call.a_scale = p.a_scale.as<float>();
  call.b_scale = p.b_scale.as<float>();
  call.out_stride = p.out.row_stride;
  call.addend = p.addend.data == p.out.data ? nullptr : p.addend.data;
  call.addend_stride = p.addend.row_stride;
  call.beta = p.beta;
  return call;
}

/// `rows` rows of `p` from `row` on.
CodesProduct rows_of_product(const CodesProduct& p, std::int64_t row, std::int64_t rows) {
  const auto part = [&](const View& v) {
    View some = v;
    some.shape = {rows, v.cols()};
    some.data = v.as<char>() + static_cast<std::size_t>(row * v.row_stride) * dtype_size(v.dtype);
    return some;
  };
  CodesProduct some = p;
  some.a = part(p.a);
  some.addend = part(p.addend);
  some.out = part(p.out);
  if (p.a_scale.count() > 1) {
    some.a_scale.data = p.a_scale.as<float>() + row;
    some.a_scale.shape = {rows};
  }
  return some;
}

/// Names what the time of `p` depends on, without spaces.
std::string shape_text(const CodesProduct& p) {
  constexpr int kRevision = 1;  // of our kernel: what was timed with another is timed again
  std::string text = "codes" + std::to_string(kRevision) + ":";
  for (const std::int64_t part :
       {p.a.rows(), p.b.rows(), p.a.cols(), static_cast<std::int64_t>(p.a.dtype),
        static_cast<std::int64_t>(p.b.dtype), static_cast<std::int64_t>(p.out.dtype),
        p.out.row_stride, std::int64_t{p.a_scale.count() > 1}, std::int64_t{bool(p.b_scale)},
        std::int64_t{bool(p.bias)}, std::int64_t{p.beta != 0}}) {
    text += std::to_string(part) + ",";
  }
  return text;
}

/// found[0]: the largest |a − b|, found[1]: the largest finite |b|; the bits of fp32, 0 before.
template <typename T>
__global__ void __launch_bounds__(kThreads)
    difference_kernel(const T* a, const T* b, std::int64_t count, unsigned* found) {
  const float infinity = __uint_as_float(0x7f800000U);
  float difference = 0, largest = 0;
  for (std::int64_t i = global_thread(); i < count; i += global_threads()) {
    const float x = load(a + i), y = load(b + i), apart = std::fabs(x - y);
    const bool same = x == y || (x != x && y != y);
    const float here = same ? 0.0F : apart == apart ? apart : infinity;
    difference = here > difference ? here : difference;
    largest = std::fabs(y) < infinity && std::fabs(y) > largest ? std::fabs(y) : largest;
  }
  difference = warp_reduce(difference, max_nan);
  largest = warp_reduce(largest, max_nan);
  if (threadIdx.x % kWarp == 0) {
    atomicMax(found, __float_as_uint(difference));
    atomicMax(found + 1, __float_as_uint(largest));
  }
}

/// A product that two kernels calculate for comparison, into memory of its own: as many of its rows
/// as take kMost bytes.
class Trial {
 public:
  Trial(Context& context, const CodesProduct& p)
      : context_(context),
        rows_(std::clamp<std::int64_t>(kMost / row_bytes(p), 1, p.out.rows())),
        ours_(rows_of_product(p, 0, rows_)),
        library_(ours_) {
    const std::int64_t bytes = rows_ * row_bytes(p);
    if (cudaMalloc(&data_, 2 * static_cast<std::size_t>(bytes)) != cudaSuccess) {
      cudaGetLastError();
      data_ = nullptr;
      return;
    }
    context.count_allocation();
    ours_.out = View(data_, p.out.dtype, ours_.out.shape);
    library_.out = View(static_cast<char*>(data_) + bytes, p.out.dtype, ours_.out.shape);
  }
  ~Trial() { cudaFree(data_); }
  Trial(const Trial&) = delete;
  Trial& operator=(const Trial&) = delete;
  bool has_memory() const { return data_ != nullptr; }
  const CodesProduct& ours() const { return ours_; }
  const CodesProduct& library() const { return library_; }

  /// Whether both results are the same: of int8 to the bit, of FP8 up to the order of its sums.
  bool agree() {
    constexpr float kFp8 = 1.0F / 64;
    const auto [difference, largest] = compare();
    return difference <= (is_int8(ours_.a.dtype) ? 0.0F : kFp8 * largest);
  }

 private:
  static constexpr std::int64_t kMost = std::int64_t{32} << 20;
  static std::int64_t row_bytes(const CodesProduct& p) {
    return p.out.cols() * static_cast<std::int64_t>(dtype_size(p.out.dtype));
  }
  struct Found {
    float difference, largest;
  };
  Found compare() {
    auto* found = context_.scratch<unsigned>(Scratch::result, 2);
    check_cuda(cudaMemsetAsync(found, 0, sizeof(Found), context_.stream()), "matmul_codes");
    const std::int64_t count = ours_.out.count();
    const auto each = [&]<typename T>() {
      launch<difference_kernel<T>>(context_.stream(), grid_for(count), ours_.out.as<T>(),
                                   library_.out.as<T>(), count, found);
    };
    if (ours_.out.dtype == DType::f16) {
      each.template operator()<float16>();
    } else {
      each.template operator()<bfloat16>();
    }
    return context_.read(reinterpret_cast<const Found*>(found));
  }

  Context& context_;
  std::int64_t rows_;
  CodesProduct ours_, library_;
  void* data_ = nullptr;
};

}  // namespace

void CudaKernels::matmul_codes(const View& a, const View& a_scale, const View& b,
                               const View& b_scale, const View& bias, const View& out,
                               const MatmulOptions& options) {
  check_matmul_codes(a, a_scale, b, b_scale, bias, out, options);
  const std::int64_t n = options.transpose_b ? b.rows() : b.cols();
  if (a.rows() == 0 || n == 0) {
    return;
  }
  View rows_of_b = b;
  if (!options.transpose_b) {  // the hardware only multiplies by rows
    rows_of_b =
        View(const_cast<std::uint8_t*>(turned_codes(b, a.cols(), n)), b.dtype, {n, a.cols()});
  }
  const CodesProduct product{a,       a_scale,     rows_of_b,
                             b_scale, bias,        options.addend ? options.addend : out,
                             out,     options.beta};
  if (has_codes_product(*context_, product) && prefers_own(product)) {
    run_codes_product(*context_, product);
  } else {
    multiply_by_library(product);
  }
}

bool CudaKernels::prefers_own(const CodesProduct& p) {
  if (products_ != CodesProducts::faster || library_finishes(p)) {
    return products_ == CodesProducts::ours;
  }
  std::optional<Trial> trial;
  bool agree = true;
  const auto ours = [&] {
    const bool first = !trial;
    if (first) {
      trial.emplace(*context_, p);
    }
    if (!trial->has_memory()) {
      return false;
    }
    run_codes_product(*context_, trial->ours());
    if (first) {
      multiply_by_library(trial->library());
      agree = trial->agree();
    }
    return agree;
  };
  const auto library = [&] {
    if (trial->has_memory()) {
      multiply_by_library(trial->library());
    }
    return trial->has_memory();
  };
  const bool faster = gemm_->first_is_faster(shape_text(p), ours, library).value_or(false);
  if (!agree) {
    context_->note("Our product of " + dtype_text(p.a.dtype) + " codes [" +
                   std::to_string(p.a.rows()) + ", " + std::to_string(p.a.cols()) + "] by [" +
                   std::to_string(p.b.rows()) + ", " + std::to_string(p.b.cols()) +
                   "] differs from cuBLASLt's on this card, so cuBLASLt's is used. Please report "
                   "it, with what `mantissa devices` prints");
  }
  return faster;
}

/// Whether the library's product has the scales of `p`, and leaves nothing to another kernel.
bool CudaKernels::library_finishes(const CodesProduct& p) const {
  const bool by_channel = p.a_scale.count() > 1 || p.b_scale;
  return !is_int8(p.a.dtype) && (!by_channel || gemm_->scales_channels());
}

void CudaKernels::multiply_by_library(const CodesProduct& p) {
  if (is_int8(p.a.dtype)) {
    if (p.out.dtype == DType::f16) {
      multiply_in_parts<ScaleByScale, float16>(p);
    } else {
      multiply_in_parts<ScaleByScale, bfloat16>(p);
    }
    return;
  }
  if (library_finishes(p)) {
    const bool by_row = p.a_scale.count() > 1;
    Fp8GemmCall whole = library_call(*context_, p);
    if (p.b_scale && !by_row) {  // the library takes vectors of scales for both, or for neither
      auto* rows = context_->scratch<float>(Scratch::gemm_scale, whole.m);
      launch<repeat_kernel>(stream(), grid_for(whole.m), whole.a_scale, rows, whole.m);
      whole.a_scale = rows;
    } else if (by_row && !p.b_scale) {
      whole.b_scale = context_->ones(whole.n);
    }
    if (gemm_->run_fp8(whole)) {
      return;
    }
  }
  multiply_in_parts<OneScale, bfloat16>(p);
}

/// Sums of 32 bits, and what follows them by a kernel of its own. Where the card has no units for
/// the codes, or they don't take the sizes, the sums are those of fp32.
template <typename Rule, typename T>
void CudaKernels::multiply_in_parts(const CodesProduct& p) {
  const std::int64_t m = p.a.rows(), n = p.b.rows(), most = rows_of_part(m, n);
  auto* sums = context_->scratch<float>(Scratch::gemm_result, most * n);
  for (std::int64_t row = 0; row < m; row += most) {
    const CodesProduct part = rows_of_product(p, row, std::min(most, m - row));
    const Finish<T> finish = finish_of<T>(part);
    Fp8GemmCall call = operands_of(part);
    call.out = sums;
    call.out_stride = n;
    call.out_type = DType::f32;
    if (is_int8(call.a_type)) {
      auto* whole = reinterpret_cast<std::int32_t*>(sums);
      if (gemm_->run_int8({call.a, call.b, whole, call.m, n, call.k})) {
        finish_product<Rule>(stream(), whole, finish, call.m, n);
        continue;
      }
      multiply_widened(call);
    } else if (!gemm_->run_fp8(call)) {
      multiply_widened(call);
    }
    finish_product<Rule>(stream(), sums, finish, call.m, n);
  }
}

const std::uint8_t* CudaKernels::turned_codes(const View& b, std::int64_t k, std::int64_t n) {
  const auto bytes = static_cast<std::size_t>(n * k);
  if (!keeps_turned_ || b.constant_id == 0) {
    auto* turned = context_->scratch<std::uint8_t>(Scratch::gemm_operand, n * k);
    transpose_codes(stream(), b.as<std::uint8_t>(), turned, k, n);
    return turned;
  }
  void*& data = constants_[{b.constant_id, b.data, bytes}];
  if (data == nullptr) {
    data = context_->allocate_aside(bytes);
    constant_total_ += bytes;
    transpose_codes(context_->aside(), b.as<std::uint8_t>(), static_cast<std::uint8_t*>(data), k,
                    n);
    context_->finish_aside();
  }
  return static_cast<const std::uint8_t*>(data);
}

std::int64_t CudaKernels::rows_of_part(std::int64_t m, std::int64_t n) const {
  return product_rows(m, n, std::min(context_->part_bytes(), kProductBytes));
}

/// fp16 holds every FP8 number and int8 code exactly, so each product of codes is exact.
void CudaKernels::multiply_widened(const Fp8GemmCall& codes) {
  const float* one = context_->ones(1);
  const auto widened = [&](const void* data, DType type, std::int64_t rows, Scratch name) {
    const View wide(context_->scratch<float16>(name, rows * codes.k), DType::f16, {rows, codes.k});
    dequantize(View(const_cast<void*>(data), type, wide.shape),
               View(const_cast<float*>(one), DType::f32, {1}), wide);
    return wide;
  };
  const View a = widened(codes.a, codes.a_type, codes.m, Scratch::operand_a);
  const View b = widened(codes.b, codes.b_type, codes.n, Scratch::operand_b);
  View out(codes.out, DType::f32, {codes.m, codes.n});
  out.row_stride = codes.out_stride;
  gemm_->run(
      gemm_call(codes.m, codes.n, codes.k, DType::f16, gemm_matrix(a), gemm_matrix(b, true), out));
}

}  // namespace mantissa::cuda
