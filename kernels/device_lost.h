#pragma once

#include <stdexcept>

namespace mantissa {

/// A device stopped working, or this process can't use it any more: every later call fails too.
struct DeviceLost : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace mantissa
