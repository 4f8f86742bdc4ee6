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
  if (!moves_) {
    return;
  }
  const bool counts = !limited_ || d() > kStart || agreement_ > 0;
  values_[1] = beta3_ * values_[1] + (counts ? agreement_ : 0.0);
  const double estimate = values_[1] / path_;
  const double limit = limited_ ? d() * std::pow(2.0, 0.25) : estimate;
  values_[0] = std::max(d(), d_coef_ * std::min(estimate, limit));
}

namespace {

class Prodigy : public OptimizerBase {
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
    // A rate of zero (the first step of a warm-up) gives no information about d.
    ProdigyOptions o = observation();
    scale_->add(inputs.learning_rate > 0 ? observe(o) : ProdigySums{}, o.gain, o.beta3);
  }

  void apply() override {
    scale_->settle();
    if (!scale_->moves() || inputs_.learning_rate <= 0) {
      return;
    }
    move();
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

 protected:
  virtual ProdigyOptions observation() const {
    ProdigyOptions o;
    o.beta1 = settings_.beta1;
    o.beta2 = settings_.beta2;
    o.beta3 = std::sqrt(settings_.beta2);
    o.d = scale_->d();
    o.gain = scale_->gain(inputs_.learning_rate);
    o.grad_scale = inputs_.grad_scale;
    o.key = rounding_key();
    return o;
  }
  virtual ProdigySums observe(const ProdigyOptions& o) {
    return kernels_.prodigy_observe(updates_of_all(), o, {});
  }
  /// The update itself, once the next d is known.
  virtual void move() {
    UpdateOptions o;
    o.rule = UpdateRule::prodigy;
    o.eps = scale_->d() * settings_.eps;
    set_common(o);
    o.learning_rate *= scale_->previous_d();
    kernels_.optimizer_step(updates_of_all(), o);
  }

  std::shared_ptr<ProdigyScale> scale_;
};

/// prodigy-plus-schedule-free with use_stableadamw, without factored moments and over all elements.
class ProdigyScheduleFree final : public Prodigy {
 public:
  ProdigyScheduleFree(Kernels& kernels, const OptimizerSettings& settings,
                      std::vector<OptimizerTensor> tensors, std::shared_ptr<ProdigyScale> scale,
                      std::shared_ptr<ScheduleFreeSums> sums)
      : Prodigy(kernels, settings, std::move(tensors), std::move(scale)),
        sums_(std::move(sums)),
        squares_(tensors_.size()) {}

  std::vector<OptimizerState> state() override {
    std::vector<OptimizerState> all = Prodigy::state();
    all.push_back({"averaging", sums_->state(), /*on_host=*/true});
    return all;
  }

 private:
  /// One for each tensor, whose update is limited by itself.
  std::vector<ParameterUpdate> single_updates() const {
    std::vector<ParameterUpdate> all;
    for (std::size_t i = 0; i < tensors_.size(); ++i) {
      all.push_back(update_of(i));
    }
    return all;
  }
  ProdigyOptions observation() const override {
    ProdigyOptions o = Prodigy::observation();
    o.schedule_free = true;
    o.eps = settings_.eps;
    o.gain = scale_->gain(1.0);
    return o;
  }
  ProdigySums observe(const ProdigyOptions& o) override {
    return kernels_.prodigy_observe(single_updates(), o, squares_);
  }
  void move() override {
    const double d = scale_->previous_d();
    std::vector<ParameterUpdate> updates = single_updates();
    for (std::size_t i = 0; i < updates.size(); ++i) {
      const double mean = squares_[i] / static_cast<double>(std::max<std::int64_t>(
                                            1, updates[i].parameter.count()));
      const double rms = std::sqrt(mean);
      updates[i].factor = d / std::sqrt(rms < 1.0 ? 1.0 : rms);  // NaN propagates
    }
    UpdateOptions o;
    o.rule = UpdateRule::prodigy_schedule_free;
    o.beta1 = settings_.beta1;
    o.eps = d * settings_.eps;
    set_common(o);
    o.learning_rate *= d;
    o.averaging = sums_->count(this->updates(), o.learning_rate);
    kernels_.optimizer_step(updates, o);
  }

  std::shared_ptr<ScheduleFreeSums> sums_;
  std::vector<double> squares_;  ///< Σu² by tensor
};

}  // namespace

std::unique_ptr<Optimizer> make_prodigy(Kernels& kernels, const OptimizerSettings& settings,
                                        std::vector<OptimizerTensor> tensors,
                                        std::shared_ptr<ProdigyScale> scale,
                                        std::shared_ptr<ScheduleFreeSums> sums) {
  const bool schedule_free = optimizer_row(settings.type).schedule_free;
  if (!scale) {
    scale = std::make_shared<ProdigyScale>(settings.d_coef, schedule_free);
  }
  if (schedule_free) {
    sums = sums ? std::move(sums) : std::make_shared<ScheduleFreeSums>(/*largest=*/false);
    return std::make_unique<ProdigyScheduleFree>(kernels, settings, std::move(tensors),
                                                 std::move(scale), std::move(sums));
  }
  return std::make_unique<Prodigy>(kernels, settings, std::move(tensors), std::move(scale));
}

}  // namespace mantissa
