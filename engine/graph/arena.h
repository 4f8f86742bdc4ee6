#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "engine/graph/devices.h"
#include "kernels/kernels.h"

namespace mantissa {

/// The single allocation for activations; several plans may use it in turn. Of several devices:
/// one for each.
class Arena {
 public:
  explicit Arena(Kernels& kernels) : kernels_(kernels) {}
  /// `devices` must outlive this. `reserve` and `data` are those of the parts alone.
  explicit Arena(const Devices& devices);
  ~Arena();
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;
  /// Grows to at least `bytes`; may move, so existing executors must be recreated.
  void reserve(std::size_t bytes);
  std::byte* data() const { return data_; }
  std::size_t bytes() const { return bytes_; }
  /// How often it, or that of a device, was allocated.
  int moves() const;

  /// The devices that have a part each; null if there is only one.
  const Devices* devices() const { return devices_; }
  Arena& part(int device) { return *parts_[static_cast<std::size_t>(device)]; }

 private:
  Kernels& kernels_;
  std::byte* data_ = nullptr;
  std::size_t bytes_ = 0;
  int moves_ = 0;
  const Devices* devices_ = nullptr;
  std::vector<std::unique_ptr<Arena>> parts_;  ///< by device
};

}  // namespace mantissa
