#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

namespace mantissa {

/// Called as long work advances: phase ("loading", "caching", "training", "sampling"), units done,
/// units in all. May throw to cancel.
using Progress = std::function<void(std::string_view phase, std::int64_t done, std::int64_t total)>;

}  // namespace mantissa
