#pragma once

#include <span>
#include <string_view>

namespace mantissa {

/// A call of a command, for its help and the manual. A test parses each.
struct Example {
  std::string_view command;  ///< "presets import"
  std::string_view call;     ///< what follows the program's name
  std::string_view what;
};

std::span<const Example> examples();

}  // namespace mantissa
