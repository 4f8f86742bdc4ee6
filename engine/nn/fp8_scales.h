#pragma once

#include <deque>
#include <map>
#include <string>
#include <vector>

#include "engine/graph/device_values.h"
#include "engine/graph/ops.h"
#include "kernels/kernels.h"

namespace mantissa {

/// What delayed FP8 scaling has seen: for each layer's input and output gradient the largest value
/// of the last 1024 steps (arXiv 2209.05433). A scale changes between steps only, so that a layer
/// recomputed for its backward, or a later micro-step, rounds as before.
class Fp8Scales {
 public:
  static constexpr std::int64_t kHistory = 1024;

  /// `kernels` null: no memory, for planning.
  explicit Fp8Scales(Kernels* kernels) : kernels_(kernels) {}
  Fp8Scales(const Fp8Scales&) = delete;
  Fp8Scales& operator=(const Fp8Scales&) = delete;

  /// The state of the layer at `path`, the same each time.
  Fp8State layer(const std::string& path);
  /// After each optimizer step: the step's largest values enter the histories, and the scales
  /// become the largest of those over the format's largest. A value of 0 keeps the scale.
  void advance();

  /// Every state as one flat fp32 buffer [kHistory + 3] on the host, by name, for checkpoints: as
  /// they are now. `push` takes what was written into them.
  struct State {
    std::string name;
    View view;
  };
  std::vector<State> states();
  void push();
  /// What a preview must leave as it was: the largest values of the step under way.
  std::vector<float> pending();
  void restore_pending(const std::vector<float>& values);

 private:
  struct Slot {
    std::string name;
    Tensor tensor;  ///< [2] = scale, largest value of this step: what kernels see
    float largest_code = 1;
    std::vector<float> memory;  ///< those two, the position in the history, the history
  };
  Tensor* add(const std::string& name, float largest_code);
  void pull();  ///< the slots' pairs from the device

  Kernels* kernels_;
  std::deque<Slot> slots_;
  std::deque<DeviceArray> chunks_;  ///< the pairs of kChunk slots each
  std::map<std::string, Fp8State> layers_;
};

}  // namespace mantissa
