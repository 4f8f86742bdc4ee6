#pragma once
// defines: OptimizerBase, the part all optimizers share; make_elementwise, make_prodigy,
//          make_factored

#include "engine/optim/optimizer.h"
#include "engine/optim/state_buffers.h"

namespace mantissa {

/// Owns settings, tensors, state and the count of updates. A rule adds what an update does.
class OptimizerBase : public Optimizer {
 public:
  OptimizerBase(Kernels& kernels, const OptimizerSettings& settings,
                std::vector<OptimizerTensor> tensors);

  void begin(const OptimizerInputs& inputs) override;
  std::vector<OptimizerState> state() override { return buffers_.all(); }
  const std::vector<OptimizerTensor>& tensors() const override { return tensors_; }
  std::int64_t updates() const override { return updates_; }
  void set_updates(std::int64_t n) override { updates_ = n; }

 protected:
  /// Tensor `index` of one of the flat buffers, as it is shaped.
  View part_of(const View& flat, std::size_t index) const;
  /// Views of one tensor for the elementwise rules.
  ParameterUpdate update_of(std::size_t index) const;
  /// All of them, neighbours joined where one view can name both.
  std::vector<ParameterUpdate> updates_of_all() const;
  /// Of this update; the kernel adds the buffer.
  RandomKey rounding_key() const;

  Kernels& kernels_;
  const OptimizerSettings settings_;
  const std::vector<OptimizerTensor> tensors_;
  StateBuffers buffers_;
  OptimizerInputs inputs_;
  std::int64_t updates_ = 0;
};

std::unique_ptr<Optimizer> make_elementwise(Kernels& kernels, const OptimizerSettings& settings,
                                            std::vector<OptimizerTensor> tensors);
std::unique_ptr<Optimizer> make_prodigy(Kernels& kernels, const OptimizerSettings& settings,
                                        std::vector<OptimizerTensor> tensors,
                                        std::shared_ptr<ProdigyScale> scale);
std::unique_ptr<Optimizer> make_factored(Kernels& kernels, const OptimizerSettings& settings,
                                         std::vector<OptimizerTensor> tensors);

}  // namespace mantissa
