#include "engine/core/printable.h"

#include <gtest/gtest.h>
#include <vector>

#include "engine/core/paths.h"

namespace mantissa {
namespace {

struct Case {
  std::string text, shown;
};

TEST(Printable, EverythingThatIsObeyedInsteadOfShownIsEscaped) {
  const std::vector<Case> cases{
      {"plain text, Grüße, 日本語, 👍🏽", "plain text, Grüße, 日本語, 👍🏽"},
      {"C:\\folder\\file.png", "C:\\folder\\file.png"},
      {"\x1b[31mred\x1b[0m", "\\x1b[31mred\\x1b[0m"},
      {std::string("a\0b", 3), "a\\x00b"},
      {"line\nbreak\r\ttab\x7f", "line\\x0abreak\\x0d\\x09tab\\x7f"},
      {"c1 \xc2\x9b"
       "31m",
       "c1 \\u009b31m"},
      {"gpj.\xe2\x80\xaexe", "gpj.\\u202exe"},
      {"\xe2\x81\xa6isolate\xe2\x81\xa9", "\\u2066isolate\\u2069"},
      {"zero\xe2\x80\x8bwidth\xef\xbb\xbf", "zero\\u200bwidth\\ufeff"},
      {"soft\xc2\xadhyphen \xd8\x9c", "soft\\u00adhyphen \\u061c"},
      {"line\xe2\x80\xa8separator", "line\\u2028separator"},
      {"tag\xf3\xa0\x81\x81", "tag\\U000e0041"},
      {"not utf-8 \xff\xc0\xaf\xed\xa0\x80.", "not utf-8 \\xff\\xc0\\xaf\\xed\\xa0\\x80."},
      {"cut \xe6\x97", "cut \\xe6\\x97"},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(printable(c.text), c.shown);
    EXPECT_EQ(printable(c.shown), c.shown) << "escaping twice changes nothing";
  }
  EXPECT_EQ(printable_lines("two\nlines\x1b"), "two\nlines\\x1b");
  EXPECT_EQ(printable_path(path_from_utf8("folder/\x07.png")), "folder/\\x07.png");
}

TEST(Printable, JsonStaysJsonOfTheSameValues) {
  EXPECT_EQ(printable_json("{\n  \"k\xe2\x80\xae\": \"\x7f \xc2\x9b \xf3\xa0\x81\x81 日本\"\n}"),
            "{\n  \"k\\u202e\": \"\\u007f \\u009b \\udb40\\udc41 日本\"\n}");
}

}  // namespace
}  // namespace mantissa
