// The elementwise rules of kernels/update_rule.h, but Prodigy's.
#include "engine/optim/elementwise.h"

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
  GroupCell numbers_of(std::int64_t update) const override {
    GroupCell cell = OptimizerBase::numbers_of(update);
    cell.correction1 = 1.0 - std::pow(settings_.beta1, static_cast<double>(update));
    cell.correction2 = 1.0 - std::pow(settings_.beta2, static_cast<double>(update));
    return cell;
  }

  void run(const std::vector<ParameterUpdate>& tensors) {
    UpdateOptions o;
    o.rule = optimizer_row(settings_.type).rule;
    o.beta1 = settings_.beta1;
    o.beta2 = settings_.beta2;
    o.eps = settings_.eps;
    set_common(o);
    if (inputs_.cell.data == nullptr) {
      const GroupCell numbers = numbers_of(updates_);
      o.correction1 = numbers.correction1;
      o.correction2 = numbers.correction2;
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
