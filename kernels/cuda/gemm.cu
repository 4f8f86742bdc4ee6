#include "kernels/check_matmul.h"
#include "kernels/cuda/backend.h"
#include "kernels/cuda/device.cuh"

namespace mantissa::cuda {
namespace {

constexpr int kTile = 32;

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

__global__ void repeat_kernel(const float* value, float* out, std::int64_t count) {
  for (std::int64_t i = global_thread(); i < count; i += global_threads()) {
    out[i] = *value;
  }
}

/// The last steps of an FP8 GEMM: out = a_scale·b_scale[n]·product + beta·addend + bias.
__global__ void finish_fp8_kernel(const float* product, const float* a_scale, const float* b_scale,
                                  const bfloat16* bias, const bfloat16* addend, bfloat16* out,
                                  std::int64_t rows, std::int64_t cols, std::int64_t addend_stride,
                                  std::int64_t out_stride, float beta) {
  for (std::int64_t i = global_thread(); i < rows * cols; i += global_threads()) {
    const std::int64_t row = i / cols, col = i % cols;
    bfloat16* to = out + row * out_stride + col;
    float value = product[i] * (b_scale != nullptr ? a_scale[0] * b_scale[col] : a_scale[0]);
    value += beta != 0 ? beta * load(addend + row * addend_stride + col) : 0.0F;
    value += bias != nullptr ? load(bias + col) : 0.0F;
    store(to, value);
  }
}

/// The last steps of an int8 GEMM, rounded as on the CPU: out = product·a_scale[m]·b_scale[n] +
/// beta·addend + bias. `by_row`: a_scale has one value a row.
template <typename P>
__global__ void finish_int8_kernel(const P* product, const float* a_scale, bool by_row,
                                   const float* b_scale, const bfloat16* bias,
                                   Rows<const bfloat16> addend, Rows<bfloat16> out,
                                   std::int64_t rows, std::int64_t cols, float beta) {
  for (std::int64_t i = global_thread(); i < rows * cols; i += global_threads()) {
    const std::int64_t row = i / cols, col = i % cols;
    float value = static_cast<float>(product[i]) * a_scale[by_row ? row : 0];
    value *= b_scale != nullptr ? b_scale[col] : 1.0F;
    value = beta != 0 ? std::fma(beta, load(addend.at(row, col)), value) : value;
    value += bias != nullptr ? load(bias + col) : 0.0F;
    store(out.at(row, col), value);
  }
}

__global__ void add_bias_kernel(Rows<double> out, const double* bias, std::int64_t rows,
                                std::int64_t cols) {
  for (std::int64_t i = global_thread(); i < rows * cols; i += global_threads()) {
    *out.at(i / cols, i % cols) += bias[i % cols];
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

}  // namespace

void run_gemm(Context& context, Gemm& gemm, GemmCall call, const View& bias) {
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
    auto* turned = context_->scratch<std::uint8_t>(Scratch::gemm_operand, n * k);
    const dim3 blocks(static_cast<unsigned>(ceil_div(n, kTile)),
                      static_cast<unsigned>(ceil_div(k, kTile)));
    launch<transpose_codes_kernel>(stream(), {blocks, kThreads, 0}, b.as<std::uint8_t>(), turned, k,
                                   n);
    call.b = turned;
  }
  if (is_int8(a.dtype)) {
    multiply_int8(call, a_scale, bias, options.addend ? options.addend : out, out);
    return;
  }
  Fp8GemmCall whole = call;
  if (b_scale && gemm_->scales_channels()) {
    auto* rows = context_->scratch<float>(Scratch::gemm_scale, m);
    launch<repeat_kernel>(stream(), grid_for(m), call.a_scale, rows, m);
    whole.a_scale = rows;
  }
  if ((!b_scale || gemm_->scales_channels()) && gemm_->run_fp8(whole)) {
    return;
  }
  // The card has no per-channel scales: the codes' GEMM in fp32, then the scales.
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
    launch<finish_fp8_kernel>(stream(), grid_for(part.m * n), product, call.a_scale, call.b_scale,
                              bias.as<bfloat16>(), addend.as<bfloat16>() + row * addend.row_stride,
                              out.as<bfloat16>() + row * out.row_stride, part.m, n,
                              addend.row_stride, out.row_stride, options.beta);
  }
}

/// How many rows of a product [m, n] of four bytes a value are made at once: the whole would be
/// twice as large as the result.
std::int64_t CudaKernels::rows_of_part(std::int64_t m, std::int64_t n) const {
  const auto row_bytes = n * static_cast<std::int64_t>(sizeof(float));
  return std::clamp<std::int64_t>(static_cast<std::int64_t>(context_->part_bytes()) / row_bytes, 1,
                                  m);
}

/// `call`, whose operands are int8: the codes' exact sums, then scales, addend and bias. Without
/// INT8 units, or where they don't take the sizes, the sums are those of fp32.
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
      launch<finish_int8_kernel<P>>(
          stream(), grid_for(part.m * part.n), sums, call.a_scale + (by_row ? row : 0), by_row,
          call.b_scale, bias.as<bfloat16>(),
          Rows<const bfloat16>{addend.as<bfloat16>() + row * addend.row_stride, addend.row_stride},
          Rows<bfloat16>{out.as<bfloat16>() + row * out.row_stride, out.row_stride}, part.m, part.n,
          call.beta);
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

/// bf16 holds every FP8 number and int8 code exactly, so each product of codes is exact.
void CudaKernels::multiply_widened(const Fp8GemmCall& codes) {
  const float* one = context_->one();
  const auto widened = [&](const void* data, DType type, std::int64_t rows, Scratch name) {
    const View wide(context_->scratch<bfloat16>(name, rows * codes.k), DType::bf16,
                    {rows, codes.k});
    dequantize(View(const_cast<void*>(data), type, wide.shape),
               View(const_cast<float*>(one), DType::f32, {1}), wide);
    return wide;
  };
  const View a = widened(codes.a, codes.a_type, codes.m, Scratch::operand_a);
  const View b = widened(codes.b, codes.b_type, codes.n, Scratch::operand_b);
  View out(codes.out, DType::f32, {codes.m, codes.n});
  out.row_stride = codes.out_stride;
  gemm_->run(
      gemm_call(codes.m, codes.n, codes.k, DType::bf16, gemm_matrix(a), gemm_matrix(b, true), out));
}

}  // namespace mantissa::cuda
