// The references that the program writes are committed as they are.
#include <fstream>
#include <set>
#include <sstream>
#include <string>

#include "tests/engine/cli/cli_fixture.h"

namespace mantissa {
namespace {

using ReferenceTest = CliTest;

std::string committed(const std::string& file) {
  std::ifstream in(MANTISSA_SOURCE_DIR "/resources/docs/reference/" + file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

TEST_F(ReferenceTest, OfSettingsIsCommitted) {
  ASSERT_EQ(run({"help", "--reference", "settings"}), 0) << err();
  EXPECT_TRUE(out() == committed("settings.md"))
      << "write it again: mantissa help --reference settings > "
         "resources/docs/reference/settings.md";
}

TEST_F(ReferenceTest, OfCommandsIsCommitted) {
  ASSERT_EQ(run({"help", "--reference", "commands"}), 0) << err();
  EXPECT_TRUE(out() == committed("command-line.md"))
      << "write it again: mantissa help --reference commands > "
         "resources/docs/reference/command-line.md";
}

TEST_F(ReferenceTest, OfReadersIsCommitted) {
  ASSERT_EQ(run({"help", "--reference", "readers"}), 0) << err();
  EXPECT_TRUE(out() == committed("readers.md"))
      << "write it again: mantissa help --reference readers > resources/docs/reference/readers.md";
}

TEST_F(ReferenceTest, OfOthersIsRefused) {
  EXPECT_EQ(run({"help", "--reference", "setting"}), 2);
  EXPECT_THAT(err(), testing::HasSubstr("settings"));
}

TEST_F(ReferenceTest, OfCapabilitiesIsPrintedWithoutAPreset) {
  ASSERT_EQ(run({"check", "--capabilities"}), 0) << err();
  EXPECT_TRUE(out() == committed("capabilities.md"));
}

TEST_F(ReferenceTest, CapabilitiesAsJsonHaveEveryChoice) {
  ASSERT_EQ(run({"check", "--capabilities", "--json"}), 0) << err();
  const nlohmann::json event = nlohmann::json::parse(out());
  EXPECT_EQ(event.at("event"), "capabilities");
  const std::size_t families = event.at("families").size(), devices = event.at("devices").size();
  EXPECT_GE(families, 7U);
  EXPECT_EQ(event.at("devices").front().at("device"), "cpu");
  EXPECT_EQ(event.at("platforms").size(), 2U);
  const auto& choices = event.at("choices");
  const auto of = [&](const char* key) {
    std::set<std::string> values;
    for (const auto& choice : choices) {
      values.insert(choice.at(key).get<std::string>());
    }
    return values.size();
  };
  EXPECT_EQ(choices.size(), families * devices * of("method") * of("compute") * of("weights"));
  for (const auto& choice : choices) {
    EXPECT_TRUE(choice.at("trains").get<bool>() || choice.contains("findings")) << choice;
  }
}

}  // namespace
}  // namespace mantissa
