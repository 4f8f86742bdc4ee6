#include <utility>

#include "kernels/check_matmul.h"
#include "kernels/cuda/backend.h"
#include "kernels/cuda/device.cuh"
#include "kernels/cuda/finish_product.cuh"

namespace mantissa::cuda {
namespace {

__global__ void add_bias_kernel(Rows<double> out, const double* bias, std::int64_t rows,
                                std::int64_t cols) {
  for (std::int64_t i = global_thread(); i < rows * cols; i += global_threads()) {
    *out.at(i / cols, i % cols) += bias[i % cols];
  }
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
  const Finish<T> finish{context.ones(1), false, nullptr, bias.as<T>(), addend, out, beta};
  finish_product<OneScale>(context.stream(), product, finish, call.m, call.n);
}

}  // namespace

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

}  // namespace mantissa::cuda
