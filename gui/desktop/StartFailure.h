#pragma once

#include <string>

namespace mantissa::gui {

/// Tells why the studio can't start: on standard error, and on Windows, where a program started by
/// a click has none, in a box of its own.
void tell_start_failure(const std::string& text);

}  // namespace mantissa::gui
