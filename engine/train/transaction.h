#pragma once
// defines: OptimizerPart, StepOutcome, StepTransaction

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/optim/optimizer.h"
#include "engine/precision/loss_scaler.h"
#include "kernels/kernels.h"

namespace mantissa {

/// One optimizer group: a part's flat buffers and the optimizer of its own that moves them.
struct OptimizerPart {
  Part part = Part::unet;
  View parameters, gradients;  ///< fp32 [n]
  std::unique_ptr<Optimizer> optimizer;
  double learning_rate = 0;
};

struct StepOutcome {
  bool stepped = false;  ///< at least one group moved
  bool skipped = false;  ///< at least one group had a non-finite gradient
  bool clipped = false;
  double grad_norm = 0;  ///< global, unscaled, before clipping; non-finite when skipped
  double clip_factor = 1;
  std::vector<double> group_norms;  ///< per group, unscaled, before clipping
  std::vector<bool> group_non_finite;
};

/// An optimizer step over any number of groups as one transaction, in the one order that is right:
/// unscale all -> norms -> verdict -> clip -> step each -> update the scale once. There is no API
/// for another order.
class StepTransaction {
 public:
  StepTransaction(Kernels& kernels, LossScaler& scaler, std::vector<OptimizerPart>& groups)
      : kernels_(kernels), scaler_(scaler), groups_(groups) {}

  /// Gradients hold scale·∂loss. `max_norm` 0 means no clipping; with clipping one group's
  /// non-finite gradient skips all, because the norm is shared. `lr_factor` is the schedule's.
  StepOutcome run(double max_norm, double lr_factor);

 private:
  Kernels& kernels_;
  LossScaler& scaler_;
  std::vector<OptimizerPart>& groups_;
};

}  // namespace mantissa
