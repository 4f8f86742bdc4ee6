// metadata.jsonl of any length, line by line.
#include "engine/data/caption_metadata.h"

#include <algorithm>
#include <gtest/gtest.h>

#include "engine/core/paths.h"
#include "engine/core/system.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {

namespace fs = std::filesystem;

class MetadataLines : public testing::Test {
 protected:
  std::string line(const std::string& name, const std::string& text) const {
    return "{\"file_name\": \"" + name + "\", \"text\": \"" + text + "\"}\n";
  }
  /// Reads `content` as metadata.jsonl beside these images.
  void read(const std::string& content, const std::vector<std::string>& images) {
    test::write_file(folder_ / "metadata.jsonl", content);
    metadata_.add_file(folder_ / "metadata.jsonl");
    for (const std::string& image : images) {
      metadata_.add_image(folder_ / path_from_utf8(image));
    }
    metadata_.read(report_);
  }
  std::string text(const std::string& image) const {
    const std::string* found = metadata_.text(folder_ / path_from_utf8(image));
    return found == nullptr ? "(none)" : *found;
  }
  std::size_t told(const std::string& part) const {
    return static_cast<std::size_t>(std::ranges::count_if(
        report_.notices,
        [&](const Message& notice) { return notice.text().find(part) != std::string::npos; }));
  }

  const test::TempFolder folder_;
  CaptionMetadata metadata_;
  DatasetReport report_;
};

TEST_F(MetadataLines, PathsAreFoundHoweverTheyAreWritten) {
  read(line("a/b.png", "plain") + line("./c.png", "dot") + line("a//d.png", "two") +
           line("a/../e.png", "up and down") + line(".hidden/f.png", "hidden"),
       {"a/b.png", "c.png", "a/d.png", "e.png", ".hidden/f.png"});
  EXPECT_EQ(text("a/b.png"), "plain");
  EXPECT_EQ(text("c.png"), "dot");
  EXPECT_EQ(text("a/d.png"), "two");
  EXPECT_EQ(text("e.png"), "up and down");
  EXPECT_EQ(text(".hidden/f.png"), "hidden");
  EXPECT_TRUE(report_.skipped.empty() && report_.notices.empty());
}

TEST_F(MetadataLines, OneBadLineCostsNoOther) {
  read(line("a.png", "good") + "{\"file_name\": \"b.png\", \"text\": \"caf\xE9\"}\n" +
           "{\"text\": \"x\", \"text\": \"y\", \"file_name\": \"b.png\"}\n" +
           "{\"file_name\": \"b.png\", \"text\": \"" + std::string(2u << 20, 'x') + "\"}\n" +
           std::string(100, '[') + "\n" +
           R"({"more": {"file_name": "b.png", "text": "below"}, "n": 1e999})" + "\n" +
           R"([{"file_name": "b.png", "text": "of a list"}])" + "\n" + line("c.png", "last"),
       {"a.png", "b.png", "c.png"});
  EXPECT_EQ(text("a.png"), "good");
  EXPECT_EQ(text("b.png"), "(none)");
  EXPECT_EQ(text("c.png"), "last");
  ASSERT_EQ(report_.skipped.size(), 6u);
  const char* const expected[] = {"line 2 isn't valid UTF-8",     "line 3: the key 'text' appears",
                                  "line 4 is longer than 1 MB",   "line 5 is nested deeper",
                                  "line 6 holds a number beyond", "line 7 needs \"file_name\""};
  for (std::size_t i = 0; i < 6; ++i) {
    EXPECT_NE(report_.skipped[i].reason.text().find(expected[i]), std::string::npos)
        << report_.skipped[i].reason;
  }
}

TEST_F(MetadataLines, OtherKeysAreToldOnce) {
  read(R"({"image": "a.png", "caption": "one"})"
       "\n"
       R"({"image": "b.png", "prompt": "two"})"
       "\n",
       {"a.png", "b.png"});
  EXPECT_EQ(text("a.png"), "(none)");
  ASSERT_EQ(report_.skipped.size(), 1U);
  const std::string reason = report_.skipped.front().reason.text();
  for (const char* part : {"none of its 2 lines", R"("image", "caption")", "\"file_name\""}) {
    EXPECT_NE(reason.find(part), std::string::npos) << reason;
  }
}

TEST_F(MetadataLines, OtherKeysBesideRightLinesAreToldLineByLine) {
  read(line("a.png", "good") + R"({"file_name": "b.png", "caption": "other"})" + "\n",
       {"a.png", "b.png"});
  EXPECT_EQ(text("a.png"), "good");
  ASSERT_EQ(report_.skipped.size(), 1U);
  EXPECT_NE(report_.skipped.front().reason.text().find("line 2 needs \"text\""), std::string::npos);
}

TEST_F(MetadataLines, Utf16IsConverted) {
  std::string wide = "\xFF\xFE";
  for (const char c : line("a.png", "wide") + line("b.png", "two")) {
    wide += c;
    wide += '\0';
  }
  read(wide, {"a.png", "b.png"});
  EXPECT_EQ(text("a.png"), "wide");
  EXPECT_EQ(text("b.png"), "two");
  EXPECT_EQ(told("converted from UTF-16"), 1u);
}

TEST_F(MetadataLines, ManyTakeLittleMemory) {
  constexpr int kLines = 200'000;
  std::string content;
  for (int i = 0; i < kLines; ++i) {
    content +=
        line("images/" + std::to_string(i) + ".png", "a zorb of number " + std::to_string(i));
  }
  content += line("images/7.png", "again") + "no JSON\n";
  const std::uint64_t before = peak_resident_memory();
  read(content, {"images/7.png", "images/199999.png"});
  EXPECT_LT(peak_resident_memory(), std::max(before, resident_memory()) + (24u << 20))
      << "a tenth of what the lines would take";
  EXPECT_EQ(text("images/7.png"), "again");
  EXPECT_EQ(text("images/199999.png"), "a zorb of number 199999");
  EXPECT_EQ(told("isn't used with it"), 20u);
  EXPECT_EQ(told("199978 more lines name files that aren't used"), 1u);
  EXPECT_EQ(told("a second time"), 1u);
  EXPECT_EQ(report_.skipped.size(), 1u);
}

}  // namespace
}  // namespace mantissa
