#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "kernels/backend.h"
#include "kernels/cuda/context.h"
#include "kernels/cuda/libraries.h"

namespace mantissa::cuda {

class Capture;

/// The CUDA backend of one card; used by one thread at a time. Each family of ops is in the file of
/// the same name as the CPU's.
class CudaKernels final : public Backend {
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
  std::uint64_t allocations() const override { return context_->allocations(); }
  void release_constants() override;
  void synchronize() override;
  DeviceMemory memory() const override;
  std::vector<std::string> take_notices() override { return context_->take_notices(); }
  bool host_memory() const override { return false; }
  bool has_attention_engine() const override;
  void keep_turned_codes(bool keep) override { keeps_turned_ = keep; }
  void choose_products(CodesProducts whose) override { products_ = whose; }
  void upload(const void* host, const View& out) override;
  void download(const View& in, void* host) override;
  void draw_normal(std::span<float> out, const RandomKey& key) override;
  void* allocate_host(std::size_t bytes) override { return context_->allocate_host(bytes); }
  void release_host(void* data) override { context_->release_host(data); }
  void prefetch(int slot, std::span<const Transfer> transfers) override {
    context_->prefetch(slot, transfers);
  }
  void await_prefetch(int slot) override { context_->await_prefetch(slot); }
  void begin_run(std::uint64_t seed, std::uint32_t step) override;
  std::unique_ptr<Recording> record(const std::function<void()>& work) override;
  void call_done() override;

#include "kernels/ops.inc"

 private:
  cudaStream_t stream() const {
    return context_->stream();
  }
  /// Writes the result of tensor_statistics to `to` in device memory.
  void launch_statistics(const View& x, const View& column_factor, DType format, const View& scale,
                         TensorStatistics* to);
  void fetch_statistics();
  View rotated_fp32(const View& in);
  bool in_batches(const DoraNormArgs& layer) const;
  void norm_of_batch(const DoraNormArgs& layer, const View& norm);
  std::int64_t rows_of_part(std::int64_t m, std::int64_t n) const;
  bool prefers_own(const CodesProduct& p);
  bool library_finishes(const CodesProduct& p) const;
  void multiply_by_library(const CodesProduct& p);
  template <typename Rule, typename T>
  void multiply_in_parts(const CodesProduct& p);
  /// The fallback for GEMMs of codes on cards without them.
  void multiply_widened(const Fp8GemmCall& codes);
  /// The codes b [k, n] as [n, k]; kept if keep_turned_codes says so.
  const std::uint8_t* turned_codes(const View& b, std::int64_t k, std::int64_t n);
  /// A convolution's weight [co, ci, kh, kw] as [co, kh, kw, ci]; cached for constants.
  View taps_first(const View& weight);

  std::unique_ptr<Context> context_;
  /// Packed constants by id, address and size.
  std::map<std::tuple<std::uint64_t, const void*, std::size_t>, void*> constants_;
  std::size_t constant_total_ = 0;
  bool keeps_turned_ = false;
  CodesProducts products_;  ///< at first as MANTISSA_CUDA_PRODUCTS says
  std::unique_ptr<Gemm> gemm_;
  std::unique_ptr<Dnn> dnn_;
  Capture* capture_ = nullptr;                ///< of the work that is being recorded
  std::int64_t statistics_on_device_ = 0;     ///< queued, not fetched yet
  std::vector<TensorStatistics> statistics_;  ///< queued earlier, already fetched
};

}  // namespace mantissa::cuda
