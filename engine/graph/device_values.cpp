#include "engine/graph/device_values.h"

#include <algorithm>
#include <utility>

namespace mantissa {
namespace {

View host_view(const float* values, const Shape& shape) {
  return {const_cast<float*>(values), DType::f32, shape};  // kernels only read their inputs
}

}  // namespace

DeviceArray::DeviceArray(Kernels& kernels, const Shape& shape, DType dtype)
    : kernels_(&kernels),
      view_(kernels.allocate(static_cast<std::size_t>(shape.count()) * dtype_size(dtype)), dtype,
            shape) {}

DeviceArray::DeviceArray(Kernels& kernels, std::span<const float> values, const Shape& shape,
                         DType dtype)
    : DeviceArray(kernels, shape, dtype) {
  set_values(kernels, values, view_);
}

DeviceArray::~DeviceArray() {
  if (view_.data != nullptr) {
    kernels_->release(view_.data);
  }
}

DeviceArray::DeviceArray(DeviceArray&& other) noexcept
    : kernels_(other.kernels_), view_(std::exchange(other.view_, {})) {}

View DeviceRoom::of(Kernels& kernels, const Shape& shape, DType dtype) {
  const auto bytes = static_cast<std::int64_t>(stored_bytes(dtype, shape.count()));
  if (owner_ != &kernels || !bytes_ || bytes_->view().count() < bytes) {
    bytes_.reset();
    bytes_.emplace(kernels, Shape{bytes}, DType::u8);
    owner_ = &kernels;
  }
  return {bytes_->view().data, dtype, shape};
}

WeightOnDevice::WeightOnDevice(Kernels& kernels, const Tensor& weight) : tensor_(weight) {
  if (!weight.streamed) {
    return;
  }
  const auto bytes = static_cast<std::int64_t>(weight.bytes());
  copy_.emplace(kernels, Shape{bytes}, DType::u8);
  kernels.upload(weight.host, copy_->view());
  tensor_.data = copy_->view().data;
  if (weight.has_scale()) {
    tensor_.scale = reinterpret_cast<float*>(copy_->view().as<std::byte>() + weight.scale_offset());
  }
}

DeviceLink::~DeviceLink() {
  if (memory_ != nullptr) {
    owner_->release_host(memory_);
  }
}

void* DeviceLink::room(Kernels& kernels, std::size_t bytes) {
  if (bytes > bytes_) {
    if (memory_ != nullptr) {
      owner_->release_host(std::exchange(memory_, nullptr));
    }
    bytes_ = 0;
    memory_ = kernels.allocate_host(bytes);
    owner_ = &kernels;
    bytes_ = bytes;
  }
  return memory_;
}

void DeviceLink::send(Kernels& from, const View& in, Kernels& to, const View& out) {
  if (from.host_memory()) {
    to.upload(in.data, out);
  } else if (to.host_memory()) {
    from.download(in, out.data);
  } else {
    void* memory = room(from, stored_bytes(in.dtype, in.count()));
    from.download(in, memory);
    to.upload(memory, out);
  }
}

std::vector<float> host_values(Kernels& kernels, const View& view) {
  std::vector<float> values(static_cast<std::size_t>(view.count()));
  if (kernels.host_memory()) {
    kernels.copy(view, host_view(values.data(), view.shape));
  } else if (view.dtype == DType::f32 && view.contiguous()) {
    kernels.download(view, values.data());
  } else if (is_float(view.dtype) && view.contiguous()) {
    const std::vector<std::byte> bytes = host_bytes(kernels, view);
    dispatch_any_float(view.dtype, [&]<typename T>() {
      const T* stored = reinterpret_cast<const T*>(bytes.data());
      std::transform(stored, stored + values.size(), values.begin(),
                     [](T value) { return static_cast<float>(value); });
    });
  } else {
    const DeviceArray wide(kernels, view.shape);
    kernels.copy(view, wide.view());
    kernels.download(wide.view(), values.data());
  }
  return values;
}

void set_values(Kernels& kernels, std::span<const float> values, const View& view) {
  if (kernels.host_memory()) {
    kernels.copy(host_view(values.data(), view.shape), view);
  } else if (view.dtype == DType::f32 && view.contiguous()) {
    kernels.upload(values.data(), view);
  } else {
    const DeviceArray wide(kernels, view.shape);
    kernels.upload(values.data(), wide.view());
    kernels.copy(wide.view(), view);
  }
}

std::vector<std::byte> host_bytes(Kernels& kernels, const View& view) {
  std::vector<std::byte> bytes(static_cast<std::size_t>(view.count()) * dtype_size(view.dtype));
  kernels.download(view, bytes.data());
  return bytes;
}

std::vector<float> normal_values(Kernels& kernels, std::int64_t count, const RandomKey& key) {
  std::vector<float> values(static_cast<std::size_t>(count));
  kernels.draw_normal(values, key);
  return values;
}

}  // namespace mantissa
