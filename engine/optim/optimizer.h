#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/preset/preset.h"
#include "kernels/kernels.h"

namespace mantissa {

/// One tensor inside the flat buffers of a part. The tensors of a part don't overlap.
struct OptimizerTensor {
  std::int64_t offset = 0;          ///< in elements
  std::int64_t rows = 1, cols = 0;  ///< [out, in·kh·kw]; a vector has one row
  double rate_ratio = 1;            ///< its learning rate over the group's (arXiv 2402.12354)
  std::int64_t begin = 0;           ///< AdapterBuffer::begin: random bits don't depend on it
  /// The element's number among all of the part's.
  std::int64_t first() const { return begin + offset; }
  std::int64_t count() const { return rows * cols; }
};

/// A state buffer of an optimizer, by name, for checkpoints. Its dtype is part of it.
struct OptimizerState {
  std::string name;  ///< "exp_avg", "exp_avg.absmax"
  View view;
  bool on_host = false;  ///< the view is in host memory whatever the group's device
};

/// The hyperparameters and dtypes of one group, resolved from the preset.
struct OptimizerSettings {
  OptimizerType type = OptimizerType::adamw;
  double learning_rate = 1e-4;
  double beta1 = 0.9, beta2 = 0.999, eps = 1e-8, weight_decay = 0.01;
  DType parameters = DType::f32;             ///< fp32 or bf16
  Rounding rounding = Rounding::stochastic;  ///< of bf16 parameters
  StateType state = StateType::fp32;         ///< of moments; adamw8bit has eight_bit always
  double d_coef = 1;                         ///< Prodigy: factor on the estimated rate
  MuonScaling muon_scaling = MuonScaling::match_rms_adamw;
  bool tf32 = false;           ///< of Muon's matmuls
  std::uint64_t seed = 0;      ///< of stochastic rounding
  std::uint32_t instance = 0;  ///< unique per optimizer of a run
};

/// Operands of one update: flat buffers of a part. Gradients are fp32, bf16 or fp16, independent of
/// the parameters' and state's dtypes.
struct OptimizerInputs {
  View parameters, gradients;
  double learning_rate = 0;
  double grad_scale = 1;  ///< multiplies each gradient in fp32 first (unscale and clip)
  /// A GroupCell in the backend's memory that overrides both and decides whether the update
  /// happens; only if the optimizer follows cells.
  View cell;
};

/// One optimizer over the flat buffers of one part. The gradient is read, never changed.
class Optimizer {
 public:
  virtual ~Optimizer() = default;
  /// False if an update needs values on the host (Prodigy).
  virtual bool follows_cells() const { return true; }
  /// The host's values for the next update's cell; doesn't count the update.
  virtual GroupCell next_cell(double learning_rate) const = 0;
  /// Starts one update and counts it; with a cell `count_update` counts once it is known. The
  /// buffers must live until it is applied. If several optimizers share a ProdigyScale, all must
  /// begin before the first is applied. Throws Error for buffers of another dtype or size than the
  /// optimizer was made for.
  virtual void begin(const OptimizerInputs& inputs) = 0;
  /// Updates every tensor.
  virtual void apply() = 0;
  /// Updates one tensor as soon as its gradient is complete (fused backward pass); each once after
  /// begin, in any order, instead of apply. Throws Error unless steps_by_tensor.
  virtual void apply_tensor(std::size_t index) = 0;
  /// False if a step needs every gradient at once (Prodigy).
  virtual bool steps_by_tensor() const { return true; }
  void step(const OptimizerInputs& inputs) {
    begin(inputs);
    apply();
  }

  /// Counts an update that followed a cell and was applied, with the cell's learning rate.
  virtual void count_update(double learning_rate) = 0;
  /// Whether what is saved and sampled is an average of the parameters (schedule-free).
  virtual bool averages() const { return false; }
  /// Turns the parameters into that average, rounded to their dtype.
  virtual void average(const View& parameters) = 0;

  /// Every buffer needed to resume bit for bit, except the number of updates.
  virtual std::vector<OptimizerState> state() = 0;
  virtual const std::vector<OptimizerTensor>& tensors() const = 0;
  /// Updates begun so far; part of the checkpoint.
  virtual std::int64_t updates() const = 0;
  virtual void set_updates(std::int64_t n) = 0;
};

}  // namespace mantissa
