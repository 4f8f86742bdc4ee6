#pragma once

#include <QString>

#include "engine/core/message.h"

namespace mantissa::gui {

/// A path as a line of the log has room for it: of a long one the beginning and the last two names.
QString shortened_path(const QString& path);

/// A message of the log as a sentence, with whole paths and the keys of settings.
QString whole_log_text(const Message& message);
/// A message of the log as a sentence, with short paths and the window's names for settings.
QString short_log_text(const Message& message);

}  // namespace mantissa::gui
