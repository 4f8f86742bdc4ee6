// Words that stand for ids of their own, in every kind of tokenizer.
#include "engine/io/new_words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/io/bpe_tokenizer.h"
#include "engine/io/t5_tokenizer.h"
#include "engine/io/tokenizer.h"
#include "tests/environment.h"

namespace mantissa {
namespace {

namespace fs = std::filesystem;
using Ids = std::vector<std::int32_t>;
using Pieces = std::vector<std::string>;

const fs::path kNewWordModels = fs::path(MANTISSA_TEST_DATA) / "golden/models";

/// The text between the words, with "#" and their ids in their place.
Pieces pieces(const NewWords& words, std::string_view text) {
  Pieces result;
  Ids ids;
  std::size_t told = 0;
  const auto tell = [&] {
    for (; told < ids.size(); ++told) {
      result.push_back("#" + std::to_string(ids[told]));
    }
  };
  words.encode(text, ids, [&](std::string_view rest) {
    tell();
    result.emplace_back(rest);
  });
  tell();
  return result;
}

TEST(NewWords, AreFoundInAnyCaseAndAlone) {
  const NewWords words({{"zorb", 100, 2}, {"Red Cat", 102, 1}});
  EXPECT_EQ(pieces(words, "a ZORB, zorbs and azorb"),
            (Pieces{"a", "#100", "#101", ", zorbs and azorb"}));
  EXPECT_EQ(pieces(words, "zorb"), (Pieces{"#100", "#101"}));
  EXPECT_EQ(pieces(words, "the red  cat zorb sits"),
            (Pieces{"the", "#102", "#100", "#101", " sits"}));
  EXPECT_EQ(pieces(words, ""), (Pieces{""}));
  EXPECT_EQ(pieces({}, "zorb"), (Pieces{"zorb"}));
}

// Of letters whose lower case has another length, and of marks that are composed.
TEST(NewWords, KeepWhatIsAroundThem) {
  const NewWords words({{"caf\u00e9", 7, 1}});
  EXPECT_EQ(pieces(words, "\u0130I CAFE\u0301 \u0130"), (Pieces{"\u0130I", "#7", " \u0130"}));
  EXPECT_EQ(pieces(words, "e\u0301 cafe"), (Pieces{"e\u0301 cafe"})) << "as it is";
  EXPECT_TRUE(NewWords::holds("Caf\u00c9!", "cafe\u0301"));
  EXPECT_FALSE(NewWords::holds("cafes", "cafe"));
}

TEST(NewWords, TakeTheLongestOfThoseThatBeginTogether) {
  const NewWords words({{"red", 1, 1}, {"red cat", 2, 1}});
  EXPECT_EQ(pieces(words, "a red cat, a red dog"), (Pieces{"a", "#2", ", a", "#1", " dog"}));
}

/// A text with a word, and the ids of what is before and behind it.
template <typename Tokenizer>
void expect_word_between(const Tokenizer& tokenizer, std::int32_t vocabulary) {
  const Tokenizer with = tokenizer.with_words(NewWords({{"zorb", vocabulary, 2}}));
  Ids expected = tokenizer.encode("a photo of");
  expected.insert(expected.end(), {vocabulary, vocabulary + 1});
  const Ids behind = tokenizer.encode(" the red cat");
  expected.insert(expected.end(), behind.begin(), behind.end());
  EXPECT_EQ(with.encode("a photo of Zorb the red cat"), expected);
  EXPECT_EQ(with.encode("a photo of the red cat"), tokenizer.encode("a photo of the red cat"));
  EXPECT_EQ(with.vocab_size(), tokenizer.vocab_size());
}

TEST(NewWords, EveryTokenizerReadsThem) {
  expect_word_between(ClipTokenizer::built_in(), 49408);
  expect_word_between(T5Tokenizer::from_folder(kNewWordModels / "pixart/tokenizer"), 112);
  expect_word_between(T5Tokenizer::from_folder(kNewWordModels / "chroma/tokenizer"), 96);
  expect_word_between(BpeTokenizer::from_folder(kNewWordModels / "z_image/tokenizer"), 316);
}

TEST(NewWords, EndAT5TextThatIsTooLong) {
  const T5Tokenizer t5 = T5Tokenizer::from_folder(kNewWordModels / "chroma/tokenizer")
                             .with_words(NewWords({{"zorb", 96, 3}}));
  EXPECT_EQ(t5.encode_padded("zorb zorb", 5, 0, 1), (Ids{96, 97, 98, 96, 1}));
  EXPECT_EQ(t5.encode_padded("zorb", 6, 0, 1), (Ids{96, 97, 98, 1, 0, 0}));
}

}  // namespace
}  // namespace mantissa
