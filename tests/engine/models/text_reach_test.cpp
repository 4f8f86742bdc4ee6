// What of a caption each family's tokenizers have room for, against what they read.
#include <gtest/gtest.h>

#include "engine/models/diffusion_model.h"
#include "tests/golden_families.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {

namespace fs = std::filesystem;

fs::path base_of(const std::string& name) {
  return name == "demo" ? fs::path(MANTISSA_SOURCE_DIR) / "resources/demo/mini-sdxl.safetensors"
                        : fs::path(MANTISSA_TEST_DATA) / "golden/models" / name;
}

std::string words(int count) {
  std::string text;
  for (int i = 0; i < count; ++i) {
    text += i % 2 == 0 ? "a " : "b ";
  }
  return text;
}

class TextReaches : public testing::TestWithParam<std::string> {
 protected:
  const WeightSource source_ = WeightSource::open(base_of(GetParam()));
  const std::unique_ptr<DiffusionModel> model_ = DiffusionModel::open_planning(source_);

  bool cuts(const std::string& text) const {
    for (const TextReach& reach : model_->text_reach(text)) {
      if (reach.cuts()) {
        return true;
      }
    }
    return false;
  }
};

TEST_P(TextReaches, EndWhereTheTokenizersCut) {
  ASSERT_FALSE(model_->text_reach("a").empty());
  for (const TextReach& reach : model_->text_reach("a")) {
    EXPECT_GT(reach.tokens, 0);
    EXPECT_LT(reach.tokens, 8) << "of the text alone";
    EXPECT_LE(reach.most, model_->text_tokens());
  }
  int fits = 1;
  while (fits < 4000 && !cuts(words(fits + 1))) {
    ++fits;
  }
  ASSERT_LT(fits, 4000);
  EXPECT_NE(model_->tokenize(words(fits)).ids, model_->tokenize(words(fits - 1)).ids)
      << "the last word is read";
  EXPECT_EQ(model_->tokenize(words(fits + 101)).ids, model_->tokenize(words(fits + 103)).ids)
      << "what is cut changes nothing";
}

/// Anima's text conditioner has ids of its own, of which the last ends the text.
TEST(TextReachesOfTwoTokenizers, AreBothTold) {
  const WeightSource source = WeightSource::open(base_of("anima"));
  const auto model = DiffusionModel::open_planning(source);
  for (const char* text : {"a", "a red fox, in the snow", "???"}) {
    SCOPED_TRACE(text);
    const std::vector<TextReach> reach = model->text_reach(text);
    const TokenIds tokens = model->tokenize(text);
    ASSERT_EQ(reach.size(), 2u);
    EXPECT_EQ(reach[0].part, kTe1);
    EXPECT_EQ(reach[0].tokens, tokens.of("te1_length").at(0));
    EXPECT_EQ(reach[0].most, 512);
    EXPECT_EQ(reach[1].part, kTe2);
    EXPECT_EQ(reach[1].tokens, tokens.of("te2_length").at(0) - 1);
    EXPECT_EQ(reach[1].most, 511);
  }
}

INSTANTIATE_TEST_SUITE_P(OfFamilies, TextReaches,
                         testing::ValuesIn(test::together({"demo"}, test::transformer_models())),
                         [](const auto& info) {
                           return info.param.substr(0, info.param.find('.'));
                         });

}  // namespace
}  // namespace mantissa
