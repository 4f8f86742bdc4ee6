#pragma once
// Transfers of values to and from a backend's memory.

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

/// Memory of a backend for one packed tensor at a time: kept, and only ever larger.
class DeviceRoom {
 public:
  /// Valid until the next call. Contents are undefined.
  View of(Kernels& kernels, const Shape& shape, DType dtype = DType::f32);

 private:
  Kernels* owner_ = nullptr;
  std::optional<DeviceArray> bytes_;
};

/// A weight in the backend's memory for work outside an executor: a copy for this object's lifetime
/// if the weight is streamed, else the weight itself.
class WeightOnDevice {
 public:
  WeightOnDevice(Kernels& kernels, const Tensor& weight);
  const Tensor& operator*() const { return tensor_; }
  const Tensor* operator->() const { return &tensor_; }

 private:
  std::optional<DeviceArray> copy_;
  Tensor tensor_;
};

/// Copies packed values from one backend's memory to another's: through page-locked memory of the
/// host where neither is the host.
class DeviceLink {
 public:
  DeviceLink() = default;
  ~DeviceLink();
  DeviceLink(const DeviceLink&) = delete;
  DeviceLink& operator=(const DeviceLink&) = delete;
  /// After all work launched on `from`; both views have the same size and dtype.
  void send(Kernels& from, const View& in, Kernels& to, const View& out);

 private:
  void* room(Kernels& kernels, std::size_t bytes);
  Kernels* owner_ = nullptr;
  void* memory_ = nullptr;
  std::size_t bytes_ = 0;
};

/// The values of a view as fp32 on the host.
std::vector<float> host_values(Kernels& kernels, const View& view);

/// Writes values from the host, rounded to the dtype of `view`.
void set_values(Kernels& kernels, std::span<const float> values, const View& view);

/// The bytes of a contiguous view on the host; Kernels::upload is the inverse.
std::vector<std::byte> host_bytes(Kernels& kernels, const View& view);

/// `count` standard normals of the stream `key`, on the host: Kernels::draw_normal.
std::vector<float> normal_values(Kernels& kernels, std::int64_t count, const RandomKey& key);

}  // namespace mantissa
