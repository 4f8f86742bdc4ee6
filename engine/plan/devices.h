#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/core/message.h"

namespace mantissa {

/// A device to train on, or the reason why it can't be used.
struct DeviceInfo {
  std::string id;    ///< "cpu", "cuda:0"
  std::string name;  ///< the manufacturer's name; empty: unknown
  bool usable = false;
  Message reason;                          ///< why it can't be used; empty if it can
  bool lacks_libraries = false;            ///< it can be once NVIDIA's are installed
  int threads = 0;                         ///< of a processor
  std::vector<std::string> features;       ///< instruction sets of a processor
  std::string libraries;                   ///< of a GPU: "CUDA 13.0, cuDNN 9.8, NVRTC 13.0"
  std::string compute_capability, driver;  ///< of a GPU: "9.0", "580.65"
  std::string capabilities;                ///< that the CUDA library has code for: "8.0, 9.0"
  bool compiles = false;  ///< the driver compiles that code for this card at the first start
  bool display = false;   ///< it draws the screen
  std::uint64_t memory_bytes = 0, free_bytes = 0;  ///< free 0: unknown
};

/// Every device that this machine has or could have, the processor first. The single source for
/// `mantissa devices` and the studio's device page.
std::vector<DeviceInfo> list_devices();

/// The cards that could train by what the driver says, by id and name alone. Loads none of CUDA's
/// libraries, which take hundreds of megabytes and could be missing.
std::vector<DeviceInfo> driver_cards();

}  // namespace mantissa
