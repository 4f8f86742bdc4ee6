#pragma once

#include <QString>

namespace mantissa::gui {

/// Shows a folder, or the one that a file is in, in the desktop's program for that. Returns why it
/// can't, as a sentence; empty: it was asked to.
QString open_folder(const QString& path);

}  // namespace mantissa::gui
