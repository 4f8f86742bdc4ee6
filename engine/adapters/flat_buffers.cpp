#include "engine/adapters/flat_buffers.h"

#include <algorithm>

#include "engine/graph/device_values.h"
#include "engine/io/module_path.h"

namespace mantissa {

FlatBuffers::~FlatBuffers() {
  for (const auto& [kernels, buffer] : owned_) {
    kernels->release(buffer);
  }
}

std::byte* FlatBuffers::own(int device, std::size_t bytes) {
  Kernels& kernels = on(device);
  return owned_.emplace_back(&kernels, static_cast<std::byte*>(kernels.allocate(bytes))).second;
}

FlatBuffers::Flat& FlatBuffers::room(Part part, int device) {
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

FlatBuffers::Flat& FlatBuffers::flat_of(const AdapterTensor& entry) {
  std::deque<Flat>& flats = flats_[entry.part];
  return *std::ranges::find_if(flats, [&](const Flat& f) {
    return entry.magnitude ? f.magnitude_count > 0 && f.magnitude_begin == entry.begin
                           : f.count > 0 && f.begin == entry.begin;
  });
}

const FlatBuffers::Flat& FlatBuffers::flat(Part part) const {
  static const Flat none;
  const auto it = flats_.find(part);
  return it == flats_.end() ? none : it->second.front();
}

void FlatBuffers::add(Tensor& tensor, const Place& place) {
  tensor.dtype = place.magnitude ? DType::f32 : value_dtype(place.part);
  tensor.grad_dtype = place.magnitude ? DType::f32 : gradient_dtype(place.part);
  tensor.trainable = trainable();
  by_name_[tensor.name] = tensors_.size();
  Flat& buffer = room(place.part, tensor.device);
  std::int64_t& count = place.magnitude ? buffer.magnitude_count : buffer.count;
  const std::int64_t begin = place.magnitude ? buffer.magnitude_begin : buffer.begin;
  tensors_.push_back(
      {tensor.name, place.part, begin + count, &tensor, place.magnitude, place.rate_ratio, begin});
  count += tensor.shape.count();
  if (trainable() && !place.magnitude && place.rounded_together) {
    round_together(tensors_.back());
  }
}

/// All matrices of a part are rounded to 16 bits at once, if their modules compute in 16 bits.
/// Trained weights are not: their copy would be as large as the model.
void FlatBuffers::round_together(AdapterTensor& entry) {
  if (dtype_size(dtypes_.compute) != 2 || dtypes_.compute == dtypes_.values) {
    return;
  }
  Tensor& tensor = *entry.tensor;
  Flat& buffer = room(entry.part, tensor.device);
  Tensor& whole = buffer.matrices.whole;
  whole.name = module_path(entry.part, "adapters");
  whole.dtype = dtypes_.values;
  whole.shape = {buffer.count};
  whole.device = tensor.device;
  buffer.matrices.read_as = dtypes_.compute;
  tensor.buffer = &buffer.matrices;
  tensor.buffer_offset = entry.offset - buffer.begin;
}

bool FlatBuffers::arrange(std::span<Tensor* const> order) {
  std::int64_t begin = entry_of(*order.front()).offset, end = 0, count = 0;
  for (const Tensor* tensor : order) {
    const std::int64_t offset = entry_of(*tensor).offset;
    begin = std::min(begin, offset);
    end = std::max(end, offset + tensor->shape.count());
    count += tensor->shape.count();
  }
  if (count != end - begin) {
    return false;
  }
  for (Tensor* tensor : order) {
    AdapterTensor& entry = entry_of(*tensor);
    entry.offset = begin;
    tensor->buffer_offset = tensor->buffer != nullptr ? begin - entry.begin : 0;
    begin += tensor->shape.count();
  }
  return true;
}

void FlatBuffers::allocate() {
  for (auto& [part, flats] : flats_) {
    for (Flat& buffer : flats) {
      const auto count = static_cast<std::size_t>(buffer.count);
      const auto magnitudes = static_cast<std::size_t>(buffer.magnitude_count);
      if (count > 0) {
        buffer.parameters = own(buffer.device, count * dtype_size(value_dtype(part)));
        buffer.matrices.whole.data = buffer.parameters;
        buffer.gradients =
            trainable() ? own(buffer.device, count * dtype_size(gradient_dtype(part))) : nullptr;
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
    tensor.grad = !trainable() ? nullptr
                               : (entry.magnitude ? buffer.magnitude_gradients : buffer.gradients) +
                                     offset * dtype_size(tensor.grad_dtype);
  }
}

std::vector<Part> FlatBuffers::parts() const {
  std::vector<Part> result;
  for (const auto& [part, flats] : flats_) {
    if (std::ranges::any_of(flats, [](const Flat& flat) { return flat.count > 0; })) {
      result.push_back(part);
    }
  }
  return result;
}

View FlatBuffers::view_of(Part part, const Flat& flat, bool magnitudes, bool gradients) const {
  if (magnitudes) {
    return {gradients ? flat.magnitude_gradients : flat.magnitudes, DType::f32,
            Shape{flat.magnitude_count}};
  }
  return {gradients ? flat.gradients : flat.parameters,
          gradients ? gradient_dtype(part) : value_dtype(part), Shape{flat.count}};
}

View FlatBuffers::parameters(Part part) const {
  return view_of(part, flat(part), false, false);
}

View FlatBuffers::gradients(Part part) const {
  return view_of(part, flat(part), false, true);
}

View FlatBuffers::magnitudes(Part part) const {
  return view_of(part, flat(part), true, false);
}

View FlatBuffers::magnitude_gradients(Part part) const {
  return view_of(part, flat(part), true, true);
}

std::vector<AdapterBuffer> FlatBuffers::buffers() const {
  std::vector<AdapterBuffer> all;
  for (const auto& [part, flats] : flats_) {
    for (const bool magnitudes : {false, true}) {
      for (const Flat& flat : flats) {
        if ((magnitudes ? flat.magnitude_count : flat.count) > 0) {
          all.push_back({part, magnitudes, view_of(part, flat, magnitudes, false),
                         view_of(part, flat, magnitudes, true), device_or_null(flat.device),
                         magnitudes ? flat.magnitude_begin : flat.begin});
        }
      }
    }
  }
  return all;
}

void FlatBuffers::zero_gradients() {
  for (const AdapterBuffer& buffer : buffers()) {
    buffer.device->fill(buffer.gradients, 0.0F);
  }
}

std::int64_t FlatBuffers::parameter_count() const {
  std::int64_t count = 0;
  for (const AdapterBuffer& buffer : buffers()) {
    count += buffer.parameters.count();
  }
  return count;
}

std::size_t FlatBuffers::bytes() const {
  std::size_t bytes = 0;
  for (const AdapterBuffer& buffer : buffers()) {
    // A magnitude, its gradient, and the square of the weight's own norm.
    const std::size_t each = buffer.magnitudes
                                 ? 3 * sizeof(float)
                                 : dtype_size(value_dtype(buffer.part)) +
                                       (trainable() ? dtype_size(gradient_dtype(buffer.part)) : 0);
    bytes += static_cast<std::size_t>(buffer.parameters.count()) * each;
  }
  return bytes;
}

const AdapterTensor* FlatBuffers::find(std::string_view name) const {
  const auto it = by_name_.find(name);
  return it == by_name_.end() ? nullptr : &tensors_[it->second];
}

void FlatBuffers::set(const Tensor& tensor, const std::vector<float>& values) {
  set_values(on(tensor.device), values, tensor.view());
}

std::vector<float> FlatBuffers::values(const Tensor& tensor) const {
  return host_values(on(tensor.device), tensor.view());
}

std::vector<float> FlatBuffers::gradient(const Tensor& tensor) const {
  return host_values(on(tensor.device), tensor.grad_view());
}

std::vector<float> FlatBuffers::values(const Tensor& tensor, const FlatValues& given) const {
  const AdapterTensor& entry = *find(tensor.name);
  const auto it = given.find({entry.part, entry.begin});
  if (it == given.end()) {
    return values(tensor);
  }
  return host_values(on(tensor.device), View(it->second.as<float>() + entry.offset - entry.begin,
                                             DType::f32, {tensor.shape.count()}));
}

}  // namespace mantissa
