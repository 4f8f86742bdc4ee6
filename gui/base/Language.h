#pragma once

#include <QString>

class QApplication;

namespace mantissa::gui {

/// Sets the program's language ("zh_CN", "ja"), before any window is created. Empty: the system's,
/// if translated. False if there is no translation; English stays.
bool load_language(QApplication& app, const QString& language);

}  // namespace mantissa::gui
