#include "engine/adapters/adapter_size.h"

#include <gtest/gtest.h>
#include <memory>

#include "engine/adapters/export.h"
#include "engine/adapters/trained_set.h"
#include "engine/models/stable_diffusion/sd_family.h"
#include "kernels/cpu/cpu.h"
#include "tests/engine/models/support.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {

using test::message_of;
using testing_support::lora_preset;

const std::string kQuery = "denoiser.down_blocks.0.attentions.0.transformer_blocks.0.attn1.to_q";
const std::string kKey = "denoiser.down_blocks.0.attentions.0.transformer_blocks.0.attn1.to_k";
const std::string kWide = "denoiser.down_blocks.0.resnets.0.conv1";

class AdapterSizes : public ::testing::Test {
 protected:
  Preset preset_ = lora_preset({"linear+conv"}, 4, 2, 8, {kDenoiser});
  std::unique_ptr<Kernels> kernels_ = make_cpu_kernels(1);
};

TEST_F(AdapterSizes, TheFirstEntryThatNamesALayerCounts) {
  Preset::Adapter& a = preset_.adapter;
  EXPECT_EQ(adapter_size(a, kQuery, false).rank, 4);
  EXPECT_EQ(adapter_size(a, kWide, true).rank, 2);
  EXPECT_EQ(adapter_size(a, kWide, false).rank, 4) << "1x1 convolutions are as linear layers";
  a.ranks = {{"denoiser.*.to_q", 16, 2}, {"unet.down_blocks.*", 6, 0}, {"*", 1, 0}};
  EXPECT_EQ(adapter_size(a, kQuery, false).rank, 16);
  EXPECT_EQ(adapter_size(a, kQuery, false).alpha, 2);
  EXPECT_EQ(adapter_size(a, kKey, false).rank, 6);
  EXPECT_EQ(adapter_size(a, kKey, false).alpha, 8) << "0 takes adapter.alpha";
  EXPECT_EQ(adapter_size(a, kWide, true).rank, 6) << "in place of adapter.conv_rank too";
  EXPECT_EQ(adapter_size(a, "te1.q_proj", false).rank, 1);
}

TEST_F(AdapterSizes, EachLayerHasItsOwnShapesAndScale) {
  for (const AdapterType type : {AdapterType::lora, AdapterType::dora, AdapterType::loha}) {
    preset_.adapter.type = type;
    preset_.adapter.ranks = {{"*.to_q", 3, 6}, {"*.conv1", 5, 0}};
    TrainedSet set(*kernels_, preset_, kSdxl);
    const Adapter* q = set.request(kQuery, kDenoiser, {16, 24});
    const Adapter* k = set.request(kKey, kDenoiser, {16, 24});
    const Adapter* conv = set.request(kWide, kDenoiser, {8, 16, 3, 3});
    ASSERT_TRUE(q != nullptr && k != nullptr && conv != nullptr);
    EXPECT_EQ(q->rank, 3);
    EXPECT_EQ(q->scale, 2.0F);
    EXPECT_EQ(k->rank, 4);
    EXPECT_EQ(k->scale, 2.0F);
    EXPECT_EQ(conv->rank, 5);
    EXPECT_EQ(conv->scale, 1.6F);
    if (!is_product(type)) {
      EXPECT_EQ(q->down.shape, (Shape{3, 24}));
      EXPECT_EQ(conv->up.shape, (Shape{8, 5, 1, 1}));
    }
  }
}

TEST_F(AdapterSizes, RankNoughtLeavesLayersOut) {
  preset_.adapter.ranks = {{"*.to_q", 0, 0}};
  TrainedSet set(*kernels_, preset_, kSdxl);
  EXPECT_EQ(set.request(kQuery, kDenoiser, {16, 24}), nullptr);
  EXPECT_NE(set.request(kKey, kDenoiser, {16, 24}), nullptr);
  EXPECT_NO_THROW(set.require_bound());
  preset_.adapter.ranks = {{"*", 0, 0}};
  TrainedSet none = TrainedSet::planning(preset_, kSdxl);
  EXPECT_EQ(none.request(kKey, kDenoiser, {16, 24}), nullptr);
  EXPECT_NE(message_of([&] { none.require_bound(); }).find("adapter.ranks"), std::string::npos);
}

TEST_F(AdapterSizes, SavedModulesKeepTheirRankAndAlpha) {
  preset_.adapter.ranks = {{"*.to_q", 3, 6}};
  TrainedSet set(*kernels_, preset_, kSdxl);
  set.request(kQuery, kDenoiser, {16, 24});
  set.request(kKey, kDenoiser, {16, 24});
  set.finalize(1);
  const std::vector<AdapterModule> modules = set.snapshot();
  ASSERT_EQ(modules.size(), 2U);
  EXPECT_EQ(modules[0].rank, 3);
  EXPECT_EQ(modules[0].alpha, 6);
  EXPECT_EQ(modules[1].rank, 4);
  EXPECT_EQ(modules[1].alpha, 8);
}

}  // namespace
}  // namespace mantissa
