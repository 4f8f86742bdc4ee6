#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/kernels.h"

namespace mantissa {

/// Device by the path of a tensor, or of a module for all below it that aren't named themselves.
using DevicePlaces = std::map<std::string, int, std::less<>>;

/// The devices that one process divides a model's layers among, and which has what.
class Devices {
 public:
  /// `kernels` must outlive this; none for planning.
  Devices(std::vector<Kernels*> kernels, DevicePlaces places)
      : kernels_(std::move(kernels)), places_(std::move(places)) {}

  int count() const { return static_cast<int>(kernels_.size()); }
  Kernels& kernels(int device) const { return *kernels_[static_cast<std::size_t>(device)]; }
  /// The device of a tensor or module; 0 if neither it nor a module around it is named.
  int of(std::string_view path) const;

 private:
  std::vector<Kernels*> kernels_;
  DevicePlaces places_;
};

}  // namespace mantissa
