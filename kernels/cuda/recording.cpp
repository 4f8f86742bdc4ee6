#include "kernels/cuda/recording.h"

#include <utility>

#include "kernels/cuda/counts.h"

namespace mantissa::cuda {
namespace {

/// Of one graph on a watched card. Windows resets a card that doesn't answer for two seconds, and
/// draws nothing else until a launch has ended. Where 2,000 calls take 20 s, these take 0.3 s;
/// where they take 0.2 s, 63 launches in place of one don't matter.
constexpr int kCallsOfGraph = 32;

void destroy(cudaGraph_t graph) {
  if (graph != nullptr) {
    cudaGraphDestroy(graph);
  }
}

/// Graphs and the tables their calls read. It must be destroyed before its backend.
class GraphRecording final : public Recording {
 public:
  GraphRecording(Context& context, std::vector<cudaGraphExec_t> graphs)
      : context_(context),
        graphs_(std::move(graphs)),
        tables_(context.take_recorded_tables()),
        copies_(context.take_recorded_copies()),
        memory_(context.recorded_memory()) {}
  ~GraphRecording() override {
    cudaStreamSynchronize(context_.stream());
    for (cudaGraphExec_t graph : graphs_) {
      cudaGraphExecDestroy(graph);
    }
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
    for (cudaGraphExec_t graph : graphs_) {
      check_cuda(cudaGraphLaunch(graph, context_.stream()), "replay");
      if (graphs_.size() > 1) {
        // Sends it now: Windows may gather launches into one that is too long again.
        cudaStreamQuery(context_.stream());
        cudaGetLastError();  // "not ready" is what is expected
      }
    }
    ++counts().replays;
    return true;
  }

 private:
  Context& context_;
  std::vector<cudaGraphExec_t> graphs_;
  std::vector<void*> tables_;
  std::vector<std::shared_ptr<HostCopy>> copies_;
  std::shared_ptr<const RecordedMemory> memory_;
};

}  // namespace

Capture::Capture(Context& context) : context_(context) {
  context_.set_recording(true);
  try {
    begin();
  } catch (...) {
    context_.set_recording(false);
    throw;
  }
}

Capture::~Capture() {
  if (context_.recording()) {
    cudaGraph_t graph = nullptr;
    cudaStreamEndCapture(context_.stream(), &graph);
    cudaGetLastError();  // the reason is already being thrown
    destroy(graph);
    give_up();
  }
}

void Capture::begin() {
  calls_ = 0;
  // Relaxed: tables are allocated and filled aside while the stream captures.
  check_cuda(cudaStreamBeginCapture(context_.stream(), cudaStreamCaptureModeRelaxed), "record");
}

void Capture::end() {
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
  graphs_.push_back(exec);
  context_.count_allocation();
}

void Capture::call_done() {
  if (context_.watched() && ++calls_ == kCallsOfGraph) {
    context_.join_prefetches();
    end();
    begin();
  }
}

std::unique_ptr<Recording> Capture::finish() {
  end();
  context_.set_recording(false);
  ++counts().recordings;
  return std::make_unique<GraphRecording>(context_, std::exchange(graphs_, {}));
}

/// What was made for the recording would be another's.
void Capture::give_up() noexcept {
  for (cudaGraphExec_t graph : std::exchange(graphs_, {})) {
    cudaGraphExecDestroy(graph);
  }
  for (void* table : context_.take_recorded_tables()) {
    cudaFree(table);
  }
  context_.take_recorded_copies();
  context_.set_recording(false);
}

}  // namespace mantissa::cuda
