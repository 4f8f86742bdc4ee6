#pragma once

#include <vector>

#include "engine/graph/device_values.h"
#include "engine/run/run_parts.h"

namespace mantissa {

/// A step's gradients, summed over its micro-steps (gradient_copies): each starts from zeroed
/// buffers and is then added, or the backward passes accumulate in place.
class GradientSum {
 public:
  explicit GradientSum(const RunParts& parts) : parts_(parts) {}

  /// Whether micro-steps are added one by one.
  bool separate() const;
  /// At the start of a step: zeroes the adapters' gradients.
  void begin();
  /// After a micro-step: the adapters' gradients become the sum so far.
  void add();
  /// Before another micro-step of the step.
  void next();

 private:
  RunParts parts_;
  bool first_ = true;
  std::vector<DeviceArray> sums_;  ///< by buffer of the adapters
};

}  // namespace mantissa
