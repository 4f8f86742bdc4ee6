#pragma once
// Numbers as people type them.

#include <QString>
#include <cstdint>
#include <optional>

namespace mantissa::gui {

/// A finite number: 0.5, 3.5e-4, 12,000, and with a decimal comma where it can't separate
/// thousands: 0,5 and 3,5e-4. Empty for another text.
std::optional<double> read_number(const QString& text);
/// A whole number, 2,500 and 1e6 too; empty for another text, and beyond 64 bits.
std::optional<std::int64_t> read_whole_number(const QString& text);

}  // namespace mantissa::gui
