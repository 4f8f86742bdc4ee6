#include "gui/desktop/StartFailure.h"

#include <QString>
#include <cstdio>
#ifdef Q_OS_WIN
#include <windows.h>
#endif

namespace mantissa::gui {

void tell_start_failure(const std::string& text) {
#ifdef Q_OS_WIN
  const HANDLE error = GetStdHandle(STD_ERROR_HANDLE);
  if (error == nullptr || error == INVALID_HANDLE_VALUE ||
      GetFileType(error) == FILE_TYPE_UNKNOWN) {
    MessageBoxW(nullptr, QString::fromStdString(text).toStdWString().c_str(), L"Mantissa",
                MB_OK | MB_ICONERROR);
    return;
  }
#endif
  std::fprintf(stderr, "mantissa-studio: %s\n", text.c_str());
}

}  // namespace mantissa::gui
