#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <random>
#include <string>

namespace mantissa {

/// Replaces one number in a text by one at an edge.
inline void change_number(std::string& text, std::mt19937& random) {
  static const char* const kNumbers[] = {"0",
                                         "1",
                                         "-1",
                                         "4",
                                         "8",
                                         "9223372036854775807",
                                         "18446744073709551615",
                                         "18446744073709551616",
                                         "4294967296",
                                         "6148914691236517206",
                                         "1.5",
                                         "1e9"};
  const std::size_t from = text.empty() ? 0 : random() % text.size();
  const std::size_t begin = text.find_first_of("0123456789", from);
  if (begin == std::string::npos) {
    return;
  }
  const std::size_t end = text.find_first_not_of("0123456789", begin);
  text.replace(begin, (end == std::string::npos ? text.size() : end) - begin,
               kNumbers[random() % std::size(kNumbers)]);
}

/// Replaces one value in a JSON text by one of another kind.
inline void change_token(std::string& text, std::mt19937& random) {
  static const char* const kTokens[] = {
      "0",           "-1",          "1e999", "9223372036854775808",
      "1.5",         "\"\"",        "null",  "{}",
      "true",        "[]",          "[[[[",  "\"\\u0000\"",
      "\"\\ud800\"", "\"..\"",      ",",     ":",
      "}",           "\"C:\\\\x\"", "-0.0",  "4e-324",
      "\"a\\nb\""};
  const char* const token = kTokens[random() % std::size(kTokens)];
  const std::size_t from = random() % (text.size() + 1);
  const std::size_t colon = text.find(':', from);
  const std::size_t begin = colon == std::string::npos ? from : colon + 1;
  const std::size_t end = std::min(text.find_first_of(",}]", begin), text.size());
  text.replace(begin, end - begin, token);
}

/// Flips, overwrites, removes, repeats or truncates some bytes.
inline void change_bytes(std::string& bytes, std::mt19937& random) {
  if (bytes.empty()) {
    return;
  }
  // Half of the time near the beginning, where formats have their headers.
  const std::size_t range =
      random() % 2 == 0 ? std::min<std::size_t>(bytes.size(), 512) : bytes.size();
  const std::size_t at = random() % range;
  const std::size_t count = std::min<std::size_t>(1 + random() % 64, bytes.size() - at);
  switch (random() % 7) {
    case 0:
    case 1:
      bytes[at] = static_cast<char>(bytes[at] ^ 1 << random() % 8);
      break;
    case 2:
      bytes[at] = static_cast<char>(random());
      break;
    case 3:
      bytes.erase(at, count);
      break;
    case 4:
      bytes.insert(at, bytes.substr(at, count));
      break;
    case 5:
      std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(at), count,
                  random() % 2 == 0 ? '\0' : '\xff');
      break;
    default:
      bytes.resize(at);
      break;
  }
}

/// A safetensors file of a header and data, with a correct length field.
inline std::string with_length(const std::string& header, const std::string& data) {
  std::string bytes;
  for (std::size_t i = 0; i < 8; ++i) {
    bytes += static_cast<char>(static_cast<std::uint64_t>(header.size()) >> (8 * i) & 0xff);
  }
  return bytes + header + data;
}

/// Changes the header of a safetensors file with `change(header)` and corrects its length field.
template <typename Change>
void change_header(std::string& bytes, Change change) {
  std::uint64_t length = 0;
  std::memcpy(&length, bytes.data(), std::min<std::size_t>(bytes.size(), sizeof length));
  if (bytes.size() < sizeof length) {
    return;
  }
  length = std::min<std::uint64_t>(length, bytes.size() - sizeof length);
  std::string header = bytes.substr(sizeof length, static_cast<std::size_t>(length));
  change(header);
  bytes = with_length(header, bytes.substr(sizeof length + static_cast<std::size_t>(length)));
}

}  // namespace mantissa
