// The vision tower of Qwen2.5-VL: its config, windows and places of tokens. What it makes of images
// is compared where texts see them (tests/engine/train/qwen_image_edit_test.cpp).
#include <algorithm>
#include <array>
#include <cmath>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <numeric>

#include "engine/models/qwen3/qwen25_vision_inputs.h"
#include "engine/models/qwen3/qwen3_inputs.h"
#include "engine/models/qwen3/qwen3_vision_inputs.h"
#include "tests/engine/models/support.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {

using namespace testing_support;
using Groups = std::vector<PatchGroups>;

// transformers' get_vision_window_index, in another order of windows.
TEST(Qwen25Windows, HoldEachTokenOnce) {
  const TokenWindows five = token_windows(3, 5, 2);
  EXPECT_EQ(five.tokens,
            (std::vector<std::int32_t>{0, 1, 5, 6, 2, 3, 7, 8, 4, 9, 10, 11, 12, 13, 14}));
  EXPECT_EQ(five.groups, (Groups{{2, 4}, {1, 2}, {2, 2}, {1, 1}}));
  const TokenWindows whole = token_windows(4, 8, 4);
  EXPECT_EQ(whole.groups, (Groups{{2, 16}}));
  const TokenWindows small = token_windows(3, 2, 4);
  EXPECT_EQ(small.groups, (Groups{{1, 6}}));
  TokenWindows big = token_windows(14, 37, 4);
  std::ranges::sort(big.tokens);
  std::vector<std::int32_t> all(14 * 37);
  std::iota(all.begin(), all.end(), 0);
  EXPECT_EQ(big.tokens, all);
}

TEST(Qwen25Images, BecomeWholeTokens) {
  const Qwen25VisionConfig tower = released_qwen25_vision();
  const std::array<std::array<int, 4>, 4> cases{
      {{384, 384, 14, 14}, {480, 320, 17, 11}, {1024, 1024, 37, 37}, {32, 32, 2, 2}}};
  for (const auto& [width, height, columns, rows] : cases) {
    const SeenSize size = qwen25_seen_size({width, height}, tower);
    EXPECT_EQ(size.columns, columns) << width;
    EXPECT_EQ(size.rows, rows) << height;
  }
  EXPECT_THROW(qwen25_seen_size({6432, 32}, tower), Error);
}

/// The released config, with the text's fields in a level of their own or not.
nlohmann::json released_json(bool levels) {
  const nlohmann::json vision = {{"depth", 32},
                                 {"hidden_act", "silu"},
                                 {"hidden_size", 1280},
                                 {"intermediate_size", 3420},
                                 {"num_heads", 16},
                                 {"in_chans", 3},
                                 {"out_hidden_size", 3584},
                                 {"patch_size", 14},
                                 {"spatial_merge_size", 2},
                                 {"spatial_patch_size", 14},
                                 {"window_size", 112},
                                 {"fullatt_block_indexes", {7, 15, 23, 31}},
                                 {"tokens_per_second", 2},
                                 {"temporal_patch_size", 2}};
  const nlohmann::json rope = {{"type", "mrope"}, {"mrope_section", {16, 24, 24}}};
  nlohmann::json text{{"rope_scaling", rope}};
  if (levels) {
    return {{"vision_config", vision}, {"text_config", text}};
  }
  text["vision_config"] = vision;
  return text;
}

TEST(Qwen25VisionConfigs, AreReadInBothForms) {
  for (const bool levels : {false, true}) {
    EXPECT_EQ(qwen25_vision_config_from_json(released_json(levels), "x"), released_qwen25_vision());
  }
  nlohmann::json others = released_json(true);
  others["text_config"]["rope_scaling"]["mrope_section"] = {1, 2, 3};
  EXPECT_EQ(qwen25_vision_config_from_json(others, "x").sections, (std::array{1, 2, 3}));
}

TEST(Qwen25VisionConfigs, OthersAreRefused) {
  const std::pair<const char*, nlohmann::json> others[] = {{"hidden_act", "gelu"},
                                                           {"window_size", 27},
                                                           {"num_heads", 7},
                                                           {"deepstack_visual_indexes", {1}}};
  for (const auto& [field, value] : others) {
    nlohmann::json json = released_json(true);
    json["vision_config"][field] = value;
    test::expect_error_with([&] { qwen25_vision_config_from_json(json, "x"); }, {field});
  }
  test::expect_error_with(
      [] {
        qwen25_vision_config_from_json({{"model_type", "qwen2"}}, "x");
      },
      {"vision_config"});
}

TEST(Qwen25VisionConfigs, IsDetectedInWeights) {
  const WeightSource source = WeightSource::open(golden_model("qwen_image"));
  const Qwen25VisionConfig tower = qwen25_vision_config(source, kTe1);
  EXPECT_EQ(tower.layers, 3);
  EXPECT_EQ(tower.window_tokens(), 2);
  EXPECT_EQ(tower.whole, std::vector{1});
  EXPECT_EQ(tower.sections, (std::array{1, 1, 2}));
}

// transformers' recomposition_frequencies: the pairs of time, then those of rows, then of columns.
TEST(Qwen25Positions, AxesFollowEachOther) {
  Qwen3Config text;
  text.head_dim = 8;
  QwenVisionConfig axes;
  axes.sections = {1, 1, 2};
  axes.in_turns = false;
  const std::array<double, 3> place{1, 2, 3};
  const RotaryTables found = multimodal_tables(text, axes, place);
  for (std::size_t pair = 0; pair < 4; ++pair) {
    const double frequency = std::pow(text.rope_theta, -static_cast<double>(pair) / 4);
    const double at = place.at(std::min<std::size_t>(pair, 2));
    EXPECT_NEAR(found.cos[pair], std::cos(at * frequency), 1e-6) << pair;
  }
}

}  // namespace
}  // namespace mantissa
