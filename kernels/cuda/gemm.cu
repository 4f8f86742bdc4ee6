#include <utility>

#include "kernels/check_matmul.h"
#include "kernels/cuda/backend.h"
#include "kernels/cuda/device.cuh"
#include "kernels/cuda/elements.cuh"

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

/// The last steps of a GEMM whose result T is rounded once:
/// out = a_scale·b_scale[n]·product + beta·addend + bias.
template <typename P, typename T = bfloat16>
struct Finish {
  const P* product;  ///< packed
  const float* a_scale;
  bool by_row;           ///< a_scale has one value a row
  const float* b_scale;  ///< null: 1
  const T* bias;         ///< or null
  Rows<const T> addend;
  Rows<T> out;
  float beta;
};

/// FP8: as cuBLASLt scales where it can.
struct OneScale {
  template <typename P>
  __device__ static float of(P product, float a, float b) {
    return static_cast<float>(product) * (a * b);
  }
  __device__ static float add(float value, float beta, float addend) {
    return value + beta * addend;
  }
};
/// int8: rounded as on the CPU.
struct ScaleByScale {
  template <typename P>
  __device__ static float of(P product, float a, float b) {
    return static_cast<float>(product) * a * b;
  }
  __device__ static float add(float value, float beta, float addend) {
    return std::fma(beta, addend, value);
  }
};

/// N neighbours to a thread.
template <typename Rule, typename P, int N, typename T = bfloat16>
__global__ void __launch_bounds__(kThreads)
    finish_product_kernel(Finish<P, T> f, std::int64_t rows, std::int64_t cols) {
  for (PackWalk<> at(cols / N); at.row < rows; at.next()) {
    const std::int64_t row = at.row, col = at.pack * N;
    P product[N];
    float b[N] = {}, before[N] = {}, bias[N] = {}, value[N];
    load_values<N>(f.product + row * cols + col, product);
    if (f.b_scale != nullptr) {
      load_values<N>(f.b_scale + col, b);
    }
    if (f.beta != 0) {
      load_lanes<N>(f.addend.at(row, col), before);
    }
    if (f.bias != nullptr) {
      load_lanes<N>(f.bias + col, bias);
    }
    const float a = f.a_scale[f.by_row ? row : 0];
#pragma unroll
    for (int j = 0; j < N; ++j) {
      value[j] = Rule::of(product[j], a, f.b_scale != nullptr ? b[j] : 1.0F);
      value[j] = f.beta != 0 ? Rule::add(value[j], f.beta, before[j]) : value[j];
      value[j] += f.bias != nullptr ? bias[j] : 0.0F;
    }
    store_lanes<N>(f.out.at(row, col), value);
  }
}

template <typename Rule, typename P, typename T>
void finish_product(cudaStream_t stream, const Finish<P, T>& f, std::int64_t rows,
                    std::int64_t cols) {
  const auto aligned = [](const void* p) { return reinterpret_cast<std::uintptr_t>(p) % 16 == 0; };
  const bool packs = cols % kPack<T> == 0 && takes_packs(f.out, kPack<T>) &&
                     takes_packs(f.addend, kPack<T>) && aligned(f.product) && aligned(f.b_scale) &&
                     aligned(f.bias);
  dispatch_pack<T>(packs, [&]<int N>() {
    launch<finish_product_kernel<Rule, P, N, T>>(stream, grid_for(rows * (cols / N)), f, rows,
                                                 cols);
  });
}

__global__ void add_bias_kernel(Rows<double> out, const double* bias, std::int64_t rows,
                                std::int64_t cols) {
  for (std::int64_t i = global_thread(); i < rows * cols; i += global_threads()) {
    *out.at(i / cols, i % cols) += bias[i % cols];
  }
}

/// Rows of `view` from `row` on.
template <typename T>
Rows<T> rows_from(const View& view, std::int64_t row) {
  return {view.as<T>() + row * view.row_stride, view.row_stride};
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

/// The bias at an address cuBLASLt accepts: a multiple of 16 bytes.
const void* bias_for_gemm(Context& context, const View& bias) {
  constexpr std::uintptr_t kAlignment = 16;
  if (!bias || reinterpret_cast<std::uintptr_t>(bias.data) % kAlignment == 0) {
    return bias.data;
  }
  const std::size_t bytes = static_cast<std::size_t>(bias.count()) * dtype_size(bias.dtype);
  void* aligned = context.scratch<std::byte>(Scratch::gemm_bias, static_cast<std::int64_t>(bytes));
  check_cuda(cudaMemcpyAsync(aligned, bias.data, bytes, cudaMemcpyDeviceToDevice, context.stream()),
             "matmul");
  return aligned;
}

/// On an H100 cuBLASLt rounded to 16 bits before it added the bias where rows weren't multiples of
/// 16 bytes.
bool rounds_before_bias(const GemmCall& call) {
  const auto whole = [](std::int64_t elements) { return elements % kPack<bfloat16> == 0; };
  return dtype_size(call.out_type) == 2 && call.inner_count * call.outer_count == 1 &&
         !(whole(call.n) && whole(call.a_stride) && whole(call.b_stride) && whole(call.out_stride));
}

template <typename T>
void add_before_rounding(Context& context, Gemm& gemm, GemmCall call, const View& bias) {
  auto* product = context.scratch<float>(Scratch::gemm_result, call.m * call.n);
  const Rows<T> out{static_cast<T*>(call.out), call.out_stride};
  const Rows<const T> addend =
      call.addend != nullptr ? Rows<const T>{static_cast<const T*>(call.addend), call.addend_stride}
                             : Rows<const T>{out.data, out.stride};
  const float beta = std::exchange(call.beta, 0.0F);
  call.addend = nullptr;
  call.out = product;
  call.out_type = DType::f32;
  call.out_stride = call.n;
  gemm.run(call);
  finish_product<OneScale>(
      context.stream(),
      Finish<float, T>{product, context.ones(1), false, nullptr, bias.as<T>(), addend, out, beta},
      call.m, call.n);
}

}  // namespace

void run_gemm(Context& context, Gemm& gemm, GemmCall call, const View& bias) {
  if (bias && rounds_before_bias(call)) {
    if (call.type == DType::f16) {
      return add_before_rounding<float16>(context, gemm, call, bias);
    }
    return add_before_rounding<bfloat16>(context, gemm, call, bias);
  }
  const bool apart = call.type == DType::f64;  // cuBLASLt's epilogues are for narrower types
  call.bias = apart ? nullptr : bias_for_gemm(context, bias);
  gemm.run(call);
  if (apart && bias) {
    launch<add_bias_kernel>(context.stream(), grid_for(call.m * call.n),
                            Rows<double>{static_cast<double*>(call.out), call.out_stride},
                            bias.as<double>(), call.m, call.n);
  }
}

void CudaKernels::matmul(const View& a, const View& b, const View& bias, const View& out,
                         const MatmulOptions& options) {
  check_matmul(a, b, bias, out, options);
  const bool blocks = options.blocks > 1;
  const MatmulBlock first =
      blocks ? matmul_block(a, b, out, options, 0) : MatmulBlock{a, b, out, options.addend};
  const std::int64_t m = options.transpose_a ? first.a.cols() : first.a.rows();
  const std::int64_t k = options.transpose_a ? first.a.rows() : first.a.cols();
  const std::int64_t n = options.transpose_b ? first.b.rows() : first.b.cols();
  if (m == 0 || n == 0) {
    return;
  }
  GemmCall call = gemm_call(m, n, k, a.dtype, gemm_matrix(first.a, options.transpose_a),
                            gemm_matrix(first.b, options.transpose_b), first.out);
  call.addend = first.addend.data;
  call.addend_stride = first.addend.row_stride;
  if (blocks) {
    const MatmulBlock second = matmul_block(a, b, out, options, 1);
    const auto step = [](const View& from, const View& to) {
      return (to.as<char>() - from.as<char>()) / static_cast<std::int64_t>(dtype_size(to.dtype));
    };
    call.inner_count = options.blocks;
    call.a_inner = step(first.a, second.a);
    call.b_inner = step(first.b, second.b);
    call.out_inner = step(first.out, second.out);
    call.addend_inner = first.addend ? step(first.addend, second.addend) : 0;
  }
  call.tf32 = options.tf32;
  call.alpha = options.alpha;
  call.beta = options.beta;
  run_gemm(*context_, *gemm_, call, bias);
}

void CudaKernels::matmul_codes(const View& a, const View& a_scale, const View& b,
                               const View& b_scale, const View& bias, const View& out,
                               const MatmulOptions& options) {
  check_matmul_codes(a, a_scale, b, b_scale, bias, out, options);
  const std::int64_t m = a.rows(), k = a.cols();
  const std::int64_t n = options.transpose_b ? b.rows() : b.cols();
  if (m == 0 || n == 0) {
    return;
  }
  Fp8GemmCall call;
  call.a = a.data;
  call.b = b.data;
  call.out = out.data;
  call.bias = bias_for_gemm(*context_, bias);
  call.a_scale = a_scale.as<float>();
  call.b_scale = b_scale.as<float>();
  call.a_type = a.dtype;
  call.b_type = b.dtype;
  call.m = m;
  call.n = n;
  call.k = k;
  call.out_stride = out.row_stride;
  call.addend = options.addend.data;
  call.addend_stride = options.addend.row_stride;
  call.beta = options.beta;
  if (!options.transpose_b) {  // the hardware only multiplies by rows
    call.b = turned_codes(b, k, n);
  }
  if (is_int8(a.dtype)) {
    const View& addend = options.addend ? options.addend : out;
    if (out.dtype == DType::f16) {
      multiply_int8<float16>(call, a_scale, bias, addend, out);
    } else {
      multiply_int8<bfloat16>(call, a_scale, bias, addend, out);
    }
    return;
  }
  const bool by_row = a_scale.count() > 1, by_channel = by_row || b_scale;
  if (!by_channel || gemm_->scales_channels()) {
    Fp8GemmCall whole = call;
    if (by_channel && !by_row) {  // the library takes vectors of scales for both, or for neither
      auto* rows = context_->scratch<float>(Scratch::gemm_scale, m);
      launch<repeat_kernel>(stream(), grid_for(m), call.a_scale, rows, m);
      whole.a_scale = rows;
    } else if (by_row && !b_scale) {
      whole.b_scale = context_->ones(n);
    }
    if (gemm_->run_fp8(whole)) {
      return;
    }
  }
  // The card has no scales by channel: the codes' GEMM in fp32, then the scales.
  const View& addend = options.addend ? options.addend : out;
  const std::int64_t most = rows_of_part(m, n);
  auto* product = context_->scratch<float>(Scratch::gemm_result, most * n);
  for (std::int64_t row = 0; row < m; row += most) {
    Fp8GemmCall part = call;
    part.a = a.as<std::uint8_t>() + row * k;
    part.m = std::min(most, m - row);
    part.out = product;
    part.out_type = DType::f32;
    part.out_stride = n;
    part.bias = nullptr;
    part.addend = nullptr;
    part.a_scale = part.b_scale = nullptr;
    part.beta = 0;
    if (!gemm_->run_fp8(part)) {
      multiply_widened(part);
    }
    finish_product<OneScale>(
        stream(),
        Finish<float>{product, call.a_scale + (by_row ? row : 0), by_row, call.b_scale,
                      bias.as<bfloat16>(), rows_from<const bfloat16>(addend, row),
                      rows_from<bfloat16>(out, row), options.beta},
        part.m, n);
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

/// `call`, whose operands are int8: the codes' exact sums, then scales, addend and bias. Without
/// INT8 units, or where they don't take the sizes, the sums are those of fp32.
template <typename T>
void CudaKernels::multiply_int8(const Fp8GemmCall& call, const View& a_scale, const View& bias,
                                const View& addend, const View& out) {
  const bool by_row = a_scale.count() > 1;
  const std::int64_t most = rows_of_part(call.m, call.n);
  auto* product = context_->scratch<std::int32_t>(Scratch::gemm_result, most * call.n);
  for (std::int64_t row = 0; row < call.m; row += most) {
    Fp8GemmCall part = call;
    part.a = static_cast<const std::uint8_t*>(call.a) + row * call.k;
    part.m = std::min(most, call.m - row);
    const auto finish = [&](const auto* sums) {
      using P = std::remove_cvref_t<decltype(*sums)>;
      finish_product<ScaleByScale>(
          stream(),
          Finish<P, T>{sums, call.a_scale + (by_row ? row : 0), by_row, call.b_scale, bias.as<T>(),
                       rows_from<const T>(addend, row), rows_from<T>(out, row), call.beta},
          part.m, part.n);
    };
    if (gemm_->run_int8({part.a, part.b, product, part.m, part.n, part.k})) {
      finish(product);
    } else {
      auto* sums = reinterpret_cast<float*>(product);
      part.out = sums;
      part.out_stride = part.n;
      multiply_widened(part);
      finish(sums);
    }
  }
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
