#include "engine/core/shell_words.h"

#include <gtest/gtest.h>

namespace mantissa {
namespace {

TEST(ShellWords, AreQuotedAsPosixShellsTakeThemApart) {
  const auto word = [](const char* text) { return shell_word(text, Shell::posix); };
  EXPECT_EQ(word("/home/a/lora-1.safetensors"), "/home/a/lora-1.safetensors");
  EXPECT_EQ(word("/home/ä/猫.safetensors"), "/home/ä/猫.safetensors");
  EXPECT_EQ(word("my lora.safetensors"), "'my lora.safetensors'");
  EXPECT_EQ(word("it's.safetensors"), "'it'\\''s.safetensors'");
  EXPECT_EQ(word("a$HOME`b`\"c\"\\"), "'a$HOME`b`\"c\"\\'");
  EXPECT_EQ(word("lora(1)&more;#x"), "'lora(1)&more;#x'");
  EXPECT_EQ(word("~/lora"), "'~/lora'") << "the path was resolved before";
  EXPECT_EQ(word(""), "''");
}

TEST(ShellWords, AreQuotedAsProgramsOfWindowsTakeThemApart) {
  const auto word = [](const char* text) { return shell_word(text, Shell::windows); };
  EXPECT_EQ(word("C:\\loras\\one.safetensors"), "C:\\loras\\one.safetensors");
  EXPECT_EQ(word("C:\\my loras\\"), "\"C:\\my loras\\\\\"") << "else the quote would be escaped";
  EXPECT_EQ(word("it's.safetensors"), "\"it's.safetensors\"") << "PowerShell quotes with them";
  EXPECT_EQ(word("a&b(1).safetensors"), "\"a&b(1).safetensors\"");
  EXPECT_EQ(word("say \"x\""), "\"say \\\"x\\\"\"");
  EXPECT_EQ(word(""), "\"\"");
}

TEST(ShellWords, MakeACommand) {
  EXPECT_EQ(shell_command({"mantissa", "resize", "my lora", "--rank", "4"}, Shell::posix),
            "mantissa resize 'my lora' --rank 4");
}

}  // namespace
}  // namespace mantissa
