// Regular expressions of PEFT's configs, as Python's re.match reads them.
#include "engine/io/python_expression.h"

#include <gtest/gtest.h>

#include "tests/test_util.h"

namespace mantissa {
namespace {

bool matches(const std::string& expression, std::string_view text) {
  return PythonExpression(expression, "config.json").matches(text);
}

TEST(PythonExpressionTest, MatchesFromTheStart) {
  EXPECT_TRUE(matches("(.*\\.)?(attn[12]\\.to_k)$", "down.0.attn1.to_k"));
  EXPECT_FALSE(matches("(.*\\.)?(attn[12]\\.to_k)$", "down.0.xattn1.to_k"));
  EXPECT_FALSE(matches("(.*\\.)?(attn[12]\\.to_k)$", "down.0.attn1.to_k.x"));
  EXPECT_TRUE(matches("(.*\\.)?(a|b.*c)$", "x.bzzc"));
  EXPECT_FALSE(matches("attn", "down.attn"));
  EXPECT_TRUE(matches("(.*\\.)?((?P<side>up|down)\\.\\d+)$", "x.down.12"));
  EXPECT_TRUE(matches("(.*\\.)?((?!to_q)to_\\w)$", "x.to_k"));
  EXPECT_FALSE(matches("(.*\\.)?((?!to_q)to_\\w)$", "x.to_q"));
}

TEST(PythonExpressionTest, RefusesByFileWhatIsNoneOrNeverEnds) {
  test::expect_error_with([] { matches("(a", "a"); }, {"config.json", "(a", "invalid"});
  const std::string text(64, 'a');
  test::expect_error_with([&] { matches("(a+)+$", text + "b"); },
                          {"config.json", "(a+)+$", "too many steps"});
  test::expect_error_with([] { matches(std::string(5000, 'a'), "a"); }, {"5000"});
}

}  // namespace
}  // namespace mantissa
