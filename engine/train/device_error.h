#pragma once

#include <string>

#include "kernels/device_lost.h"

namespace mantissa {

/// The command line's exit status where a card stopped working.
inline constexpr int kDeviceLostStatus = 7;

/// What is said of a card that stopped working, and what to do.
inline std::string device_lost(const std::string& device, const std::string& reason) {
  return device + " stopped working: " + reason +
         ". This process can't use it any more: start Mantissa again and resume the run. If it "
         "happens again, look for Xid errors in the system's log and check the card's power, "
         "temperature and driver";
}

/// What run_training throws for a DeviceLost: it says all that, and where the last checkpoint is.
struct RunDeviceLost : DeviceLost {
  using DeviceLost::DeviceLost;
};

}  // namespace mantissa
