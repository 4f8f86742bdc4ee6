#pragma once

#include <span>
#include <string_view>
#include <vector>

namespace mantissa {

/// A subject of `mantissa help`, which is a section of the manual too.
struct Topic {
  std::string_view name;   ///< "resume"
  std::string_view title;  ///< "Continuing a run"
  std::vector<std::string_view> paragraphs;
  /// What it lists: a name, tab, its meaning.
  std::vector<std::string_view> items{};
};

std::span<const Topic> topics();
/// Null if there is none of this name.
const Topic* find_topic(std::string_view name);

}  // namespace mantissa
