#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/adapters/adapter_set.h"
#include "engine/graph/device_values.h"
#include "engine/optim/optimizer.h"
#include "engine/precision/loss_scaler.h"
#include "kernels/kernels.h"

namespace mantissa {

/// One optimizer group: a flat buffer of a part and the optimizer of its own that moves it.
struct OptimizerPart {
  Part part;
  View parameters;  ///< fp32 or bf16 [n]
  View gradients;   ///< fp32, bf16 or fp16 [n], of the scaled loss
  std::unique_ptr<Optimizer> optimizer;
  double learning_rate = 0;
  bool magnitudes = false;  ///< DoRA's magnitudes of the part, fp32; else its matrices

  /// Whether this group's optimizer moves `tensor`.
  bool holds(const AdapterTensor& tensor) const {
    return tensor.part == part && tensor.magnitude == magnitudes;
  }
  /// What its state is saved under: "unet", "unet.magnitudes".
  std::string name() const;
};

/// Where the tensors of a flat buffer lie in it, as matrices [out, in·kh·kw] or vectors, with their
/// factors on the learning rate.
std::vector<OptimizerTensor> optimizer_tensors(const AdapterSet& adapters,
                                               const AdapterBuffer& buffer);

/// A part's optimizer settings for one of its buffers: magnitudes are fp32 whatever the masters
/// are.
OptimizerSettings optimizer_settings(const Preset& preset, const AdapterBuffer& buffer);

/// One optimizer for each flat buffer. With prodigy the buffers of a part share one estimate.
std::vector<OptimizerPart> make_groups(Kernels& kernels, const Preset& preset,
                                       const AdapterSet& adapters);

/// Factor on a group's learning rate by the updates it has really taken.
using RateFactor = std::function<double(std::int64_t updates)>;

struct StepOutcome {
  bool stepped = false;  ///< at least one group moved
  bool skipped = false;  ///< at least one group had a non-finite gradient
  bool clipped = false;
  /// Non-finite gradients that a smaller scale can't mend: there is none, or it is at its floor.
  bool hopeless = false;
  double grad_norm = 0;  ///< global, unscaled, before clipping; non-finite when skipped
  double clip_factor = 1;
  /// By group; norms are unscaled, before clipping.
  std::vector<double> group_norms, learning_rates;
  std::vector<bool> group_non_finite, group_stepped;
};

/// An optimizer step over any number of groups as one transaction, in the one order that is right:
/// unscale all -> norms -> verdict -> clip -> step each -> update the scale once. There is no API
/// for another order.
///
/// The backend decides (Kernels::decide_step): the host says beforehand what each group's update
/// would be and learns afterwards which of them happened.
class StepTransaction {
 public:
  StepTransaction(Kernels& kernels, LossScaler& scaler, std::vector<OptimizerPart>& groups);

  /// Gradients hold scale·∂loss. `max_norm` 0 means no clipping; with clipping one group's
  /// non-finite gradient skips all, because the norm is shared. A skipped group's state, count of
  /// updates and learning rate stay.
  StepOutcome run(double max_norm, const RateFactor& rate_factor);

  // The same in three parts, so that the middle one can follow a backward pass in its recording.
  /// Hands the backend scale, limit and rates of the step to come.
  void prepare(double max_norm, const RateFactor& rate_factor);
  /// Verdict and update, once all gradients are launched; asks the backend for nothing. Where
  /// `loss`, [] fp32 or absent, isn't finite nothing moves.
  void launch(const View& loss);
  /// Waits, and takes over what was decided.
  StepOutcome finish();

 private:
  View cell_of(std::size_t group) const;
  /// Whether an optimizer needs the verdict on the host: its group moves in `finish`.
  bool waits() const;

  Kernels& kernels_;
  LossScaler& scaler_;
  std::vector<OptimizerPart>& groups_;
  DeviceArray cells_;
  std::vector<double> rates_;  ///< by group, of this step
};

/// A step inside the backward pass: every tensor moves as soon as its gradient is complete, so that
/// no more than one need be kept. There is neither a shared norm nor a verdict over all gradients:
/// a dynamic loss scale and clipping need StepTransaction.
class FusedTransaction {
 public:
  /// Begins the update of every group. Throws Error: S10 with a dynamic loss scale, and where an
  /// optimizer needs all gradients at once.
  FusedTransaction(Kernels& kernels, LossScaler& scaler, std::vector<OptimizerPart>& groups,
                   const RateFactor& rate_factor);
  /// Moves tensor `index` of groups[group]. One with a non-finite gradient stays as it is.
  void tensor_ready(std::size_t group, std::size_t index);
  /// After the last tensor: norms over all tensors and what was skipped.
  StepOutcome finish();

 private:
  Kernels& kernels_;
  LossScaler& scaler_;
  std::vector<OptimizerPart>& groups_;
  std::vector<double> squares_;  ///< by group
  StepOutcome outcome_;
};

}  // namespace mantissa
