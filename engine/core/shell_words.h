#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

namespace mantissa {

/// Whose rules a command is quoted by.
enum class Shell { posix, windows };

/// The shells of this system.
#ifdef _WIN32
inline constexpr Shell kOwnShell = Shell::windows;
#else
inline constexpr Shell kOwnShell = Shell::posix;
#endif

/// A word as one types it, in quotes where a shell would take it apart or replace some of it. Those
/// of Windows are double ones, which cmd and PowerShell both know: no quotes keep cmd from %NAME%.
std::string shell_word(std::string_view word, Shell shell = kOwnShell);
/// Words as a command, each quoted where it has to be.
std::string shell_command(std::initializer_list<std::string_view> words, Shell shell = kOwnShell);

}  // namespace mantissa
