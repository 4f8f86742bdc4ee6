#include "engine/core/python_int.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "engine/core/utf8.h"

namespace mantissa {
namespace {

constexpr std::int64_t kMost = 1'000'000'000'000'000;

/// The zeros of Unicode's decimal digits (category Nd); the nine others follow each.
constexpr std::array<char32_t, 66> kZeros{
    0x0030,  0x0660,  0x06F0,  0x07C0,  0x0966,  0x09E6,  0x0A66,  0x0AE6,  0x0B66,  0x0BE6,
    0x0C66,  0x0CE6,  0x0D66,  0x0DE6,  0x0E50,  0x0ED0,  0x0F20,  0x1040,  0x1090,  0x17E0,
    0x1810,  0x1946,  0x19D0,  0x1A80,  0x1A90,  0x1B50,  0x1BB0,  0x1C40,  0x1C50,  0xA620,
    0xA8D0,  0xA900,  0xA9D0,  0xA9F0,  0xAA50,  0xABF0,  0xFF10,  0x104A0, 0x10D30, 0x11066,
    0x110F0, 0x11136, 0x111D0, 0x112F0, 0x11450, 0x114D0, 0x11650, 0x116C0, 0x11730, 0x118E0,
    0x11950, 0x11C50, 0x11D50, 0x11DA0, 0x16A60, 0x16AC0, 0x16B50, 0x1D7CE, 0x1D7D8, 0x1D7E2,
    0x1D7EC, 0x1D7F6, 0x1E140, 0x1E2F0, 0x1E950, 0x1FBF0};

/// Code points of well-formed UTF-8.
std::vector<char32_t> code_points(std::string_view text) {
  std::vector<char32_t> points;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte & 0xC0) == 0x80) {
      points.back() = (points.back() << 6) | (byte & 0x3F);
    } else {
      points.push_back(byte < 0x80   ? byte
                       : byte < 0xE0 ? byte & 0x1F
                       : byte < 0xF0 ? byte & 0x0F
                                     : byte & 0x07);
    }
  }
  return points;
}

std::optional<int> digit(char32_t point) {
  const auto above = std::ranges::upper_bound(kZeros, point);
  if (above == kZeros.begin() || point - *(above - 1) > 9) {
    return std::nullopt;
  }
  return static_cast<int>(point - *(above - 1));
}

/// What int() strips: of ASCII's, not the separators U+001C to U+001F.
bool is_space(char32_t point) {
  return (point >= 0x09 && point <= 0x0D) || point == 0x20 || point == 0x85 || point == 0xA0 ||
         point == 0x1680 || (point >= 0x2000 && point <= 0x200A) || point == 0x2028 ||
         point == 0x2029 || point == 0x202F || point == 0x205F || point == 0x3000;
}

}  // namespace

std::optional<std::int64_t> python_int(std::string_view text) {
  if (utf8_error_offset(text) != std::string_view::npos) {
    return std::nullopt;
  }
  const std::vector<char32_t> points = code_points(text);
  std::size_t begin = 0, end = points.size();
  while (begin < end && is_space(points[begin])) {
    ++begin;
  }
  while (end > begin && is_space(points[end - 1])) {
    --end;
  }
  const bool negative = begin < end && points[begin] == U'-';
  begin += negative || (begin < end && points[begin] == U'+') ? 1 : 0;
  std::int64_t value = 0;
  for (std::size_t i = begin; i < end; ++i) {
    const std::optional<int> next = digit(points[i]);
    // Python takes single underscores between digits.
    if (!next && points[i] == U'_' && i > begin && i + 1 < end && digit(points[i - 1])) {
      continue;
    }
    if (!next) {
      return std::nullopt;
    }
    value = std::min(10 * value + *next, kMost);
  }
  if (begin == end) {
    return std::nullopt;
  }
  return negative ? -value : value;
}

}  // namespace mantissa
