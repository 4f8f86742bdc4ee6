#pragma once
#include <string>
#include <vector>

namespace mantissa {

enum class StandardStream { out, error };

bool is_terminal(StandardStream stream);
/// Whether a person can answer on the standard input.
bool input_is_terminal();
/// Whether standard output and error are the same terminal, pipe or file.
bool streams_are_one();
/// Whether terminals are to show colours: unless NO_COLOR is set and not empty.
bool colors_wanted();
/// Width of the terminal in characters; 80 if unknown.
int terminal_columns();
/// Whether block characters show: by the locale, or always on Windows.
bool terminal_shows_unicode();
/// Whether the stream is a pipe whose reader is gone.
bool reader_is_gone(StandardStream stream);
/// Arguments after the program's name, in UTF-8. Sets a Windows console to UTF-8.
std::vector<std::string> utf8_arguments(int argc, char** argv);

}  // namespace mantissa
