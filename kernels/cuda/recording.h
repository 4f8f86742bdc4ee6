#pragma once
// CUDA graphs of a step's work.

#include <memory>
#include <vector>

#include "kernels/cuda/context.h"
#include "kernels/kernels.h"

namespace mantissa::cuda {

/// What a stream captures while this lives. On a card whose system ends launches that take long
/// (Context::watched), the work becomes several graphs, one launch each.
class Capture {
 public:
  /// Throws std::runtime_error.
  explicit Capture(Context& context);
  /// Drops what was captured, unless `finish` was called.
  ~Capture();
  Capture(const Capture&) = delete;
  Capture& operator=(const Capture&) = delete;

  /// Counts a call of the work, and cuts the recording there if it is due.
  void call_done();
  /// Throws std::runtime_error, and OutOfDeviceMemory.
  std::unique_ptr<Recording> finish();

 private:
  void begin();
  void end();
  void give_up() noexcept;
  Context& context_;
  std::vector<cudaGraphExec_t> graphs_;
  int calls_ = 0;  ///< of the graph that is being captured
};

}  // namespace mantissa::cuda
