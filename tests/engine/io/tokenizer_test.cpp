#include "engine/io/tokenizer.h"

#include <cstdlib>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <random>
#include <zlib.h>

#include "engine/core/paths.h"
#include "engine/io/file.h"
#include "tests/environment.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {

namespace fs = std::filesystem;
using Ids = std::vector<std::int32_t>;

std::string gunzip(const fs::path& path) {
  gzFile file = gzopen(path.string().c_str(), "rb");
  std::string text;
  char buffer[65536];
  for (int n = 0; (n = gzread(file, buffer, sizeof buffer)) > 0;) {
    text.append(buffer, static_cast<std::size_t>(n));
  }
  gzclose(file);
  return text;
}

const ClipTokenizer& clip() {
  static const ClipTokenizer tokenizer = ClipTokenizer::built_in();
  return tokenizer;
}

const fs::path kSmall = fs::path(MANTISSA_TEST_DATA) / "golden/models/b/tokenizer";

TEST(Tokenizer, VectorsOfTheSpecification) {
  EXPECT_EQ(clip().encode("a photo of a cat"), (Ids{320, 1125, 539, 320, 2368}));
  EXPECT_EQ(clip().encode("masterpiece, best quality, 1girl, solo"),
            (Ids{12066, 267, 949, 3027, 267, 272, 1611, 267, 5797}));
  EXPECT_EQ(clip().encode("it's 2024: 12345!!"),
            (Ids{585, 568, 273, 271, 273, 275, 281, 272, 273, 274, 275, 276, 748}));
  EXPECT_EQ(clip().encode("naïve café"), (Ids{1097, 35689, 563, 15304}));
  EXPECT_EQ(clip().encode("日本語"), (Ids{39121, 44353, 34002, 508}));
  EXPECT_EQ(clip().encode("👍"), (Ids{4201}));
  EXPECT_EQ(clip().vocab_size(), 49408);
  EXPECT_EQ(clip().bos_id(), 49406);
  EXPECT_EQ(clip().eos_id(), 49407);
  EXPECT_EQ(clip().token(2368), "cat</w>");
  EXPECT_EQ(clip().token(49408), "");
}

TEST(Tokenizer, TenThousandStringsMatchTheFastTokenizer) {
  const std::string text = gunzip(fs::path(MANTISSA_TEST_DATA) / "golden/tokenizer.txt.gz");
  std::istringstream lines(text);
  int count = 0, wrong = 0;
  for (std::string line; std::getline(lines, line); ++count) {
    const std::size_t tab = line.rfind('\t');
    const auto input = nlohmann::json::parse(line.substr(0, tab)).get<std::string>();
    Ids expected;
    std::istringstream numbers(line.substr(tab + 1));
    for (std::int32_t id = 0; numbers >> id;) {
      expected.push_back(id);
    }
    const Ids got = clip().encode(input);
    if (got != expected && ++wrong <= 10) {
      EXPECT_EQ(got, expected) << line.substr(0, tab);
    }
  }
  EXPECT_EQ(count, 10000);
  EXPECT_EQ(wrong, 0);
}

TEST(Tokenizer, PaddingAndTruncation) {
  EXPECT_EQ(clip().encode_padded("a cat", 6, 0), (Ids{49406, 320, 2368, 49407, 0, 0}));
  EXPECT_EQ(clip().encode_padded("a cat", 6, 49407), (Ids{49406, 320, 2368, 49407, 49407, 49407}));
  EXPECT_EQ(clip().encode_padded("", 3, 0), (Ids{49406, 49407, 0}));
  std::string many;
  for (int i = 0; i < 100; ++i) {
    many += "cat ";
  }
  const Ids cut = clip().encode_padded(many, 77, 0);
  ASSERT_EQ(cut.size(), 77u);
  EXPECT_EQ(cut.front(), 49406);
  EXPECT_EQ(cut[75], 2368);
  EXPECT_EQ(cut.back(), 49407);
  test::expect_error_with([] { clip().encode_padded("x", 1, 0); }, {"length"});
}

TEST(Tokenizer, BrokenUtf8CountsAsReplacementCharacters) {
  EXPECT_EQ(clip().encode("a\xff\xfe b\xe2\x82"), clip().encode("a\uFFFD\uFFFD b\uFFFD\uFFFD"));
}

TEST(Tokenizer, RandomBytesNeverCrashAndStayInRange) {
  std::mt19937 random(7);
  for (int round = 0; round < 2000; ++round) {
    std::string text(random() % 64, '\0');
    for (char& c : text) {
      c = static_cast<char>(random());
    }
    for (std::int32_t id : clip().encode(text)) {
      ASSERT_GE(id, 0);
      ASSERT_LT(id, clip().vocab_size());
    }
  }
}

TEST(Tokenizer, LongInputIsFast) {
  // One word of a megabyte: merging must not be quadratic.
  EXPECT_GT(clip().encode(std::string(1 << 20, 'a')).size(), 1000u);
}

TEST(Tokenizer, SmallVocabularyFromFolder) {
  const ClipTokenizer small = ClipTokenizer::from_folder(kSmall);
  EXPECT_LT(small.vocab_size(), 49408);
  const Ids ids = small.encode("a photo of a cat");
  EXPECT_FALSE(ids.empty());
  std::string back;
  for (std::int32_t id : ids) {
    EXPECT_LT(id, small.vocab_size());
    back += small.token(id);
  }
  EXPECT_EQ(back, "a</w>photo</w>of</w>a</w>cat</w>");
  EXPECT_EQ(small.token(small.eos_id()), "<|endoftext|>");
}

TEST(Tokenizer, TokenizerJsonGivesTheSameAsVocabAndMerges) {
  const test::TempFolder folder;
  std::ifstream vocab(kSmall / "vocab.json"), merges(kSmall / "merges.txt");
  nlohmann::json object;
  object["model"]["vocab"] = nlohmann::json::parse(vocab);
  object["model"]["merges"] = nlohmann::json::array();
  for (std::string line; std::getline(merges, line);) {
    if (!line.empty() && !line.starts_with("#version")) {
      object["model"]["merges"].push_back(line);
    }
  }
  test::write_file(folder / "tokenizer.json", object.dump());
  const ClipTokenizer a = ClipTokenizer::from_folder(kSmall);
  const ClipTokenizer b = ClipTokenizer::from_folder(folder.path());
  for (const char* text : {"a red circle", "don't 12!", "日本 <|endoftext|>"}) {
    EXPECT_EQ(a.encode(text), b.encode(text));
  }
}

TEST(Tokenizer, BadFilesAreNamed) {
  const test::TempFolder folder;
  const auto from_folder = [&] { ClipTokenizer::from_folder(folder.path()); };
  test::expect_error_with(from_folder, {"vocab.json", path_to_utf8(folder.path())});
  test::write_file(folder / "vocab.json", R"({"a":0,"b</w>":1,"<|startoftext|>":2})");
  test::write_file(folder / "merges.txt", "#version: 0.2\n");
  test::expect_error_with(from_folder, {"<|endoftext|>"});
  test::write_file(folder / "merges.txt", "#version: 0.2\na b</w>\n");
  test::expect_error_with(from_folder, {"a b</w>", "merges.txt"});
  test::write_file(folder / "merges.txt", "#version: 0.2\na  b\n");
  test::expect_error_with(from_folder, {"line 2"});
  test::write_file(folder / "merges.txt", "#version: 0.2\n");
  test::write_file(folder / "vocab.json", R"({"a":-1})");
  test::expect_error_with(from_folder, {"'a'", "-1"});
  test::write_file(folder / "vocab.json", R"({"a":0,"a":1})");
  test::expect_error_with(from_folder, {"'a'", "twice"});
  test::write_file(folder / "table.txt", "version\ni n\nt h\n");
  test::expect_error_with([&] { ClipTokenizer::from_merges(folder / "table.txt"); },
                          {"table.txt", "line 4"});
  test::write_file(folder / "table.gz", std::string("\x1f\x8b\x08\x00garbage", 11));
  test::expect_error_with([&] { ClipTokenizer::from_merges(folder / "table.gz"); },
                          {"table.gz", "damaged"});
  test::write_file(folder / "empty", "");
  test::expect_error_with([&] { ClipTokenizer::from_merges(folder / "empty"); }, {"empty"});
}

fs::path table_file() {
  return resource_path("bpe_simple_vocab_16e6.txt.gz");
}

/// The first share of a file.
std::string beginning(const fs::path& file, double share) {
  const std::string all = read_text(file);
  return all.substr(0, static_cast<std::size_t>(share * static_cast<double>(all.size())));
}

TEST(Tokenizer, ReadsThePackedTableAsFarAsItIsUsed) {
  const test::TempFolder folder;
  test::write_file(folder / "half.gz", beginning(table_file(), 0.5));
  const ClipTokenizer half = ClipTokenizer::from_merges(folder / "half.gz");
  EXPECT_EQ(half.vocab_size(), 49408);
  EXPECT_EQ(half.encode("masterpiece"), clip().encode("masterpiece"));
  test::write_file(folder / "less.gz", beginning(table_file(), 0.05));
  test::expect_error_with([&] { ClipTokenizer::from_merges(folder / "less.gz"); },
                          {"less.gz", "damaged"});
}

TEST(Tokenizer, TheBuiltInTableIsReadOnce) {
  const test::TempFolder folder;
  const char* named = std::getenv("MANTISSA_VOCAB");
  const std::optional<std::string> before =
      named != nullptr ? std::optional<std::string>(named) : std::nullopt;
  fs::copy_file(table_file(), folder / "table.gz");
  test::set_environment("MANTISSA_VOCAB", path_to_utf8(folder / "table.gz"));
  const ClipTokenizer first = ClipTokenizer::built_in();
  fs::remove(folder / "table.gz");
  EXPECT_EQ(ClipTokenizer::built_in().encode("a cat"), first.encode("a cat"));
  test::set_environment("MANTISSA_VOCAB", path_to_utf8(folder / "other.gz"));
  test::expect_error_with([] { ClipTokenizer::built_in(); }, {"other.gz"});
  test::set_environment("MANTISSA_VOCAB", before);
}

}  // namespace
}  // namespace mantissa
