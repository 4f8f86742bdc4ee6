#pragma once

#include <chrono>
#include <optional>
#include <string>

namespace mantissa {

/// The lines of standard input, for a reader that must not wait for them for ever.
class InputLines {
 public:
  /// The next line without its end; empty if none has come after `most`; nothing at the end of the
  /// input.
  std::optional<std::string> next(std::chrono::milliseconds most);

 private:
  std::string read_;  ///< not returned yet
};

}  // namespace mantissa
