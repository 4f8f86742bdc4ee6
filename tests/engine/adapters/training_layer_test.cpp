// One layer with training adapters of every form compared with the same layer on merged weights:
// results and gradients.
#include <cmath>
#include <gtest/gtest.h>

#include "engine/adapters/adapter_forms.h"
#include "engine/adapters/delta.h"
#include "engine/adapters/training_adapters.h"
#include "engine/graph/executor.h"
#include "engine/graph/ops.h"
#include "engine/nn/adapted.h"
#include "kernels/cpu/cpu.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {

constexpr const char* kLayer = "denoiser.block.to_q";
constexpr std::int64_t kOut = 12, kIn = 20, kRows = 5;

std::vector<float> wave_of(std::int64_t count, float seed, float size) {
  std::vector<float> v(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < v.size(); ++i) {
    v[i] = size * std::cos(seed + 2.3F * static_cast<float>(i));
  }
  return v;
}

AdapterModule lora_module(float seed, int rank = 3) {
  AdapterModule m;
  m.path = kLayer;
  m.rank = rank;
  m.alpha = 1.5 * rank;
  m.down_shape = {rank, kIn};
  m.up_shape = {kOut, rank};
  m.down = wave_of(rank * kIn, seed, 0.4F);
  m.up = wave_of(kOut * rank, seed + 1, 0.3F);
  return m;
}

AdapterModule dora_module(float seed, DoraAxis axis) {
  AdapterModule m = lora_module(seed);
  m.dora_axis = axis;
  m.magnitude = wave_of(axis == DoraAxis::output ? kOut : kIn, seed + 2, 0.5F);
  for (float& x : m.magnitude) {
    x += 2;
  }
  return m;
}

AdapterModule dense_module(float seed) {
  AdapterModule m;
  m.path = kLayer;
  m.down_shape = {0, kIn};
  m.up_shape = {kOut, 0};
  m.dense = wave_of(kOut * kIn, seed, 0.2F);
  return m;
}

AdapterModule product_module(AdapterType type, float seed) {
  AdapterModule m;
  m.path = kLayer;
  m.down_shape = {0, kIn};
  m.up_shape = {kOut, 0};
  ProductModule& product = m.product.emplace();
  product.type = type;
  product.rank = 2;
  product.alpha = 3;
  const auto add = [&](AdapterRole role, const Shape& shape) {
    product.members.push_back({role, shape, wave_of(shape.count(), seed += 1, 0.5F)});
  };
  if (type == AdapterType::loha) {
    add(AdapterRole::hada_w1_a, {kOut, 2});
    add(AdapterRole::hada_w1_b, {2, kIn});
    add(AdapterRole::hada_w2_a, {kOut, 2});
    add(AdapterRole::hada_w2_b, {2, kIn});
  } else {
    add(AdapterRole::lokr_w1, {3, 4});
    add(AdapterRole::lokr_w2_a, {4, 2});
    add(AdapterRole::lokr_w2_b, {2, 5});
  }
  AdapterModule whole = expanded(m);  // as a file's modules have both
  whole.product = m.product;
  return whole;
}

/// A layer with a trained LoRA; its weight is given.
class TrainedLayer {
 public:
  struct Results {
    std::vector<float> y, d_x, d_down, d_up;
  };
  explicit TrainedLayer(std::vector<float> weight, DType dtype = DType::f32)
      : values_(std::move(weight)) {
    weight_.name = std::string(kLayer) + ".weight";
    weight_.dtype = dtype;
    weight_.shape = {kOut, kIn};
    stored_.resize(values_.size() * dtype_size(dtype));
    weight_.data = stored_.data();
    kernels_->copy(View(values_.data(), DType::f32, weight_.shape), weight_.view());
    adapter_.path = kLayer;
    adapter_.rank = 2;
    adapter_.scale = 0.75F;
    adapter_.shape = weight_.shape;
    make(adapter_.down, {2, kIn}, 0.3F);
    make(adapter_.up, {kOut, 2}, 0.9F);
  }
  const Tensor& weight() const { return weight_; }
  Kernels& kernels() { return *kernels_; }

  Results run(LayerChanges* beside, bool with_addend) {
    Graph graph;
    const Value x = graph.input("x", DType::f32, {kRows, kIn}, true);
    Value addend;
    if (with_addend) {
      addend = graph.input("addend", DType::f32, {kRows, kOut}, true);
    }
    AdaptedLayer layer{.weight = &weight_, .adapter = &adapter_, .beside = beside};
    layer.base = [&](Value from, Value bias, Value plus) {
      return matmul(from, read_tensor(graph, weight_, DType::f32),
                    {.transpose_b = true, .bias = bias, .addend = plus});
    };
    layer.down = [&](Value from, Tensor& matrix) {
      return matmul(from, matrix_for(from, matrix), {.transpose_b = true});
    };
    layer.by = [&](Value from, Value by) { return matmul(from, by, {.transpose_b = true}); };
    const Value y = adapted(layer, x, {}, addend);
    graph.output("y", y);
    graph.backward(mse_loss(y, graph.input("target", DType::f32, y.shape()),
                            graph.input("weights", DType::f32, {kRows}))
                       .loss,
                   false);
    graph.output("d_x", graph.gradient(x));
    const Plan plan = make_plan(graph, {});
    Arena arena(*kernels_);
    Executor executor(graph, plan, *kernels_, arena);
    executor.feed("x", wave_of(kRows * kIn, 0.4F, 1));
    executor.feed("target", wave_of(kRows * kOut, 1.4F, 1));
    executor.feed("weights", std::vector<float>(kRows, 1));
    if (with_addend) {
      executor.feed("addend", wave_of(kRows * kOut, 2.4F, 1));
    }
    std::ranges::fill(gradients_[0], 0.0F);
    std::ranges::fill(gradients_[1], 0.0F);
    executor.run({});
    return {executor.read("y"), executor.read("d_x"), gradients_[0], gradients_[1]};
  }

 private:
  void make(Tensor& tensor, const Shape& shape, float seed) {
    auto& values = parameters_.emplace_back(wave_of(shape.count(), seed, 0.3F));
    tensor.name = std::string(kLayer) + (parameters_.size() == 1 ? ".lora_A" : ".lora_B");
    tensor.shape = shape;
    tensor.data = values.data();
    tensor.trainable = true;
    tensor.grad = gradients_.emplace_back(values.size()).data();
  }

  std::unique_ptr<Kernels> kernels_ = make_cpu_kernels(1);
  std::vector<float> values_;
  std::vector<std::byte> stored_;
  std::deque<std::vector<float>> parameters_, gradients_;
  Tensor weight_;
  Adapter adapter_;
};

std::shared_ptr<const TrainingAdapterFiles> files_of(std::vector<AdapterModule> modules,
                                                     std::vector<double> weights) {
  auto files = std::make_shared<TrainingAdapterFiles>();
  for (std::size_t i = 0; i < modules.size(); ++i) {
    TrainingAdapterFile& file = files->emplace_back();
    file.name = "file";
    file.weight = weights[i];
    file.modules = {modules[i]};
  }
  return files;
}

void expect_merged(const std::shared_ptr<const TrainingAdapterFiles>& files, const char* what) {
  SCOPED_TRACE(what);
  const std::vector<float> base = wave_of(kOut * kIn, 0.1F, 1);
  std::vector<float> merged = base;
  for (const TrainingAdapterFile& file : *files) {
    const std::vector<float> delta = weight_delta(file.modules[0], base);
    for (std::size_t i = 0; i < merged.size(); ++i) {
      merged[i] += static_cast<float>(file.weight) * delta[i];
    }
  }
  TrainedLayer layer(base), on_merged(merged);
  TrainingAdapters beside(files, {kDenoiser});
  LayerChanges* changes = beside.request(kLayer, kDenoiser, layer.weight(), DType::f32, 0);
  ASSERT_NE(changes, nullptr);
  EXPECT_EQ(changes->changes.size(), files->size());
  beside.finalize([&](int) -> Kernels& { return layer.kernels(); });
  for (const bool addend : {false, true}) {
    const TrainedLayer::Results got = layer.run(changes, addend),
                                want = on_merged.run(nullptr, addend),
                                alone = layer.run(nullptr, addend);
    EXPECT_LE(test::deviation(got.y, want.y), 2e-6);
    EXPECT_LE(test::deviation(got.d_x, want.d_x), 2e-6);
    EXPECT_LE(test::deviation(got.d_down, want.d_down), 2e-6);
    EXPECT_LE(test::deviation(got.d_up, want.d_up), 2e-6);
    EXPECT_GT(test::deviation(alone.y, want.y), 1e-3) << "it does something";
    beside.set_active(false);
    EXPECT_EQ(layer.run(changes, addend).y, alone.y) << "a sample";
    beside.set_active(true);
  }
}

TEST(TrainingLayer, EveryFormAddsWhatMergingItAdds) {
  expect_merged(files_of({lora_module(0.2F)}, {0.7}), "lora");
  expect_merged(files_of({dora_module(0.2F, DoraAxis::output)}, {0.7}), "dora of outputs");
  expect_merged(files_of({dora_module(0.2F, DoraAxis::input)}, {0.7}), "dora of inputs");
  expect_merged(files_of({dense_module(0.2F)}, {0.7}), "whole");
  expect_merged(files_of({product_module(AdapterType::loha, 0.2F)}, {0.7}), "loha");
  expect_merged(files_of({product_module(AdapterType::lokr, 0.2F)}, {0.7}), "lokr");
}

TEST(TrainingLayer, SeveralAddUp) {
  expect_merged(files_of({lora_module(0.2F), dora_module(0.5F, DoraAxis::output),
                          product_module(AdapterType::lokr, 0.3F), dense_module(1)},
                         {0.7, -0.5, 1, 0.25}),
                "four files");
}

TEST(TrainingLayer, ItsTensorsAreInTheTypeOfTheProduct) {
  TrainedLayer layer(wave_of(kOut * kIn, 0.1F, 1), DType::bf16);
  for (const DType compute : {DType::f32, DType::bf16, DType::f16}) {
    TrainingAdapters beside(files_of({lora_module(0.2F)}, {1}), {kDenoiser});
    LayerChanges* changes = beside.request(kLayer, kDenoiser, layer.weight(), compute, 0);
    EXPECT_EQ(changes->changes.front().adapter.down.dtype, compute);
    EXPECT_EQ(beside.bytes(), static_cast<std::size_t>(3 * (kIn + kOut)) * dtype_size(compute));
  }
  TrainingAdapters elsewhere(files_of({lora_module(0.2F)}, {1}), {kTe1});
  EXPECT_EQ(elsewhere.request(kLayer, kDenoiser, layer.weight(), DType::f32, 0), nullptr);
  EXPECT_NO_THROW(elsewhere.require_bound()) << "of another network";
  TrainingAdapters unbound(files_of({lora_module(0.2F)}, {1}), {kDenoiser});
  test::expect_error_with([&] { unbound.require_bound(); }, {"file", kLayer, "no such layer"});
}

}  // namespace
}  // namespace mantissa
