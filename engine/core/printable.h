#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace mantissa {

/// Untrusted text (file names, captions, keys, metadata, a library's message), made safe to show:
/// on one line, without control sequences that a terminal or viewer would interpret. Control
/// characters, line ends, bidirectional overrides, zero-width and format characters and invalid
/// UTF-8 bytes become \x1b, \u202e, \U000e0001, \xff. Everything else stays. For display only,
/// never for values used in processing (paths, keys, captions).
std::string printable(std::string_view text);
std::string printable_path(const std::filesystem::path& path);
/// Printable form of a path, the middle of a very long one elided.
std::string shortened_path(const std::filesystem::path& path);

/// Our own multi-line text made printable: line ends stay.
std::string printable_lines(std::string_view text);

/// Equivalent JSON with such characters escaped as \uXXXX.
std::string printable_json(std::string_view json);

}  // namespace mantissa
