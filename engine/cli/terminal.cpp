// Platform-specific code.
#include "engine/cli/terminal.h"

#include <cstdlib>
#include <string_view>

#ifdef _WIN32
#include <windows.h>
// after windows.h
#include <shellapi.h>
#else
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

namespace mantissa {

bool colors_wanted() {
  const char* unwanted = std::getenv("NO_COLOR");
  return unwanted == nullptr || *unwanted == '\0';
}

#ifdef _WIN32

bool is_terminal(StandardStream stream) {
  DWORD mode = 0;
  const HANDLE handle =
      GetStdHandle(stream == StandardStream::out ? STD_OUTPUT_HANDLE : STD_ERROR_HANDLE);
  if (!GetConsoleMode(handle, &mode)) {
    return false;
  }
  SetConsoleMode(handle, mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING);
  return true;
}

bool input_is_terminal() {
  DWORD mode = 0;
  return GetConsoleMode(GetStdHandle(STD_INPUT_HANDLE), &mode) != 0;
}

bool streams_are_one() {
  return is_terminal(StandardStream::out) && is_terminal(StandardStream::error);
}

int terminal_columns() {
  CONSOLE_SCREEN_BUFFER_INFO info;
  if (GetConsoleScreenBufferInfo(GetStdHandle(STD_OUTPUT_HANDLE), &info)) {
    return info.srWindow.Right - info.srWindow.Left + 1;
  }
  return 80;
}

bool terminal_shows_unicode() {
  return true;
}

bool reader_is_gone(StandardStream stream) {
  const HANDLE handle =
      GetStdHandle(stream == StandardStream::out ? STD_OUTPUT_HANDLE : STD_ERROR_HANDLE);
  return GetFileType(handle) == FILE_TYPE_PIPE;
}

std::vector<std::string> utf8_arguments(int, char**) {
  SetConsoleOutputCP(CP_UTF8);
  int count = 0;
  LPWSTR* wide = CommandLineToArgvW(GetCommandLineW(), &count);
  std::vector<std::string> arguments;
  for (int i = 1; wide != nullptr && i < count; ++i) {
    const int bytes = WideCharToMultiByte(CP_UTF8, 0, wide[i], -1, nullptr, 0, nullptr, nullptr);
    std::string text(bytes > 0 ? static_cast<std::size_t>(bytes) : 1, '\0');
    WideCharToMultiByte(CP_UTF8, 0, wide[i], -1, text.data(), bytes, nullptr, nullptr);
    text.pop_back();
    arguments.push_back(std::move(text));
  }
  LocalFree(wide);
  return arguments;
}

#else

bool is_terminal(StandardStream stream) {
  const char* term = std::getenv("TERM");
  return isatty(stream == StandardStream::out ? STDOUT_FILENO : STDERR_FILENO) == 1 &&
         !(term != nullptr && std::string_view(term) == "dumb");
}

bool input_is_terminal() {
  return isatty(STDIN_FILENO) == 1;
}

bool streams_are_one() {
  struct stat out {
  }, error{};
  return fstat(STDOUT_FILENO, &out) == 0 && fstat(STDERR_FILENO, &error) == 0 &&
         out.st_dev == error.st_dev && out.st_ino == error.st_ino;
}

int terminal_columns() {
  winsize size{};
  for (const int stream : {STDOUT_FILENO, STDERR_FILENO}) {
    if (ioctl(stream, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
      return size.ws_col;
    }
  }
  return 80;
}

bool terminal_shows_unicode() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const char* value = std::getenv(name);
    if (value != nullptr && *value != '\0') {
      const std::string_view locale(value);
      return locale.find("UTF-8") != std::string_view::npos ||
             locale.find("utf8") != std::string_view::npos;
    }
  }
  return false;
}

bool reader_is_gone(StandardStream stream) {
  pollfd file{stream == StandardStream::out ? STDOUT_FILENO : STDERR_FILENO, POLLOUT, 0};
  return poll(&file, 1, 0) == 1 && (file.revents & POLLERR) != 0;
}

std::vector<std::string> utf8_arguments(int argc, char** argv) {
  std::vector<std::string> arguments;
  for (int i = 1; i < argc; ++i) {
    arguments.emplace_back(argv[i]);
  }
  return arguments;
}

#endif

}  // namespace mantissa
