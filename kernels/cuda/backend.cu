#include <cstdlib>
#include <string_view>
#include <utility>
#include <vector>

#include "kernels/check.h"
#include "kernels/cuda/backend.h"
#include "kernels/cuda/recording.h"

namespace mantissa::cuda {

namespace {

/// MANTISSA_CUDA_PRODUCTS: "ours" or "library", to compare the two in whole runs (tests/gpu.sh).
Kernels::CodesProducts wanted_products() {
  using enum Kernels::CodesProducts;
  const char* which = std::getenv("MANTISSA_CUDA_PRODUCTS");
  const std::string_view name = which != nullptr ? which : "";
  return name == "ours" ? ours : name == "library" ? library : faster;
}

}  // namespace

CudaKernels::CudaKernels(std::unique_ptr<Context> context, std::unique_ptr<Gemm> gemm,
                         std::unique_ptr<Dnn> dnn)
    : context_(std::move(context)),
      products_(wanted_products()),
      gemm_(std::move(gemm)),
      dnn_(std::move(dnn)) {}

std::string CudaKernels::name() const {
  const int capability = context_->capability();
  std::string text = "cuda:" + std::to_string(context_->ordinal()) + " (" + context_->card() +
                     ", compute capability " + std::to_string(capability / 10) + "." +
                     std::to_string(capability % 10);
  text += gemm_ ? ", cuBLASLt " + gemm_->version() : "";
  text += dnn_ ? ", cuDNN " + dnn_->version() : ", no cuDNN";
  return text + ")";
}

CudaKernels::~CudaKernels() {
  release_constants();
}

void CudaKernels::release_constants() {
  for (const auto& [key, data] : constants_) {
    context_->release(data);
  }
  constants_.clear();
  constant_total_ = 0;
}

void CudaKernels::synchronize() {
  context_->refuse_recording("synchronize");
  check_cuda(cudaStreamSynchronize(stream()), "synchronize");
}

DeviceMemory CudaKernels::memory() const {
  context_->use();
  DeviceMemory memory;
  check_cuda(cudaMemGetInfo(&memory.free, &memory.total), "memory");
  return memory;
}

/// cuDNN's are for cards with compute capability 8.0 or more.
bool CudaKernels::has_attention_engine() const {
  return dnn_ != nullptr && context_->capability() >= 80;
}

void CudaKernels::upload(const void* host, const View& out) {
  check_packed(out, "upload", "out");
  context_->upload(host, out.data, static_cast<std::size_t>(out.count()) * dtype_size(out.dtype));
}

void CudaKernels::download(const View& in, void* host) {
  check_packed(in, "download", "in");
  context_->download(in.data, host, static_cast<std::size_t>(in.count()) * dtype_size(in.dtype));
}

void CudaKernels::begin_run(std::uint64_t seed, std::uint32_t step) {
  context_->begin_run(seed, step);
}

std::unique_ptr<Recording> CudaKernels::record(const std::function<void()>& work) {
  context_->refuse_recording("record");
  Capture capture(*context_);
  capture_ = &capture;
  try {
    work();
  } catch (...) {
    capture_ = nullptr;
    throw;
  }
  capture_ = nullptr;
  return capture.finish();
}

void CudaKernels::call_done() {
  if (capture_ != nullptr) {
    capture_->call_done();
  }
}

}  // namespace mantissa::cuda
