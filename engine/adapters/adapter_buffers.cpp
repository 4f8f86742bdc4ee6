// The flat buffers of an AdapterSet, on one device or several.
#include <algorithm>

#include "engine/adapters/adapter_set.h"

namespace mantissa {

std::byte* AdapterSet::own(int device, std::size_t bytes) {
  Kernels& kernels = on(device);
  return owned_.emplace_back(&kernels, static_cast<std::byte*>(kernels.allocate(bytes))).second;
}

AdapterSet::Flat& AdapterSet::room(Part part, int device) {
  std::deque<Flat>& flats = flats_[part];
  if (flats.empty() || flats.back().device != device) {
    Flat next;
    next.device = device;
    if (!flats.empty()) {
      next.begin = flats.back().begin + flats.back().count;
      next.magnitude_begin = flats.back().magnitude_begin + flats.back().magnitude_count;
    }
    flats.push_back(std::move(next));
  }
  return flats.back();
}

AdapterSet::Flat& AdapterSet::flat_of(const AdapterTensor& entry) {
  std::deque<Flat>& flats = flats_[entry.part];
  return *std::ranges::find_if(flats, [&](const Flat& f) {
    return entry.magnitude ? f.magnitude_count > 0 && f.magnitude_begin == entry.begin
                           : f.count > 0 && f.begin == entry.begin;
  });
}

void AdapterSet::allocate() {
  for (auto& [part, flats] : flats_) {
    for (Flat& buffer : flats) {
      const auto count = static_cast<std::size_t>(buffer.count);
      const auto magnitudes = static_cast<std::size_t>(buffer.magnitude_count);
      if (count > 0) {
        buffer.parameters = own(buffer.device, count * dtype_size(master_));
        buffer.matrices.whole.data = buffer.parameters;
        buffer.gradients = trainable_ ? own(buffer.device, count * dtype_size(gradient_)) : nullptr;
      }
      if (magnitudes > 0) {
        buffer.magnitudes = own(buffer.device, magnitudes * sizeof(float));
        buffer.magnitude_gradients = own(buffer.device, magnitudes * sizeof(float));
      }
    }
  }
  for (const AdapterTensor& entry : tensors_) {
    const Flat& buffer = flat_of(entry);
    const auto offset = static_cast<std::size_t>(entry.offset - entry.begin);
    Tensor& tensor = *entry.tensor;
    tensor.data = (entry.magnitude ? buffer.magnitudes : buffer.parameters) +
                  offset * dtype_size(tensor.dtype);
    tensor.grad = !trainable_ ? nullptr
                              : (entry.magnitude ? buffer.magnitude_gradients : buffer.gradients) +
                                    offset * dtype_size(tensor.grad_dtype);
  }
  allocate_constants();
  for (AdapterStack& stack : stacks_) {
    for (Tensor* whole : {&stack.down, &stack.up}) {
      whole->data = whole->parts.front()->data;
      whole->grad = whole->parts.front()->grad;
    }
  }
}

void AdapterSet::allocate_constants() {
  for (LoraAdapter& adapter : adapters_) {
    if (adapter.dora) {
      Tensor& squares = adapter.dora->squares;
      const bool wide = adapter.weight != nullptr && adapter.weight->dtype == DType::f64;
      squares.dtype = wide ? DType::f64 : DType::f32;
      squares.data = own(adapter.device, static_cast<std::size_t>(squares.shape.count()) *
                                             dtype_size(squares.dtype));
    }
    if (adapter.factor) {
      Tensor& factor = adapter.factor->factor;
      factor.data =
          own(adapter.device, static_cast<std::size_t>(factor.shape.count()) * sizeof(float));
    }
  }
}

std::vector<Part> AdapterSet::parts() const {
  std::vector<Part> result;
  for (const auto& [part, flats] : flats_) {
    if (std::ranges::any_of(flats, [](const Flat& flat) { return flat.count > 0; })) {
      result.push_back(part);
    }
  }
  return result;
}

View AdapterSet::view_of(const Flat& flat, bool magnitudes, bool gradients) const {
  if (magnitudes) {
    return {gradients ? flat.magnitude_gradients : flat.magnitudes, DType::f32,
            Shape{flat.magnitude_count}};
  }
  return {gradients ? flat.gradients : flat.parameters, gradients ? gradient_ : master_,
          Shape{flat.count}};
}

View AdapterSet::parameters(Part part) const {
  return view_of(flat(part), false, false);
}

View AdapterSet::gradients(Part part) const {
  return view_of(flat(part), false, true);
}

View AdapterSet::magnitudes(Part part) const {
  return view_of(flat(part), true, false);
}

View AdapterSet::magnitude_gradients(Part part) const {
  return view_of(flat(part), true, true);
}

std::vector<AdapterBuffer> AdapterSet::buffers() const {
  std::vector<AdapterBuffer> all;
  for (const auto& [part, flats] : flats_) {
    for (const bool magnitudes : {false, true}) {
      for (const Flat& flat : flats) {
        if ((magnitudes ? flat.magnitude_count : flat.count) > 0) {
          all.push_back({part, magnitudes, view_of(flat, magnitudes, false),
                         view_of(flat, magnitudes, true), device_or_null(flat.device),
                         magnitudes ? flat.magnitude_begin : flat.begin});
        }
      }
    }
  }
  return all;
}

void AdapterSet::zero_gradients() {
  for (const AdapterBuffer& buffer : buffers()) {
    buffer.device->fill(buffer.gradients, 0.0F);
  }
}

std::int64_t AdapterSet::parameter_count() const {
  std::int64_t count = 0;
  for (const AdapterBuffer& buffer : buffers()) {
    count += buffer.parameters.count();
  }
  return count;
}

std::size_t AdapterSet::bytes() const {
  std::size_t bytes = 0;
  for (const AdapterBuffer& buffer : buffers()) {
    // A magnitude, its gradient, and the square of the weight's own norm.
    const std::size_t each = buffer.magnitudes
                                 ? 3 * sizeof(float)
                                 : dtype_size(master_) + (trainable_ ? dtype_size(gradient_) : 0);
    bytes += static_cast<std::size_t>(buffer.parameters.count()) * each;
  }
  return bytes;
}

}  // namespace mantissa
