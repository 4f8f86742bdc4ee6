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

}  // namespace mantissa
