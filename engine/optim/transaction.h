#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/adapters/trained_set.h"
#include "engine/graph/device_values.h"
#include "engine/optim/make_optimizer.h"
#include "engine/optim/optimizer.h"
#include "engine/precision/loss_scaler.h"
#include "kernels/kernels.h"

namespace mantissa {

/// A flat buffer and its optimizer: an optimizer group, or where a group's weights are on several
/// devices, one device's share of it.
struct OptimizerPart {
  Part part;
  View parameters;  ///< fp32 or bf16 [n]
  View gradients;   ///< fp32, bf16 or fp16 [n], of the scaled loss
  std::unique_ptr<Optimizer> optimizer;
  double learning_rate = 0;
  bool magnitudes = false;    ///< DoRA's magnitudes of the part, fp32; else its matrices
  Kernels* device = nullptr;  ///< that has the buffer; null: the transaction's
  std::int64_t begin = 0;     ///< AdapterBuffer::begin
  std::size_t group = 0;      ///< its group's index in a StepOutcome; set by the transaction

  /// Whether it is its group's first share; others follow it.
  bool begins_group() const { return begin == 0; }
  /// Whether this optimizer updates `tensor`.
  bool holds(const AdapterTensor& tensor) const {
    return tensor.part == part && tensor.magnitude == magnitudes && tensor.begin == begin;
  }
  /// Prefix of its saved state: "denoiser", "denoiser.magnitudes".
  std::string name() const;
};

/// The layout of a flat buffer's tensors, as matrices [out, in·kh·kw] or vectors, with their
/// factors on the learning rate.
std::vector<OptimizerTensor> optimizer_tensors(const TrainedSet& adapters,
                                               const AdapterBuffer& buffer);

/// A part's optimizer settings for one of its buffers: magnitudes are fp32, regardless of the
/// masters' dtype.
OptimizerSettings optimizer_settings(const Preset& preset, const AdapterBuffer& buffer);

/// One optimizer per flat buffer. With prodigy the buffers of a part share one estimate.
std::vector<OptimizerPart> make_optimizer_parts(const Preset& preset, const TrainedSet& adapters);

/// Factor on a group's learning rate, by its actual updates so far.
using RateFactor = std::function<double(std::int64_t updates)>;

struct StepOutcome {
  bool stepped = false;  ///< at least one group was updated
  bool skipped = false;  ///< at least one group had a non-finite gradient
  bool clipped = false;
  /// Non-finite gradients that a smaller scale can't fix: there is no scale, or it is at its
  /// minimum.
  bool hopeless = false;
  double grad_norm = 0;  ///< global, unscaled, before clipping; non-finite if skipped
  double clip_factor = 1;
  /// By group; norms are unscaled, before clipping.
  std::vector<double> group_norms, learning_rates;
  std::vector<bool> group_non_finite, group_stepped;
};

/// An optimizer step over any number of groups as one transaction, in the only correct order:
/// unscale all -> norms -> verdict -> clip -> step each -> update the scale once. There is no API
/// for another order.
///
/// The backend decides (Kernels::decide_step): the host prepares each group's update beforehand and
/// learns afterwards which were applied. Groups whose buffers are on several devices are decided by
/// one of them, from all gradients in the order of one buffer: as if they were there.
class StepTransaction {
 public:
  /// `kernels` decides; it has the loss.
  StepTransaction(Kernels& kernels, LossScaler& scaler, std::vector<OptimizerPart>& parts);

  /// Gradients hold scale·∂loss. `max_norm` 0 means no clipping; with clipping one group's
  /// non-finite gradient skips all, because the norm is shared. A skipped group's state, update
  /// count and learning rate don't change.
  StepOutcome run(double max_norm, const RateFactor& rate_factor);

  // A step in three parts, so that the middle one can be captured after a backward pass.
  /// Passes scale, limit and rates of the next step to the backend.
  void prepare(double max_norm, const RateFactor& rate_factor);
  /// Verdict and update, once all gradients are launched; doesn't sync. If `loss`, [] fp32 or
  /// absent, isn't finite, nothing is updated.
  void launch(const View& loss);
  /// Waits, and adopts the decision.
  StepOutcome finish();

 private:
  /// The cell of a group's optimizer, on its device.
  View cell_of(const OptimizerPart& part) const;
  std::vector<View> all_gradients();
  void gather(std::size_t group, const View& whole);
  /// Where every group that a device updates reads the decision.
  void send_cells();
  /// Whether an optimizer needs the verdict on the host: its group is updated in `finish`.
  bool waits() const;

  Kernels& kernels_;
  LossScaler& scaler_;
  std::vector<OptimizerPart>& parts_;
  std::size_t group_count_;
  DeviceArray cells_;
  std::map<Kernels*, DeviceArray> copies_;         ///< of the cells, on other devices
  std::vector<std::optional<DeviceArray>> whole_;  ///< by group: gathered gradients
  DeviceLink link_;
  std::vector<double> rates_;  ///< by group, of this step
};

/// A step inside the backward pass: every tensor is updated as soon as its gradient is complete, so
/// that only one needs storage. There is no shared norm and no verdict over all gradients: a
/// dynamic loss scale and clipping need StepTransaction.
class FusedTransaction {
 public:
  /// Begins the update of every group. Throws Error: S10 with a dynamic loss scale, and if an
  /// optimizer needs all gradients at once.
  FusedTransaction(Kernels& kernels, LossScaler& scaler, std::vector<OptimizerPart>& parts,
                   const RateFactor& rate_factor);
  /// Updates a tensor of parts[part], unless its gradient is non-finite.
  void tensor_ready(std::size_t part, std::size_t tensor);
  /// After the last tensor: norms over all tensors and what was skipped.
  StepOutcome finish();

 private:
  LossScaler& scaler_;
  std::vector<OptimizerPart>& parts_;
  std::vector<double> squares_;  ///< by group
  StepOutcome outcome_;
};

/// During its lifetime, the backward pass updates each tensor of `adapters` as soon as its gradient
/// is complete. References must outlive this.
class FusedUpdates {
 public:
  FusedUpdates(const TrainedSet& adapters, const std::vector<OptimizerPart>& parts,
               FusedTransaction& transaction);
  ~FusedUpdates();
  FusedUpdates(const FusedUpdates&) = delete;
  FusedUpdates& operator=(const FusedUpdates&) = delete;

 private:
  const TrainedSet& adapters_;
};

}  // namespace mantissa
