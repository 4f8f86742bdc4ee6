// Attention's q, k and v as one GEMM compared with one GEMM each: results, gradients, and the
// conditions for joining them.
#include "engine/nn/projections.h"

#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <span>

#include "engine/adapters/trained_set.h"
#include "engine/graph/device_values.h"
#include "engine/graph/ops.h"
#include "engine/io/module_path.h"
#include "engine/models/stable_diffusion/sd_family.h"
#include "engine/nn/attention.h"
#include "kernels/cpu/cpu.h"
#include "tests/engine/models/support.h"

namespace mantissa {
namespace {

using testing_support::lora_preset;
using testing_support::read;
using testing_support::write;

constexpr const char* kBlock = "down_blocks.1.attentions.0.transformer_blocks.0";
constexpr std::int64_t kBatch = 2, kTokens = 9, kWords = 5;

struct Form {
  std::function<void(Preset&)> change = [](Preset&) {};
  bool adapted = true;
  bool by_rules = false;  ///< dtypes as the preset's precision says, instead of fp32
  std::set<std::string> streamed = {};
  bool batched = true;  ///< DoRA's factors of all layers at once
};

/// attn1 and attn2 of one block of the SDXL golden model, recorded with its gradients.
class Block {
 public:
  Block(const Form& form, bool together, bool checkpointing = false)
      : kernels_(make_cpu_kernels(2)),
        source_(WeightSource::open(testing_support::golden_model("a.safetensors"))),
        preset_(preset(form)),
        adapters_(*kernels_, preset_, source_.family()),
        weights_(*kernels_, source_) {
    if (!together) {
      adapters_.keep_binding_order();
    }
    std::set<std::string> paths;
    for (const std::string& layer : form.streamed) {
      paths.insert("denoiser." + name((layer + ".weight").c_str()));
    }
    weights_.stream(paths);
    const PrecisionRules rules(preset_.precision);
    const Scope scope = Scope(weights_, form.adapted ? &adapters_ : nullptr, kDenoiser,
                              form.by_rules ? &rules : nullptr) /
                        kBlock;
    const std::int64_t width = source_.shape(kDenoiser, name("attn1.to_q.weight"))[0];
    const std::int64_t context = source_.shape(kDenoiser, name("attn2.to_k.weight"))[1];
    const Attention self(scope / "attn1", {width, width, 2}),
        cross(scope / "attn2", {width, context, 2});
    if (form.adapted) {
      adapters_.finalize(7);
      move_adapters();
    }
    for (const Adapter& adapter : adapters_.adapters()) {
      if (adapter.dora && !form.batched) {
        adapters_.request(adapter.path, kDenoiser, adapter.weight->shape)->dora->batch = nullptr;
      }
    }
    const Value x = graph_.input("x", DType::f32, {kBatch, kTokens, width}, true);
    const Value text = graph_.input("text", DType::f32, {kBatch, kWords, context}, true);
    Value y;
    {
      const Segment segment(graph_);
      y = cross(self(x, x, x), text);
    }
    graph_.output("y", y);
    const Value target = graph_.input("target", DType::f32, y.shape());
    const Value weight = constant(graph_, DType::f32, {kBatch}, 1.0F);
    graph_.backward(mse_loss(y, target, weight).loss, checkpointing);
    graph_.output("d_x", graph_.gradient(x));
    graph_.output("d_text", graph_.gradient(text));
    plan_ = make_plan(graph_);
    Arena arena(*kernels_);
    Executor executor(graph_, plan_, *kernels_, arena);
    for (const char* input : {"x", "text", "target"}) {
      write(executor.input(input), wave(executor.input(input).count(), input[0]));
    }
    adapters_.zero_gradients();
    executor.run({3, 5});
    for (const char* output : {"y", "d_x", "d_text"}) {
      results[output] = executor.read(output);
    }
    for (const AdapterTensor& t : adapters_.tensors()) {
      results[t.name] = adapters_.gradient(*t.tensor);
    }
  }

  int count(std::string_view op) const {
    int found = 0;
    for (const int index : plan_.order) {
      found += graph_.nodes()[static_cast<std::size_t>(index)].op->name() == op ? 1 : 0;
    }
    return found;
  }
  /// How many layers are joined, in attn1, then in attn2.
  std::vector<int> parts() const {
    std::vector<int> widths;
    for (const Node& node : graph_.nodes()) {
      if (node.phase == Phase::forward && std::string_view(node.op->name()) == "split_channels") {
        widths.push_back(static_cast<int>(node.outputs.size()));
      }
    }
    return widths;
  }

  std::map<std::string, std::vector<float>> results;

 private:
  static std::string name(const char* weight) { return std::string(kBlock) + "." + weight; }
  static Preset preset(const Form& form) {
    Preset p = lora_preset({"attention"}, 4, 0, 8);
    form.change(p);
    return p;
  }
  static std::vector<float> wave(std::int64_t count, float phase) {
    std::vector<float> values(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] = std::sin(static_cast<float>(i % 997) * 0.37F + phase);
    }
    return values;
  }
  /// Up matrices begin at zero, magnitudes at the norm: layers would hardly differ.
  void move_adapters() {
    std::map<std::string, std::vector<float>> state;
    float phase = 0;
    for (const AdapterTensor& t : adapters_.tensors()) {
      std::vector<float> values = adapters_.values(*t.tensor);
      const std::vector<float> by = wave(t.tensor->shape.count(), phase += 1.0F);
      for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] += (t.magnitude ? 0.2F * values[i] : 0.1F) * by[i];
      }
      state[t.name] = values;
    }
    adapters_.load(state);
  }

  std::unique_ptr<Kernels> kernels_;
  WeightSource source_;
  Preset preset_;
  TrainedSet adapters_;
  WeightStore weights_;
  Graph graph_;
  Plan plan_;
};

void expect_same(const Block& one, const Block& each, double tolerance) {
  ASSERT_EQ(one.results.size(), each.results.size());
  for (const auto& [name, values] : each.results) {
    EXPECT_LT(testing_support::relative_error(one.results.at(name), values), tolerance) << name;
  }
}

TEST(Projections, OneGemmGivesWhatThreeGive) {
  for (const bool checkpointing : {false, true}) {
    const Block one({}, true, checkpointing), each({}, false, checkpointing);
    EXPECT_EQ(one.parts(), (std::vector{3, 2}));
    EXPECT_TRUE(each.parts().empty());
    expect_same(one, each, 2e-6);
    EXPECT_EQ(one.count("join_channels"), 0) << "the backward pass writes the parts side by side";
    EXPECT_LT(one.count("matmul"), each.count("matmul"));
  }
}

TEST(Projections, AlsoForDoraPerOutput) {
  const Form dora{.change = [](Preset& p) { p.adapter.type = AdapterType::dora; }};
  const Block one(dora, true), each(dora, false);
  EXPECT_EQ(one.parts(), (std::vector{3, 2}));
  expect_same(one, each, 5e-6);
}

double distance(const Block& a, const Block& b) {
  double sum = 0;
  for (const auto& [name, values] : b.results) {
    sum += testing_support::relative_error(a.results.at(name), values);
  }
  return sum / static_cast<double>(b.results.size());
}

TEST(Projections, AlsoForProductsOfCodesAndOfBlocks) {
  for (const StorageType weights :
       {StorageType::fp8_e4m3, StorageType::int8, StorageType::int8_convrot, StorageType::nf4,
        StorageType::mxfp8}) {
    for (const AdapterType type : {AdapterType::lora, AdapterType::dora}) {
      const auto form = [&](ComputeType compute) {
        return Form{.change =
                        [=](Preset& p) {
                          p.adapter.type = type;
                          p.precision.weights.denoiser = weights;
                          p.precision.compute = compute;
                        },
                    .by_rules = true};
      };
      const bool blocks = weights == StorageType::nf4 || weights == StorageType::mxfp8;
      const Form codes = form(blocks                             ? ComputeType::bf16
                              : weights == StorageType::fp8_e4m3 ? ComputeType::fp8
                                                                 : ComputeType::int8);
      const Block one(codes, true), each(codes, false), exact(form(ComputeType::fp32), true);
      EXPECT_EQ(one.parts(), (std::vector{3, 2}));
      EXPECT_TRUE(each.parts().empty());
      // DoRA's sums are dithered by their place in the product; FP8's gradients share a scale.
      const bool apart = type == AdapterType::dora || weights == StorageType::fp8_e4m3;
      if (type == AdapterType::lora) {
        EXPECT_EQ(one.count("join_channels"), 0);
        EXPECT_LT(distance(one, each), apart ? 0.005 : 0.002);
      }
      if (apart) {
        EXPECT_LT(distance(one, exact),
                  (type == AdapterType::dora ? 1.3 : 1.05) * distance(each, exact));
      }
    }
  }
}

struct BatchCase {
  const char* name;
  std::function<void(Preset&)> change;
  std::set<std::string> streamed = {};
  int separate = 0;  ///< layers that are not computed with the others
};

class DoraFactors : public ::testing::TestWithParam<BatchCase> {};

TEST_P(DoraFactors, OfAllLayersAtOnceAreThoseOfEachToTheBit) {
  Form form{.change =
                [](Preset& p) {
                  p.adapter.type = AdapterType::dora;
                  GetParam().change(p);
                },
            .by_rules = true,
            .streamed = GetParam().streamed};
  for (const bool checkpointing : {false, true}) {
    form.batched = true;
    const Block once(form, true, checkpointing);
    form.batched = false;
    const Block each(form, true, checkpointing);
    ASSERT_EQ(once.results.size(), each.results.size());
    for (const auto& [name, values] : each.results) {
      EXPECT_EQ(once.results.at(name), values) << name;
    }
    EXPECT_EQ(once.count("dora_factors"), 1);
    EXPECT_EQ(once.count("add_magnitude_gradients"), 1);
    EXPECT_EQ(once.count("dora_norm"), GetParam().separate);
    EXPECT_EQ(each.count("dora_norm"), 8);
    EXPECT_EQ(each.count("dora_factors"), 0);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Forms, DoraFactors,
    ::testing::Values(BatchCase{"per_output",
                                [](Preset& p) { p.precision.compute = ComputeType::fp32; }},
                      BatchCase{"per_input",
                                [](Preset& p) {
                                  p.adapter.dora_axis = DoraAxis::input;
                                  p.precision.compute = ComputeType::fp32;
                                }},
                      BatchCase{"dropout", [](Preset& p) { p.adapter.dropout = 0.2; }},
                      BatchCase{"bf16",
                                [](Preset& p) {
                                  p.precision.weights.denoiser = StorageType::bf16;
                                  p.precision.compute = ComputeType::bf16;
                                }},
                      BatchCase{"fp8_weights",
                                [](Preset& p) {
                                  p.precision.weights.denoiser = StorageType::fp8_e4m3;
                                  p.precision.compute = ComputeType::bf16;
                                }},
                      BatchCase{"fp8_compute",
                                [](Preset& p) {
                                  p.precision.weights.denoiser = StorageType::fp8_e4m3;
                                  p.precision.compute = ComputeType::fp8;
                                }},
                      BatchCase{"int8_weights",
                                [](Preset& p) {
                                  p.precision.weights.denoiser = StorageType::int8;
                                  p.precision.compute = ComputeType::bf16;
                                }},
                      BatchCase{"int8_compute",
                                [](Preset& p) {
                                  p.precision.weights.denoiser = StorageType::int8;
                                  p.precision.compute = ComputeType::int8;
                                }},
                      BatchCase{"some_streamed",
                                [](Preset& p) { p.precision.compute = ComputeType::fp32; },
                                {"attn1.to_out.0", "attn2.to_k"},
                                3}),
    [](const auto& info) { return info.param.name; });

TEST(Projections, StreamedWeightsHaveTheNormsOfLohaAndLokr) {
  for (const AdapterType type : {AdapterType::loha, AdapterType::lokr}) {
    for (const StorageType weights :
         {StorageType::fp32, StorageType::fp8_e4m3, StorageType::nf4, StorageType::int8_convrot}) {
      const auto change = [&](Preset& p) {
        p.adapter.type = type;
        p.adapter.decompose = true;
        p.precision.weights.denoiser = weights;
      };
      const Form form{.change = change, .by_rules = true};
      Form streamed = form;
      streamed.streamed = {"attn1.to_out.0", "attn2.to_k"};
      const Block here(form, true), there(streamed, true, true);
      EXPECT_EQ(here.count("changed_norm"), 8);
      ASSERT_EQ(there.results.size(), here.results.size());
      for (const auto& [name, values] : here.results) {
        EXPECT_EQ(there.results.at(name), values) << name;
      }
    }
  }
}

TEST(Projections, WithoutAdaptersTheWeightsAloneAreJoined) {
  const Block bare({.adapted = false}, true);
  EXPECT_EQ(bare.parts(), (std::vector{3, 2}));
}

TEST(Projections, DifferentLayersStaySeparate) {
  const auto parts = [](std::function<void(Preset&)> change) {
    return Block({.change = std::move(change)}, true).parts();
  };
  const std::vector<int> none;
  EXPECT_EQ(parts([](Preset& p) { p.adapter.dropout = 0.2; }), none);
  EXPECT_EQ(parts([](Preset& p) {
              p.adapter.type = AdapterType::dora;
              p.adapter.dora_axis = DoraAxis::input;
            }),
            none);
  EXPECT_EQ(parts([](Preset& p) { p.adapter.targets = {"*.to_q", "*.to_v"}; }), none);
  EXPECT_EQ(parts([](Preset& p) {
              p.adapter.targets = {"*.attn1.to_q", "*.attn2.*"};
            }),
            std::vector{2});
  EXPECT_EQ(parts([](Preset& p) { p.adapter.targets = {"*.to_out.0"}; }), (std::vector{3, 2}));
}

TEST(Projections, AdaptersKeepNamesOrderAndInitialValues) {
  const auto kernels = make_cpu_kernels(1);
  const Preset preset = lora_preset({"attention"}, 4, 0, 8);
  TrainedSet joined(*kernels, preset, kSdxl), apart(*kernels, preset, kSdxl);
  for (TrainedSet* set : {&joined, &apart}) {
    std::vector<Adapter*> qkv;
    for (const char* name : {"to_q", "to_k", "to_v"}) {
      qkv.push_back(set->request(std::string("denoiser.mid_block.attentions.0.attn1.") + name,
                                 kDenoiser, Shape{6, 8}));
    }
    if (set == &joined) {
      const AdapterStack* stack = set->stack(qkv);
      ASSERT_NE(stack, nullptr);
      EXPECT_EQ(stack, set->stack(qkv));
      EXPECT_EQ(stack->down.shape, (Shape{12, 8}));
      EXPECT_EQ(stack->up.shape, (Shape{18, 4}));
      const AdapterStack* some = set->stack(std::span(qkv).subspan(1));
      ASSERT_NE(some, nullptr);
      EXPECT_EQ(some->down.shape, (Shape{8, 8}));
      std::swap(qkv[0], qkv[2]);
      EXPECT_EQ(set->stack(qkv), nullptr) << "they are already in another order";
    }
    set->finalize(11);
  }
  ASSERT_EQ(joined.tensors().size(), apart.tensors().size());
  for (std::size_t i = 0; i < joined.tensors().size(); ++i) {
    const AdapterTensor &a = joined.tensors()[i], &b = apart.tensors()[i];
    EXPECT_EQ(a.name, b.name);
    EXPECT_EQ(joined.values(*a.tensor), apart.values(*b.tensor)) << a.name;
  }
  const auto modules = joined.snapshot(), expected = apart.snapshot();
  ASSERT_EQ(modules.size(), expected.size());
  for (std::size_t i = 0; i < modules.size(); ++i) {
    EXPECT_EQ(modules[i].path, expected[i].path);
    EXPECT_EQ(modules[i].down, expected[i].down);
    EXPECT_EQ(modules[i].up, expected[i].up);
  }
}

class StackedWeights : public ::testing::TestWithParam<DType> {
 protected:
  StackedWeights()
      : kernels_(make_cpu_kernels(1)),
        source_(WeightSource::open(testing_support::golden_model("a.safetensors"))) {}
  std::string path(const char* layer) const {
    return std::string("denoiser.") + kBlock + ".attn1." + layer + ".weight";
  }
  Tensor& weight(WeightStore& store, const char* layer) const {
    const std::string full = path(layer);
    return store.frozen(full, source_.shape(kDenoiser, split_path(full).below), GetParam());
  }
  std::vector<Tensor*> parts_of(WeightStore& store) const {
    return {&weight(store, "to_q"), &weight(store, "to_k"), &weight(store, "to_v")};
  }
  std::vector<float> values(const Tensor& weight) const {
    const WeightOnDevice there(*kernels_, weight);
    const Tensor& t = *there;
    std::vector<float> out(static_cast<std::size_t>(t.shape.count()));
    const View to(out.data(), DType::f32, t.shape);
    t.quantized() ? kernels_->dequantize(t.view(), t.scale_view(), to)
                  : kernels_->copy(t.view(), to);
    return out;
  }

  /// Joins q, k and v of `store`, and k and v, and changes k.
  void check(WeightStore& store) const {
    const std::vector<Tensor*> parts = parts_of(store);
    WeightStore apart(*kernels_, source_);
    std::vector<float> expected;
    for (const Tensor* part : parts_of(apart)) {
      const std::vector<float> some = values(*part);
      expected.insert(expected.end(), some.begin(), some.end());
    }
    const auto one = static_cast<std::ptrdiff_t>(expected.size() / 3);
    Tensor* whole = store.stack(parts);
    ASSERT_NE(whole, nullptr);
    EXPECT_EQ(store.stack(parts), whole);
    const Tensor* some = store.stack(std::span(parts).subspan(1));
    ASSERT_NE(some, nullptr);
    EXPECT_EQ(store.bytes(), whole->streamed ? 0 : apart.bytes());
    const auto check_values = [&] {
      EXPECT_EQ(values(*whole), expected);
      EXPECT_EQ(values(*some), std::vector<float>(expected.begin() + one, expected.end()));
      for (std::ptrdiff_t i = 0; i < 3; ++i) {
        EXPECT_EQ(values(*parts[static_cast<std::size_t>(i)]),
                  std::vector<float>(expected.begin() + i * one, expected.begin() + (i + 1) * one));
      }
    };
    check_values();
    store.replace(*parts[1], std::vector<float>(static_cast<std::size_t>(one), 1.75F));
    std::fill(expected.begin() + one, expected.begin() + 2 * one, 1.75F);
    check_values();
  }
  std::unique_ptr<Kernels> kernels_;
  WeightSource source_;
};
INSTANTIATE_TEST_SUITE_P(Types, StackedWeights,
                         ::testing::Values(DType::f32, DType::bf16, DType::f8_e4m3, DType::i8),
                         [](const auto& info) { return std::string(dtype_name(info.param)); });

TEST_P(StackedWeights, AreAdjacentAndKeepTheirValues) {
  WeightStore store(*kernels_, source_);
  check(store);
  store.release(kDenoiser);
  EXPECT_EQ(store.bytes(), 0U);
}

TEST_P(StackedWeights, AreStreamedTogether) {
  for (const char* layer : {"to_q", "to_k", "to_v"}) {
    WeightStore store(*kernels_, source_);
    store.stream({path(layer)});
    check(store);
    for (const char* each : {"to_q", "to_k", "to_v"}) {
      const Tensor& part = weight(store, each);
      EXPECT_TRUE(part.streamed && part.data == nullptr && part.host != nullptr) << each;
    }
    EXPECT_EQ(store.bytes(), 0U);
    WeightStore planned = WeightStore::planning(source_);
    planned.stream({path(layer)});
    const auto parts = parts_of(planned);
    EXPECT_TRUE(planned.stack(parts)->streamed);
    EXPECT_EQ(planned.bytes(), 0U);
    store.release(kDenoiser);
  }
}

TEST_P(StackedWeights, NotOfForeignWeights) {
  WeightStore store(*kernels_, source_), other(*kernels_, source_);
  Tensor *q = &weight(store, "to_q"), *v = &weight(store, "to_v");
  EXPECT_EQ(store.stack(std::vector{q, &weight(other, "to_v")}), nullptr);
  EXPECT_NE(store.stack(std::vector{q, v}), nullptr);
}

}  // namespace
}  // namespace mantissa
