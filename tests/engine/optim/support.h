#pragma once
// One optimizer on a quadratic, in any dtypes.

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "engine/core/random.h"
#include "engine/optim/make_optimizer.h"
#include "engine/optim/optimizer.h"
#include "engine/preset/names.h"

namespace mantissa::testing {

struct Combination {
  OptimizerType type = OptimizerType::adamw;
  DType parameter = DType::f32;
  Rounding rounding = Rounding::nearest;
  DType gradient = DType::f32;
  StateType state = StateType::fp32;

  std::string name() const {
    const char* rounding_name = rounding == Rounding::nearest      ? "nearest"
                                : rounding == Rounding::stochastic ? "stochastic"
                                                                   : "kahan";
    return std::string(enum_name(type)) + ", parameters " + std::string(dtype_name(parameter)) +
           " " + rounding_name + ", gradients " + std::string(dtype_name(gradient)) + ", state " +
           std::string(enum_name(state));
  }
};

/// f(p) = ½ Σ a(p - t)², with tensors of every kind: large enough for 8-bit moments (and not a
/// multiple of their block), a small matrix and a vector. Gradients carry a loss scale of 64.
class Bench {
 public:
  /// `copies` repeats the tensors, for work that many threads share.
  Bench(Kernels& kernels, const Combination& c, int copies = 1) : combination_(c) {
    for (int i = 0; i < copies; ++i) {
      for (auto [rows, cols] : {std::pair{83, 61}, {16, 24}, {1, 70}}) {
        tensors_.push_back({count_, rows, cols, 1.0});
        count_ += tensors_.back().count();
      }
    }
    settings_.type = c.type;
    settings_.learning_rate = optimizer_row(c.type).finds_rate()   ? 1.0
                              : c.type == OptimizerType::sgd       ? 0.03
                              : c.type == OptimizerType::adafactor ? 0.03
                              : c.type == OptimizerType::muon      ? 0.1
                                                                   : 0.02;
    settings_.beta2 = 0.99;
    settings_.parameters = c.parameter;
    settings_.rounding = c.rounding;
    settings_.state = c.state;
    settings_.seed = 11;
    optimizer_ = make_optimizer(kernels, settings_, tensors_);
    const auto n = static_cast<std::size_t>(count_);
    parameters_.resize(n * dtype_size(c.parameter));
    gradients_.resize(n * dtype_size(c.gradient));
    for (std::size_t i = 0; i < n; ++i) {
      const RandomKey key = random_key(5, RandomStream::init, i);
      target_.push_back(2 * random_uniform(key, 0) - 1);
      weight_.push_back(0.5F + random_uniform(key, 1));
      put(parameters_, c.parameter, i, 2 * random_uniform(key, 2) - 1);
    }
  }

  float parameter(std::size_t i) const { return get(parameters_, combination_.parameter, i); }
  double loss() const {
    double sum = 0;
    for (std::size_t i = 0; i < target_.size(); ++i) {
      const double d = parameter(i) - target_[i];
      sum += 0.5 * weight_[i] * d * d;
    }
    return sum;
  }
  void run(int steps) {
    for (int i = 0; i < steps; ++i) {
      optimizer_->step(inputs());
    }
  }
  void run_by_tensor(int steps) {
    for (int i = 0; i < steps; ++i) {
      optimizer_->begin(inputs());
      for (std::size_t t = tensors_.size(); t-- > 0;) {
        optimizer_->apply_tensor(t);
      }
    }
  }

  struct Saved {
    std::vector<std::vector<std::byte>> bytes;  ///< parameters, then every state buffer
    std::int64_t updates = 0;
  };
  Saved save() const {
    Saved saved;
    saved.bytes.push_back(parameters_);
    for (const OptimizerState& s : optimizer_->state()) {
      const auto* data = s.view.as<std::byte>();
      saved.bytes.emplace_back(data, data + bytes_of(s.view));
    }
    saved.updates = optimizer_->updates();
    return saved;
  }
  void restore(const Saved& saved) {
    parameters_ = saved.bytes[0];
    std::size_t i = 1;
    for (const OptimizerState& s : optimizer_->state()) {
      std::memcpy(s.view.data, saved.bytes[i++].data(), bytes_of(s.view));
    }
    optimizer_->set_updates(saved.updates);
  }
  Optimizer& optimizer() { return *optimizer_; }
  const OptimizerSettings& settings() const { return settings_; }
  const std::vector<OptimizerTensor>& tensors() const { return tensors_; }

 private:
  static constexpr float kScale = 64;
  static std::size_t bytes_of(const View& v) {
    return static_cast<std::size_t>(v.count()) * dtype_size(v.dtype);
  }
  static float get(const std::vector<std::byte>& data, DType dtype, std::size_t i) {
    return dispatch_float(dtype, [&]<typename T>() {
      T value;
      std::memcpy(&value, data.data() + i * sizeof(T), sizeof(T));
      return static_cast<float>(value);
    });
  }
  static void put(std::vector<std::byte>& data, DType dtype, std::size_t i, float x) {
    dispatch_float(dtype, [&]<typename T>() {
      const T value(x);
      std::memcpy(data.data() + i * sizeof(T), &value, sizeof(T));
    });
  }
  OptimizerInputs inputs() {
    for (std::size_t i = 0; i < target_.size(); ++i) {
      put(gradients_, combination_.gradient, i, kScale * weight_[i] * (parameter(i) - target_[i]));
    }
    return {View(parameters_.data(), combination_.parameter, {count_}),
            View(gradients_.data(), combination_.gradient, {count_}), settings_.learning_rate,
            1.0 / kScale};
  }

  Combination combination_;
  OptimizerSettings settings_;
  std::vector<OptimizerTensor> tensors_;
  std::int64_t count_ = 0;
  std::unique_ptr<Optimizer> optimizer_;
  std::vector<std::byte> parameters_, gradients_;
  std::vector<float> target_, weight_;
};

}  // namespace mantissa::testing
