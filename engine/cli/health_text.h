#pragma once

#include <ostream>
#include <vector>

#include "engine/precision/health.h"

namespace mantissa {

/// The layers that lose most in the newest look at them, and in the stored weights.
void print_health_summary(std::ostream& out, const std::vector<HealthRecord>& records);

/// Every number of every tensor, one a line.
void print_health_csv(std::ostream& out, const std::vector<HealthRecord>& records);

}  // namespace mantissa
