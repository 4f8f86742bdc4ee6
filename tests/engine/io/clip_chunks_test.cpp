// Emphasis in captions, and captions longer than one CLIP chunk.
#include "engine/io/clip_chunks.h"

#include <gtest/gtest.h>

#include "engine/io/emphasis.h"

namespace mantissa {
namespace {

TEST(Emphasis, BracketsWeighTheirText) {
  using V = std::vector<WeightedText>;
  EXPECT_EQ(parse_emphasis("a cat"), (V{{"a cat", 1.0F}}));
  EXPECT_EQ(parse_emphasis(""), V{});
  EXPECT_EQ(parse_emphasis("a (red:1.3) cat"), (V{{"a ", 1.0F}, {"red", 1.3F}, {" cat", 1.0F}}));
  EXPECT_EQ(parse_emphasis("(red)"), (V{{"red", 1.1F}}));
  EXPECT_EQ(parse_emphasis("[red]"), (V{{"red", 1 / 1.1F}}));
  EXPECT_EQ(parse_emphasis("((a) b:2)"), (V{{"a", 1.1F * 2.0F}, {" b", 2.0F}}));
  EXPECT_EQ(parse_emphasis("\\(a\\) \\\\ b"), (V{{"(a) \\ b", 1.0F}}));
  EXPECT_EQ(parse_emphasis("(a: b)"), (V{{"a: b", 1.1F}}));
  EXPECT_EQ(parse_emphasis("(a : 1.5 )"), (V{{"a ", 1.5F}}));
  // Unbalanced: extends to the end, or is text.
  EXPECT_EQ(parse_emphasis("x (a b"), (V{{"x ", 1.0F}, {"a b", 1.1F}}));
  EXPECT_EQ(parse_emphasis("a) b]"), (V{{"a) b]", 1.0F}}));
  EXPECT_EQ(parse_emphasis("[a:0.5]"), (V{{"a:0.5", 1 / 1.1F}}));
}

class Chunks : public ::testing::Test {
 protected:
  ClipTokenizer tokenizer_ =
      ClipTokenizer::from_folder(MANTISSA_TEST_DATA "/golden/models/b/tokenizer");
  std::string letters(int count) const {
    std::string text;
    for (int i = 0; i < count; ++i) {
      text += std::string(1, static_cast<char>('0' + i % 10)) + " ";
    }
    return text;
  }
};

TEST_F(Chunks, OneChunkIsThePaddedCaption) {
  for (int count : {0, 3, 74, 75, 76, 200}) {
    for (int pad : {tokenizer_.eos_id(), 0}) {
      const ClipChunks chunks = clip_chunks(tokenizer_, letters(count), 77, 1, pad, false);
      EXPECT_EQ(chunks.ids, tokenizer_.encode_padded(letters(count), 77, pad)) << count;
      EXPECT_EQ(chunks.weights, std::vector<float>(77, 1.0F));
    }
  }
}

TEST_F(Chunks, PiecesHaveTheirOwnEnds) {
  const std::int32_t bos = tokenizer_.bos_id(), eos = tokenizer_.eos_id();
  const std::vector<std::int32_t> words = tokenizer_.encode(letters(100));
  ASSERT_EQ(words.size(), 100U);
  const ClipChunks c = clip_chunks(tokenizer_, letters(100), 77, 3, 0, false);
  ASSERT_EQ(c.ids.size(), 3U * 77U);
  EXPECT_EQ(c.weights.size(), 227U);
  for (std::size_t piece = 0; piece < 3; ++piece) {
    EXPECT_EQ(c.ids[77 * piece], bos);
  }
  EXPECT_TRUE(std::equal(words.begin(), words.begin() + 75, c.ids.begin() + 1));
  EXPECT_EQ(c.ids[76], eos) << "a piece that ends in a word";
  EXPECT_TRUE(std::equal(words.begin() + 75, words.end(), c.ids.begin() + 78));
  EXPECT_EQ(c.ids[78 + 25], eos);
  EXPECT_EQ(c.ids[78 + 26], 0);
  EXPECT_EQ(c.ids[2 * 77 - 1], 0) << "padding stays padding";
  EXPECT_EQ(c.ids[2 * 77 + 1], eos) << "a piece of padding begins with EOS";
  EXPECT_EQ(c.ids[2 * 77 + 2], 0);
  // Longer captions are truncated.
  const ClipChunks cut = clip_chunks(tokenizer_, letters(400), 77, 3, 0, false);
  EXPECT_EQ(cut.ids.back(), eos);
  EXPECT_EQ(clip_chunks_needed(tokenizer_, letters(400), 77, false), 6);
  EXPECT_EQ(clip_chunks_needed(tokenizer_, "", 77, false), 1);
  EXPECT_EQ(clip_chunks_needed(tokenizer_, letters(75), 77, false), 1);
  EXPECT_EQ(clip_chunks_needed(tokenizer_, letters(76), 77, false), 2);
}

TEST_F(Chunks, WeightsFollowTheirWordsIntoLaterPieces) {
  const ClipChunks c =
      clip_chunks(tokenizer_, letters(80) + "(1 2:1.5) 3", 77, 2, tokenizer_.eos_id(), true);
  // State 0 is BOS; words continue across chunk borders.
  EXPECT_EQ(c.weights[80], 1.0F);
  EXPECT_EQ(c.weights[81], 1.5F);
  EXPECT_EQ(c.weights[82], 1.5F);
  EXPECT_EQ(c.weights[83], 1.0F);
  EXPECT_EQ(clip_chunks(tokenizer_, "(1 2:1.5)", 77, 1, 0, false).weights,
            std::vector<float>(77, 1.0F));
}

}  // namespace
}  // namespace mantissa
