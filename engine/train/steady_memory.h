#pragma once

#include <cstdint>
#include <optional>

#include "engine/run/run_parts.h"

namespace mantissa {

/// Whether a run takes more memory of its devices once its steps have begun.
class SteadyMemory {
 public:
  explicit SteadyMemory(const RunParts& parts) : parts_(parts) {}
  /// From here on nothing should be taken.
  void begin();
  /// No promise any more: settings were changed during the run.
  void allow() { taken_.reset(); }
  /// At the end of the steps, logs whether it held.
  void tell() const;

 private:
  template <typename Use>
  void each_device(Use&& use) const;
  std::uint64_t allocations() const;

  RunParts parts_;
  std::optional<std::uint64_t> taken_;  ///< Kernels::allocations at the start
};

}  // namespace mantissa
