#pragma once

#include <QString>

class QApplication;

namespace mantissa::gui {

/// Makes the program speak a language ("zh_CN", "ja"), before any window is made. Empty: the
/// system's, where there is a translation of it. False when there is none; English stays.
bool load_language(QApplication& app, const QString& language);

}  // namespace mantissa::gui
