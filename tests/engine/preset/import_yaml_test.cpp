#include "engine/preset/import_yaml.h"

#include <chrono>
#include <fmt/format.h>

#include "tests/engine/preset/import_samples.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {

using testing::HasSubstr;

nlohmann::json read(const std::string& text) {
  JsonNode root;
  std::vector<LineProblem> problems;
  EXPECT_TRUE(parse_yaml_text(text, root, problems)) << text;
  EXPECT_TRUE(problems.empty()) << text;
  return root.value();
}

std::string problem(const std::string& text) {
  JsonNode root;
  std::vector<LineProblem> problems;
  parse_yaml_text(text, root, problems);
  return problems.empty() ? "none"
                          : std::to_string(problems[0].line) + ": " + problems[0].message.text();
}

TEST(ImportYaml, ScalarsAreReadAsPyYamlReadsThem) {
  const nlohmann::json cases[][2] = {
      {"1", 1},           {"-12", -12},        {"1_000", 1000},      {"1.5", 1.5},
      {"1e-4", 1e-4},     {"+3", 3},           {"5.", 5.0},          {"yes", true},
      {"Off", false},     {"TRUE", true},      {"null", nullptr},    {"~", nullptr},
      {"", nullptr},      {"'1'", "1"},        {"\"yes\"", "yes"},   {"1:30", "1:30"},
      {"0x1F", "0x1F"},   {"007", "007"},      {".inf", ".inf"},     {"1e999", "1e999"},
      {"nUll", "nUll"},   {"+-5", "+-5"},      {"-", nullptr},       {"2024-05-01", "2024-05-01"},
      {"a b # c", "a b"}, {"'it''s'", "it's"}, {"\"a\\nb\"", "a\nb"}};
  for (const auto& [text, value] : cases) {
    if (text != "-") {
      EXPECT_EQ(read("a: " + text.get<std::string>() + "\n")["a"], value) << text;
    }
  }
  EXPECT_EQ(read("a: [1, {b: c}]\nd:\n  - e\n").dump(), R"({"a":[1,{"b":"c"}],"d":["e"]})");
  EXPECT_EQ(read("a: |\n  one\n  two\nb: >\n  one\n  two\n")["a"], "one\ntwo\n");
  EXPECT_EQ(read("# nothing\n"), nlohmann::json::object());
}

TEST(ImportYaml, LinesAreThoseOfTheKeys) {
  JsonNode root;
  std::vector<LineProblem> problems;
  ASSERT_TRUE(parse_yaml_text("# c\na:\n  b: 1\n\n  c:\n    - 2\n", root, problems));
  EXPECT_EQ(root.members[0].line, 2);
  EXPECT_EQ(root.members[0].node.members[0].line, 3);
  EXPECT_EQ(root.members[0].node.members[1].line, 5);
  EXPECT_EQ(root.members[0].node.members[1].node.items[0].line, 6);
}

TEST(ImportYaml, NothingIsExpandedOrConstructed) {
  EXPECT_THAT(problem("a: &x [1]\nb: *x\n"), HasSubstr("2: a YAML alias"));
  std::string bomb = "a0: &a0 [x, x]\n";
  for (int i = 1; i < 40; ++i) {
    bomb += fmt::format("a{0}: &a{0} [*a{1}, *a{1}]\n", i, i - 1);
  }
  EXPECT_THAT(problem(bomb), HasSubstr("2: a YAML alias"));
  EXPECT_THAT(problem("a: 1\nb: !!python/object/apply:os.system ['rm -rf /']\n"),
              HasSubstr("2: a YAML tag"));
  EXPECT_THAT(problem("a: !!int '3'\n"), HasSubstr("1: a YAML tag"));
  EXPECT_THAT(problem("<<: *x\n"), HasSubstr("a YAML alias"));
  EXPECT_THAT(problem("? [a]\n: 1\n"), HasSubstr("must be plain text"));
  EXPECT_THAT(problem("!x a: 1\n"), HasSubstr("must be plain text"));
  EXPECT_THAT(problem("a: 1\n--- \nb: 2\n"), HasSubstr("several YAML documents"));
  EXPECT_THAT(problem("a: 1\nb: 2\na: 3\n"), HasSubstr("3: a is given twice, first on line 1"));
}

TEST(ImportYaml, LimitsAndMistakesAreToldWithTheirLine) {
  EXPECT_THAT(problem("a: [1\nb: 2\n"), HasSubstr("this is not valid YAML"));
  EXPECT_THAT(problem("a: 1\n\tb: 2\n"), HasSubstr("2: this is not valid YAML"));
  EXPECT_THAT(problem("a: \"\\q\"\n"), HasSubstr("1: this is not valid YAML"));
  EXPECT_THAT(problem("a: \xFF\n"), HasSubstr("this is not valid YAML"));
  EXPECT_THAT(problem(std::string("a: \0b\n", 6)), HasSubstr("this is not valid YAML"));
  EXPECT_THAT(problem("a: " + std::string(40, '[') + std::string(40, ']')),
              HasSubstr("nested deeper than 32"));
  EXPECT_THAT(problem("a: " + std::string(500000, '[')), HasSubstr("1: "));
  EXPECT_THAT(problem("a: " + std::string(70000, 'x')), HasSubstr("longer than 64 KB"));
  EXPECT_THAT(problem(std::string(70000, 'x') + ": 1"), HasSubstr("1: "));
  std::string wide = "a:\n";
  for (int i = 0; i < 10001; ++i) {
    wide += "- 1\n";
  }
  EXPECT_THAT(problem(wide), HasSubstr("more than 10000 values"));
  EXPECT_THAT(problem(std::string((1 << 20) + 1, '#')), HasSubstr("at most 1048576"));
}

TEST(ImportYaml, IsToldFromTomlByItsFirstLine) {
  for (const char* yaml : {"---\na: 1", "job: extension", "# c\n\n  job:\r\n", "\"a=b\": 1", "- a",
                           "a: b = c", "%YAML 1.1\n---\na: 1"}) {
    EXPECT_TRUE(looks_like_yaml(yaml)) << yaml;
  }
  for (const char* toml : {"", "a = 1", "[a]\nb = 1", "a = \"b: c\"", "\"a: b\" = 1", "a.b = 1",
                           "# a: b\nc = 1", "hello", "a:b = 1"}) {
    EXPECT_FALSE(looks_like_yaml(toml)) << toml;
  }
}

/// Nested flow, many anchors, long lines: none takes long.
TEST(ImportYaml, HostileTextsAreReadOrRefusedQuickly) {
  const auto began = std::chrono::steady_clock::now();
  std::string anchors, keys, nested;
  for (int i = 0; i < 40000; ++i) {
    anchors += fmt::format("- &a{} x\n", i);
    keys += fmt::format("k{}: 1\n", i);
    nested += "{a: ";
  }
  for (const std::string& text :
       {anchors, keys, nested, "a: " + std::string(900000, '{'), std::string(500000, '?') + "\n",
        "a: '" + std::string(900000, '\''), "a: " + std::string(900000, '&'),
        "a:\n" + std::string(900000, ' ') + "b", std::string(300000, '-') + "\n"}) {
    JsonNode root;
    std::vector<LineProblem> problems;
    parse_yaml_text(text, root, problems);
  }
  EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(60));
}

}  // namespace
}  // namespace mantissa
