#include "kernels/cuda/timing.h"

#include <algorithm>
#include <limits>
#include <optional>

namespace mantissa::cuda {
namespace {

/// Times work on a stream. Destroys its events.
class StreamTimer {
 public:
  explicit StreamTimer(cudaStream_t stream) : stream_(stream) {
    ready_ = cudaEventCreate(&begin_) == cudaSuccess && cudaEventCreate(&end_) == cudaSuccess;
  }
  ~StreamTimer() {
    for (cudaEvent_t event : {begin_, end_}) {
      if (event != nullptr) {
        cudaEventDestroy(event);
      }
    }
  }
  StreamTimer(const StreamTimer&) = delete;
  StreamTimer& operator=(const StreamTimer&) = delete;
  /// Of what `work` launches; none if it returns false or a call fails.
  template <typename Work>
  std::optional<float> milliseconds(const Work& work) const {
    float ms = 0;
    const bool works = ready_ && cudaEventRecord(begin_, stream_) == cudaSuccess && work() &&
                       cudaEventRecord(end_, stream_) == cudaSuccess &&
                       cudaEventSynchronize(end_) == cudaSuccess &&
                       cudaEventElapsedTime(&ms, begin_, end_) == cudaSuccess;
    return works ? std::optional(ms) : std::nullopt;
  }

 private:
  cudaStream_t stream_;
  cudaEvent_t begin_ = nullptr, end_ = nullptr;
  bool ready_ = false;
};

/// What a stream has captured, as one launch.
class CapturedChain {
 public:
  CapturedChain() = default;
  ~CapturedChain() {
    if (chain_ != nullptr) {
      cudaGraphExecDestroy(chain_);
    }
    if (graph_ != nullptr) {
      cudaGraphDestroy(graph_);
    }
  }
  CapturedChain(const CapturedChain&) = delete;
  CapturedChain& operator=(const CapturedChain&) = delete;
  /// False if nothing can be launched.
  bool end(cudaStream_t stream) {
    return cudaStreamEndCapture(stream, &graph_) == cudaSuccess &&
           cudaGraphInstantiate(&chain_, graph_, 0) == cudaSuccess;
  }
  bool launch(cudaStream_t stream) const { return cudaGraphLaunch(chain_, stream) == cudaSuccess; }

 private:
  cudaGraph_t graph_ = nullptr;
  cudaGraphExec_t chain_ = nullptr;
};

/// How much work of that time to launch at once: Windows resets a card that doesn't answer for two
/// seconds, and until then nothing else is drawn.
int chain_length(float ms) {
  constexpr float kMostMs = 50;
  constexpr int kMost = 24;
  return std::clamp(static_cast<int>(std::min(kMostMs / std::max(ms, 1e-3F), 1e3F)), 1, kMost);
}

}  // namespace

float milliseconds_of(cudaStream_t stream, const std::function<bool()>& work) {
  constexpr float kFailed = std::numeric_limits<float>::infinity();
  StreamTimer timer(stream);
  // Allocates scratch, and loads the library's code.
  if (!work() || cudaStreamSynchronize(stream) != cudaSuccess) {
    return kFailed;
  }
  const std::optional<float> once = timer.milliseconds(work);
  if (!once) {
    return kFailed;
  }
  const int count = chain_length(*once);
  if (count == 1) {
    return *once;
  }
  if (cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed) != cudaSuccess) {
    return kFailed;
  }
  bool works = true;
  for (int run = 0; run < count && works; ++run) {
    works = work();
  }
  CapturedChain chain;
  works = chain.end(stream) && works;
  const auto launch = [&] { return chain.launch(stream); };
  const std::optional<float> all =
      works && launch() ? timer.milliseconds(launch) : std::nullopt;  // after a warm-up
  return all ? *all / static_cast<float>(count) : kFailed;
}

}  // namespace mantissa::cuda
