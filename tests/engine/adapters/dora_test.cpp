// DoRA and PiSSA over whole models: the start, vanishing channels, files applied with a strength.
#include "engine/adapters/dora.h"

#include <cmath>
#include <cstring>
#include <gtest/gtest.h>

#include "engine/adapters/adapter_forms.h"
#include "engine/adapters/delta.h"
#include "engine/adapters/fixed_adapters.h"
#include "engine/adapters/trained_set.h"
#include "engine/core/error.h"
#include "engine/graph/ops.h"
#include "engine/models/stable_diffusion/sd_family.h"
#include "engine/nn/adapted.h"
#include "engine/preset/names.h"
#include "kernels/cpu/cpu.h"
#include "tests/engine/models/support.h"

namespace mantissa {
namespace {

using namespace testing_support;

const std::string kToQ = "denoiser.down_blocks.0.attentions.0.transformer_blocks.0.attn1.to_q";

// -- the start equals the base -------------------------------------------------------------------

struct Start {
  StorageType weights;
  ComputeType compute;
  const char* name;
};

class DoraStart : public ::testing::TestWithParam<Start> {
 protected:
  std::vector<float> predict(const Preset& preset, bool adapt) {
    const auto kernels = make_cpu_kernels(2);
    const WeightSource source = WeightSource::open(golden_model("a.safetensors"));
    TrainedSet adapters(*kernels, preset, kSdxl);
    StableDiffusion model(kernels.get(), source, adapt ? &adapters : nullptr,
                          PrecisionRules(preset.precision));
    model.bind(std::vector{kDenoiser});
    if (adapt) {
      adapters.finalize(3);
    }
    const Reference r("a.safetensors");
    Graph graph;
    const auto input = [&](const std::string& name) {
      return graph.input(name, DType::f32, r.shape(name));
    };
    graph.output("prediction", model.unet().forward(graph, input("unet.latents"),
                                                    input("unet.timesteps"), input("unet.context"),
                                                    input("unet.pooled"), input("unet.time_ids")));
    const Plan plan = make_plan(graph, {});
    Arena arena(*kernels);
    Executor executor(graph, plan, *kernels, arena);
    for (const auto& [name, id] : graph.inputs()) {
      write(executor.input(name), r.values(name));
    }
    executor.run({.seed = 4, .step = 2});
    return read(executor.output("prediction"));
  }
};

TEST_P(DoraStart, EqualsTheBaseToTheBit) {
  Preset preset = lora_preset({"linear+conv"}, 4, 2, 6);
  preset.precision.weights.denoiser = GetParam().weights;
  preset.precision.compute = GetParam().compute;
  const std::vector<float> base = predict(preset, false);
  for (AdapterType type : {AdapterType::dora, AdapterType::loha, AdapterType::lokr}) {
    preset.adapter.type = type;
    preset.adapter.decompose = is_product(type);
    for (DoraAxis axis : {DoraAxis::output, DoraAxis::input}) {
      for (double dropout : {0.0, 0.3}) {
        preset.adapter.dora_axis = axis;
        preset.adapter.dropout = dropout;
        EXPECT_TRUE(predict(preset, true) == base)
            << enum_name(type) << (axis == DoraAxis::input ? " input" : " output")
            << " axis, dropout " << dropout;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Types, DoraStart,
    ::testing::Values(Start{StorageType::fp32, ComputeType::fp32, "fp32"},
                      Start{StorageType::fp32, ComputeType::tf32, "tf32"},
                      Start{StorageType::bf16, ComputeType::bf16, "bf16"},
                      Start{StorageType::fp16, ComputeType::fp16, "fp16"},
                      Start{StorageType::fp8_e4m3, ComputeType::fp32, "fp8_in_fp32"},
                      Start{StorageType::fp8_e4m3, ComputeType::bf16, "fp8_in_bf16"},
                      Start{StorageType::fp8_e5m2, ComputeType::fp16, "e5m2_in_fp16"},
                      Start{StorageType::fp8_e4m3, ComputeType::fp8, "fp8"},
                      Start{StorageType::int8, ComputeType::fp32, "int8_in_fp32"},
                      Start{StorageType::int8, ComputeType::bf16, "int8_in_bf16"},
                      Start{StorageType::int8, ComputeType::int8, "int8"},
                      Start{StorageType::int8, ComputeType::int8_fp16, "int8_fp16"},
                      Start{StorageType::int8_convrot, ComputeType::bf16, "rotated_in_bf16"},
                      Start{StorageType::int8_convrot, ComputeType::int8, "rotated_int8"},
                      Start{StorageType::nf4, ComputeType::fp32, "nf4_in_fp32"},
                      Start{StorageType::nf4, ComputeType::bf16, "nf4_in_bf16"}),
    [](const auto& info) { return info.param.name; });

// -- one layer against plain numbers --------------------------------------------------------------

/// A frozen weight of fp32 and layers on it.
class DoraSet : public ::testing::Test {
 protected:
  static constexpr std::int64_t kOut = 6, kIn = 10;

  DoraSet() {
    for (std::size_t i = 0; i < values_.size(); ++i) {
      values_[i] = std::sin(static_cast<float>(i) * 1.7F + 0.3F);
    }
    weight_ = {.name = "w", .shape = {kOut, kIn}, .data = values_.data()};
    preset_ = lora_preset({"attention"}, 2, 0, 3);
    preset_.adapter.type = AdapterType::dora;
  }
  static std::vector<float> pattern(std::size_t n, float seed, float size) {
    std::vector<float> v(n);
    for (std::size_t i = 0; i < n; ++i) {
      v[i] = size * std::cos(seed + 2.3F * static_cast<float>(i));
    }
    return v;
  }
  /// y of 4 rows of x through the adapter; with `backward`, gradients too.
  std::vector<float> apply(Adapter* adapter, bool backward = false) {
    Graph graph;
    const Value x = graph.input("x", DType::f32, {4, kIn}, true);
    AdaptedLayer layer{.weight = &weight_, .adapter = adapter};
    layer.base = [&](Value from, Value bias, Value plus) {
      return matmul(from, graph.use(weight_), {.transpose_b = true, .bias = bias, .addend = plus});
    };
    layer.down = [&](Value from, Tensor&) {
      return matmul(from, graph.use(adapter->down), {.transpose_b = true});
    };
    layer.by = [&](Value from, Value by) { return matmul(from, by, {.transpose_b = true}); };
    const Value y = adapted(layer, x, {}, {});
    graph.output("y", y);
    if (backward) {
      graph.backward(mse_loss(y, graph.input("target", DType::f32, y.shape()),
                              graph.input("weights", DType::f32, {4}))
                         .loss,
                     false);
    }
    const Plan plan = make_plan(graph, {});
    Arena arena(*kernels_);
    Executor executor(graph, plan, *kernels_, arena);
    write(executor.input("x"), pattern(4 * kIn, 0.4F, 1));
    if (backward) {
      write(executor.input("target"), pattern(4 * kOut, 1.4F, 1));
      write(executor.input("weights"), {1, 1, 1, 1});
    }
    executor.run({});
    return read(executor.output("y"));
  }
  /// y of the same x through W + delta.
  std::vector<float> product(const std::vector<float>& delta) {
    std::vector<float> y(4 * kOut);
    const std::vector<float> x = pattern(4 * kIn, 0.4F, 1);
    for (std::size_t r = 0; r < 4; ++r) {
      for (std::size_t o = 0; o < kOut; ++o) {
        double sum = 0;
        for (std::size_t i = 0; i < kIn; ++i) {
          const std::size_t e = o * kIn + i;
          sum += static_cast<double>(x[r * kIn + i]) *
                 (static_cast<double>(values_[e]) + static_cast<double>(delta[e]));
        }
        y[r * kOut + o] = static_cast<float>(sum);
      }
    }
    return y;
  }
  AdapterModule module(DoraAxis axis, int rank, float seed) {
    AdapterModule m;
    m.path = kToQ;
    m.rank = rank;
    m.alpha = 1.5 * rank;
    m.down_shape = {rank, kIn};
    m.up_shape = {kOut, rank};
    m.down = pattern(static_cast<std::size_t>(rank * kIn), seed, 0.4F);
    m.up = pattern(static_cast<std::size_t>(kOut * rank), seed + 0.7F, 0.4F);
    m.dora_axis = axis;
    m.magnitude =
        pattern(static_cast<std::size_t>(axis == DoraAxis::output ? kOut : kIn), seed, 0.5F);
    for (float& x : m.magnitude) {
      x += 1.5F;
    }
    return m;
  }

  std::unique_ptr<Kernels> kernels_ = make_cpu_kernels(1);
  std::vector<float> values_ = std::vector<float>(kOut * kIn);
  Tensor weight_;
  Preset preset_;
};

TEST_F(DoraSet, MagnitudesLieInBuffersOfTheirOwn) {
  preset_.precision.adapter = MasterType::bf16;
  preset_.adapter.lora_plus_ratio = 16;
  TrainedSet set(*kernels_, preset_, kSdxl);
  ASSERT_NE(set.request(kToQ, kDenoiser, weight_), nullptr);
  set.finalize(1);
  ASSERT_EQ(set.tensors().size(), 3U);
  EXPECT_EQ(set.tensors()[2].name, kToQ + ".lora_magnitude_vector");
  EXPECT_TRUE(set.tensors()[2].magnitude);
  EXPECT_EQ(set.tensors()[0].rate_ratio, 1.0);
  EXPECT_EQ(set.tensors()[1].rate_ratio, 16.0);
  EXPECT_EQ(set.tensors()[2].rate_ratio, 1.0);
  EXPECT_EQ(set.parameters(kDenoiser).dtype, DType::bf16);
  EXPECT_EQ(set.magnitudes(kDenoiser).dtype, DType::f32) << "whatever the masters are";
  EXPECT_EQ(set.magnitudes(kDenoiser).data, set.tensors()[2].tensor->data);
  const auto buffers = set.buffers();
  ASSERT_EQ(buffers.size(), 2U);
  EXPECT_FALSE(buffers[0].magnitudes);
  EXPECT_TRUE(buffers[1].magnitudes);
  EXPECT_EQ(buffers[1].parameters.count(), kOut);
  EXPECT_EQ(set.parameter_count(), 2 * kIn + 2 * kOut + kOut);
  const std::vector<float> m = set.values(*set.tensors()[2].tensor);
  for (std::size_t o = 0; o < kOut; ++o) {
    double sum = 0;
    for (std::size_t i = 0; i < kIn; ++i) {
      sum += static_cast<double>(values_[o * kIn + i]) * static_cast<double>(values_[o * kIn + i]);
    }
    EXPECT_NEAR(static_cast<double>(m[o]), std::sqrt(sum), 1e-6);
  }
}

struct TypeAndAxis {
  AdapterType type;
  DoraAxis axis;
};

TEST_F(DoraSet, ChannelsWithoutANormStayPlainLora) {
  using enum AdapterType;
  for (const auto& [type, axis] :
       {TypeAndAxis{dora, DoraAxis::output}, TypeAndAxis{dora, DoraAxis::input},
        TypeAndAxis{loha, DoraAxis::output}, TypeAndAxis{loha, DoraAxis::input},
        TypeAndAxis{lokr, DoraAxis::output}, TypeAndAxis{lokr, DoraAxis::input}}) {
    SCOPED_TRACE(enum_name(type));
    preset_.adapter.type = type;
    preset_.adapter.decompose = is_product(type);
    std::vector<float> before = values_;
    for (std::size_t i = 0; i < values_.size(); ++i) {
      const std::size_t channel = axis == DoraAxis::output ? i / kIn : i % kIn;
      values_[i] = channel == 2 ? 0.0F : values_[i];
    }
    preset_.adapter.dora_axis = axis;
    TrainedSet set(*kernels_, preset_, kSdxl);
    Adapter* adapter = set.request(kToQ, kDenoiser, weight_);
    set.finalize(1);
    EXPECT_EQ(set.vanishing_channels(), 1);
    std::map<std::string, std::vector<float>> state;
    for (const AdapterTensor& t : set.tensors()) {
      state[t.name] = t.magnitude
                          ? set.values(*t.tensor)
                          : pattern(static_cast<std::size_t>(t.tensor->shape.count()), 0.2F, 0.3F);
    }
    set.load(state);
    set.zero_gradients();
    const std::vector<float> y = apply(adapter, true);
    for (float v : y) {
      ASSERT_TRUE(std::isfinite(v));
    }
    const std::vector<float> d_m = set.gradient(adapter->dora->magnitude);
    for (std::size_t c = 0; c < d_m.size(); ++c) {
      EXPECT_EQ(d_m[c] == 0.0F, c == 2) << "channel " << c;
    }
    // A reader without the rule divides by n: the file's m must make that 1.
    const AdapterModule saved = expanded(set.snapshot().at(0));
    EXPECT_GT(saved.magnitude[2], 0.01F);
    const std::vector<float> delta = weight_delta(saved, values_);
    EXPECT_LE(relative_error(y, product(delta)), 1e-5);
    AdapterModule lora = saved;
    lora.dora_axis.reset();
    const std::vector<float> plain = weight_delta(lora, values_);
    for (std::size_t i = 0; i < plain.size(); ++i) {
      const std::size_t channel = axis == DoraAxis::output ? i / kIn : i % kIn;
      if (channel == 2) {
        EXPECT_NEAR(delta[i], plain[i], 1e-6);
      }
    }
    values_ = before;
  }
}

TEST_F(DoraSet, EachModuleDropsElementsOfItsOwn) {
  preset_.adapter.type = AdapterType::lora;
  preset_.adapter.dropout = 0.5;
  TrainedSet set(*kernels_, preset_, kSdxl);
  Adapter* query = set.request(kToQ, kDenoiser, weight_);
  Adapter* key = set.request(kToQ.substr(0, kToQ.rfind('.')) + ".to_k", kDenoiser, weight_);
  ASSERT_TRUE(query != nullptr && key != nullptr && query != key);
  set.finalize(1);
  std::map<std::string, std::vector<float>> state;
  for (const AdapterTensor& t : set.tensors()) {
    state[t.name] = pattern(static_cast<std::size_t>(t.tensor->shape.count()), 0.2F, 0.3F);
  }
  set.load(state);
  const std::vector<float> trained = apply(query);
  EXPECT_EQ(apply(query), trained);
  EXPECT_NE(apply(key), trained) << "the same values, the same input";
  {
    const WithoutDropout looking(&set);
    {
      const WithoutDropout rendering(&set);
      EXPECT_EQ(apply(query), apply(key));
    }
    EXPECT_EQ(apply(query), apply(key));
  }
  EXPECT_EQ(apply(query), trained) << "trained as before the sample";
}

TEST_F(DoraSet, FilesApplyWithTheirStrength) {
  for (DoraAxis axis : {DoraAxis::output, DoraAxis::input}) {
    AdapterModule plain = module(axis, 1, 2.0F);
    plain.dora_axis.reset();
    plain.magnitude.clear();
    const std::vector<AdapterModule> first{module(axis, 2, 0.1F)}, second{module(axis, 3, 0.9F)},
        third{plain};
    const std::vector<WeightedAdapter> files{{&first, 1.0}, {&second, -0.5}, {&third, 0.7}};
    FixedAdapters set(*kernels_, files);
    Adapter* adapter = set.request(kToQ, kDenoiser, weight_);
    set.finalize();
    std::vector<float> delta(values_.size(), 0.0F);
    for (const WeightedAdapter& file : files) {
      const std::vector<float> one = weight_delta((*file.modules)[0], values_);
      for (std::size_t i = 0; i < delta.size(); ++i) {
        delta[i] += static_cast<float>(file.weight) * one[i];
      }
    }
    EXPECT_LE(relative_error(apply(adapter), product(delta)), 2e-6);
  }
  const std::vector<AdapterModule> out{module(DoraAxis::output, 2, 0.1F)},
      in{module(DoraAxis::input, 2, 0.1F)};
  const std::vector<WeightedAdapter> mixed{{&out, 1.0}, {&in, 1.0}};
  FixedAdapters set(*kernels_, mixed);
  EXPECT_THROW(set.request(kToQ, kDenoiser, weight_), Error);
}

TEST_F(DoraSet, PissaStartsAtTheBaseAndIsSavedAsItsDifference) {
  for (AdapterType type : {AdapterType::lora, AdapterType::dora}) {
    const std::vector<float> original = values_;
    preset_.adapter.type = type;
    preset_.adapter.init = AdapterInit::pissa;
    TrainedSet set(*kernels_, preset_, kSdxl);
    Adapter* adapter = set.request(kToQ, kDenoiser, weight_);
    EXPECT_THROW(TrainedSet(*kernels_, preset_, kSdxl).finalize(1), Error);
    set.finalize(1, [&](const Tensor& tensor, std::span<const float> values) {
      ASSERT_EQ(tensor.name, "w");
      std::copy(values.begin(), values.end(), values_.begin());
    });
    EXPECT_FALSE(values_ == original);
    const std::vector<float> zero(values_.size(), 0.0F);
    const std::vector<float> residual = values_;
    values_ = original;  // in place: the weight points there
    const std::vector<float> base = product(zero);
    values_ = residual;
    EXPECT_LE(relative_error(apply(adapter), base), 1e-5);
    // A and B contain the largest part of the weight.
    double kept = 0, all = 0;
    for (std::size_t i = 0; i < original.size(); ++i) {
      kept += std::pow(static_cast<double>(residual[i]), 2);
      all += std::pow(static_cast<double>(original[i]), 2);
    }
    EXPECT_LT(kept, 0.7 * all);
    EXPECT_LE(relative_error(set.base_weight(kToQ), original), 1e-6);

    // After a small change, the file on the unmodified base gives the trained result.
    std::map<std::string, std::vector<float>> state;
    for (const AdapterTensor& t : set.tensors()) {
      state[t.name] = set.values(*t.tensor);
      for (std::size_t i = 0; i < state[t.name].size(); ++i) {
        state[t.name][i] += 0.1F * std::cos(static_cast<float>(i));
      }
    }
    set.load(state);
    const std::vector<float> trained = apply(adapter);
    const AdapterModule saved = set.snapshot().at(0);
    EXPECT_EQ(saved.rank, 2 * preset_.adapter.rank);
    values_ = original;
    EXPECT_LE(relative_error(product(weight_delta(saved, original)), trained), 1e-5);
  }
}

TEST(DoraValues, EmptyChannelsAreCountedAlongTheAxis) {
  // [2 outputs, 3 inputs, 1, 2]: output 1 and input 2 are empty, but for a value below the limit.
  const Shape shape{2, 3, 1, 2};
  std::vector<float> weight{1, 2, 3, 4, 0, 0, 0, 0, 0, 0, 1e-8F, 0};
  EXPECT_EQ(empty_channels(weight, shape, DoraAxis::output), 1);
  EXPECT_EQ(empty_channels(weight, shape, DoraAxis::input), 1);
  weight[11] = 1e-3F;
  EXPECT_EQ(empty_channels(weight, shape, DoraAxis::output), 0);
  EXPECT_EQ(empty_channels(weight, shape, DoraAxis::input), 0);
}

// What PiSSA starts from, and what adapters are compared with.
TEST(FrozenValues, AreThoseOfEveryCode) {
  const auto kernels = make_cpu_kernels(2);
  const Shape rows{3, 16};
  std::vector<float> given(48);
  for (std::size_t i = 0; i < given.size(); ++i) {
    given[i] = static_cast<float>(std::sin(1.0 + static_cast<double>(i)) * (1.0 + i / 16));
  }
  const DeviceArray wide(*kernels, rows);
  set_values(*kernels, given, wide.view());
  for (const DType type : {DType::f8_e4m3, DType::f8_e5m2, DType::i8}) {
    const DeviceArray codes(*kernels, rows, type), scale(*kernels, {3});
    kernels->quantize(wide.view(), {}, codes.view(), scale.view(), {});
    Tensor weight;
    weight.dtype = type;
    weight.shape = {3, 4, 2, 2};
    weight.data = codes.view().data;
    weight.scale = scale.view().as<float>();
    const std::vector<float> got = frozen_values(*kernels, weight);
    ASSERT_EQ(got.size(), given.size());
    for (std::size_t i = 0; i < given.size(); ++i) {
      EXPECT_NEAR(got[i], given[i], 0.13 * (1.0 + i / 16)) << static_cast<int>(type) << " " << i;
    }
  }
}

}  // namespace
}  // namespace mantissa
