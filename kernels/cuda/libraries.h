#pragma once
// The backend's interfaces to cuBLASLt and cuDNN. Tests substitute other implementations.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "kernels/kernels.h"

namespace mantissa::cuda {

class Context;

/// out[i] = alpha·op(a[i])·op(b[i]) + beta·addend[i] + bias, row-major, for i < batch. All pointers
/// are device memory.
struct GemmCall {
  const void* a = nullptr;       ///< [m, k], or [k, m] with transpose_a
  const void* b = nullptr;       ///< [k, n], or [n, k] with transpose_b
  void* out = nullptr;           ///< [m, n]
  const void* addend = nullptr;  ///< [m, n] of out's type; absent: out itself
  const void* bias = nullptr;    ///< [n] of out's type, or absent: see run_gemm
  DType type = DType::f32;       ///< of a and b: fp64, fp32, fp16 or bf16
  DType out_type = DType::f32;   ///< `type`, or fp32 with fp16 and bf16
  std::int64_t m = 0, n = 0, k = 0;
  std::int64_t a_stride = 0, b_stride = 0, out_stride = 0;  ///< elements from row to row
  std::int64_t addend_stride = 0;
  bool transpose_a = false, transpose_b = false;
  bool tf32 = false;
  float alpha = 1, beta = 0;
  /// Batch index i = outer·inner_count + inner; each has its own stride in elements. This addresses
  /// heads inside [batch, tokens, heads·d].
  std::int64_t outer_count = 1, inner_count = 1;
  std::int64_t a_outer = 0, a_inner = 0, b_outer = 0, b_inner = 0, out_outer = 0, out_inner = 0;
  std::int64_t addend_inner = 0;  ///< an addend requires outer_count 1
};

/// An operand: rows that lie `stride` elements apart.
struct GemmMatrix {
  const void* data = nullptr;
  std::int64_t stride = 0;
  bool transposed = false;
};
inline GemmMatrix gemm_matrix(const View& v, bool transposed = false) {
  return {v.data, v.row_stride, transposed};
}

/// The call for one out [m, n] = op(a)·op(b), depth k, with operands of `type`.
inline GemmCall gemm_call(std::int64_t m, std::int64_t n, std::int64_t k, DType type,
                          const GemmMatrix& a, const GemmMatrix& b, const View& out) {
  GemmCall call;
  call.a = a.data;
  call.b = b.data;
  call.out = out.data;
  call.type = type;
  call.out_type = out.dtype;
  call.m = m;
  call.n = n;
  call.k = k;
  call.a_stride = a.stride;
  call.b_stride = b.stride;
  call.out_stride = out.row_stride;
  call.transpose_a = a.transposed;
  call.transpose_b = b.transposed;
  return call;
}

/// A GEMM of FP8 codes: out = a_scale[m]·b_scale[n]·(a·bᵀ) + beta·out + bias.
struct Fp8GemmCall {
  const void* a = nullptr;         ///< [m, k], packed
  const void* b = nullptr;         ///< [n, k], packed
  void* out = nullptr;             ///< [m, n]
  const void* addend = nullptr;    ///< what beta multiplies, of out_type; absent: out itself
  const void* bias = nullptr;      ///< [n] bf16, or absent
  const float* a_scale = nullptr;  ///< [1], or [m] with b_scale; absent: 1
  const float* b_scale = nullptr;  ///< [n], absent: 1; only where scales_channels()
  DType a_type = DType::f8_e4m3, b_type = DType::f8_e4m3;
  DType out_type = DType::bf16;  ///< bf16, or fp32 without bias
  std::int64_t m = 0, n = 0, k = 0, out_stride = 0, addend_stride = 0;
  float beta = 0;
};

/// A product of codes by whatever kernel: out = a_scale·b_scale·(a·bᵀ) + beta·addend + bias,
/// rounded once.
struct CodesProduct {
  View a;        ///< [m, k] codes, packed: FP8 or int8
  View a_scale;  ///< fp32 [1] or [m]
  View b;        ///< [n, k] codes, packed: FP8 if a is, then one of them E4M3
  View b_scale;  ///< fp32 [n], or absent: 1
  View bias;     ///< [n] of out's type, or absent
  View addend;   ///< [m, n] of out's type; may be out
  View out;      ///< [m, n] bf16, or fp16 of int8
  float beta = 0;
};

/// A GEMM of int8 codes, whose sums are exact: out = a·bᵀ.
struct Int8GemmCall {
  const void* a = nullptr;      ///< [m, k], packed
  const void* b = nullptr;      ///< [n, k], packed
  std::int32_t* out = nullptr;  ///< [m, n], packed
  std::int64_t m = 0, n = 0, k = 0;
};

class Gemm {
 public:
  using Work = std::function<bool()>;
  virtual ~Gemm() = default;
  virtual std::string version() const = 0;
  virtual void run(const GemmCall& call) = 0;
  /// False if this card or library has no FP8 GEMM of this form: nothing was launched.
  virtual bool run_fp8(const Fp8GemmCall& call) = 0;
  /// Runs a GEMM of int8 codes; false as for run_fp8.
  virtual bool run_int8(const Int8GemmCall& call) = 0;
  /// Whether run_fp8 supports a scale per output channel.
  virtual bool scales_channels() const = 0;
  /// Whether `first` takes less time than `second`, which do the same, and return false where they
  /// can't: timed once for each `shape`, and kept as algorithms are. None where nothing is timed.
  virtual std::optional<bool> first_is_faster(const std::string& shape, const Work& first,
                                              const Work& second) = 0;
};

/// gemm.run of `call` (one GEMM, its bias not set) with `bias` [n] or none: of any dtype of out, at
/// any address. In gemm.cu.
void run_gemm(Context& context, Gemm& gemm, GemmCall call, const View& bias);
/// `bias` (absent: null) at an address that cuBLASLt takes, a multiple of 16 bytes: a copy in
/// Scratch::gemm_bias where its own isn't. In gemm.cu.
const void* bias_for_gemm(Context& context, const View& bias);

/// The ops cuDNN runs for us. Every method returns false, having launched nothing, if it has no
/// engine for the call; the backend then uses its fallback.
class Dnn {
 public:
  virtual ~Dnn() = default;
  virtual std::string version() const = 0;
  /// Weights are [co, kh, kw, ci], the layout for NHWC images.
  virtual bool conv2d(const View& x, const View& weight, const View& bias, const View& out,
                      const ConvOptions& options, bool accumulate) = 0;
  virtual bool conv2d_backward_data(const View& d_out, const View& weight, const View& d_x,
                                    const ConvOptions& options, bool accumulate) = 0;
  virtual bool conv2d_backward_weight(const View& x, const View& d_out, const View& d_weight,
                                      const ConvOptions& options, bool accumulate) = 0;
  virtual bool attention(const View& q, const View& k, const View& v, const View& out,
                         const View& log_sum_exp, const AttentionOptions& options) = 0;
  virtual bool attention_backward(const View& q, const View& k, const View& v, const View& out,
                                  const View& log_sum_exp, const View& d_out, const View& d_q,
                                  const View& d_k, const View& d_v,
                                  const AttentionOptions& options) = 0;
};

}  // namespace mantissa::cuda
