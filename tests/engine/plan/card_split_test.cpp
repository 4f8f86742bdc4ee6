#include "engine/plan/card_split.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <numeric>

#include "engine/plan/backend.h"
#include "engine/plan/roofline.h"
#include "engine/plan/scaling.h"
#include "engine/preset/preset_io.h"
#include "tests/environment.h"

namespace mantissa {
namespace {

class CardSplitTest : public ::testing::Test {
 protected:
  CardSplitTest() {
    test::set_environment("MANTISSA_RESOURCES", MANTISSA_SOURCE_DIR "/resources");
    job_.base = "demo";
    job_.preset.data.resolution = 128;
    job_.preset.data.batch_size = 4;
  }
  /// On cards of which each has this share of what one card would need.
  CardSplit on(const std::vector<double>& shares) {
    if (!run_) {
      run_.emplace(open_run(job_, {"RTX 4070", 89}));
      plan_memory(*run_, *kernels_, {}, EncodedDataset::Look::headers);
    }
    std::vector<SplitCard> cards;
    for (const double share : shares) {
      const double bytes = share * static_cast<double>(run_->report.peak_bytes);
      cards.push_back({"card " + std::to_string(cards.size()),
                       static_cast<std::uint64_t>(bytes) + (8 << 20), &card_by_id("4070")});
    }
    return split_over_cards(*run_, *kernels_, cards);
  }

  JobSpec job_;
  std::unique_ptr<Kernels> kernels_ = make_backend("cpu");
  std::optional<PlannedRun> run_;
};

TEST_F(CardSplitTest, TwoCardsTakeWhatOneCannot) {
  const CardSplit split = on({0.75, 0.75});
  ASSERT_EQ(split.stages.size(), 2U);
  EXPECT_EQ(split.alone_bytes, run_->report.peak_bytes);
  const auto limit = static_cast<std::uint64_t>(0.75 * static_cast<double>(split.alone_bytes));
  std::uint64_t weights = 0, adapters = 0;
  for (const SplitStage& stage : split.stages) {
    EXPECT_LE(stage.bytes(), limit + (8 << 20));
    EXPECT_GT(stage.ms, 0);
    weights += stage.weight_bytes;
    adapters += stage.adapter_bytes;
  }
  const auto is_near = [](std::uint64_t a, std::uint64_t b) {
    return std::max(a, b) - std::min(a, b) <= std::max(a, b) / 100;
  };
  EXPECT_TRUE(is_near(weights, run_->report.weight_bytes)) << weights;
  EXPECT_TRUE(is_near(adapters, run_->report.adapter_bytes)) << adapters;
  EXPECT_GT(split.sent_bytes, 0);
  EXPECT_NE(split.stages[0].last, split.stages[1].first);
}

TEST_F(CardSplitTest, ItsTimeIsThatOfOneCardAndOfWhatIsSent) {
  const CardSplit split = on({0.75, 0.75});
  const CardSpec& card = card_by_id("4070");
  const Roofline alone = roofline(*run_, card);
  const double update = alone.optimizer.ms + 1e-3 * Efficiency{}.launch_us * alone.optimizer.nodes;
  EXPECT_NEAR(split.stages[0].ms + split.stages[1].ms, alone.ms - update, 1e-6 * alone.ms);
  EXPECT_NEAR(split.sending_ms,
              1e3 * split.sent_bytes / (card.card_gb_per_s * 1e9 * kLinkEfficiency) + 0.03, 1e-9);
  EXPECT_LT(split.ms, alone.ms + split.sending_ms + 1e-9) << "each updates its own part";
  EXPECT_GT(split.ms, split.stages[0].ms + split.stages[1].ms + split.sending_ms);
}

TEST_F(CardSplitTest, AccumulationRepeatsWhatIsSent) {
  const double once = on({0.75, 0.75}).sent_bytes;
  job_.preset.training.gradient_accumulation = 3;
  run_.reset();
  EXPECT_DOUBLE_EQ(on({0.75, 0.75}).sent_bytes, 3 * once);
}

TEST_F(CardSplitTest, ACardWithMoreMemoryTakesMore) {
  const CardSplit uneven = on({0.35, 0.95});
  ASSERT_EQ(uneven.stages.size(), 2U);
  EXPECT_LT(uneven.stages[0].bytes(), uneven.stages[1].bytes());
}

TEST_F(CardSplitTest, OfAllCutsThatFitItHasTheLeastTraffic) {
  const CardSplit wide = on({0.98, 0.98}), narrow = on({0.62, 0.62});
  ASSERT_EQ(wide.stages.size(), 2U);
  ASSERT_EQ(narrow.stages.size(), 2U);
  EXPECT_LT(wide.sent_bytes, narrow.sent_bytes) << "though its cards are filled less evenly";
  const auto fullest = [](const CardSplit& split) {
    return std::max(split.stages[0].bytes(), split.stages[1].bytes());
  };
  EXPECT_GT(fullest(wide), fullest(narrow));
}

TEST_F(CardSplitTest, SaysIfNothingFits) {
  const CardSplit split = on({0.1, 0.1});
  EXPECT_TRUE(split.stages.empty());
  EXPECT_EQ(split.ms, 0);
}

TEST_F(CardSplitTest, StreamingIsBesideIt) {
  const CardSplit split = on({0.75, 0.75});
  EXPECT_GT(split.streamed_bytes, 0U);
  EXPECT_GE(split.copied_bytes, static_cast<double>(split.streamed_bytes))
      << "each weight at least once";
  const CardSpec& card = card_by_id("4070");
  EXPECT_GE(split.streaming_ms,
            1e3 * split.copied_bytes / (card.host_gb_per_s * 1e9 * kLinkEfficiency) * 0.999);
  EXPECT_GE(split.streaming_ms, roofline(*run_, card).ms * 0.999);
  const CardSplit roomy = on({2, 2});
  EXPECT_EQ(roomy.streamed_bytes, 0U);
  EXPECT_NEAR(roomy.streaming_ms, roofline(*run_, card).ms, 1e-6 * roomy.streaming_ms);
}

TEST_F(CardSplitTest, NoMoreCardsThanItTakes) {
  const CardSplit one = on({2, 2, 2});
  ASSERT_EQ(one.stages.size(), 1U);
  EXPECT_EQ(one.sent_bytes, 0);
  EXPECT_NEAR(one.ms, one.streaming_ms, 1e-6 * one.ms);
  const CardSplit two = on({0.75, 0.75, 0.75});
  ASSERT_EQ(two.stages.size(), 2U);
  EXPECT_EQ(two.stages[1].card, "card 1");
  EXPECT_EQ(on({0.45, 0.45, 0.45, 0.45}).stages.size(), 3U);
}

TEST_F(CardSplitTest, StagesAreNamedByTheModulesBesideTheCut) {
  const CardSplit split = on({0.75, 0.75});
  EXPECT_EQ(split.stages[0].last.rfind("denoiser.", 0), 0U) << split.stages[0].last;
  EXPECT_EQ(split.stages[1].first.rfind("denoiser.", 0), 0U) << split.stages[1].first;
  EXPECT_NE(split.stages[0].last, split.stages[1].first);
}

TEST_F(CardSplitTest, UnknownCardsHaveNoTimes) {
  on({1, 1});
  const std::uint64_t most = run_->report.peak_bytes / 4 * 3 + (8 << 20);
  const CardSplit split = split_over_cards(*run_, *kernels_, {{"cuda:0", most}, {"cuda:1", most}});
  ASSERT_EQ(split.stages.size(), 2U);
  EXPECT_EQ(split.ms, 0);
  EXPECT_EQ(split.streaming_ms, 0);
  EXPECT_GT(split.sent_bytes, 0);
}

TEST_F(CardSplitTest, AJobIsPlannedForCardsThatAreNotThere) {
  const CardSplit split = split_over_cards(job_, {&card_by_id("4070"), &card_by_id("4060")});
  ASSERT_EQ(split.stages.size(), 1U) << "the mini model fits";
  EXPECT_EQ(split.stages[0].card, "RTX 4070");
  EXPECT_EQ(split.streamed_bytes, 0U);
}

}  // namespace
}  // namespace mantissa
