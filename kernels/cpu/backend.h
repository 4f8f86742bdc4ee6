#pragma once

#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "kernels/check.h"
#include "kernels/cpu/parallel.h"
#include "kernels/cpu/simd.h"
#include "kernels/kernels.h"

namespace mantissa::MANTISSA_ISA {

/// One packed copy of a constant: its id, address and layout name it.
struct PackKey {
  std::uint64_t id = 0;
  const void* data = nullptr;
  std::int64_t row_stride = 0, k = 0, n = 0;
  int layout = 0;  ///< 0 [k, n] matrix, 1 [n, k] matrix, 2 and up: convolution, see conv.cpp
  bool operator<(const PackKey& o) const {
    return std::tie(id, data, row_stride, k, n, layout) <
           std::tie(o.id, o.data, o.row_stride, o.k, o.n, o.layout);
  }
};

/// The CPU backend; used by one thread at a time. Every op splits its work into chunks by shape
/// alone, so results don't depend on the number of threads.
class CpuKernels final : public Kernels {
 public:
  explicit CpuKernels(int threads) : pool_(threads), scratch_(pool_.threads()) {}

  std::string name() const override;
  void* allocate(std::size_t bytes) override;
  void release(void* data) override;
  std::size_t constant_bytes() const override { return constant_total_.load(); }
  std::size_t scratch_bytes() const override { return scratch_.bytes(); }
  void release_constants() override { packs_.clear(); }
  void synchronize() override {}
  DeviceMemory memory() const override { return {}; }
  std::vector<std::string> take_notices() override { return {}; }
  bool host_memory() const override { return true; }
  bool decodes_weights() const override { return true; }
  void upload(const void* host, const View& out) override;
  void download(const View& in, void* host) override;
  void* allocate_host(std::size_t bytes) override { return allocate(bytes); }
  void release_host(void* data) override { release(data); }
  void prefetch(int slot, std::span<const Transfer> transfers) override;
  void await_prefetch(int) override {}
  void begin_run(std::uint64_t, std::uint32_t) override {}
  std::unique_ptr<Recording> record(const std::function<void()>&) override { return nullptr; }

  void copy(const View& in, const View& out) override;
  void fill(const View& out, float value) override;
  void gather_tokens(const View& in, const View& index, const View& out) override;
  void scatter_tokens(const View& d_out, const View& index, const View& d_in) override;
  void swap_middle(const View& in, const View& out) override;
  void embedding(const View& table, const View& ids, const View& out) override;
  void embedding_backward(const View& d_out, const View& ids, const View& d_table) override;

  void quantize(const View& in, const View& column_factor, const View& out, const View& scale,
                const View& delayed) override;
  void dequantize(const View& in, const View& scale, const View& out) override;
  void rotate(const View& in, const View& addend, const View& out) override;
  TensorStatistics tensor_statistics(const View& x, const View& column_factor, DType format,
                                     const View& scale) override;
  void queue_statistics(const View& x, const View& column_factor, DType format,
                        const View& scale) override {
    queued_statistics_.push_back(tensor_statistics(x, column_factor, format, scale));
  }
  std::vector<TensorStatistics> take_statistics() override {
    return std::exchange(queued_statistics_, {});
  }

  void add(const View& a, const View& b, const View& out) override;
  void multiply(const View& a, const View& b, const View& out) override;
  void scale(const View& in, float factor, const View& out) override;
  void add_per_sample(const View& x, const View& t, const View& out) override;
  void sum_per_sample(const View& x, const View& out, bool accumulate) override;
  void modulate(const View& x, const View& scale, const View& shift, const View& out) override;
  void gated_add(const View& x, const View& y, const View& gate, const View& out) override;
  void dot_per_sample(const View& x, const View& y, const View& out) override;
  void unary(Unary kind, const View& in, const View& out) override;
  void unary_backward(Unary kind, const View& d_out, const View& in, const View& d_in) override;
  void geglu(const View& in, const View& out) override;
  void geglu_backward(const View& d_out, const View& in, const View& d_in) override;
  void glu(Unary kind, const View& gate, const View& value, const View& out) override;
  void glu_backward(Unary kind, const View& d_out, const View& gate, const View& value,
                    const View& d_gate, const View& d_value) override;
  void dropout(const View& in, float p, const RandomKey& key, const View& out) override;

  void matmul(const View& a, const View& b, const View& bias, const View& out,
              const MatmulOptions& options) override;
  void matmul_codes(const View& a, const View& a_scale, const View& b, const View& b_scale,
                    const View& bias, const View& out, const MatmulOptions& options) override;
  void conv2d(const View& x, const View& weight, const View& bias, const View& out,
              const ConvOptions& options, bool accumulate) override;
  void conv2d_backward_data(const View& d_out, const View& weight, const View& d_x,
                            const ConvOptions& options, bool accumulate) override;
  void conv2d_backward_weight(const View& x, const View& d_out, const View& d_weight,
                              const ConvOptions& options, bool accumulate) override;
  void attention(const View& q, const View& k, const View& v, const AttentionBias& bias,
                 const View& out, const View& log_sum_exp,
                 const AttentionOptions& options) override;
  void attention_backward(const View& q, const View& k, const View& v, const AttentionBias& bias,
                          const View& out, const View& log_sum_exp, const View& d_out,
                          const View& d_q, const View& d_k, const View& d_v,
                          const AttentionOptions& options) override;
  void rope(const View& x, const View& cos, const View& sin, const View& out,
            const RopeOptions& options) override;

  void weight_squares(const DoraNormArgs& args, const View& squares) override;
  void dora_norm(const DoraNormArgs& args, const View& norm) override;
  void divide_by_norm(const View& numerator, const View& norm, const View& squares, float least,
                      float otherwise, const View& out) override;
  void dora_factors(std::span<const DoraFactorArgs> layers, float least) override;
  void add_magnitude_gradients(std::span<const MagnitudeGradient> layers, float least) override;
  void scale_channels(const View& z, const View& v, const View& bias, const View& addend,
                      const View& factor, const View& out) override;
  void scale_channels_backward(const View& d_out, const View& z, const View& v, const View& bias,
                               const View& addend, const View& factor, const View& d_v,
                               const View& d_factor) override;

  void group_norm(const View& x, const View& gamma, const View& beta, const View& out,
                  const View& statistics, int groups, float eps, bool silu) override;
  void group_norm_backward(const View& d_out, const View& x, const View& gamma, const View& beta,
                           const View& statistics, const View& d_x, const View& d_gamma,
                           const View& d_beta, int groups, bool silu) override;
  void layer_norm(const View& x, const View& gamma, const View& beta, const View& out,
                  const View& statistics, float eps) override;
  void layer_norm_backward(const View& d_out, const View& x, const View& gamma,
                           const View& statistics, const View& addend, const View& d_x,
                           const View& d_gamma, const View& d_beta) override;
  void rms_norm(const View& x, const View& gamma, const View& out, const View& statistics,
                float eps, bool unit_offset) override;
  void rms_norm_backward(const View& d_out, const View& x, const View& gamma,
                         const View& statistics, const View& d_x, const View& d_gamma,
                         bool unit_offset) override;

  void upsample_nearest(const View& in, const View& out) override;
  void upsample_nearest_backward(const View& d_out, const View& d_in) override;
  void timestep_embedding(const View& t, const View& out) override;

  void normal(const View& out, const RandomKey& key) override;
  void add_noise(const View& x, const View& noise, const View& a, const View& s,
                 const View& out) override;
  void mse_loss(const View& prediction, const View& target, const View& weight,
                const View& per_sample, const View& loss) override;
  void mse_loss_backward(const View& d_loss, const View& prediction, const View& target,
                         const View& weight, const View& d_prediction) override;
  void huber_loss(const View& prediction, const View& target, const View& weight, const View& width,
                  const View& per_sample, const View& loss) override;
  void huber_loss_backward(const View& d_loss, const View& prediction, const View& target,
                           const View& weight, const View& width,
                           const View& d_prediction) override;

  double sum_of_squares(const View& x) override;
  std::int64_t count_non_finite(const View& x) override;
  void decide_step(std::span<const View> gradients, const View& loss, const View& cells) override;
  void optimizer_step(std::span<const ParameterUpdate> tensors,
                      const UpdateOptions& options) override;
  ProdigySums prodigy_observe(std::span<const ParameterUpdate> tensors,
                              const ProdigyOptions& options) override;
  void factored_step(std::span<const FactoredUpdate> tensors,
                     const FactoredOptions& options) override;
  void measure_update(const View& before, const View& after, const View& gradient,
                      std::span<const std::int64_t> ends, std::span<Movement> result) override;
  void ema(const View& x, double decay, const View& average) override;

 private:
  /// `x` (fp32) rounded to TF32's 10-bit mantissa in shared scratch `slot`, packed; other dtypes as
  /// they are.
  View rounded_tf32(const View& x, int slot);
  void quantize_nf4(const View& in, const View& out);
  void dequantize_nf4(const View& in, const View& out);
  void quantize_blocks(const View& in, const View& out);
  void dequantize_blocks(const View& in, const View& out);
  void quantize_rotated(const View& in, const View& out, const View& scale);
  void dequantize_rotated(const View& in, const View& scale, const View& out);
  std::vector<float> rotated_fp32(const View& in);
  /// The packed constant cached under `key`; on a miss, `make(void*)` fills a new buffer of
  /// `bytes`.
  template <typename Make>
  const void* constant(const PackKey& key, std::size_t bytes, Make&& make) {
    auto it = packs_.find(key);
    if (it == packs_.end()) {
      Buffer buffer(bytes, &constant_total_);
      make(buffer.data());
      it = packs_.emplace(key, std::move(buffer)).first;
    }
    return it->second.data();
  }

  std::atomic<std::size_t> constant_total_{0};
  std::vector<TensorStatistics> queued_statistics_;
  ThreadPool pool_;
  Scratch scratch_;
  std::map<PackKey, Buffer> packs_;
};

std::unique_ptr<Kernels> make_backend(int threads);

// -- loops ---------------------------------------------------------------------------------------

/// Elements per chunk of an elementwise op.
inline constexpr std::int64_t kElementGrain = 16384;

/// Rows per chunk, for about kElementGrain elements.
inline std::int64_t row_grain(std::int64_t cols, std::int64_t elements = kElementGrain) {
  return std::max<std::int64_t>(1, elements / std::max<std::int64_t>(1, cols));
}

/// f(begin, end, thread) over [0, n) in pieces of `grain`.
template <typename F>
void for_ranges(ThreadPool& pool, std::int64_t n, std::int64_t grain, F&& f) {
  pool.run(ceil_div(n, grain), [&](std::int64_t chunk, int thread) {
    f(chunk * grain, std::min(n, (chunk + 1) * grain), thread);
  });
}

/// Calls f(row, column, count) over pieces of rows x cols; if every view is contiguous, f gets the
/// whole as one long row 0.
template <typename F>
void for_elements(ThreadPool& pool, std::initializer_list<const View*> views, F&& f) {
  bool flat = true;
  for (const View* v : views) {
    flat = flat && v->contiguous();
  }
  const View& first = **views.begin();
  if (flat) {
    for_ranges(pool, first.count(), kElementGrain,
               [&](std::int64_t begin, std::int64_t end, int) { f(0, begin, end - begin); });
    return;
  }
  for_ranges(pool, first.rows(), row_grain(first.cols()),
             [&](std::int64_t begin, std::int64_t end, int) {
               for (std::int64_t r = begin; r < end; ++r) {
                 f(r, 0, first.cols());
               }
             });
}

/// load_n for tails, load for whole registers.
template <typename S>
MANTISSA_INLINE Vec<accumulator_t<S>> load_some(const S* p, int n) {
  return n == Vec<accumulator_t<S>>::kLanes ? load(p) : load_n(p, n);
}
template <typename S>
MANTISSA_INLINE void store_some(S* p, Vec<accumulator_t<S>> x, int n) {
  if (n == Vec<accumulator_t<S>>::kLanes) {
    store(p, x);
  } else {
    store_n(p, x, n);
  }
}

/// Applies f to registers of n elements: out[i] = f(in0[i], in1[i], …). S storage, math in
/// accumulator_t<S>. In place ok.
template <typename S, typename F, typename... In>
MANTISSA_INLINE void map_elements(std::int64_t n, S* out, F&& f, const In*... in) {
  constexpr int kLanes = Vec<accumulator_t<S>>::kLanes;
  std::int64_t i = 0;
  for (; i + kLanes <= n; i += kLanes) {
    store(out + i, f(load(in + i)...));
  }
  if (i < n) {
    const int rest = static_cast<int>(n - i);
    store_n(out + i, f(load_n(in + i, rest)...), rest);
  }
}

}  // namespace mantissa::MANTISSA_ISA
