#pragma once
// The whole op API on one page.
//
// Rules of every method:
// - Views of one call share one float dtype (fp64, fp32, fp16 or bf16) unless said otherwise;
//   nothing is promoted. Sums accumulate in fp32 (fp64 for fp64). Statistics are fp32 (fp64).
// - Images are NHWC: [batch, height, width, channels]. Token matrices are [batch, tokens, width].
// - `out` may alias an input's view only where a method says "in place ok".
// - Bad views throw KernelError before anything is written. No method allocates from the arena;
//   scratch belongs to the backend and is counted by `scratch_bytes`.
// - Results do not depend on the number of threads.

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/philox.h"
#include "kernels/statistics.h"
#include "kernels/step_end.h"
#include "kernels/update.h"
#include "kernels/view.h"

namespace mantissa {

struct MatmulOptions {
  bool transpose_a = false;  ///< a is [k, m] instead of [m, k]
  bool transpose_b = false;  ///< b is [n, k] instead of [k, n] (a Linear weight)
  float alpha = 1.0F;
  float beta = 0.0F;  ///< out = alpha·op(a)·op(b) + beta·(addend or out) + bias
  bool tf32 = false;  ///< fp32 operands are rounded to a 10-bit mantissa first; others ignore it
  /// Number of products of one shape, calculated together: a and out are divided by columns, b by
  /// rows; with transpose_a, a and b by columns, out by rows. No bias.
  int blocks = 1;
  View addend = {};  ///< shaped like out, without overlapping it; absent: out itself
};

/// Geometry of a 2-D convolution; padding may differ per side (the VAE pads right and bottom only).
struct ConvOptions {
  int stride = 1;
  int pad_top = 0, pad_left = 0, pad_bottom = 0, pad_right = 0;
  bool tf32 = false;  ///< as MatmulOptions::tf32
};

struct AttentionOptions {
  int heads = 1;  ///< of q
  float scale = 1.0F;
  bool causal = false;
  /// Grouped-query attention (Ainslie et al., arXiv 2305.13245): heads of k and v, a divisor of
  /// `heads`; neighbouring heads of q share one. 0: `heads`.
  int kv_heads = 0;
  int key_heads() const { return kv_heads > 0 ? kv_heads : heads; }
};

/// Added to the scaled scores before the softmax: fp32 (fp64 with fp64), finite, either or both.
/// Constants in the backward pass: neither gets a gradient.
struct AttentionBias {
  View scores;  ///< [heads or 1, tq, tk]: a relative position bias
  View keys;    ///< [batch, tk]: a mask: 0 to attend to a key, very negative to ignore it
};

/// Which channels of a head rotate together.
enum class RopePairs : std::uint8_t {
  interleaved,  ///< 2i and 2i + 1
  halves,       ///< i and i + d/2
};

struct RopeOptions {
  int heads = 1;
  RopePairs pairs = RopePairs::interleaved;
  bool inverse = false;  ///< by the negative angles, transposed: the backward pass
};

enum class Unary : std::uint8_t {
  silu,
  gelu_erf,
  gelu_tanh,
  gelu_quick,
  sigmoid,
  tanh,
  absolute,      ///< |x|, with slope 0 at 0
  exponential,   ///< e^x
  log_variance,  ///< x within [kLeastLogVariance, kMostLogVariance], with slope 0 outside
};
/// As in tests and their reference values; empty past the last.
constexpr std::string_view unary_name(Unary kind) {
  switch (kind) {
    case Unary::silu:
      return "silu";
    case Unary::gelu_erf:
      return "gelu_erf";
    case Unary::gelu_tanh:
      return "gelu_tanh";
    case Unary::gelu_quick:
      return "gelu_quick";
    case Unary::sigmoid:
      return "sigmoid";
    case Unary::tanh:
      return "tanh";
    case Unary::absolute:
      return "absolute";
    case Unary::exponential:
      return "exponential";
    case Unary::log_variance:
      return "log_variance";
  }
  return {};
}
/// All of them.
inline constexpr auto kUnaries = [] {
  constexpr auto kCount = [] {
    std::size_t count = 0;
    while (!unary_name(static_cast<Unary>(count)).empty()) {
      ++count;
    }
    return count;
  }();
  std::array<Unary, kCount> kinds{};
  for (std::size_t i = 0; i < kCount; ++i) {
    kinds[i] = static_cast<Unary>(i);
  }
  return kinds;
}();

/// Calls f<kind>().
template <typename F>
void dispatch_unary(Unary kind, F&& f) {
  switch (kind) {
    case Unary::silu:
      return f.template operator()<Unary::silu>();
    case Unary::gelu_erf:
      return f.template operator()<Unary::gelu_erf>();
    case Unary::gelu_tanh:
      return f.template operator()<Unary::gelu_tanh>();
    case Unary::gelu_quick:
      return f.template operator()<Unary::gelu_quick>();
    case Unary::sigmoid:
      return f.template operator()<Unary::sigmoid>();
    case Unary::tanh:
      return f.template operator()<Unary::tanh>();
    case Unary::absolute:
      return f.template operator()<Unary::absolute>();
    case Unary::exponential:
      return f.template operator()<Unary::exponential>();
    case Unary::log_variance:
      return f.template operator()<Unary::log_variance>();
  }
}

/// The range a VAE's log variance is clamped to, as in LDM.
inline constexpr double kLeastLogVariance = -30, kMostLogVariance = 20;

/// Operands of a DoRA norm: V = W + scale·up·down, W [out, in] or [out, in, kh, kw].
struct DoraNormArgs {
  View weight;        ///< any float dtype or codes
  View weight_scale;  ///< [out] fp32: the scale of codes; may be absent
  View down, up;      ///< [rank, in(, kh, kw)], [out, rank], floats; without up, down is up·down
  View squares;       ///< of weight_squares
  float scale = 1;
  bool per_input = false;  ///< one norm per input channel instead of per output channel
};

/// A layer of dora_factors.
struct DoraFactorArgs {
  DoraNormArgs layer;
  View magnitude;     ///< [channels]
  View norm, factor;  ///< [channels], written
};

/// A layer of add_magnitude_gradients, all [channels].
struct MagnitudeGradient {
  View d_factor, norm, squares;
  View d_magnitude;  ///< accumulated into
};

/// A copy from host memory into the backend's.
struct Transfer {
  const void* host = nullptr;
  void* device = nullptr;
  std::size_t bytes = 0;
};

/// Bytes of a device; 0 if unknown.
struct DeviceMemory {
  std::size_t free = 0;
  std::size_t total = 0;
};

/// Calls recorded once and replayed as one.
class Recording {
 public:
  virtual ~Recording() = default;
  /// False, and nothing runs, if memory that the calls use has moved since: record again.
  virtual bool replay() = 0;
};

class Kernels {
 public:
  virtual ~Kernels() = default;

  // -- device -------------------------------------------------------------------------------
  virtual std::string name() const = 0;           ///< "cpu (avx512, 2 threads)"
  virtual void* allocate(std::size_t bytes) = 0;  ///< 64-byte aligned, zeroed
  virtual void release(void* data) = 0;
  /// Bytes currently held by packed copies of constants and by scratch.
  virtual std::size_t constant_bytes() const = 0;
  virtual std::size_t scratch_bytes() const = 0;
  /// How often memory was taken so far: by `allocate`, for packed constants, scratch and
  /// recordings. A run that takes all it needs at its start keeps this number.
  virtual std::uint64_t allocations() const = 0;
  /// Gives every thread as much scratch as any thread has needed so far: which thread runs which
  /// chunk differs from call to call.
  virtual void settle_scratch() {}
  /// Drops the packed copies of all constants.
  virtual void release_constants() = 0;
  virtual void synchronize() = 0;
  virtual DeviceMemory memory() const = 0;
  /// What users should know about how work is done here (an engine that a library lacks), one
  /// sentence each, once: those added since the last call.
  virtual std::vector<std::string> take_notices() = 0;
  /// Whether the host may dereference View::data. If not, only `upload` and `download` may.
  virtual bool host_memory() const = 0;
  /// Whether b of `matmul` and the weight of `conv2d` and `conv2d_backward_data` may be codes with
  /// View::scale, without tf32: the same result as after `dequantize` into the dtype of the other
  /// operand, bit for bit.
  virtual bool decodes_weights() const { return false; }
  /// Whether attention in 16 bits has an engine of its own; else, and in FP32 and FP64, its scores
  /// are kept in scratch, in parts (ScratchNeeds::scores).
  virtual bool has_attention_engine() const { return true; }
  /// Whether `matmul_codes` may keep the transposed codes of a frozen b, which some products need,
  /// as constants: as many bytes as those weights have. Else it transposes them every time.
  virtual void keep_turned_codes(bool) {}
  /// Whose kernel calculates matmul_codes, where there are two. At first `faster`, which is timed
  /// once for each shape on a backend that isn't deterministic, and the library's on one that is.
  enum class CodesProducts : std::uint8_t { faster, ours, library };
  virtual void choose_products(CodesProducts) {}
  /// Moves out.count() packed elements of out's dtype from `host`; out must be contiguous. `host`
  /// may be reused immediately.
  virtual void upload(const void* host, const View& out) = 0;
  /// The reverse, after all work launched before; the values are valid on return.
  virtual void download(const View& in, void* host) = 0;
  /// What `normal` gives with this key, on the host: beside all work launched before, without
  /// waiting for it.
  virtual void draw_normal(std::span<float> out, const RandomKey& key) = 0;

  // -- weights that stay in host memory -----------------------------------------------------------
  /// Zeroed host memory that `prefetch` reads at full speed; 64-byte aligned.
  virtual void* allocate_host(std::size_t bytes) = 0;
  virtual void release_host(void* data) = 0;
  /// Fills `slot` (0 or 1) after all work launched so far, concurrently with later work. Can be
  /// recorded; the host bytes must stay valid.
  virtual void prefetch(int slot, std::span<const Transfer> transfers) = 0;
  /// Later launches wait for this slot's transfers.
  virtual void await_prefetch(int slot) = 0;

  // -- recording ------------------------------------------------------------------------------
  /// Seed and step of a run: random keys with both are read from device memory, so that a replay
  /// uses the latest values. Call it before `work` of `record`, and before each replay.
  virtual void begin_run(std::uint64_t seed, std::uint32_t step) = 0;
  /// Records the launches of `work` without running them. Null if this backend runs every call
  /// immediately; throws std::runtime_error with the reason if something in `work` can't be
  /// recorded. `work` must have run once before, so that scratch is allocated.
  virtual std::unique_ptr<Recording> record(const std::function<void()>& work) = 0;
  /// Called after each call of `work`: a recording may be cut there into several launches.
  virtual void call_done() {}

  // -- data movement ------------------------------------------------------------------------
  /// Same shape; dtypes may differ (the one conversion op). Row strides may differ.
  virtual void copy(const View& in, const View& out) = 0;
  virtual void fill(const View& out, float value) = 0;
  /// out[b] = in[b, index[b]]: in [batch, tokens, width], index [batch] i32, out [batch, width].
  virtual void gather_tokens(const View& in, const View& index, const View& out) = 0;
  /// The backward of gather_tokens: d_in is zero except d_in[b, index[b]] = d_out[b].
  virtual void scatter_tokens(const View& d_out, const View& index, const View& d_in) = 0;
  /// in [a, m, n, c] -> out [a, n, m, c], any dtype; packed; not in place.
  virtual void swap_middle(const View& in, const View& out) = 0;
  /// table [vocab, width], ids [...] i32 -> out [..., width].
  virtual void embedding(const View& table, const View& ids, const View& out) = 0;
  /// d_table += rows of d_out summed per id (in id order, deterministic).
  virtual void embedding_backward(const View& d_out, const View& ids, const View& d_table) = 0;

  // -- codes of one byte (weight_codes.h): value = code·scale; blocks (nf4.h, block_codes.h) ------
  /// Codes of in·column_factor (in fp32, fp16 or bf16; column_factor [cols] fp32 optional) into out
  /// (E4M3, E5M2 or int8; rotated int8 with a scale per row and no factor). scale [1] is shared,
  /// [rows] is one per row; fp32, written: max|x| / the format's largest, 1 if all is zero. Rounds
  /// to nearest even and clamps. In FP8, NaN stays NaN and an infinity becomes E5M2's infinity or
  /// E4M3's NaN; int8 has neither, and the scale is NaN. `delayed` [2] fp32 optional, only with FP8
  /// and a shared scale: if delayed[0] > 0 it is the scale; delayed[1] becomes the larger of itself
  /// and the finite max|x|. Into blocks, of NF4, MXFP8 or NVFP4, in and out are whole packed
  /// tensors, and out takes stored_bytes; nothing else is given. The scale of a block with a value
  /// that isn't finite is NaN, with NF4's scales in 8 bits those of its group.
  virtual void quantize(const View& in, const View& column_factor, const View& out,
                        const View& scale, const View& delayed) = 0;
  /// out = code·scale, rounded to out's dtype; scale [1] or [rows], or absent for blocks.
  virtual void dequantize(const View& in, const View& scale, const View& out) = 0;
  /// out = in, its rows rotated in groups (rotation.h), + addend, if given, in fp32. fp32, fp16 or
  /// bf16; `addend` may be `out`.
  virtual void rotate(const View& in, const View& addend, const View& out) = 0;
  /// Statistics of x (fp64, fp32, fp16, bf16), times column_factor [cols] if given, stored as
  /// `format`, a float dtype or codes. scale as `quantize` wrote it, [1] or [rows]; absent: 1. fp64
  /// values are measured in fp32. Of rotated codes: those of the rotated values, without a
  /// column_factor.
  virtual TensorStatistics tensor_statistics(const View& x, const View& column_factor, DType format,
                                             const View& scale) = 0;
  /// Computes tensor_statistics without waiting: `take_statistics` returns all results queued since
  /// its last call, in order.
  virtual void queue_statistics(const View& x, const View& column_factor, DType format,
                                const View& scale) = 0;
  virtual std::vector<TensorStatistics> take_statistics() = 0;

  // -- elementwise; out may be a, b or in (in place ok) ---------------------------------------
  virtual void add(const View& a, const View& b, const View& out) = 0;
  virtual void multiply(const View& a, const View& b, const View& out) = 0;
  virtual void scale(const View& in, float factor, const View& out) = 0;
  /// out[b, p, c] = x[b, p, c] + t[b, c]: x [batch, ..., c], t [batch, c] or [1, c].
  virtual void add_per_sample(const View& x, const View& t, const View& out) = 0;
  /// out[b, c] = Σ_p x[b, p, c] (+ out if accumulate). With batch 1 in `out`, sums over all rows.
  virtual void sum_per_sample(const View& x, const View& out, bool accumulate) = 0;
  /// out[b, p, c] = x[b, p, c]·(1 + scale[b, c]) + shift[b, c]; scale and shift [batch or 1, c],
  /// shift may be absent (0).
  virtual void modulate(const View& x, const View& scale, const View& shift, const View& out) = 0;
  /// out[b, p, c] = x[b, p, c] + y[b, p, c]·gate[b, c]; gate [batch or 1, c], x may be absent (0).
  virtual void gated_add(const View& x, const View& y, const View& gate, const View& out) = 0;
  /// out[b, c] = Σ_p x[b, p, c]·y[b, p, c]. With batch 1 in `out`, sums over all rows.
  virtual void dot_per_sample(const View& x, const View& y, const View& out) = 0;
  virtual void unary(Unary kind, const View& in, const View& out) = 0;
  virtual void unary_backward(Unary kind, const View& d_out, const View& in, const View& d_in) = 0;
  /// out = kind(gate)·value: gated linear units (Shazeer, arXiv 2002.05202), SwiGLU with `silu`,
  /// GEGLU with `gelu_erf`, and attention's output gate with `sigmoid`; no other kind. All of one
  /// shape. In place ok.
  virtual void glu(Unary kind, const View& gate, const View& value, const View& out) = 0;
  /// d_value = d_out·kind(gate), d_gate = d_out·value·kind'(gate). In place ok.
  virtual void glu_backward(Unary kind, const View& d_out, const View& gate, const View& value,
                            const View& d_gate, const View& d_value) = 0;
  /// The codes of what `glu` gives, which is not written itself: those of `quantize` with a scale
  /// per row, bit for bit. kind silu or gelu_erf; codes [rows, c] packed, E4M3 of bf16, or int8 of
  /// bf16 or fp16, not rotated; scale [rows].
  virtual void glu_codes(Unary kind, const View& gate, const View& value, const View& codes,
                         const View& scale) = 0;
  /// Likewise of what `glu_backward` gives, with E5M2 for FP8: d_gate and d_value are the halves,
  /// in either order, of one packed tensor of codes [rows, 2c], whose rows have one scale each.
  /// column_factor [2c] fp32 optional, as in `quantize`.
  virtual void glu_backward_codes(Unary kind, const View& d_out, const View& gate,
                                  const View& value, const View& column_factor, const View& d_gate,
                                  const View& d_value, const View& scale) = 0;
  /// Keeps each element with probability 1-p and scales it by 1/(1-p); the mask is a function of
  /// (key, element index) alone, so the backward is the same call on d_out.
  virtual void dropout(const View& in, float p, const RandomKey& key, const View& out) = 0;

  // -- matrix and convolution -----------------------------------------------------------------
  /// Rank-2 by rows/cols (outer dimensions are rows). bias [n] optional. See MatmulOptions. Without
  /// a bias, out may be fp32 where a and b are fp16 or bf16: the sums are then not rounded.
  virtual void matmul(const View& a, const View& b, const View& bias, const View& out,
                      const MatmulOptions& options) = 0;
  /// out = a_scale·b_scale[n]·(a·op(b)) + beta·(addend or out) + bias over codes: a [m, k], b [n,
  /// k] if transpose_b else [k, n], both FP8 in either format, but not both E5M2, or both int8,
  /// both rotated or neither (with a plain a and [k, n] of rotated rows, so is out), whose products
  /// are added up exactly (k at most 2^17; in fp32 on a card that has no int8 product of these
  /// sizes). a_scale [1] or [m]; b_scale [n] or absent (1); fp32. out, addend and bias bf16 or,
  /// with int8, all fp16. `transpose_a`, `alpha`, `tf32` and `blocks` are not used.
  virtual void matmul_codes(const View& a, const View& a_scale, const View& b, const View& b_scale,
                            const View& bias, const View& out, const MatmulOptions& options) = 0;
  /// x [b, h, w, ci], weight [co, ci, kh, kw], bias [co] optional -> out [b, ho, wo, co];
  /// `accumulate` adds to out.
  virtual void conv2d(const View& x, const View& weight, const View& bias, const View& out,
                      const ConvOptions& options, bool accumulate) = 0;
  /// d_x [b, h, w, ci] from d_out [b, ho, wo, co]; `accumulate` adds to d_x.
  virtual void conv2d_backward_data(const View& d_out, const View& weight, const View& d_x,
                                    const ConvOptions& options, bool accumulate) = 0;
  /// d_weight [co, ci, kh, kw] (fp32, or fp64 with fp64); `accumulate` adds.
  virtual void conv2d_backward_weight(const View& x, const View& d_out, const View& d_weight,
                                      const ConvOptions& options, bool accumulate) = 0;
  /// softmax(scale·q·kᵀ + bias)·v per head. q, out [b, tq, heads·d]; k, v [b, tk, kv_heads·d];
  /// log_sum_exp [b, heads, tq] fp32 (fp64) is saved for the backward.
  virtual void attention(const View& q, const View& k, const View& v, const AttentionBias& bias,
                         const View& out, const View& log_sum_exp,
                         const AttentionOptions& options) = 0;
  virtual void attention_backward(const View& q, const View& k, const View& v,
                                  const AttentionBias& bias, const View& out,
                                  const View& log_sum_exp, const View& d_out, const View& d_q,
                                  const View& d_k, const View& d_v,
                                  const AttentionOptions& options) = 0;

  /// Rotary position embedding (Su et al., arXiv 2104.09864): pair i = (a, b) of every head becomes
  /// (a·cos - b·sin, b·cos + a·sin). x, out [b, tokens, heads·d]; cos, sin [b or 1, tokens, d/2]
  /// fp32 (fp64 with fp64). Pairs of halves may have an angle for each channel, [b or 1, tokens,
  /// d]: then a takes its own, b its own. `inverse` is the transpose. In place ok.
  virtual void rope(const View& x, const View& cos, const View& sin, const View& out,
                    const RopeOptions& options) = 0;

  // -- DoRA; squares, norms and factors [channels] are fp32 (fp64 where all is fp64) --------------
  /// squares[i] = ‖W_i‖² of DoraNormArgs::weight and weight_scale; needs nothing else of `args`.
  virtual void weight_squares(const DoraNormArgs& args, const View& squares) = 0;
  /// norm[i] = ‖V_i‖, from the factors; V is never materialized (arXiv 2402.09353).
  virtual void dora_norm(const DoraNormArgs& args, const View& norm) = 0;
  /// out[i] = numerator[i] / norm[i]; `otherwise` if norm[i] or √squares[i] is below `least`.
  virtual void divide_by_norm(const View& numerator, const View& norm, const View& squares,
                              float least, float otherwise, const View& out) = 0;
  /// For every layer: norm = dora_norm(layer), factor = divide_by_norm(magnitude, norm, squares,
  /// least, 1), to the bit. No result may overlap an operand.
  virtual void dora_factors(std::span<const DoraFactorArgs> layers, float least) = 0;
  /// For every layer: d_magnitude += divide_by_norm(d_factor, norm, squares, least, 0).
  virtual void add_magnitude_gradients(std::span<const MagnitudeGradient> layers, float least) = 0;
  /// out = z + (factor[c] - 1)·v, or z + v without a factor; 16-bit results are dithered
  /// (dither.h). If v is absent, v = z - bias[c] - addend, the part that the factor scales. v,
  /// addend like z; bias [c] z's dtype or fp32. out may be z or v.
  virtual void scale_channels(const View& z, const View& v, const View& bias, const View& addend,
                              const View& factor, const View& out) = 0;
  /// d_factor[c] = Σ_rows d_out·v, and unless absent d_v = d_out·(factor[c] - 1) if v is given,
  /// else d_out·factor[c] (then it is d_z, for a d_addend of d_out). d_v may be d_out.
  virtual void scale_channels_backward(const View& d_out, const View& z, const View& v,
                                       const View& bias, const View& addend, const View& factor,
                                       const View& d_v, const View& d_factor) = 0;

  // -- norms; statistics [b, groups, 2] or [rows, 2] = (mean, 1/σ), fp32 (fp64) -----------------
  /// x [b, ..., c]; gamma, beta [c] (x's dtype or fp32). `silu` fuses the following activation.
  virtual void group_norm(const View& x, const View& gamma, const View& beta, const View& out,
                          const View& statistics, int groups, float eps, bool silu) = 0;
  /// d_gamma, d_beta [c] fp32 optional, accumulated into.
  virtual void group_norm_backward(const View& d_out, const View& x, const View& gamma,
                                   const View& beta, const View& statistics, const View& d_x,
                                   const View& d_gamma, const View& d_beta, int groups,
                                   bool silu) = 0;
  /// gamma and beta may be absent (1 and 0).
  virtual void layer_norm(const View& x, const View& gamma, const View& beta, const View& out,
                          const View& statistics, float eps) = 0;
  /// d_x is the gradient plus `addend`, rounded once: x's gradient from its other uses, shaped like
  /// x. It may be absent, or d_x itself.
  virtual void layer_norm_backward(const View& d_out, const View& x, const View& gamma,
                                   const View& statistics, const View& addend, const View& d_x,
                                   const View& d_gamma, const View& d_beta) = 0;
  /// x / sqrt(mean(x²) + eps) · gamma; the statistics' mean is 0. gamma may be absent (1). With
  /// `unit_offset` the factor is 1 + gamma, added in fp32 (fp64).
  virtual void rms_norm(const View& x, const View& gamma, const View& out, const View& statistics,
                        float eps, bool unit_offset) = 0;
  virtual void rms_norm_backward(const View& d_out, const View& x, const View& gamma,
                                 const View& statistics, const View& d_x, const View& d_gamma,
                                 bool unit_offset) = 0;

  // -- resampling and embeddings ----------------------------------------------------------------
  /// Nearest neighbour to out's height and width, [b, h, w, c] -> [b, ho, wo, c].
  virtual void upsample_nearest(const View& in, const View& out) = 0;
  virtual void upsample_nearest_backward(const View& d_out, const View& d_in) = 0;
  /// t [n] fp32 (fp64) -> out [n, width] = [cos(t·f), sin(t·f)], f_i = exp(-ln(10000)·i/(width/2)).
  virtual void timestep_embedding(const View& t, const View& out) = 0;

  // -- diffusion and loss -------------------------------------------------------------------------
  /// Standard normals from the stream `key`, element i from word pair i/2.
  virtual void normal(const View& out, const RandomKey& key) = 0;
  /// out[b] = a[b]·x[b] + s[b]·noise[b]; a, s [b] fp32 (fp64).
  virtual void add_noise(const View& x, const View& noise, const View& a, const View& s,
                         const View& out) = 0;
  /// per_sample[b] = weight[b]·mean((prediction-target)²); loss [] = mean over b. fp32 (fp64).
  virtual void mse_loss(const View& prediction, const View& target, const View& weight,
                        const View& per_sample, const View& loss) = 0;
  /// d_prediction = d_loss[] · 2·weight[b]·(prediction-target)/(batch·elements per sample).
  virtual void mse_loss_backward(const View& d_loss, const View& prediction, const View& target,
                                 const View& weight, const View& d_prediction) = 0;
  /// mse_loss with 2·c·(√(d² + c²) - c) in place of d² = (prediction-target)²: the
  /// pseudo-Huber error of Charbonnier et al. (1997), which grows like d² below c and like 2·c·|d|
  /// above. `width` holds c > 0 of each sample, [batch] like weight.
  virtual void huber_loss(const View& prediction, const View& target, const View& weight,
                          const View& width, const View& per_sample, const View& loss) = 0;
  /// d_prediction = d_loss[] · 2·weight[b]·c·d/√(d² + c²)/(batch·elements per sample).
  virtual void huber_loss_backward(const View& d_loss, const View& prediction, const View& target,
                                   const View& weight, const View& width,
                                   const View& d_prediction) = 0;

  // -- optimizer; see update.h for dtypes and formulas -------------------------------------------
  /// Σ x² in fp64 by a fixed tree, independent of the thread count; NaN and Inf propagate.
  virtual double sum_of_squares(const View& x) = 0;
  /// Number of elements that are NaN or infinite.
  virtual std::int64_t count_non_finite(const View& x) = 0;
  /// Decides a step in the backend's memory (step_end.h): `cells` fp64 of cells_shape, gradients[i]
  /// group i's packed gradients of the scaled loss; `loss` [] fp32 or absent. Can be recorded.
  virtual void decide_step(std::span<const View> gradients, const View& loss,
                           const View& cells) = 0;
  /// One step of an elementwise rule for any number of tensors.
  virtual void optimizer_step(std::span<const ParameterUpdate> tensors,
                              const UpdateOptions& options) = 0;
  /// First half of a Prodigy step: moves m, v and s and returns the sums that set the next d.
  /// Schedule-free it leaves m, and squares[i] = Σu² of tensor i; else `squares` is empty.
  virtual ProdigySums prodigy_observe(std::span<const ParameterUpdate> tensors,
                                      const ProdigyOptions& options, std::span<double> squares) = 0;
  /// First part of a Muon step: moves the momentum of matrices and writes their directions.
  virtual void muon_direction(std::span<const MuonUpdate> tensors, const MuonOptions& options) = 0;
  /// One step of a factored rule (Adafactor, CAME, Automagic) for any number of tensors.
  virtual void factored_step(std::span<const FactoredUpdate> tensors,
                             const FactoredOptions& options) = 0;
  /// How far a step moved each tensor of a flat buffer: before, after fp32 [n], gradient [n] fp32,
  /// bf16 or fp16. Tensor i is [ends[i-1], ends[i]); result[i] is written. Sums in fp64.
  virtual void measure_update(const View& before, const View& after, const View& gradient,
                              std::span<const std::int64_t> ends, std::span<Movement> result) = 0;
  /// average = decay·average + (1-decay)·x: average fp32, x fp32 or bf16.
  virtual void ema(const View& x, double decay, const View& average) = 0;
};

}  // namespace mantissa
