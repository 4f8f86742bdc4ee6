#pragma once

#include <span>
#include <string>
#include <string_view>

namespace mantissa {

/// A call of a command, for its help and the manual. A test parses each.
struct Example {
  std::string_view command;    ///< "presets import"
  std::string_view arguments;  ///< what follows the command; may be empty
  std::string_view what;

  /// What follows the program's name.
  std::string call() const;
};

std::span<const Example> examples();

}  // namespace mantissa
