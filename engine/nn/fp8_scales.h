#pragma once

#include <deque>
#include <map>
#include <string>
#include <vector>

#include "engine/graph/device_values.h"
#include "engine/graph/ops.h"
#include "kernels/kernels.h"

namespace mantissa {

/// State of delayed FP8 scaling: for each layer's input and output gradient, the largest value of
/// the last 1024 steps (arXiv 2209.05433). Scales change only between steps, so that a recomputed
/// layer or a later micro-step rounds the same way.
class Fp8Scales {
 public:
  static constexpr std::int64_t kHistory = 1024;

  /// `kernels` null: no memory, for planning.
  explicit Fp8Scales(Kernels* kernels) : kernels_(kernels) {}
  Fp8Scales(const Fp8Scales&) = delete;
  Fp8Scales& operator=(const Fp8Scales&) = delete;

  /// The state of the layer at `path`, always the same.
  Fp8State layer(const std::string& path);
  /// After each optimizer step: the step's largest values enter the histories, and the scales
  /// become the largest of those over the format's largest. A value of 0 keeps the scale.
  void advance();

  /// Every state as one flat fp32 buffer [kHistory + 3] on the host, by name, for checkpoints: a
  /// snapshot. `push` applies what was written into it.
  struct State {
    std::string name;
    View view;
  };
  std::vector<State> states();
  void push();
  /// The current step's largest values, which a preview must not change.
  std::vector<float> pending();
  void restore_pending(const std::vector<float>& values);

 private:
  struct Slot {
    std::string name;
    Tensor tensor;  ///< [2] = scale, this step's largest value: read by kernels
    float largest_code = 1;
    std::vector<float> memory;  ///< those two, the position in the history, the history
  };
  Tensor* add(const std::string& name, float largest_code);
  void pull();  ///< copies the slots' pairs from the device

  Kernels* kernels_;
  std::deque<Slot> slots_;
  std::deque<DeviceArray> chunks_;  ///< the pairs of kChunk slots each
  std::map<std::string, Fp8State> layers_;
};

}  // namespace mantissa
