#include "engine/core/legacy_text.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace mantissa {
namespace {

/// A text in an encoding; without its tables, which a small system may lack, there is nothing to
/// test.
struct Sample {
  LegacyEncoding encoding;
  std::string bytes, text;
};

const std::vector<Sample>& samples() {
  static const std::vector<Sample> kSamples{
      {LegacyEncoding::shift_jis, "\x90\xD4\x82\xA2\x89\x7E\x94\xD5, red", "赤い円盤, red"},
      {LegacyEncoding::shift_jis, "\x95\x5C\r\n\xB1", "表\r\nｱ"},  // a backslash within a character
      {LegacyEncoding::gb18030, "\xBA\xEC\xC9\xAB\xD4\xB2\xC5\xCC", "红色圆盘"},
      {LegacyEncoding::gb18030, "\x94\x39\xDA\x33", "💩"},
      {LegacyEncoding::big5, "\xAC\xF5\xA6\xE2", "紅色"},
      {LegacyEncoding::euc_kr, "\xBB\xA1\xB0\xA3 \xBF\xF8", "빨간 원"},
      {LegacyEncoding::windows_1252, "caf\xE9 \x93x\x94", "café “x”"},
      {LegacyEncoding::windows_1251, "\xEA\xF0\xE0\xF1\xED\xFB\xE9", "красный"}};
  return kSamples;
}

TEST(LegacyText, BecomesUtf8) {
  for (const Sample& sample : samples()) {
    if (!has_legacy_encoding(sample.encoding)) {
      continue;
    }
    EXPECT_EQ(legacy_to_utf8(sample.bytes, sample.encoding), sample.text);
    EXPECT_TRUE(std::ranges::count(legacy_encodings_of(sample.bytes), sample.encoding) == 1)
        << sample.text;
  }
}

TEST(LegacyText, IsNothingWithBytesThatAreNone) {
  const std::vector<Sample> bad{{LegacyEncoding::shift_jis, "\x90", "cut"},
                                {LegacyEncoding::shift_jis, "\xFA\x20", "no second byte"},
                                {LegacyEncoding::shift_jis, "\xF0\x40", "a private character"},
                                {LegacyEncoding::gb18030, "red \xFF", "no first byte"},
                                {LegacyEncoding::euc_kr, "\xBB", "cut"},
                                {LegacyEncoding::windows_1252, "a\x81z", "unassigned"},
                                {LegacyEncoding::windows_1251, "a\x98z", "unassigned"},
                                {LegacyEncoding::windows_1252, std::string("a\0b", 3), "NUL"},
                                {LegacyEncoding::windows_1252, "a\x1b[31m", "a control character"}};
  for (const Sample& sample : bad) {
    if (has_legacy_encoding(sample.encoding)) {
      EXPECT_EQ(legacy_to_utf8(sample.bytes, sample.encoding), std::nullopt) << sample.text;
    }
  }
}

TEST(LegacyText, HasNamesForTheCommandLineAndForPeople) {
  for (const LegacyEncoding encoding : kLegacyEncodings) {
    EXPECT_EQ(legacy_encoding(legacy_name(encoding)), encoding);
    EXPECT_FALSE(legacy_title(encoding).empty());
  }
  EXPECT_EQ(legacy_encoding("list"), std::nullopt);
}

}  // namespace
}  // namespace mantissa
