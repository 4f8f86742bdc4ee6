#pragma once

#include <QFont>

namespace mantissa::gui {

/// The window's font: the desktop's own, or Inter, which the packages bring with its licence, where
/// that is only the one every Linux falls back to; of a readable size.
QFont studio_font(const QFont& desktop);

/// The desktop's font of equal widths, by its own name: asked for as "monospace", Qt takes another
/// one for the digits beside Chinese and Japanese characters.
QFont fixed_font();

}  // namespace mantissa::gui
