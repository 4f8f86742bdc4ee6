#include "engine/core/text_bounds.h"

#include <chrono>
#include <gtest/gtest.h>
#include <string>

namespace mantissa {
namespace {

constexpr TextBounds kBounds{.bytes = 1 << 20, .depth = 32, .values = 10'000};

std::string times(std::string_view text, int count) {
  std::string all;
  for (int i = 0; i < count; ++i) {
    all += text;
  }
  return all;
}

std::string broken(const std::string& text, TextForm form) {
  const auto found = broken_bound(text, form, kBounds);
  return found ? std::to_string(found->line) + ": " + found->message.text() : "";
}

TEST(TextBounds, DepthOfEveryForm) {
  const std::string deep = "this is nested deeper than 32 levels";
  for (const TextForm form : {TextForm::json, TextForm::toml, TextForm::yaml}) {
    EXPECT_EQ(broken(times("[", 32) + times("]", 32), form), "");
    EXPECT_EQ(broken(times("[", 33), form), "1: " + deep);
    EXPECT_EQ(broken("\n\n" + times("[{", 300'000), form), "3: " + deep);
    EXPECT_EQ(broken(times("[]", 5000), form), "");
  }
  EXPECT_EQ(broken("a" + times(".a", 100'000) + " = 1", TextForm::toml), "1: " + deep);
  EXPECT_EQ(broken("[a" + times(" . \"b\"", 100'000) + "]", TextForm::toml), "1: " + deep);
  EXPECT_EQ(broken("x = 1\n[[a" + times(".'b.c'", 40) + "]]", TextForm::toml), "2: " + deep);
  EXPECT_EQ(broken("a" + times(".a", 31) + " = 1.5\n[b" + times(".a", 31) + "]", TextForm::toml),
            "");
  EXPECT_EQ(broken(times("a = {", 40), TextForm::toml), "1: " + deep);
  EXPECT_EQ(broken(times("- ", 40) + "x", TextForm::yaml), "1: " + deep);
  EXPECT_EQ(broken("a: " + times("{a: ", 40), TextForm::yaml), "1: " + deep);
}

TEST(TextBounds, TextsAndCommentsNestNothing) {
  const std::string many = times("[.", 200);
  EXPECT_EQ(broken("{\"a\": \"" + many + "\\\"" + many + "\"}", TextForm::json), "");
  EXPECT_EQ(broken("a = \"" + many + "\\\"" + many + "\" # " + many, TextForm::toml), "");
  EXPECT_EQ(broken("a = '" + many + "'\nb = '''\n" + many + "\n''' # " + many, TextForm::toml), "");
  EXPECT_EQ(broken("a = \"\"\"x\"" + many + "\n" + many + "\"\"\"\"\n", TextForm::toml), "");
  EXPECT_EQ(broken("a: 'don''t " + many + "'\nb: don't " + many + "\n# " + many, TextForm::yaml),
            "");
  EXPECT_EQ(broken("a: x" + many + "\nb: it's\nc: [it's]", TextForm::yaml), "");
  // What follows a text counts again.
  EXPECT_NE(broken("a = \"\"\"x\"\"\"\"\nb = " + times("[", 40), TextForm::toml), "");
  EXPECT_NE(broken("a = \"not closed\nb = " + times("[", 40), TextForm::toml), "");
  EXPECT_NE(broken("a: 'x'\nb: " + times("[", 40), TextForm::yaml), "");
}

TEST(TextBounds, NumbersOfThings) {
  const std::string more = "this has more than 10000 values; no configuration needs so many";
  EXPECT_EQ(broken("[" + times("1,", 10'000) + "1]", TextForm::json), "");
  EXPECT_EQ(broken("[" + times("1,\n", 10'001), TextForm::json), "10001: " + more);
  EXPECT_EQ(broken(times("a=1\n", 10'001), TextForm::toml), "10001: " + more);
  EXPECT_EQ(broken(std::string((1 << 20) + 1, ' '), TextForm::json),
            "1: this has 1048577 bytes; at most 1048576 are read");
}

TEST(TextBounds, TakesOnePass) {
  const auto start = std::chrono::steady_clock::now();
  for (const TextForm form : {TextForm::json, TextForm::toml, TextForm::yaml}) {
    for (const char* part : {"[]", "\"", "'", "\"\"\"", "a.", "{a: ", "- ", "\\", "#", "''''"}) {
      broken_bound(times(part, 200'000), form, {});
    }
  }
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
}

}  // namespace
}  // namespace mantissa
