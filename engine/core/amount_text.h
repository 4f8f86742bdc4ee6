#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace mantissa {

/// "7.9 GB" (powers of 1000).
std::string bytes_text(std::uint64_t bytes);
/// "1 image", "2 images": `one` with an s, or `many`, unless there is one.
std::string counted(std::int64_t count, std::string_view one, std::string_view many = {});
/// "9:27", "1:02:03"; "-" if unknown (negative or not finite).
std::string duration_text(double seconds);
/// "850 ms", "1.3 s" or "14 s": of one step.
std::string step_time_text(double seconds);
/// "3.1 it/s", or "2.4 s/it" if a unit takes longer than a second; empty while unknown.
std::string iteration_rate_text(double seconds_per_unit);

}  // namespace mantissa
