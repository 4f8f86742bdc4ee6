#pragma once

class QPalette;

namespace mantissa::gui {

/// Whether the user asked the system for dark windows. Windows says so in its settings; elsewhere
/// the palette that the program starts with is dark.
bool system_prefers_dark(const QPalette& palette);

}  // namespace mantissa::gui
