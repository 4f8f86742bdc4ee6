#include "engine/core/python_int.h"

#include <gtest/gtest.h>
#include <string>

namespace mantissa {
namespace {

// What CPython 3.11 gives.
TEST(PythonInt, ReadsWhatPythonReads) {
  const std::pair<const char*, std::int64_t> numbers[] = {
      {"3", 3},
      {"010", 10},
      {"+3", 3},
      {"-3", -3},
      {"-0", 0},
      {" \t3\n", 3},
      {"\xC2\x85"
       "3\xC2\xA0",
       3},
      {"\xE3\x80\x80\xEF\xBC\x93\xE2\x80\x89", 3},  // full-width, between wide spaces
      {"+\xEF\xBC\x91\xEF\xBC\x90", 10},
      {"\xD9\xA3", 3},            // Arabic-Indic
      {"1\xF0\x9D\x9F\x98", 10},  // mathematical double-struck
      {"\xF0\x9E\x85\x89", 9},    // Nyiakeng Puachue Hmong
      {"1_000", 1000},
      {"99999999999999999999", 1'000'000'000'000'000},
      {"-99999999999999999999", -1'000'000'000'000'000}};
  for (const auto& [text, value] : numbers) {
    EXPECT_EQ(python_int(text), value) << text;
  }
}

TEST(PythonInt, RefusesWhatPythonRefuses) {
  const std::string others[] = {"",
                                " ",
                                "+",
                                "-",
                                "+-3",
                                "--3",
                                "+ 3",
                                "3.0",
                                "0x3",
                                "1e3",
                                "_3",
                                "3_",
                                "1__0",
                                "1 0",
                                "\x1c"
                                "3",
                                "\xE2\x88\x92"
                                "3",  // U+2212, a minus sign
                                "\xC2\xB2",
                                "\xE2\x80\x8B"
                                "3",  // superscript, zero width
                                "\xEF\xBC\x8B"
                                "3",
                                "\xFF"
                                "3",
                                std::string("3\0", 2),
                                "cat"};
  for (const std::string& text : others) {
    EXPECT_EQ(python_int(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace mantissa
