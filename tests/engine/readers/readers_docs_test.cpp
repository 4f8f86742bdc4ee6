#include "engine/readers/readers_docs.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <set>
#include <sstream>

#include "engine/io/family.h"
#include "engine/readers/reader.h"

namespace mantissa {
namespace {

TEST(ReadersDocs, ThePageIsWhatTheTablesSay) {
  std::ifstream file(std::filesystem::path(MANTISSA_SOURCE_DIR) /
                     "resources/docs/reference/readers.md");
  std::stringstream text;
  text << file.rdbuf();
  EXPECT_TRUE(text.str() == readers_markdown())
      << "write it again: mantissa help --reference readers > resources/docs/reference/readers.md\n"
      << readers_markdown();
}

TEST(ReadersDocs, EveryReaderNamesFamiliesThatThereAreAndTheVersionOfItsRules) {
  std::set<std::string_view> families;
  for (const Family* family : registered_families()) {
    families.insert(family->id().name());
  }
  const auto known = [&](std::string_view words) {
    return !any_word(words, [&](std::string_view word) { return !families.contains(word); });
  };
  for (const Reader* reader : readers()) {
    EXPECT_EQ(reader_called(reader->key), reader);
    EXPECT_TRUE(known(reader->families)) << reader->key;
    EXPECT_FALSE(reader->sources.empty()) << reader->key;
    for (const ReaderSource& source : reader->sources) {
      EXPECT_FALSE(source.file.empty() || source.version.empty()) << reader->key;
    }
    for (const ReaderForm& form : reader->forms) {
      EXPECT_TRUE(known(form.families)) << reader->key;
      for (const NameRule& rule : form.names) {
        EXPECT_TRUE(known(rule.families)) << reader->key << ' ' << rule.head;
      }
    }
  }
  EXPECT_EQ(reader_called("nothing"), nullptr);
}

TEST(ReaderRules, NoSuffixOfAFormEndsAnother) {
  for (const Reader* reader : readers()) {
    for (const ReaderForm& form : reader->forms) {
      for (const TensorRule& a : form.tensors) {
        for (const TensorRule& b : form.tensors) {
          EXPECT_FALSE(&a != &b && a.suffix.ends_with(b.suffix))
              << reader->key << ": " << a.suffix << " and " << b.suffix;
        }
      }
    }
  }
}

}  // namespace
}  // namespace mantissa
