#include "gui/desktop/StayAwake.h"

#ifdef _WIN32
#include <windows.h>
#endif

namespace mantissa::gui {

void StayAwake::hold(bool awake) {
  if (awake == held_) {
    return;
  }
  held_ = awake;
#ifdef _WIN32
  SetThreadExecutionState(awake ? ES_CONTINUOUS | ES_SYSTEM_REQUIRED : ES_CONTINUOUS);
#endif
}

}  // namespace mantissa::gui
