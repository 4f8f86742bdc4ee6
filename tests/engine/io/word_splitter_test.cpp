#include "engine/io/word_splitter.h"

#include <gtest/gtest.h>

#include "engine/io/word_expression.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {

using Words = std::vector<std::string>;

Words words(const std::vector<std::string>& expressions, const std::string& text) {
  Words result;
  WordSplitter(expressions, "'t.json'").split(text, [&](std::string_view word) {
    result.emplace_back(word);
  });
  return result;
}

TEST(WordSplitter, MatchesAndWhatLiesBetween) {
  EXPECT_EQ(words({}, "a b"), (Words{"a b"}));
  EXPECT_EQ(words({"\\d"}, ""), Words());
  EXPECT_EQ(words({"\\d"}, "12a3b"), (Words{"1", "2", "a", "3", "b"}));
  EXPECT_EQ(words({"\\d+", "b"}, "12ab3"), (Words{"12", "a", "b", "3"}));
  EXPECT_EQ(words({"(?=\\p{Lu})"}, "aBCd\u00c9"), (Words{"a", "B", "Cd", "\u00c9"}));
  EXPECT_EQ(words({"x*"}, "axxb"), (Words{"a", "xx", "b"}));
}

TEST(WordSplitter, WhiteSpaceIsUnicodes) {
  EXPECT_EQ(words({"\\s+"}, "a\u0085\u3000\u2028b\u180ec\u200bd"),
            (Words{"a", "\u0085\u3000\u2028", "b\u180ec\u200bd"}));
  EXPECT_EQ(words({"[^\\s]+"}, "a\u180eb c"), (Words{"a\u180eb", " ", "c"}));
  EXPECT_EQ(words({"[\\S]+"}, "a\u180eb c"), (Words{"a\u180eb", " ", "c"}));
}

TEST(WordSplitter, CaseIsFolded) {
  EXPECT_EQ(words({"(?i:'s|'ll)"}, "a'Sb'\u017fc'lL"),
            (Words{"a", "'S", "b", "'\u017f", "c", "'lL"}));
}

TEST(WordSplitter, WhatPcre2ReadsDifferentlyIsNamed) {
  const struct {
    const char *expression, *found;
    int place;
  } cases[] = {
      {"a^", "^", 1},           {"a$", "$", 1},           {"\\h", "\\h", 0},
      {"\\v", "\\v", 0},        {"\\w", "\\w", 0},        {"\\b", "\\b", 0},
      {"[\\w]", "\\w", 1},      {"\\R", "\\R", 0},        {"a\\K", "\\K", 1},
      {"\\1", "\\1", 0},        {"\\x41", "\\x", 0},      {"\\", "\\", 0},
      {"\\p{Han}", "\\p{H", 0}, {"\\pL", "\\p", 0},       {"\\p{L&}", "\\p{L", 0},
      {"[a[b]]", "[b", 2},      {"[[:alpha:]]", "[:", 1}, {"[a&&b]", "&&", 2},
      {"[]a]", "]", 1},         {"[^]a]", "]", 2},        {"a{,3}", "{,", 1},
      {"a{2}+", "{2}+", 1},     {"a{2}?", "{2}?", 1},     {"a{x}", "{x", 1},
      {"(?i)a", "(?i", 0},      {"(?m:a)", "(?m", 0},     {"(*UTF)a", "(*U", 0},
      {"(?<n>a)", "(?<", 0},    {"(?i:[a])", "[", 4},     {"(?i:ss)", "ss", 4},
      {"(?i:a|Fi)", "Fi", 6},   {"(?i:\u00e9)", "", 4},   {"(?i:\\p{Lu})", "\\p{L", 4},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.expression);
    test::expect_error_with([&] { words({c.expression}, "a"); },
                            {"'t.json'", std::string("'") + c.expression + "'", c.found,
                             "at byte " + std::to_string(c.place)});
  }
  EXPECT_EQ(pcre2_expression("(?i:a(b|c))[\\s\\-a]ss", "x"), "(?i:a(b|c))[\\p{White_Space}\\-a]ss");
}

TEST(WordSplitter, InvalidExpressionsAreNamed) {
  for (const char* text : {"(", "a)", "[a", "a**", "*a", "(?<=a+)b", "[b-a]", "[", "(?:", "\\p{Xx}",
                           "\\p{Xq}", "a{99999}", "a{3,2}"}) {
    SCOPED_TRACE(text);
    test::expect_error_with([&] { words({text}, "a"); }, {"'t.json'", text, "invalid"});
  }
  test::expect_error_with([&] { words({std::string(5000, 'a')}, "a"); }, {"5000", "4096"});
  test::expect_error_with([&] { words(std::vector<std::string>(17, "a"), "a"); }, {"17", "16"});
  test::expect_error_with([&] { words({std::string(1000, '(') + std::string(1000, ')')}, "a"); },
                          {"invalid"});
}

TEST(WordSplitter, BacktrackingWithoutBoundEnds) {
  test::expect_error_with([&] { words({"(?:(?:a|b|ab)+)+[cd]"}, std::string(200, 'a')); },
                          {"'t.json'", "can't split"});
}

}  // namespace
}  // namespace mantissa
