#include "engine/optim/prodigy.h"

#include <algorithm>
#include <cmath>

#include "engine/core/error.h"
#include "engine/optim/optimizer_base.h"

namespace mantissa {

void ProdigyScale::add(const ProdigySums& sums, double gain, double beta3) {
  if (!pending_) {
    agreement_ = path_ = 0;
    pending_ = true;
  }
  agreement_ += gain * sums.agreement;
  path_ += sums.path;
  beta3_ = beta3;
}

void ProdigyScale::settle() {
  if (!pending_) {
    return;
  }
  pending_ = false;
  previous_ = d();
  moves_ = path_ > 0;
  if (moves_) {
    values_[1] = beta3_ * values_[1] + agreement_;
    values_[0] = std::max(d(), d_coef_ * values_[1] / path_);
  }
}

namespace {

class Prodigy final : public OptimizerBase {
 public:
  Prodigy(Kernels& kernels, const OptimizerSettings& settings, std::vector<OptimizerTensor> tensors,
          std::shared_ptr<ProdigyScale> scale)
      : OptimizerBase(kernels, settings, std::move(tensors)), scale_(std::move(scale)) {}

  bool follows_cells() const override { return false; }

  void begin(const OptimizerInputs& inputs) override {
    OptimizerBase::begin(inputs);
    if (updates_ == 1) {
      const View start = buffers_.slice("start", 0, inputs.parameters.count());
      kernels_.copy(inputs.parameters, start);
    }
    ProdigyOptions o;
    o.beta1 = settings_.beta1;
    o.beta2 = settings_.beta2;
    o.beta3 = std::sqrt(settings_.beta2);
    o.d = scale_->d();
    o.gain = scale_->gain(inputs.learning_rate);
    o.grad_scale = inputs.grad_scale;
    o.key = rounding_key();
    // A rate of zero (the first step of a warm-up) gives no information about d.
    const bool observe = inputs.learning_rate > 0;
    scale_->add(observe ? kernels_.prodigy_observe(updates_of_all(), o) : ProdigySums{}, o.gain,
                o.beta3);
  }

  void apply() override {
    scale_->settle();
    if (!scale_->moves() || inputs_.learning_rate <= 0) {
      return;
    }
    UpdateOptions o;
    o.rule = UpdateRule::prodigy;
    o.eps = scale_->d() * settings_.eps;
    set_common(o);
    o.learning_rate *= scale_->previous_d();
    kernels_.optimizer_step(updates_of_all(), o);
  }

  void apply_tensor(std::size_t) override {
    throw Error(message<"prodigy needs all gradients before it moves a weight, so it can't step "
                        "inside the backward pass. Set optimizer.fused_back_pass to false">());
  }
  bool steps_by_tensor() const override { return false; }

  std::vector<OptimizerState> state() override {
    std::vector<OptimizerState> all = OptimizerBase::state();
    all.push_back({"scale", scale_->state(), /*on_host=*/true});
    return all;
  }

 private:
  std::shared_ptr<ProdigyScale> scale_;
};

}  // namespace

std::unique_ptr<Optimizer> make_prodigy(Kernels& kernels, const OptimizerSettings& settings,
                                        std::vector<OptimizerTensor> tensors,
                                        std::shared_ptr<ProdigyScale> scale) {
  if (!scale) {
    scale = std::make_shared<ProdigyScale>(settings.d_coef);
  }
  return std::make_unique<Prodigy>(kernels, settings, std::move(tensors), std::move(scale));
}

}  // namespace mantissa
