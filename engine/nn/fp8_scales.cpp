#include "engine/nn/fp8_scales.h"

#include <algorithm>

namespace mantissa {
namespace {

constexpr float kLargestE4m3 = 448, kLargestE5m2 = 57344;
// A slot's memory: scale, largest value of this step, position in the history, history.
constexpr std::size_t kPending = 1, kPosition = 2, kFirst = 3;
constexpr std::size_t kChunk = 512;

}  // namespace

Tensor* Fp8Scales::add(const std::string& name, float largest_code) {
  if (kernels_ != nullptr && slots_.size() % kChunk == 0) {
    chunks_.emplace_back(*kernels_, Shape{2 * kChunk});
  }
  const std::size_t place = slots_.size() % kChunk;
  Slot& slot = slots_.emplace_back();
  slot.name = name;
  slot.largest_code = largest_code;
  slot.tensor.name = name;
  slot.tensor.shape = {2};
  slot.memory.resize(kHistory + kFirst);
  if (kernels_ != nullptr) {
    slot.tensor.data = chunks_.back().view().as<float>() + 2 * place;
  }
  return &slot.tensor;
}

void Fp8Scales::pull() {
  for (std::size_t c = 0; c < chunks_.size(); ++c) {
    const std::vector<float> pairs = host_values(*kernels_, chunks_[c].view());
    for (std::size_t i = 0; i < kChunk && c * kChunk + i < slots_.size(); ++i) {
      std::copy_n(pairs.begin() + static_cast<std::ptrdiff_t>(2 * i), 2,
                  slots_[c * kChunk + i].memory.begin());
    }
  }
}

void Fp8Scales::push() {
  for (std::size_t c = 0; c < chunks_.size(); ++c) {
    std::vector<float> pairs(2 * kChunk);
    for (std::size_t i = 0; i < kChunk && c * kChunk + i < slots_.size(); ++i) {
      std::copy_n(slots_[c * kChunk + i].memory.begin(), 2,
                  pairs.begin() + static_cast<std::ptrdiff_t>(2 * i));
    }
    set_values(*kernels_, pairs, chunks_[c].view());
  }
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
  pull();
  for (Slot& slot : slots_) {
    std::vector<float>& memory = slot.memory;
    const float seen = memory[kPending];
    memory[kPending] = 0;
    if (seen == 0) {
      continue;
    }
    const auto position = static_cast<std::size_t>(memory[kPosition]);
    memory[kFirst + position] = seen;
    memory[kPosition] = static_cast<float>((position + 1) % kHistory);
    memory[0] = *std::max_element(memory.begin() + kFirst, memory.end()) / slot.largest_code;
  }
  push();
}

std::vector<Fp8Scales::State> Fp8Scales::states() {
  pull();
  std::vector<State> result;
  for (Slot& slot : slots_) {
    const auto count = static_cast<std::int64_t>(slot.memory.size());
    result.push_back({slot.name, View(slot.memory.data(), DType::f32, {count})});
  }
  return result;
}

std::vector<float> Fp8Scales::pending() {
  pull();
  std::vector<float> values;
  for (const Slot& slot : slots_) {
    values.push_back(slot.memory[kPending]);
  }
  return values;
}

void Fp8Scales::restore_pending(const std::vector<float>& values) {
  pull();
  for (std::size_t i = 0; i < values.size(); ++i) {
    slots_[i].memory[kPending] = values[i];
  }
  push();
}

}  // namespace mantissa
