#include "engine/optim/optimizer.h"

#include <cmath>

#include "engine/core/error.h"
#include "engine/preset/names.h"

namespace mantissa {
namespace {

/// A zeroed device buffer of fp32.
class Buffer {
 public:
  Buffer(Kernels& kernels, std::int64_t count)
      : kernels_(kernels),
        view_(kernels.allocate(static_cast<std::size_t>(count) * sizeof(float)), DType::f32,
              {count}) {}
  ~Buffer() { kernels_.release(view_.data); }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  const View& view() const { return view_; }

 private:
  Kernels& kernels_;
  View view_;
};

/// AdamW (arXiv 1711.05101): decoupled decay, bias-corrected moments.
class Adamw final : public Optimizer {
 public:
  Adamw(Kernels& kernels, const OptimizerSettings& settings, std::int64_t count)
      : kernels_(kernels), settings_(settings), m_(kernels, count), v_(kernels, count) {}

  void step(const View& parameters, const View& gradients, double lr, double grad_scale) override {
    ++updates_;
    const double t = static_cast<double>(updates_);
    AdamwOptions o{};
    o.learning_rate = static_cast<float>(lr);
    o.beta1 = static_cast<float>(settings_.beta1);
    o.beta2 = static_cast<float>(settings_.beta2);
    o.eps = static_cast<float>(settings_.eps);
    o.weight_decay = static_cast<float>(settings_.weight_decay);
    o.grad_scale = static_cast<float>(grad_scale);
    o.correction1 = static_cast<float>(1.0 - std::pow(settings_.beta1, t));
    o.correction2 = static_cast<float>(1.0 - std::pow(settings_.beta2, t));
    kernels_.adamw(parameters, gradients, m_.view(), v_.view(), o);
  }
  std::vector<OptimizerState> state() override {
    return {{"exp_avg", m_.view()}, {"exp_avg_sq", v_.view()}};
  }
  std::int64_t updates() const override { return updates_; }
  void set_updates(std::int64_t n) override { updates_ = n; }

 private:
  Kernels& kernels_;
  OptimizerSettings settings_;
  Buffer m_, v_;
  std::int64_t updates_ = 0;
};

}  // namespace

OptimizerSettings optimizer_settings(const Preset& preset, Part part) {
  OptimizerSettings s{preset.optimizer.type,     preset.optimizer.learning_rate,
                      preset.optimizer.betas[0], preset.optimizer.betas[1],
                      preset.optimizer.eps,      preset.optimizer.weight_decay};
  for (const OptimizerGroup& group : preset.optimizer.groups) {
    if (group.part == part) {
      s.type = group.type.value_or(s.type);
      s.learning_rate = group.learning_rate.value_or(s.learning_rate);
      s.weight_decay = group.weight_decay.value_or(s.weight_decay);
    }
  }
  return s;
}

std::unique_ptr<Optimizer> make_optimizer(Kernels& kernels, const OptimizerSettings& settings,
                                          std::int64_t parameters) {
  if (settings.type == OptimizerType::adamw) {
    return std::make_unique<Adamw>(kernels, settings, parameters);
  }
  throw Error("optimizer.type is " + std::string(enum_name(settings.type)) +
              "; this version trains with adamw. Set optimizer.type to adamw");
}

std::uint64_t optimizer_state_bytes(const OptimizerSettings&, std::int64_t parameters) {
  return static_cast<std::uint64_t>(parameters) * 2 * sizeof(float);
}

}  // namespace mantissa
