#pragma once
// How values get into a backend's memory and out of it.

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "engine/graph/tensor.h"
#include "kernels/kernels.h"

namespace mantissa {

/// A packed tensor in a backend's memory.
class DeviceArray {
 public:
  /// Zeros.
  DeviceArray(Kernels& kernels, const Shape& shape, DType dtype = DType::f32);
  /// Holds a rounded copy of `values`.
  DeviceArray(Kernels& kernels, std::span<const float> values, const Shape& shape,
              DType dtype = DType::f32);
  ~DeviceArray();
  DeviceArray(DeviceArray&& other) noexcept;
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;
  const View& view() const { return view_; }

 private:
  Kernels* kernels_;
  View view_;
};

/// A weight in the backend's memory for work outside of an executor: a copy for as long as this
/// lives where the weight is streamed, else the weight itself.
class WeightOnDevice {
 public:
  WeightOnDevice(Kernels& kernels, const Tensor& weight);
  const Tensor& operator*() const { return tensor_; }
  const Tensor* operator->() const { return &tensor_; }

 private:
  std::optional<DeviceArray> copy_;
  Tensor tensor_;
};

/// The values of a view as fp32 on the host.
std::vector<float> host_values(Kernels& kernels, const View& view);

/// Writes values from the host, rounded to the dtype of `view`.
void set_values(Kernels& kernels, std::span<const float> values, const View& view);

/// The bytes of a contiguous view on the host; Kernels::upload is the way back.
std::vector<std::byte> host_bytes(Kernels& kernels, const View& view);

/// `count` standard normals of the stream `key`, on the host.
std::vector<float> normal_values(Kernels& kernels, std::int64_t count, const RandomKey& key);

/// The same for draws of every step: the device's buffer stays and only grows.
class NormalDraws {
 public:
  std::vector<float> draw(Kernels& kernels, std::int64_t count, const RandomKey& key);

 private:
  std::optional<DeviceArray> buffer_;
};

}  // namespace mantissa
