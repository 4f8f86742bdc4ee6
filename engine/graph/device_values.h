#pragma once
// defines: DeviceArray, host_values, set_values, host_bytes, normal_values: how values get into a
// backend's memory and out of it

#include <cstddef>
#include <span>
#include <vector>

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

/// The values of a view as fp32 on the host.
std::vector<float> host_values(Kernels& kernels, const View& view);

/// Writes values from the host, rounded to the dtype of `view`.
void set_values(Kernels& kernels, std::span<const float> values, const View& view);

/// The bytes of a contiguous view on the host; Kernels::upload is the way back.
std::vector<std::byte> host_bytes(Kernels& kernels, const View& view);

/// `count` standard normals of the stream `key`, on the host.
std::vector<float> normal_values(Kernels& kernels, std::int64_t count, const RandomKey& key);

}  // namespace mantissa
