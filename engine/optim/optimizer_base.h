#pragma once

#include "engine/optim/optimizer.h"
#include "engine/optim/state_buffers.h"

namespace mantissa {

/// Owns settings, tensors, state and the update count. Derived classes implement the update.
class OptimizerBase : public Optimizer {
 public:
  OptimizerBase(Kernels& kernels, const OptimizerSettings& settings,
                std::vector<OptimizerTensor> tensors);

  GroupCell next_cell(double learning_rate) const override;
  void begin(const OptimizerInputs& inputs) override;
  void count_update(double) override { ++updates_; }
  bool averages() const override;
  void average(const View& parameters) override;
  std::vector<OptimizerState> state() override { return buffers_.all(); }
  const std::vector<OptimizerTensor>& tensors() const override { return tensors_; }
  std::int64_t updates() const override { return updates_; }
  void set_updates(std::int64_t n) override { updates_ = n; }

 protected:
  /// The values a rule derives from an update's number, counted from 1.
  virtual GroupCell numbers_of(std::int64_t update) const;
  /// Values with Adam's corrections of its moments, 1 − βⁿ (Kingma & Ba, arXiv 1412.6980).
  GroupCell adam_numbers(std::int64_t update) const;
  /// Takes those corrections into `o`, where no cell has them.
  void set_corrections(UpdateOptions& o) const;
  /// Tensor `index` of a flat buffer, in its shape.
  View part_of(const View& flat, std::size_t index) const;
  /// Views of one tensor for the elementwise rules.
  ParameterUpdate update_of(std::size_t index) const;
  /// All of them, neighbours merged into one view where possible.
  std::vector<ParameterUpdate> updates_of_all() const;
  /// Fills in the options common to all rules, and the cell.
  template <typename Options>
  void set_common(Options& o) const {
    o.weight_decay = settings_.weight_decay;
    o.rounding = settings_.rounding;
    o.key = rounding_key();
    o.learning_rate = inputs_.learning_rate;
    o.grad_scale = inputs_.grad_scale;
    o.cell = inputs_.cell;
  }
  /// Key of this update's random bits; the kernel adds the buffer.
  RandomKey rounding_key() const;

  Kernels& kernels_;
  const OptimizerSettings settings_;
  const std::vector<OptimizerTensor> tensors_;
  StateBuffers buffers_;
  OptimizerInputs inputs_;
  std::int64_t updates_ = 0;
};

}  // namespace mantissa
