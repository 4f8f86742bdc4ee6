#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace mantissa {

/// A span of a caption and its weight.
struct WeightedText {
  std::string text;
  float weight = 1;
  bool operator==(const WeightedText&) const = default;
};

/// The usual emphasis syntax: (x) weighs 1.1, [x] 1/1.1, (x:1.3) 1.3; nested ones
/// multiply; \( \) \[ \] and \\ are literal characters. An unclosed bracket extends to the end; an
/// unopened one is text.
std::vector<WeightedText> parse_emphasis(std::string_view caption);

}  // namespace mantissa
