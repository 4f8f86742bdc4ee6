#include "engine/nn/fp8_scales.h"

#include <algorithm>

namespace mantissa {
namespace {

constexpr float kLargestE4m3 = 448, kLargestE5m2 = 57344;
// A slot's memory: scale, largest value of this step, position in the history, history.
constexpr std::int64_t kPending = 1, kPosition = 2, kFirst = 3;

}  // namespace

Fp8Scales::~Fp8Scales() {
  for (const Slot& slot : slots_) {
    if (kernels_ != nullptr) {
      kernels_->release(slot.tensor.data);
    }
  }
}

Tensor* Fp8Scales::add(const std::string& name, float largest_code) {
  Slot& slot = slots_.emplace_back();
  slot.name = name;
  slot.largest_code = largest_code;
  slot.tensor.name = name;
  slot.tensor.shape = {2};
  if (kernels_ != nullptr) {
    slot.tensor.data = kernels_->allocate((kHistory + kFirst) * sizeof(float));
  }
  return &slot.tensor;
}

Fp8State Fp8Scales::layer(const std::string& path) {
  const auto it = layers_.find(path);
  if (it != layers_.end()) {
    return it->second;
  }
  Fp8State state;
  state.input = add(path + ".fp8_input", kLargestE4m3);
  state.gradient = add(path + ".fp8_gradient", kLargestE5m2);
  return layers_[path] = state;
}

void Fp8Scales::advance() {
  for (Slot& slot : slots_) {
    auto* memory = static_cast<float*>(slot.tensor.data);
    const float seen = memory[kPending];
    memory[kPending] = 0;
    if (seen == 0) {
      continue;
    }
    const auto position = static_cast<std::int64_t>(memory[kPosition]);
    float* history = memory + kFirst;
    history[position] = seen;
    memory[kPosition] = static_cast<float>((position + 1) % kHistory);
    memory[0] = *std::max_element(history, history + kHistory) / slot.largest_code;
  }
}

std::vector<Fp8Scales::State> Fp8Scales::states() const {
  std::vector<State> result;
  for (const Slot& slot : slots_) {
    result.push_back({slot.name, View(slot.tensor.data, DType::f32, {kHistory + kFirst})});
  }
  return result;
}

std::vector<float> Fp8Scales::pending() const {
  std::vector<float> values;
  for (const Slot& slot : slots_) {
    values.push_back(static_cast<const float*>(slot.tensor.data)[kPending]);
  }
  return values;
}

void Fp8Scales::restore_pending(const std::vector<float>& values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    static_cast<float*>(slots_[i].tensor.data)[kPending] = values[i];
  }
}

}  // namespace mantissa
