#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace mantissa {

/// Text from outside (names of files, captions, keys, metadata, a library's message) as it may be
/// shown: on one line, and without anything that a terminal or a reader obeys instead of showing.
/// Control characters, line ends, bidirectional overrides, zero-width and format characters and
/// bytes that are no UTF-8 become \x1b, \u202e, \U000e0001, \xff. Everything else stays. What is
/// shown goes through here; what is computed with (paths, keys, captions) does not.
std::string printable(std::string_view text);
std::string printable_path(const std::filesystem::path& path);

/// The same for text of several lines of our own: line ends stay.
std::string printable_lines(std::string_view text);

/// Valid JSON of the same values, in which such characters are written as JSON's \uXXXX.
std::string printable_json(std::string_view json);

}  // namespace mantissa
