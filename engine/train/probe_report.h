#pragma once
// The conclusions from a probe's numbers. Private to the probe.

#include "engine/train/probe.h"

namespace mantissa {

constexpr double kProbeFollows = 0.02;  ///< a smaller error of the gradients needs no pin

/// What the numbers mean, and what to pin. `tried_pins`: pins were searched for.
Message probe_verdict(const ProbeReport& report, bool tried_pins);

}  // namespace mantissa
