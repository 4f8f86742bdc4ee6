#pragma once
// Numbers of settings, as JSON and in messages.

#include <nlohmann/json.hpp>

#include "engine/core/message.h"

namespace mantissa::value_io {

/// Whole numbers are written without a fraction: 16, not 16.0.
nlohmann::json number_to_json(double value);

/// "a whole number from 1 to 1024".
Message whole_number(double min, double max);

}  // namespace mantissa::value_io
