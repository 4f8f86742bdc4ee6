// AdamW, Lion and SGD: every element by itself.
#include <cmath>

#include "engine/optim/optimizer_base.h"

namespace mantissa {
namespace {

class Elementwise final : public OptimizerBase {
 public:
  using OptimizerBase::OptimizerBase;

  void apply() override { run(updates_of_all()); }
  void apply_tensor(std::size_t index) override { run({update_of(index)}); }

 private:
  void run(const std::vector<ParameterUpdate>& tensors) {
    const auto t = static_cast<double>(updates_);
    UpdateOptions o;
    o.beta1 = settings_.beta1;
    o.beta2 = settings_.beta2;
    o.eps = settings_.eps;
    o.weight_decay = settings_.weight_decay;
    o.grad_scale = inputs_.grad_scale;
    o.rounding = settings_.rounding;
    o.key = rounding_key();
    if (settings_.type == OptimizerType::lion) {
      o.rule = UpdateRule::lion;
    } else if (settings_.type == OptimizerType::sgd) {
      o.rule = UpdateRule::sgd;
    } else {
      o.rule = UpdateRule::adamw;
      o.correction1 = 1.0 - std::pow(settings_.beta1, t);
      o.correction2 = 1.0 - std::pow(settings_.beta2, t);
    }
    kernels_.optimizer_step(tensors, o);
  }
};

}  // namespace

std::unique_ptr<Optimizer> make_elementwise(Kernels& kernels, const OptimizerSettings& settings,
                                            std::vector<OptimizerTensor> tensors) {
  return std::make_unique<Elementwise>(kernels, settings, std::move(tensors));
}

}  // namespace mantissa
