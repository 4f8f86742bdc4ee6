#include "engine/optim/state_buffers.h"

#include <algorithm>

namespace mantissa {
namespace {

/// Adds the buffers of one moment in the settings' state dtype.
void add_moment(std::vector<StateSpec>& layout, const std::string& name, StateType type,
                std::span<const OptimizerTensor> tensors) {
  if (type != StateType::eight_bit) {
    layout.push_back(
        {name, type == StateType::bf16 ? DType::bf16 : DType::f32, flat_count(tensors)});
    return;
  }
  std::int64_t codes = 0, blocks = 0, small = 0;
  for (const OptimizerTensor& t : tensors) {
    if (t.count() < kSmallTensor) {
      small += t.count();
    } else {
      codes += t.count();
      blocks += (t.count() + kMomentBlock - 1) / kMomentBlock;
    }
  }
  layout.push_back({name, DType::u8, codes});
  layout.push_back({name + ".absmax", DType::f32, blocks});
  layout.push_back({name + ".small", DType::f32, small});
}

}  // namespace

std::int64_t flat_count(std::span<const OptimizerTensor> tensors) {
  std::int64_t n = 0;
  for (const OptimizerTensor& t : tensors) {
    n = std::max(n, t.offset + t.count());
  }
  return n;
}

StateType state_type(const OptimizerSettings& settings) {
  return optimizer_row(settings.type).always_eight_bit() ? StateType::eight_bit : settings.state;
}

std::vector<StateSpec> state_layout(const OptimizerSettings& settings,
                                    std::span<const OptimizerTensor> tensors) {
  const StateType type = state_type(settings);
  std::int64_t rows = 0, cols = 0, loose = 0;
  for (const OptimizerTensor& t : tensors) {
    (is_matrix(t) ? rows : loose) += is_matrix(t) ? t.rows : t.count();
    cols += is_matrix(t) ? t.cols : 0;
  }
  std::vector<StateSpec> layout;
  for (const StateRow& state : optimizer_row(settings.type).state) {
    const std::string name(state.name);
    switch (state.shape) {
      case StateShape::moment:
        if (!name.empty()) {
          add_moment(layout, name, type, tensors);
        }
        break;
      case StateShape::sum:
        add_moment(layout, name, type == StateType::eight_bit ? StateType::fp32 : type, tensors);
        break;
      case StateShape::rates:
        layout.push_back({name, DType::f32, flat_count(tensors)});
        break;
      case StateShape::start:
        layout.push_back({name, settings.parameters, flat_count(tensors)});
        break;
      case StateShape::rows:
        layout.push_back({name, DType::f32, rows});
        break;
      case StateShape::columns:
        layout.push_back({name, DType::f32, cols});
        break;
      case StateShape::loose:
        layout.push_back({name, DType::f32, loose});
        break;
    }
  }
  if (settings.parameters == DType::bf16 && settings.rounding == Rounding::kahan) {
    layout.push_back({"compensation", DType::bf16, flat_count(tensors)});
  }
  std::erase_if(layout, [](const StateSpec& s) { return s.count == 0; });
  return layout;
}

StateBuffers::StateBuffers(Kernels& kernels, const OptimizerSettings& settings,
                           std::span<const OptimizerTensor> tensors)
    : kernels_(kernels), tensors_(tensors.begin(), tensors.end()) {
  for (const StateSpec& s : state_layout(settings, tensors)) {
    void* data = kernels.allocate(static_cast<std::size_t>(s.count) * dtype_size(s.dtype));
    buffers_.push_back({s.name, View(data, s.dtype, {s.count})});
  }
  std::int64_t codes = 0, blocks = 0, small = 0;
  for (const OptimizerTensor& t : tensors_) {
    if (t.count() < kSmallTensor) {
      places_.push_back({true, small, 0});
      small += t.count();
    } else {
      places_.push_back({false, codes, blocks});
      codes += t.count();
      blocks += (t.count() + kMomentBlock - 1) / kMomentBlock;
    }
  }
}

StateBuffers::~StateBuffers() {
  for (const OptimizerState& s : buffers_) {
    kernels_.release(s.view.data);
  }
}

View StateBuffers::slice(const std::string& name, std::int64_t first, std::int64_t count) const {
  for (const OptimizerState& s : buffers_) {
    if (s.name == name) {
      const auto bytes = static_cast<std::size_t>(first) * dtype_size(s.view.dtype);
      return View(s.view.as<std::byte>() + bytes, s.view.dtype, {count});
    }
  }
  return {};
}

MomentView StateBuffers::moment(const std::string& name, std::size_t index) const {
  const OptimizerTensor& t = tensors_[index];
  const Place& place = places_[index];
  const View flat = slice(name, t.offset, t.count());
  const bool eight_bit = flat.dtype == DType::u8 || slice(name + ".small", 0, 0).data != nullptr;
  if (!eight_bit) {
    return {flat, {}};
  }
  if (place.small) {
    return {slice(name + ".small", place.first, t.count()), {}};
  }
  return {
      slice(name, place.first, t.count()),
      slice(name + ".absmax", place.first_block, (t.count() + kMomentBlock - 1) / kMomentBlock)};
}

}  // namespace mantissa
