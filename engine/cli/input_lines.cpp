#include "engine/cli/input_lines.h"

#include <array>
#include <cerrno>

#ifdef _WIN32
#include <windows.h>
#else
#include <poll.h>
#include <unistd.h>
#endif

namespace mantissa {
namespace {

using Piece = std::array<char, 4096>;

#ifdef _WIN32

/// Bytes read; 0 if none came, -1 at the end.
int read_input(Piece& piece, std::chrono::milliseconds most) {
  const HANDLE input = GetStdHandle(STD_INPUT_HANDLE);
  const ULONGLONG until = GetTickCount64() + static_cast<ULONGLONG>(most.count());
  DWORD there = 0, got = 0;
  while (PeekNamedPipe(input, nullptr, 0, nullptr, &there, nullptr) != 0 && there == 0) {
    if (GetTickCount64() >= until) {
      return 0;
    }
    Sleep(10);
  }
  const bool read =
      there > 0 && ReadFile(input, piece.data(), static_cast<DWORD>(piece.size()), &got, nullptr);
  return read && got > 0 ? static_cast<int>(got) : -1;
}

#else

/// Bytes read; 0 if none came, -1 at the end.
int read_input(Piece& piece, std::chrono::milliseconds most) {
  pollfd input{STDIN_FILENO, POLLIN, 0};
  if (poll(&input, 1, static_cast<int>(most.count())) <= 0) {
    return 0;  // also when a signal came
  }
  const ssize_t got = read(STDIN_FILENO, piece.data(), piece.size());
  return got > 0 ? static_cast<int>(got) : got < 0 && errno == EINTR ? 0 : -1;
}

#endif

}  // namespace

std::optional<std::string> InputLines::next(std::chrono::milliseconds most) {
  const auto first_line = [this]() -> std::optional<std::string> {
    const std::size_t end = read_.find('\n');
    if (end == std::string::npos) {
      return std::nullopt;
    }
    std::string line = read_.substr(0, end);
    read_.erase(0, end + 1);
    return line;
  };
  if (const auto line = first_line()) {
    return line;
  }
  Piece piece{};
  const int got = read_input(piece, most);
  if (got < 0) {
    return std::nullopt;
  }
  read_.append(piece.data(), static_cast<std::size_t>(got));
  return first_line().value_or("");
}

}  // namespace mantissa
