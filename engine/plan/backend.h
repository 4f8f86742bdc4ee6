#pragma once

#include <memory>
#include <string>

#include "engine/precision/plan.h"
#include "kernels/kernels.h"

namespace mantissa {

/// The kernels of a device: "cpu", "cuda:0". Throws Error with the reason if the device can't be
/// used. `deterministic` restricts a card to engines that give the same bits on every run; the CPU
/// always does. `sharing`: how many processes share this machine's cores.
std::unique_ptr<Kernels> make_backend(const std::string& device, bool deterministic = true,
                                      int sharing = 1);

/// A device's facts for the precision plan. Throws like make_backend.
DeviceFacts device_facts(const std::string& device);

}  // namespace mantissa
