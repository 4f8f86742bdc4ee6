// The elementwise rules of kernels/update_rule.h, but Prodigy's.
#include "engine/optim/elementwise.h"

#include "engine/optim/optimizer_base.h"

namespace mantissa {
namespace {

class Elementwise final : public OptimizerBase {
 public:
  Elementwise(Kernels& kernels, const OptimizerSettings& settings,
              std::vector<OptimizerTensor> tensors, std::shared_ptr<ScheduleFreeSums> sums)
      : OptimizerBase(kernels, settings, std::move(tensors)) {
    if (optimizer_row(settings.type).schedule_free) {
      sums_ = sums ? std::move(sums) : std::make_shared<ScheduleFreeSums>(/*largest=*/true);
    }
  }

  GroupCell next_cell(double learning_rate) const override {
    GroupCell cell = OptimizerBase::next_cell(learning_rate);
    cell.averaging = sums_ ? sums_->next(learning_rate) : 0.0;
    return cell;
  }
  void begin(const OptimizerInputs& inputs) override {
    OptimizerBase::begin(inputs);
    if (sums_ && inputs.cell.data == nullptr) {
      averaging_ = sums_->count(updates(), inputs.learning_rate);
    }
  }
  void count_update(double learning_rate) override {
    OptimizerBase::count_update(learning_rate);
    if (sums_) {
      sums_->count(updates(), learning_rate);
    }
  }
  std::vector<OptimizerState> state() override {
    std::vector<OptimizerState> all = OptimizerBase::state();
    if (sums_) {
      all.push_back({"averaging", sums_->state(), /*on_host=*/true});
    }
    return all;
  }

  void apply() override { run(updates_of_all()); }
  void apply_tensor(std::size_t index) override { run({update_of(index)}); }

 private:
  GroupCell numbers_of(std::int64_t update) const override { return adam_numbers(update); }

  void run(const std::vector<ParameterUpdate>& tensors) {
    UpdateOptions o;
    o.rule = optimizer_row(settings_.type).rule;
    o.beta1 = settings_.beta1;
    o.beta2 = settings_.beta2;
    o.eps = settings_.eps;
    o.averaging = averaging_;
    set_common(o);
    set_corrections(o);
    kernels_.optimizer_step(tensors, o);
  }

  std::shared_ptr<ScheduleFreeSums> sums_;
  double averaging_ = 0;  ///< of the update that has begun without a cell
};

}  // namespace

std::unique_ptr<Optimizer> make_elementwise(Kernels& kernels, const OptimizerSettings& settings,
                                            std::vector<OptimizerTensor> tensors,
                                            std::shared_ptr<ScheduleFreeSums> sums) {
  return std::make_unique<Elementwise>(kernels, settings, std::move(tensors), std::move(sums));
}

}  // namespace mantissa
