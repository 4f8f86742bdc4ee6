#pragma once

#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "kernels/cuda/context.h"
#include "kernels/cuda/libraries.h"
#include "kernels/kernels.h"

namespace mantissa::cuda {

/// The CUDA backend of one card; used by one thread at a time. Each family of ops is in the file of
/// the same name as the CPU's.
class CudaKernels final : public Kernels {
 public:
  /// `dnn` may be absent: convolutions then go through im2col, attention through GEMMs.
  CudaKernels(std::unique_ptr<Context> context, std::unique_ptr<Gemm> gemm,
              std::unique_ptr<Dnn> dnn);

  std::string name() const override;
  void* allocate(std::size_t bytes) override { return context_->allocate(bytes); }
  void release(void* data) override { context_->release(data); }
  ~CudaKernels() override;
  Context& context() { return *context_; }
  std::size_t constant_bytes() const override { return constant_total_; }
  std::size_t scratch_bytes() const override { return context_->scratch_total(); }
  void release_constants() override;
  void synchronize() override;
  DeviceMemory memory() const override;
  std::vector<std::string> take_notices() override { return context_->take_notices(); }
  bool host_memory() const override { return false; }
  void upload(const void* host, const View& out) override;
  void download(const View& in, void* host) override;
  void* allocate_host(std::size_t bytes) override { return context_->allocate_host(bytes); }
  void release_host(void* data) override { context_->release_host(data); }
  void prefetch(int slot, std::span<const Transfer> transfers) override {
    context_->prefetch(slot, transfers);
  }
  void await_prefetch(int slot) override { context_->await_prefetch(slot); }
  void begin_run(std::uint64_t seed, std::uint32_t step) override;
  std::unique_ptr<Recording> record(const std::function<void()>& work) override;

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
                        const View& scale) override;
  std::vector<TensorStatistics> take_statistics() override;

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
  cudaStream_t stream() const { return context_->stream(); }
  /// Writes the result of tensor_statistics to `to` in device memory.
  void launch_statistics(const View& x, const View& column_factor, DType format, const View& scale,
                         TensorStatistics* to);
  void fetch_statistics();
  void quantize_nf4(const View& in, const View& out);
  void dequantize_nf4(const View& in, const View& out);
  void quantize_blocks(const View& in, const View& out);
  void dequantize_blocks(const View& in, const View& out);
  void quantize_rotated(const View& in, const View& out, const View& scale);
  void dequantize_rotated(const View& in, const View& scale, const View& out);
  View rotated_fp32(const View& in);
  bool in_batches(const DoraNormArgs& layer) const;
  void norm_of_batch(const DoraNormArgs& layer, const View& norm);
  std::int64_t rows_of_part(std::int64_t m, std::int64_t n) const;
  template <typename T>
  void multiply_int8(const Fp8GemmCall& call, const View& a_scale, const View& bias,
                     const View& addend, const View& out);
  /// The fallback for GEMMs of codes on cards without them.
  void multiply_widened(const Fp8GemmCall& codes);
  /// A convolution's weight [co, ci, kh, kw] as [co, kh, kw, ci]; cached for constants.
  View taps_first(const View& weight);

  std::unique_ptr<Context> context_;
  /// Packed constants by id, address and size.
  std::map<std::tuple<std::uint64_t, const void*, std::size_t>, void*> constants_;
  std::size_t constant_total_ = 0;
  std::unique_ptr<Gemm> gemm_;
  std::unique_ptr<Dnn> dnn_;
  std::int64_t statistics_on_device_ = 0;     ///< queued, not fetched yet
  std::vector<TensorStatistics> statistics_;  ///< queued earlier, already fetched
};

}  // namespace mantissa::cuda
