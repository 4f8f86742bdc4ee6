#pragma once
// defines: Optimizer, OptimizerState, make_optimizer

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/preset/preset.h"
#include "kernels/kernels.h"

namespace mantissa {

/// A state buffer of an optimizer, by name, for checkpoints.
struct OptimizerState {
  std::string name;  ///< "exp_avg"
  View view;
};

/// Hyperparameters of one group, resolved from the preset.
struct OptimizerSettings {
  OptimizerType type = OptimizerType::adamw;
  double learning_rate = 1e-4;
  double beta1 = 0.9, beta2 = 0.999, eps = 1e-8, weight_decay = 0.01;
};

/// One optimizer over one flat fp32 parameter buffer. The gradient is read, never changed.
class Optimizer {
 public:
  virtual ~Optimizer() = default;
  /// One update. Each gradient is multiplied by `grad_scale` first; `lr` is this step's rate.
  virtual void step(const View& parameters, const View& gradients, double lr,
                    double grad_scale) = 0;
  virtual std::vector<OptimizerState> state() = 0;
  /// Updates taken so far; part of the checkpoint.
  virtual std::int64_t updates() const = 0;
  virtual void set_updates(std::int64_t n) = 0;
};

/// The settings of `part`: its group where one is given, else the preset's optimizer.
OptimizerSettings optimizer_settings(const Preset& preset, Part part);

/// Throws Error naming optimizer.type where it can't be had.
std::unique_ptr<Optimizer> make_optimizer(Kernels& kernels, const OptimizerSettings& settings,
                                          std::int64_t parameters);

/// Bytes of state an optimizer keeps for `parameters` elements.
std::uint64_t optimizer_state_bytes(const OptimizerSettings& settings, std::int64_t parameters);

}  // namespace mantissa
