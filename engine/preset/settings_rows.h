#pragma once
// The rows of the schema table by section.
// Private to engine/preset.

#include "engine/preset/value_io.h"

namespace mantissa {

inline constexpr double kMaxSteps = 10'000'000;
// The largest whole number that every JSON reader keeps exactly.
inline constexpr double kMaxSeed = 9007199254740991.0;

std::span<const Setting> about_rows();
std::span<const Setting> model_rows();
std::span<const Setting> adapter_rows();
std::span<const Setting> precision_rows();
std::span<const Setting> data_rows();
std::span<const Setting> training_rows();
std::span<const Setting> optimizer_rows();
std::span<const Setting> schedule_rows();
std::span<const Setting> output_rows();
std::span<const Setting> samples_rows();

}  // namespace mantissa
