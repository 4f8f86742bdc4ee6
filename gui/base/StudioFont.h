#pragma once

#include <QFont>

namespace mantissa::gui {

/// The window's font: the desktop's own, or Inter, which the packages bring with its licence, where
/// that is only the one every Linux falls back to; of a readable size.
QFont studio_font(const QFont& desktop);

}  // namespace mantissa::gui
