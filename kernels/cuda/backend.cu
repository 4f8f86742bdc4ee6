#include <utility>
#include <vector>

#include "kernels/check.h"
#include "kernels/cuda/backend.h"

namespace mantissa::cuda {

namespace {

/// A captured stream and the tables its calls read. It must be destroyed before its backend.
class GraphRecording final : public Recording {
 public:
  GraphRecording(Context& context, cudaGraphExec_t graph)
      : context_(context),
        graph_(graph),
        tables_(context.take_recorded_tables()),
        copies_(context.take_recorded_copies()),
        memory_(context.recorded_memory()) {}
  ~GraphRecording() override {
    cudaStreamSynchronize(context_.stream());
    cudaGraphExecDestroy(graph_);
    for (void* table : tables_) {
      cudaFree(table);
    }
    memory_.reset();
    context_.drop_retired_scratch();
  }
  GraphRecording(const GraphRecording&) = delete;
  GraphRecording& operator=(const GraphRecording&) = delete;
  bool replay() override {
    if (!memory_->intact) {
      return false;
    }
    check_cuda(cudaGraphLaunch(graph_, context_.stream()), "replay");
    ++counts().replays;
    return true;
  }

 private:
  Context& context_;
  cudaGraphExec_t graph_;
  std::vector<void*> tables_;
  std::vector<std::shared_ptr<HostCopy>> copies_;
  std::shared_ptr<const RecordedMemory> memory_;
};

/// Captures the stream during its lifetime.
class Capture {
 public:
  explicit Capture(Context& context) : context_(context) {
    context_.set_recording(true);
    // Relaxed: tables are allocated and filled aside while the stream captures.
    const cudaError_t status =
        cudaStreamBeginCapture(context_.stream(), cudaStreamCaptureModeRelaxed);
    if (status != cudaSuccess) {
      context_.set_recording(false);
      check_cuda(status, "record");
    }
  }
  ~Capture() {
    if (context_.recording()) {
      cudaGraph_t graph = nullptr;
      cudaStreamEndCapture(context_.stream(), &graph);
      cudaGetLastError();  // the reason is already being thrown
      destroy(graph);
      give_up();
    }
  }
  Capture(const Capture&) = delete;
  Capture& operator=(const Capture&) = delete;

  cudaGraphExec_t finish() {
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t exec = nullptr;
    cudaError_t status = cudaStreamEndCapture(context_.stream(), &graph);
    if (status == cudaSuccess) {
      status = cudaGraphInstantiate(&exec, graph, 0);
    }
    destroy(graph);
    if (status != cudaSuccess) {
      give_up();
      check_cuda(status, "record");
    }
    context_.set_recording(false);
    ++counts().recordings;
    context_.count_allocation();
    return exec;
  }

 private:
  /// What was made for the recording would be another's.
  void give_up() noexcept {
    for (void* table : context_.take_recorded_tables()) {
      cudaFree(table);
    }
    context_.take_recorded_copies();
    context_.set_recording(false);
  }
  static void destroy(cudaGraph_t graph) {
    if (graph != nullptr) {
      cudaGraphDestroy(graph);
    }
  }
  Context& context_;
};

}  // namespace

CudaKernels::CudaKernels(std::unique_ptr<Context> context, std::unique_ptr<Gemm> gemm,
                         std::unique_ptr<Dnn> dnn)
    : context_(std::move(context)), gemm_(std::move(gemm)), dnn_(std::move(dnn)) {}

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
  work();
  return std::make_unique<GraphRecording>(*context_, capture.finish());
}

}  // namespace mantissa::cuda
