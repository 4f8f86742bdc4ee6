// The adapter set alone: layout, initial values, state, fixed adapters.
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <tuple>

#include "engine/adapters/fixed_adapters.h"
#include "engine/adapters/trained_set.h"
#include "engine/core/glob.h"
#include "engine/graph/ops.h"
#include "engine/models/stable_diffusion/sd_family.h"
#include "engine/nn/linear.h"
#include "kernels/cpu/cpu.h"
#include "tests/engine/models/support.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {

using namespace testing_support;
using test::message_of;

const std::string kToQ = "denoiser.down_blocks.0.attentions.0.transformer_blocks.0.attn1.to_q";
const std::string kConv = "denoiser.down_blocks.0.resnets.0.conv1";
const std::string kText = "te2.text_model.encoder.layers.1.self_attn.q_proj";

class Adapters : public ::testing::Test {
 protected:
  void bind(TrainedSet& set) {
    EXPECT_NE(set.request(kText, kTe2, {32, 32}), nullptr);
    EXPECT_NE(set.request(kToQ, kDenoiser, {16, 24}), nullptr);
    EXPECT_NE(set.request(kConv, kDenoiser, {8, 16, 3, 3}), nullptr);
  }
  Preset preset_ = lora_preset({"linear+conv"}, 4, 2, 8, {kDenoiser, kTe2});
  std::unique_ptr<Kernels> kernels_ = make_cpu_kernels(1);
};

TEST_F(Adapters, FlatBuffersInBindingOrder) {
  TrainedSet set(*kernels_, preset_, kSdxl);
  bind(set);
  const Adapter* again = set.request(kToQ, kDenoiser, {16, 24});
  EXPECT_EQ(again, &set.adapters()[1]);
  EXPECT_EQ(set.bytes(), std::size_t{4} * 2 * (256 + 160 + 288 + 16));
  set.finalize(1);
  EXPECT_EQ(set.parameters(kTe2).count(), 4 * 32 + 32 * 4);
  EXPECT_EQ(set.parameters(kDenoiser).count(), 4 * 24 + 16 * 4 + 2 * 16 * 9 + 8 * 2);
  EXPECT_EQ(set.parameters(kTe1).count(), 0);
  EXPECT_EQ(set.parts(), (std::vector<Part>{kDenoiser, kTe2}));
  const AdapterTensor* up = set.find(kConv + ".lora_B.weight");
  ASSERT_NE(up, nullptr);
  EXPECT_EQ(up->offset, 4 * 24 + 16 * 4 + 2 * 16 * 9);
  EXPECT_EQ(up->tensor->shape, (Shape{8, 2, 1, 1}));
  EXPECT_EQ(up->tensor->data, set.parameters(kDenoiser).as<float>() + up->offset);
  EXPECT_EQ(up->tensor->grad, set.gradients(kDenoiser).as<float>() + up->offset);
  EXPECT_EQ(set.adapters()[1].scale, 2.0F);
  EXPECT_EQ(set.adapters()[2].scale, 4.0F);
}

TEST_F(Adapters, MatricesAreReadTogetherInThe16BitTypeOfTheProducts) {
  for (const auto& [compute, masters, together] :
       {std::tuple(ComputeType::fp32, MasterType::fp32, false),
        std::tuple(ComputeType::bf16, MasterType::fp32, true),
        std::tuple(ComputeType::fp8, MasterType::fp32, true),
        std::tuple(ComputeType::bf16, MasterType::bf16, false),
        std::tuple(ComputeType::fp16, MasterType::bf16, true)}) {
    preset_.precision.compute = compute;
    preset_.precision.adapter = masters;
    preset_.adapter.type = AdapterType::dora;
    TrainedSet set = TrainedSet::planning(preset_, kSdxl);
    bind(set);
    for (const AdapterTensor& t : set.tensors()) {
      const TensorBuffer* buffer = t.tensor->buffer;
      ASSERT_EQ(buffer != nullptr, together && !t.magnitude) << t.name;
      if (buffer != nullptr) {
        EXPECT_EQ(t.tensor->buffer_offset, t.offset);
        EXPECT_EQ(buffer->read_as, compute == ComputeType::fp16 ? DType::f16 : DType::bf16);
        EXPECT_EQ(buffer->whole.dtype, t.tensor->dtype);
        EXPECT_EQ(buffer->whole.shape, set.parameters(t.part).shape);
        EXPECT_FALSE(buffer->whole.trainable);
      }
    }
  }
}

TEST_F(Adapters, TheSharedBufferIsTheMastersOwnMemory) {
  preset_.precision.compute = ComputeType::bf16;
  TrainedSet set(*kernels_, preset_, kSdxl);
  bind(set);
  set.finalize(1);
  for (const AdapterTensor& t : set.tensors()) {
    EXPECT_EQ(t.tensor->buffer->whole.data, set.parameters(t.part).data);
    EXPECT_EQ(t.tensor->data, t.tensor->buffer->whole.view().as<float>() + t.tensor->buffer_offset);
  }
}

TEST_F(Adapters, StartAsZeroChangeWithUniformDown) {
  preset_.adapter.rank = 64;
  TrainedSet set(*kernels_, preset_, kSdxl), same(*kernels_, preset_, kSdxl),
      other(*kernels_, preset_, kSdxl);
  for (TrainedSet* each : {&set, &same, &other}) {
    bind(*each);
    each->finalize(each == &other ? 2 : 1);
  }
  const auto values = read(set.adapters()[0].down.view());
  const float bound = 1.0F / std::sqrt(32.0F);
  double sum = 0, squares = 0;
  for (float x : values) {
    EXPECT_LE(std::abs(x), bound);
    sum += static_cast<double>(x);
    squares += static_cast<double>(x) * x;
  }
  const double n = static_cast<double>(values.size());
  EXPECT_NEAR(sum / n, 0.0, 4 * bound / std::sqrt(3 * n));
  EXPECT_NEAR(squares / n, bound * bound / 3, 0.03 * bound * bound);
  for (const Adapter& adapter : set.adapters()) {
    const auto up = read(adapter.up.view());
    EXPECT_TRUE(std::all_of(up.begin(), up.end(), [](float x) { return x == 0.0F; }));
  }
  EXPECT_EQ(read(same.parameters(kDenoiser)), read(set.parameters(kDenoiser)));
  EXPECT_NE(read(other.parameters(kDenoiser)), read(set.parameters(kDenoiser)));
  EXPECT_NE(read(set.adapters()[1].down.view())[0], values[0]);
}

TEST_F(Adapters, ModulesOfOneShapeStartApart) {
  TrainedSet set(*kernels_, preset_, kSdxl);
  for (const char* name : {"to_q", "to_k"}) {
    set.request(kToQ.substr(0, kToQ.rfind('.') + 1) + name, kDenoiser, {16, 24});
  }
  EXPECT_NE(set.request(kText, kTe2, {32, 32}), nullptr);
  set.finalize(1);
  EXPECT_NE(read(set.adapters()[0].down.view()), read(set.adapters()[1].down.view()));
}

TEST_F(Adapters, RsloraScaleIsWrittenAsItsAlpha) {
  preset_.adapter.scaling = AdapterScaling::rslora;
  TrainedSet set(*kernels_, preset_, kSdxl);
  bind(set);
  set.finalize(1);
  EXPECT_FLOAT_EQ(set.adapters()[0].scale, 4.0F);
  EXPECT_DOUBLE_EQ(set.snapshot()[0].alpha, 16.0);
}

TEST_F(Adapters, StateIsCheckedBeforeAnythingChanges) {
  TrainedSet set(*kernels_, preset_, kSdxl);
  bind(set);
  set.finalize(1);
  std::map<std::string, std::vector<float>> state;
  for (const AdapterTensor& tensor : set.tensors()) {
    state[tensor.name].assign(static_cast<std::size_t>(tensor.tensor->shape.count()), 0.5F);
  }
  const auto before = read(set.parameters(kDenoiser));
  auto broken = state;
  broken[kToQ + ".lora_A.weight"].pop_back();
  EXPECT_NE(message_of([&] { set.load(broken); }).find(kToQ + ".lora_A.weight: expected [4, 24]"),
            std::string::npos);
  broken = state;
  broken["denoiser.x.lora_A.weight"] = {1};
  EXPECT_NE(message_of([&] { set.load(broken); }).find("denoiser.x.lora_A.weight"),
            std::string::npos);
  EXPECT_EQ(read(set.parameters(kDenoiser)), before);
  set.load(state);
  const auto after = read(set.parameters(kDenoiser));
  EXPECT_TRUE(std::all_of(after.begin(), after.end(), [](float x) { return x == 0.5F; }));
  broken = state;
  broken.erase(kConv + ".lora_B.weight");
  EXPECT_NE(message_of([&] { set.load(broken); }).find(kConv + ".lora_B.weight: missing"),
            std::string::npos);
}

TEST(AdapterTargets, OlderSpellingsNameTheSameModules) {
  const Family& family = family_of(ModelFamily("sdxl"));
  for (const char* pattern : {"te2.*.q_proj", "text_encoder_2.*.q_proj", "text_encoder_2*q_proj"}) {
    const AdapterTargets targets({pattern}, family.parts);
    EXPECT_TRUE(targets.matches(kTe2, kText)) << pattern;
    EXPECT_FALSE(targets.matches(kTe1, "te1" + kText.substr(3))) << pattern;
    EXPECT_FALSE(targets.matches(kDenoiser, kToQ)) << pattern;
  }
  for (const char* pattern :
       {"denoiser.*.to_q", "unet.*.to_q", "transformer.*.to_q", "unet*to_q"}) {
    EXPECT_TRUE(AdapterTargets({pattern}, family.parts).matches(kDenoiser, kToQ)) << pattern;
    EXPECT_FALSE(AdapterTargets({pattern}, family.parts).matches(kTe2, kText)) << pattern;
  }
}

TEST_F(Adapters, RefusesTargetsThatMeetNothingAndLateBinding) {
  preset_.adapter.targets = {"*.nowhere"};
  TrainedSet none(*kernels_, preset_, kSdxl);
  EXPECT_EQ(none.request(kToQ, kDenoiser, {16, 24}), nullptr);
  EXPECT_NE(message_of([&] { none.finalize(1); }).find("*.nowhere"), std::string::npos);

  preset_.adapter.targets = {"attention"};
  preset_.training.parts = {kDenoiser};
  TrainedSet set(*kernels_, preset_, kSdxl);
  EXPECT_EQ(set.request(kText, kTe2, {32, 32}), nullptr);
  EXPECT_EQ(set.request(kConv, kDenoiser, {8, 16, 3, 3}), nullptr);
  EXPECT_NE(set.request(kToQ, kDenoiser, {16, 24}), nullptr);
  set.finalize(1);
  const std::string late = "denoiser.mid_block.attentions.0.transformer_blocks.0.attn1.to_q";
  EXPECT_NE(message_of([&] {
              set.request(late, kDenoiser, {8, 8});
            }).find(late),
            std::string::npos);
}

TEST(Glob, Stars) {
  EXPECT_TRUE(glob_match("*", ""));
  EXPECT_TRUE(glob_match("unet.*.to_q", "unet.a.b.to_q"));
  EXPECT_FALSE(glob_match("unet.*.to_q", "unet.a.b.to_q.x"));
  EXPECT_TRUE(glob_match("*ab*ab", "abxabab"));
  EXPECT_FALSE(glob_match("a", "aa"));
  EXPECT_FALSE(glob_match(std::string(30, '*') + "b", std::string(10000, 'a')));
}

/// A LoRA on one 2x3 linear and one 3x3 convolution: the layers against plain loops.
TEST_F(Adapters, StackedFilesEqualTheSumOfTheirDeltas) {
  const auto module = [](const std::string& path, int rank, double alpha, float seed) {
    AdapterModule m{path, rank, alpha, {rank, 24}, {16, rank}, {}, {}};
    for (int i = 0; i < rank * 24; ++i) {
      m.down.push_back(std::sin(seed + static_cast<float>(i)));
    }
    for (int i = 0; i < 16 * rank; ++i) {
      m.up.push_back(std::cos(seed + 2.0F * static_cast<float>(i)));
    }
    return m;
  };
  const std::vector<AdapterModule> first{module(kToQ, 2, 3, 0.1F)},
      second{module(kToQ, 3, 1.5, 0.7F)};
  const std::vector<WeightedAdapter> files{{&first, 0.5}, {&second, -2.0}};
  FixedAdapters set(*kernels_, files);
  Adapter* adapter = set.request(kToQ, kDenoiser, {16, 24});
  ASSERT_NE(adapter, nullptr);
  EXPECT_EQ(set.request(kConv, kDenoiser, {8, 16, 3, 3}), nullptr);
  set.finalize();
  EXPECT_EQ(adapter->rank, 5);
  const auto down = read(adapter->down.view()), up = read(adapter->up.view());
  for (int o = 0; o < 16; ++o) {
    for (int i = 0; i < 24; ++i) {
      double expected = 0, got = 0;
      for (const auto& [m, weight] : {std::pair{&first[0], 0.5}, std::pair{&second[0], -2.0}}) {
        for (int r = 0; r < m->rank; ++r) {
          expected += weight * m->alpha / m->rank *
                      static_cast<double>(m->up[static_cast<std::size_t>(o * m->rank + r)]) *
                      static_cast<double>(m->down[static_cast<std::size_t>(r * 24 + i)]);
        }
      }
      for (int r = 0; r < 5; ++r) {
        got += static_cast<double>(up[static_cast<std::size_t>(o * 5 + r)]) *
               static_cast<double>(down[static_cast<std::size_t>(r * 24 + i)]);
      }
      EXPECT_NEAR(static_cast<double>(adapter->scale) * got, expected, 1e-5);
    }
  }
  FixedAdapters wrong(*kernels_, files);
  EXPECT_NE(message_of([&] {
              wrong.request(kToQ, kDenoiser, {16, 32});
            }).find("[16, 32]"),
            std::string::npos);
  FixedAdapters unmet(*kernels_, files);
  EXPECT_NE(message_of([&] { unmet.finalize(); }).find(kToQ), std::string::npos);
}

}  // namespace
}  // namespace mantissa
