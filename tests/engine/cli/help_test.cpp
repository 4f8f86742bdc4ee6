#include <regex>

#include "engine/cli/command_tree.h"
#include "engine/cli/commands.h"
#include "engine/cli/examples.h"
#include "engine/cli/text.h"
#include "engine/cli/topics.h"
#include "engine/precision/catalogue.h"
#include "engine/preset/schema.h"
#include "tests/engine/cli/cli_fixture.h"

namespace mantissa {
namespace {

using testing::HasSubstr;
using testing::Not;

class HelpTest : public CliTest {
 protected:
  /// The commands as the parser has them.
  CommandInfo tree() {
    CommandSession session{context_};
    Action action;
    CLI::App app("Train adapters", "mantissa");
    for (const CommandRow& row : command_table()) {
      row.add(app, session, action);
    }
    return command_tree(app);
  }
  std::string help_of(std::vector<std::string> path) {
    path.emplace_back("--help");
    EXPECT_EQ(run(path), 0) << err();
    return out();
  }
};

/// Splits a call as a shell does, with double quotes.
std::vector<std::string> words_of(std::string_view call) {
  std::vector<std::string> words{""};
  bool quoted = false;
  for (const char c : call) {
    if (c == '"') {
      quoted = !quoted;
    } else if (c == ' ' && !quoted) {
      words.emplace_back();
    } else {
      words.back() += c;
    }
  }
  return words;
}

TEST_F(HelpTest, EveryCommandHasExamplesAndNoWordsOfTheParser) {
  const CommandInfo root = tree();
  EXPECT_GT(runnable_commands(root).size(), 20U);
  for (const CommandInfo* command : runnable_commands(root)) {
    SCOPED_TRACE(command->name());
    const std::string text = help_of(command->path);
    for (const char* word :
         {"UINT", "INT ", " in [", "FLOAT", "TEXT:", "->", "Excludes:", "REQUIRED"}) {
      EXPECT_THAT(text, Not(HasSubstr(word)));
    }
    EXPECT_THAT(text, HasSubstr("Examples\n"));
    EXPECT_THAT(text, HasSubstr("mantissa " + command->name()));
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      if (line.find("  mantissa ") != 0) {  // calls are copied whole
        EXPECT_LE(display_width(line), 80U) << line;
      }
    }
    for (const OptionInfo& option : command->options) {
      EXPECT_THAT(text, HasSubstr(option.name));
      EXPECT_NE(option.text, "") << option.name;
    }
  }
}

TEST_F(HelpTest, EveryExampleIsOfACommandAndParses) {
  context_.presets_folder = [this] { return folder_; };  // nothing is found, so nothing runs long
  const CommandInfo root = tree();
  for (const Example& example : examples()) {
    SCOPED_TRACE(example.call());
    const std::vector<std::string> path = words_of(example.command);
    ASSERT_NE(find_command(root, path), nullptr);
    const std::vector<std::string> words = words_of(example.call());
    ASSERT_TRUE(std::equal(path.begin(), path.end(), words.begin()));
    run(words);
    EXPECT_THAT(err(), Not(HasSubstr("(see `mantissa"))) << err();
  }
}

TEST_F(HelpTest, IsOneObjectWithJson) {
  ASSERT_EQ(run({"help", "adapter.rank"}), 0);
  const std::string text = out();
  ASSERT_EQ(run({"help", "adapter.rank", "--json"}), 0);
  const auto event = nlohmann::json::parse(out());
  EXPECT_EQ(event.at("event"), "help");
  EXPECT_EQ(event.at("text"), text);
}

TEST_F(HelpTest, OptionsShowDefaultsRangesAndChoices) {
  const std::string sample = help_of({"sample"});
  for (const char* text : {"default euler", "default 25", "default 6", "default 42",
                           "from 1 to 1000", "PNG to write"}) {
    EXPECT_THAT(sample, HasSubstr(text));
  }
  help_of({"convert"});
  EXPECT_THAT(unwrapped(), HasSubstr("one of kohya, diffusers"));
  help_of({"train"});
  EXPECT_THAT(unwrapped(), HasSubstr("one of wait, stop; default wait"));
  EXPECT_THAT(unwrapped(), Not(HasSubstr("one of cpu"))) << "a suggestion is no list of choices";
}

TEST_F(HelpTest, CheckShowsNoOptionsThatOnlyARunCanUseButTakesThem) {
  const std::string check = help_of({"check"});
  for (const char* option : {"--trace", "--health-every", "--on-full-disk"}) {
    EXPECT_THAT(check, Not(HasSubstr(option)));
    EXPECT_THAT(help_of({"train"}), HasSubstr(option));
  }
  EXPECT_EQ(run({"check", "demo", "--base", "demo", "--trace", "t", "--on-full-disk", "stop"}), 0)
      << err();
}

TEST_F(HelpTest, TrainNamesEverySettingAndHelpExplainsEach) {
  const std::string train = help_of({"train"});
  EXPECT_LT(std::count(train.begin(), train.end(), '\n'), 200);
  ASSERT_EQ(run({"help", "settings"}), 0);
  const std::string all = out();
  EXPECT_THAT(all, HasSubstr("a whole number from 1 to 1024; default 16"));
  for (const Setting& s : settings()) {
    SCOPED_TRACE(s.key);
    EXPECT_THAT(all, HasSubstr("\n  " + std::string(s.key) + "\n"));
    EXPECT_THAT(train, HasSubstr(std::string(s.key.substr(s.key.rfind('.') + 1))));
    ASSERT_EQ(run({"help", std::string(s.key)}), 0);
    if (find_topic(s.key) == nullptr) {
      EXPECT_THAT(out(), HasSubstr("Default"));
    }
  }
}

TEST_F(HelpTest, TopicsSectionsFindingsAndUniqueNamesAreSubjects) {
  for (const Topic& topic : topics()) {
    ASSERT_EQ(run({"help", std::string(topic.name)}), 0);
    EXPECT_THAT(out(), HasSubstr(std::string(topic.title)));
  }
  for (const CatalogueEntry& entry : catalogue()) {
    ASSERT_EQ(run({"help", std::string(entry.id)}), 0) << entry.id;
    EXPECT_THAT(out(), HasSubstr("Cause"));
  }
  ASSERT_EQ(run({"help", "rank"}), 0) << err();
  EXPECT_THAT(out(), HasSubstr("adapter.rank: "));
  ASSERT_EQ(run({"help", "schedule"}), 0);
  EXPECT_THAT(out(), HasSubstr("schedule.warmup_steps"));
  EXPECT_THAT(out(), Not(HasSubstr("adapter.rank")));
  ASSERT_EQ(run({"help", "presets", "import"}), 0);
  EXPECT_THAT(out(), HasSubstr("mantissa presets import FILE [options]"));
  ASSERT_EQ(run({"help"}), 0);
  EXPECT_THAT(out(), HasSubstr("exit-status"));
  EXPECT_EQ(run({"help", "resum"}), 2);
  EXPECT_THAT(one_error_line(), HasSubstr("did you mean resume?"));
  EXPECT_EQ(run({"help", "adapter.rnak"}), 2);
  EXPECT_THAT(one_error_line(), HasSubstr("did you mean adapter.rank?"));
}

}  // namespace
}  // namespace mantissa
