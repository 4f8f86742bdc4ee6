#pragma once

#include <ostream>
#include <vector>

#include "engine/precision/health.h"

namespace mantissa {

/// The layers that lose most in the latest statistics, and in the stored weights.
void print_health_summary(std::ostream& out, const std::vector<HealthRecord>& records);

/// Every number of every tensor, one per line.
void print_health_csv(std::ostream& out, const std::vector<HealthRecord>& records);

}  // namespace mantissa
