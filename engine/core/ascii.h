#pragma once

#include <string>
#include <string_view>

namespace mantissa {

/// With ASCII's capital letters as small ones, whatever the locale; all other bytes as they are.
inline std::string lower_ascii(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return lower;
}

/// `text` without the spaces, tabs and line ends around it.
inline std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first == std::string_view::npos
             ? std::string_view()
             : text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

}  // namespace mantissa
