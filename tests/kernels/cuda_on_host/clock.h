#pragma once

#include <chrono>

namespace cuda_on_host {

/// The card's clock, which events read: it runs only while work pretends to take time, so that what
/// is measured doesn't depend on the machine's load.
void pass_time(std::chrono::microseconds time);

}  // namespace cuda_on_host
