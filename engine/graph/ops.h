#pragma once
// The ops for model code. Each records one op of kernels.h.
//
// Images are NHWC [batch, height, width, channels]; token matrices [batch, tokens, width].
// All operands share one dtype; a mismatch throws Error naming the op, the paths and the dtypes.

#include "engine/graph/graph.h"

namespace mantissa {

// -- data movement (elementwise.cpp) --------------------------------------------------------------
Value cast(Value x, DType dtype);            ///< the only conversion; no-op if equal
Value reshape(Value x, const Shape& shape);  ///< same memory
/// [a, m, n, c] -> [a, n, m, c].
Value swap_middle(Value x);
Value constant(Graph& graph, DType dtype, const Shape& shape, float value);
Value concat_channels(Value a, Value b);  ///< along the last dimension
Value slice_channels(Value x, std::int64_t begin, std::int64_t count);
/// Tensors side by side along the last dimension, which alone may differ (split.cpp).
Value join_channels(const std::vector<Value>& parts);
/// Equal slices along the last dimension, without copying (split.cpp). Attention, matmul and
/// join_channels accept them; other ops throw.
std::vector<Value> split_channels(Value x, int count);
/// Slices of these widths, which add up to the channels of x.
std::vector<Value> split_channels(Value x, const std::vector<std::int64_t>& widths);

// -- persistent tensors in another dtype, codes (quant.cpp) ---------------------------------------
/// A persistent tensor's value in `dtype`: the only way to read a weight. Codes are multiplied by
/// their scale per output channel. The backward pass recomputes the value, so no copy outlives its
/// use; but the parts of a TensorBuffer are converted together, once per run, and kept to its end.
Value read_tensor(Graph& graph, Tensor& tensor, DType dtype);
/// A layer's delayed-scaling state, [2] fp32 each as in Kernels::quantize; null if the scale comes
/// from the tensor itself.
struct Fp8State {
  Tensor* input = nullptr;
  Tensor* gradient = nullptr;
};
/// Whether layers with this state may be one product: a delayed scale is each layer's own.
bool shares_scales(const Fp8State& state);
/// x [..., in] bf16 or, with int8 codes, fp16; weight [out, in] of E4M3 or int8 codes, bias [out]
/// or absent, addend of the result's shape or absent -> [..., out], all of x's dtype. x and its
/// gradient are quantised with a scale per row (LLM.int8(), arXiv 2208.07339) or a delayed one:
/// with E4M3 to E4M3 and E5M2, with int8 both to int8. In the backward pass the weight's scales run
/// along the reduction: they multiply the gradient before it is quantised, so that d_x =
/// (d_out·s)·codes takes the very codes of the forward pass, neither decoded nor quantised along
/// the other axis. With rotated int8, x is rotated before it is quantised, and d_x is rotated back.
/// Where a weight holds several layers' (Tensor::parts), each layer's gradient has its own scales
/// with int8.
Value linear_codes(Value x, Tensor& weight, Value bias, Value addend, const Fp8State& state);

// -- elementwise (elementwise.cpp) ----------------------------------------------------------------
Value add(Value a, Value b);
Value multiply(Value a, Value b);
Value scale(Value x, float factor);
/// Mask from (seed, stream, step, element): recomputation under checkpointing draws the same.
Value dropout(Value x, float p, std::uint32_t stream);

// -- per sample (per_sample.cpp): x [batch, ..., c] with vectors [batch, c], or [1, c] shared -----
// The vectors may be slices of split_channels: parts of one layer's modulation.
/// x + t.
Value add_per_sample(Value x, Value t);
/// x·(1 + scale) + shift; shift may be absent.
Value modulate(Value x, Value scale, Value shift);
/// x + y·gate: x and y of one shape. With tanh or sigmoid of a vector for gate, a gated residual.
Value gated_add(Value x, Value y, Value gate);

// -- activations (activation.cpp) -----------------------------------------------------------------
Value unary(Unary kind, Value x);  ///< x may be a slice of split_channels
inline Value silu(Value x) {
  return unary(Unary::silu, x);
}
inline Value sigmoid(Value x) {
  return unary(Unary::sigmoid, x);
}
inline Value tanh(Value x) {
  return unary(Unary::tanh, x);
}

// -- gated linear units (glu.cpp) -----------------------------------------------------------------
/// Which half of the channels is the gate, which the value.
enum class GateHalf { first, second };
/// kind(gate)·value, kind silu, gelu_erf or sigmoid; either may be a slice of split_channels. The
/// two halves of one split are treated as their whole.
Value glu(Unary kind, Value gate, Value value);
/// The unit of the halves of [..., 2c]; the gradient can take the place of x.
Value glu(Unary kind, Value x, GateHalf gate);
/// silu(gate)·value (arXiv 2002.05202).
inline Value swiglu(Value gate, Value value) {
  return glu(Unary::silu, gate, value);
}
inline Value swiglu(Value x, GateHalf gate) {
  return glu(Unary::silu, x, gate);
}
/// value·gelu(gate) (arXiv 2002.05202); of x [..., 2c] = [value | gate].
inline Value geglu(Value x) {
  return glu(Unary::gelu_erf, x, GateHalf::second);
}
inline Value geglu(Value value, Value gate) {
  return glu(Unary::gelu_erf, gate, value);
}

// -- matrix (matmul.cpp) --------------------------------------------------------------------------
struct MatmulArgs {
  bool transpose_a = false, transpose_b = false;
  float alpha = 1.0F;
  bool tf32 = false;  ///< also in the backward pass
  Value bias;         ///< [n]
  Value addend;       ///< same shape as the result
  int blocks = 1;     ///< see MatmulOptions
};
/// alpha·op(a)·op(b) (+ bias) (+ addend). a is a matrix over its last dimension: outer dimensions
/// are rows and keep their shape; b is [k, n] (or [n, k] transposed). With `blocks`,
/// a [.., blocks·k] and b [blocks·n, k] transposed give [.., blocks·n].
Value matmul(Value a, Value b, const MatmulArgs& args);
/// x·Wᵀ of several frozen weights [n, k], side by side, (+ bias) (+ addend) of all: for weights
/// that are not adjacent in memory.
Value linears(Value x, const std::vector<Value>& weights, Value bias, Value addend, bool tf32);
/// Sum of all rows, [..., n] -> [n]: the gradient of a bias.
Value column_sums(Value x);
/// x [..., in], weight [out, in], bias [out] or absent.
Value linear(Value x, Value weight, Value bias = {});

// -- convolution (conv.cpp) -----------------------------------------------------------------------
/// x [b, h, w, ci], weight [co, ci, kh, kw], bias [co] or absent, addend of the result's shape.
Value conv2d(Value x, Value weight, Value bias, const ConvOptions& options, Value addend = {});

// -- LoHa and LoKr (product_weights.cpp) ----------------------------------------------------------
struct LohaFactors {
  Value w1_a, w1_b, w2_a, w2_b;  ///< [out, rank] and [rank, in] each
};
/// scale·(w1_a·w1_b)∘(w2_a·w2_b). The backward pass recomputes it: only the factors are kept.
Value loha_weight(const LohaFactors& factors, float scale, bool tf32);
/// scale·(w1 ⊗ w2), [a, b] and [c, d] -> [a·c, b·d]; recomputed as well.
Value lokr_weight(Value w1, Value w2, float scale, bool tf32);
/// x·(scale·(w1 ⊗ w2))ᵀ without that weight: x [..., b·d] with w2 [c, d], and then with w1 [a, b],
/// -> [..., a·c]. `w2` is in the order of multiplication: one matrix, or w2_b and w2_a.
Value lokr_product(Value x, Value w1, const std::vector<Value>& w2, float scale, bool tf32);

// -- DoRA (dora.cpp, dora_factors.cpp) ------------------------------------------------------------
/// x itself; no gradient flows back through it.
Value detach(Value x);
/// A channel whose weight has a smaller norm than this stays plain LoRA.
inline constexpr float kDoraLeastNorm = 1e-6F;
struct DoraNormInputs {
  Value weight;        ///< [out, in] or [out, in, kh, kw], any float dtype
  Value weight_scale;  ///< [out] fp32, of codes; absent if the weight's tensor has them
  Value down, up;      ///< the adapter's masters; fp64 with an fp64 weight
  Value squares;       ///< [channels] ‖W_i‖², fp32 (fp64)
};
/// What norms read of a weight: itself, or the values of blocks.
Value norm_operand(Graph& graph, Tensor& weight);
/// [channels] ‖W + scale·up·down‖ for each output channel, or each input channel. Detached.
Value dora_norm(const DoraNormInputs& in, float scale, bool per_input);
/// [channels] ‖W + change‖, with its gradient: change [out, in·area] of any float dtype, fp64 with
/// an fp64 weight. The backward pass adds them up again: no matrix of the weight's size is kept.
Value changed_norm(Tensor& weight, Value change, Value squares, bool per_input);
/// magnitude / norm; 1 without gradient where the norm or the weight's own vanishes. The norm gets
/// a gradient from `of_norm` only.
enum class NormGradient { detached, of_norm };
Value dora_factor(Value magnitude, Value norm, Value squares,
                  NormGradient gradient = NormGradient::detached);
/// A layer of dora_factors. The op reads its tensors where they are when the graph runs, so none
/// may be streamed; only the magnitude is an input: an op at the beginning of the graph that read
/// the others as inputs would put off their gradients to the end of the backward pass.
struct DoraLayer {
  const Tensor *weight = nullptr, *down = nullptr, *up = nullptr, *squares = nullptr;
  Tensor* magnitude = nullptr;
  float scale = 1;
  bool per_input = false;
};
/// dora_factor of many layers at once, and their magnitudes' gradients at once: a value for each
/// group of layers, with their factors side by side.
std::vector<Value> dora_factors(Graph& graph, std::vector<std::vector<DoraLayer>> groups);
struct ScaleChannelsArgs {
  Value v;       ///< the scaled value, or without a factor the added one; absent: z - bias - addend
  Value bias;    ///< [channels] of z's dtype or fp32; gets no gradient
  Value addend;  ///< gets the result's whole gradient: its share in z must be detached
};
/// z + (factor - 1)·v over the last dimension, dithered; z itself, bit for bit, where the factor is
/// 1.
Value scale_channels(Value z, Value factor, const ScaleChannelsArgs& args = {});

// -- attention (attention.cpp) --------------------------------------------------------------------
/// Added to the scaled scores; fp32 (fp64), either may be absent; neither gets a gradient.
struct AttentionBiasValues {
  Value scores;  ///< [heads or 1, tq, tk]
  Value keys;    ///< [b, tk]: 0 to attend, very negative for padding
};
/// q [b, tq, heads·d], k and v [b, tk, kv_heads·d] (grouped-query attention, see AttentionOptions).
Value attention(Value q, Value k, Value v, const AttentionOptions& options,
                const AttentionBiasValues& bias = {});

// -- rotary position embedding (rope.cpp) ---------------------------------------------------------
/// x [b, tokens, heads·d] rotated by the angles of its positions: cos, sin [b or 1, tokens, d/2]
/// fp32 (fp64), as `rotary_tables` (engine/nn/rotary.h) computes them, without gradient; with pairs
/// of halves [b or 1, tokens, d] too, an angle for each channel. x may be a slice of
/// split_channels.
Value rope(Value x, Value cos, Value sin, const RopeOptions& options);

// -- norms (norm.cpp) -----------------------------------------------------------------------------
Value group_norm(Value x, Value gamma, Value beta, int groups, float eps, bool with_silu);
/// gamma and beta may both be absent.
Value layer_norm(Value x, Value gamma, Value beta, float eps);
/// x / sqrt(mean(x²) + eps) · gamma over the last dimension; with `unit_offset` · (1 + gamma),
/// summed in fp32 (fp64). For each head of [b, tokens, heads·d]: of x reshaped to [b, tokens·heads,
/// d].
Value rms_norm(Value x, Value gamma, float eps, bool unit_offset = false);

// -- resampling, embeddings (resample.cpp) --------------------------------------------------------
Value upsample_nearest(Value x, std::int64_t height, std::int64_t width);
Value timestep_embedding(Value t, std::int64_t width,
                         DType dtype = DType::f32);  ///< [n] -> [n, width]
Value embedding(Value table, Value ids);
Value gather_tokens(Value x, Value index);  ///< [b, t, c], [b] i32 -> [b, c]

// -- loss (loss.cpp) ------------------------------------------------------------------------------
/// a[b]·x[b] + s[b]·noise[b].
Value add_noise(Value x, Value noise, Value a, Value s);
struct Loss {
  Value loss;        ///< []
  Value per_sample;  ///< [batch]
};
/// mean over the batch of weight[b]·mean((prediction-target)²). fp32 or fp64.
Loss mse_loss(Value prediction, Value target, Value weight);
/// Mean over the batch of the weighted pseudo-Huber error of width[b] > 0 (Kernels::huber_loss).
Loss huber_loss(Value prediction, Value target, Value weight, Value width);

/// grad buffer of `tensor` += gradient. Emitted by Graph::backward.
void accumulate_gradient(Value gradient, Tensor& tensor);

}  // namespace mantissa
