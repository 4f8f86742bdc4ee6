#include <gtest/gtest.h>
#include <string>

#include "cards.h"

// Whether cuDNN has engines for the models' calls, on cards that aren't present: its heuristics and
// support checks run without one.

namespace mantissa::cuda {
namespace {

static_assert(attention_can_be_recorded(91900, 77));
static_assert(attention_can_be_recorded(91501, 77));
static_assert(!attention_can_be_recorded(91500, 77));
static_assert(attention_can_be_recorded(91500, 4096));

using testing::Card;
using testing::cards;

class Engines : public ::testing::TestWithParam<Card> {
 protected:
  Engines() : properties_(testing::properties_of(GetParam())) {
    testing::set_current_card(GetParam());
  }

  template <typename Record>
  bool has_engine(bool deterministic, Record&& record) {
    CudnnGraph graph;
    graph.set_device_properties(properties_);
    record(graph);
    return find_engines(graph, nullptr, deterministic);
  }

  struct Conv {
    std::int64_t batch, side, in, out, kernel = 3;
    int stride = 1;
    bool at_end = false;  ///< padded only at the bottom and right, as in a VAE's downsampling
    DType type = DType::bf16;
  };
  static View view(DType type, const Shape& shape) { return {nullptr, type, shape}; }
  static ConvOptions options(const Conv& c) {
    ConvOptions o;
    o.stride = c.stride;
    const int pad = static_cast<int>(c.kernel / 2);
    o.pad_top = o.pad_left = c.at_end ? 0 : pad;
    o.pad_bottom = o.pad_right = pad;
    return o;
  }
  static std::int64_t out_side(const Conv& c) {
    const ConvOptions o = options(c);
    return (c.side + o.pad_top + o.pad_bottom - c.kernel) / c.stride + 1;
  }
  bool conv(const Conv& c, bool bias, bool accumulate, bool deterministic = false) {
    const std::int64_t side = out_side(c);
    static char memory;  // a bias is present or not by its address
    const View b = bias ? View(&memory, c.type, {c.out}) : View{};
    return has_engine(deterministic, [&](CudnnGraph& g) {
      record_conv2d(g, view(c.type, {c.batch, c.side, c.side, c.in}),
                    view(c.type, {c.out, c.kernel, c.kernel, c.in}), b,
                    view(c.type, {c.batch, side, side, c.out}), options(c), accumulate);
    });
  }
  bool conv_backward(const Conv& c, bool accumulate, bool deterministic = false) {
    const std::int64_t side = out_side(c);
    return has_engine(deterministic, [&](CudnnGraph& g) {
      record_conv2d_backward_data(g, view(c.type, {c.batch, side, side, c.out}),
                                  view(c.type, {c.out, c.kernel, c.kernel, c.in}),
                                  view(c.type, {c.batch, c.side, c.side, c.in}), options(c),
                                  accumulate);
    });
  }

  struct Heads {
    std::int64_t batch;
    int heads;
    std::int64_t queries, keys, width;
    bool causal = false;
    DType type = DType::bf16;
    bool joined = false;  ///< q, k and v are slices of one tensor, or k and v of another
    int group = 1;        ///< heads of q that share keys
  };
  bool attention(const Heads& h) {
    const AttentionOptions o = options(h);
    const View q = query(h), kv = key(h), out = tokens(h, h.queries);
    return has_engine(false, [&](CudnnGraph& g) { record_attention(g, q, kv, kv, out, o); });
  }
  bool attention_backward(const Heads& h, bool deterministic = false) {
    const AttentionOptions o = options(h);
    const View q = query(h), kv = key(h), out = tokens(h, h.queries);
    return has_engine(deterministic, [&](CudnnGraph& g) {
      record_attention_backward(g, q, kv, kv, out, out, q, kv, kv, o, deterministic);
    });
  }
  static View query(const Heads& h) {
    View q = tokens(h, h.queries);
    q.row_stride *= h.joined && h.queries == h.keys ? 3 : 1;
    return q;
  }
  static View key(const Heads& h) {
    View kv = view(h.type, {h.batch, h.keys, h.heads / h.group * h.width});
    kv.row_stride *= !h.joined ? 1 : h.queries == h.keys ? 3 : 2;
    return kv;
  }
  static AttentionOptions options(const Heads& h) {
    AttentionOptions o;
    o.heads = h.heads;
    o.scale = 0.125F;
    o.causal = h.causal;
    o.kv_heads = h.heads / h.group;
    return o;
  }
  static View tokens(const Heads& h, std::int64_t count) {
    return view(h.type, {h.batch, count, h.heads * h.width});
  }

  static bool old() { return GetParam().capability < 80; }
  std::shared_ptr<cudnn_frontend::DeviceProperties> properties_;
};

constexpr DType kHalves[] = {DType::bf16, DType::f16};

TEST_P(Engines, ConvolutionsOfTheUnetAndTheVae) {
  const Conv forms[] = {
      {4, 128, 4, 320},
      {4, 128, 320, 320},
      {4, 128, 320, 320, 3, 2},
      {4, 64, 960, 640, 1},
      {4, 32, 2560, 1280},
      {4, 128, 320, 4},
      {1, 1024, 128, 128, 3, 2, true},
      {1, 128, 8, 8, 1},
      {1, 16, 32, 64},
  };
  for (Conv c : forms) {
    // Before sm_80 there is no bf16; GEMMs of patches are used instead.
    c.type = old() ? DType::f16 : DType::bf16;
    const std::string what =
        std::to_string(c.side) + " " + std::to_string(c.in) + " " + std::to_string(c.out);
    EXPECT_TRUE(conv(c, true, false)) << what;
    EXPECT_TRUE(conv(c, true, true)) << what;
    EXPECT_TRUE(conv(c, true, false, true)) << what << " deterministic";
    EXPECT_TRUE(conv_backward(c, false)) << what;
    EXPECT_TRUE(conv_backward(c, true)) << what;
    EXPECT_TRUE(conv_backward(c, false, true)) << what << " deterministic";
  }
}

TEST_P(Engines, ConvolutionsOfOtherTypes) {
  EXPECT_TRUE(conv({4, 64, 320, 320, 3, 1, false, DType::f16}, true, true));
  EXPECT_TRUE(conv({1, 1024, 3, 128, 3, 1, false, DType::f16}, true, false));
  EXPECT_EQ(conv({4, 64, 320, 320, 3, 1, false, DType::bf16}, true, true), !old());
  EXPECT_TRUE(conv({4, 64, 320, 320, 3, 1, false, DType::f32}, true, false)) << "TF32";
}

TEST_P(Engines, Attention) {
  const Heads forms[] = {
      {4, 10, 4096, 4096, 64},  // SDXL, 1024 px
      {4, 10, 4096, 77, 64},       {4, 20, 1024, 1024, 64}, {4, 8, 1024, 1024, 40},     // SD 1.5
      {4, 8, 256, 77, 80},         {4, 16, 4096, 4096, 72},                             // PixArt
      {4, 16, 4096, 120, 72},      {1, 2, 64, 64, 8},       {1, 12, 77, 77, 64, true},  // CLIP
      {2, 20, 231, 231, 64, true},
  };
  for (const DType type : kHalves) {
    for (Heads h : forms) {
      h.type = type;
      for (const bool joined : {false, true}) {
        h.joined = joined;
        const std::string what = std::string(dtype_name(type)) + " " + std::to_string(h.queries) +
                                 " x " + std::to_string(h.keys) + " of " + std::to_string(h.width) +
                                 (joined ? " joined" : "");
        EXPECT_EQ(attention(h), !old()) << what;
        EXPECT_EQ(attention_backward(h), !old()) << what;
      }
    }
  }
}

TEST_P(Engines, AttentionOfFlowTransformers) {
  Heads forms[] = {
      {1, 30, 4128, 4128, 128},     // Z-Image, 1024 px
      {1, 24, 4608, 4608, 128},     // FLUX.2 klein
      {1, 16, 4096, 512, 128},      // Anima, text
      {1, 48, 4608, 4608, 128},     // Krea 2
      {2, 32, 512, 512, 128, true}  // Qwen3
  };
  forms[3].group = forms[4].group = 4;
  for (const Heads& h : forms) {
    const std::string what = std::to_string(h.heads) + " heads";
    EXPECT_EQ(attention(h), !old()) << what;
    EXPECT_EQ(attention_backward(h), !old()) << what;
  }
}

TEST_P(Engines, DeterministicBackwardOfLongAttentionGoesOurWay) {
  EXPECT_EQ(attention_backward({4, 20, 1024, 1024, 64}, true), !old());
  EXPECT_EQ(attention_backward({4, 10, 4096, 77, 64}, true), !old());
  EXPECT_FALSE(attention_backward({4, 10, 4096, 4096, 64}, true)) << "wants gigabytes";
}

INSTANTIATE_TEST_SUITE_P(Cards, Engines, ::testing::ValuesIn(cards().begin(), cards().end()),
                         [](const auto& info) {
                           return "sm" + std::to_string(info.param.capability);
                         });

}  // namespace
}  // namespace mantissa::cuda
