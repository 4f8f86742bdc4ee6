#include "engine/data/captions.h"

#include <gtest/gtest.h>

#include "engine/core/error.h"

namespace mantissa {
namespace {

using namespace std::string_literals;

TEST(Captions, Decodes) {
  const std::pair<std::string, std::string> good[] = {
      {"a cat", "a cat"},
      {"", ""},
      {"\xEF\xBB\xBF", ""},
      {"\xEF\xBB\xBF"
       "a cat\r\n",
       "a cat"},
      {"a\r\nb\rc\n\n", "a\nb\nc"},
      {" \t a  b \n", "a  b"},
      {"naïve café 日本語 👍", "naïve café 日本語 👍"},
      {"\xFF\xFE"
       "a\0 \0\xE9\0"s,
       "a é"},
      {"\xFE\xFF\0a\0 \0\xE9"s, "a é"},
      {"\xFF\xFE\x3D\xD8\x4D\xDC"s, "👍"},
      {"\xFE\xFF\xD8\x3D\xDC\x4D\x65\xE5\0\r\0\n"s, "👍日"},
      {"\xFF\xFE"s, ""},
  };
  for (const auto& [bytes, text] : good) {
    const DecodedCaption c = decode_caption(bytes);
    EXPECT_EQ(c.text, text);
    const bool utf16 = bytes.starts_with("\xFF\xFE") || bytes.starts_with("\xFE\xFF");
    EXPECT_EQ(!c.notice.empty(), utf16);
  }
}

TEST(Captions, Refuses) {
  const std::pair<std::string, std::string> bad[] = {
      {"a\0b"s, "NUL"},
      {"a\xFFz", "UTF-8 at byte 1"},
      {"caf\xE9 noir", "UTF-8 at byte 3"},           // Latin-1
      {"\xC0\xAF", "UTF-8 at byte 0"},               // overlong
      {"\xED\xA0\x80", "UTF-8 at byte 0"},           // surrogate
      {"\xF5\x80\x80\x80", "UTF-8 at byte 0"},       // above U+10FFFF
      {"ok \xE6\x97", "UTF-8 at byte 3"},            // cut
      {"a\0b\0"s, "NUL"},                            // UTF-16 without BOM
      {"\xFF\xFE\x3D\xD8"s, "UTF-16 at byte 2"},     // high surrogate alone
      {"\xFF\xFE\x4D\xDC"s, "UTF-16 at byte 2"},     // low surrogate alone
      {"\xFF\xFE\x3D\xD8z\0"s, "UTF-16 at byte 2"},  // high, then no low
      {"\xFF\xFE"
       "a"s,
       "cut"},
      {"\xFF\xFE\0\0a\0\0\0"s, "NUL"},  // UTF-32
      {std::string(kMaxCaptionBytes + 1, 'a'), "64 KB"},
  };
  for (const auto& [bytes, reason] : bad) {
    try {
      decode_caption(bytes);
      ADD_FAILURE() << reason;
    } catch (const Error& e) {
      EXPECT_NE(std::string(e.what()).find(reason), std::string::npos) << e.what();
    }
  }
  EXPECT_EQ(decode_caption(std::string(kMaxCaptionBytes, 'a')).text.size(), kMaxCaptionBytes);
}

}  // namespace
}  // namespace mantissa
