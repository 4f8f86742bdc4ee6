#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace mantissa {

/// A stretch of a caption and how much it counts.
struct WeightedText {
  std::string text;
  float weight = 1;
  bool operator==(const WeightedText&) const = default;
};

/// Emphasis as most programs write it (models.md c.5): (x) counts 1.1 times, [x] 1/1.1 times,
/// (x:1.3) 1.3 times; nested ones multiply; \( \) \[ \] and \\ are the characters themselves. A
/// bracket without its partner counts to the end, or is text where it closes nothing.
std::vector<WeightedText> parse_emphasis(std::string_view caption);

}  // namespace mantissa
