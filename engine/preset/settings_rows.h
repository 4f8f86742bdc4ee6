#pragma once
// The rows of the schema table by section.
// Private to engine/preset.

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

#include "engine/preset/value_io.h"

namespace mantissa {

inline constexpr double kMaxSteps = 10'000'000;
inline constexpr double kMaxEpochs = 100'000;
// The largest integer that every JSON reader represents exactly.
inline constexpr double kMaxSeed = 9007199254740991.0;

/// Text as a template argument.
template <std::size_t N>
struct FixedText {
  char text[N];
  consteval FixedText(const char (&literal)[N]) : text{} {  // NOLINT: for literals
    std::copy(literal, literal + N, text);
  }
};
/// The values of a Condition, as many as it needs: {"adapter.type", one_of<"lora", "dora">}.
template <FixedText... values>
inline constexpr std::array<std::string_view, sizeof...(values)> one_of{
    std::string_view(values.text, sizeof(values.text) - 1)...};

std::span<const Setting> about_rows();
std::span<const Setting> model_rows();
std::span<const Setting> adapter_rows();
std::span<const Setting> precision_rows();
std::span<const Setting> data_rows();
std::span<const Setting> training_rows();
std::span<const Setting> slider_rows();
std::span<const Setting> distilled_rows();
std::span<const Setting> embedding_rows();
std::span<const Setting> optimizer_rows();
std::span<const Setting> schedule_rows();
std::span<const Setting> output_rows();
std::span<const Setting> samples_rows();

}  // namespace mantissa
