#pragma once

#include "engine/core/message.h"

namespace mantissa::gui {

/// The message with the window's advice in place of the command line's, within its values too:
/// "Resume continues it" for "continue with --resume {folder}". Other messages stay.
Message in_window_words(const Message& message);

}  // namespace mantissa::gui
