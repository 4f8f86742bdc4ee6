// Frozen adapters beside a trained one: they add what merging them would add, in every form and on
// every storage type, and graphs that are recorded without them know nothing of them.
#include "engine/adapters/training_adapters.h"

#include <cmath>
#include <gtest/gtest.h>

#include "engine/adapters/fixed_adapters.h"
#include "engine/adapters/trained_set.h"
#include "engine/graph/ops.h"
#include "engine/io/model_writer.h"
#include "engine/io/module_path.h"
#include "engine/precision/rules.h"
#include "engine/preset/names.h"
#include "tests/engine/adapters/adapter_fixture.h"

namespace mantissa {
namespace {

using namespace testing_support;
using test::message_of;

using FilesOf = std::shared_ptr<const TrainingAdapterFiles>;

Preset trained_preset(const std::function<void(Preset&)>& change = {}) {
  Preset preset = lora_preset({"linear+conv"}, 3, 2, 4);
  if (change) {
    change(preset);
  }
  return preset;
}

/// A step of the golden UNet with trained adapters that have moved.
class HelpedStep {
 public:
  struct Results {
    double loss = 0;
    std::vector<float> prediction;
    std::map<std::string, std::vector<float>> gradients;
  };

  HelpedStep(Kernels& kernels, const WeightSource& source, const Preset& preset, FilesOf files)
      : kernels_(kernels),
        preset_(preset),
        set_(kernels, preset_, source.family()),
        model_(&kernels, source, prepared(std::move(files)),
               PrecisionRules(preset_, source.family().id())) {
    model_.bind(std::vector<Part>{kDenoiser});
    set_.finalize(7, [this](const Tensor& weight, std::span<const float> values) {
      model_.weights().replace(weight, values);
    });
    move();
  }
  TrainedSet& set() { return set_; }

  Results run() {
    const Reference r("a.safetensors");
    Graph graph;
    const auto input = [&](const char* name) {
      return graph.input(name, DType::f32, r.shape(name));
    };
    const Value y =
        model_.unet().forward(graph, input("unet.latents"), input("unet.timesteps"),
                              input("unet.context"), input("unet.pooled"), input("unet.time_ids"));
    const Value wide = cast(y, DType::f32);
    graph.output("y", wide);
    const Value target = graph.input("target", DType::f32, wide.shape());
    const Value loss =
        mse_loss(wide, target, constant(graph, DType::f32, {wide.shape()[0]}, 1.0F)).loss;
    graph.output("loss", loss);
    graph.backward(loss, false);
    Arena arena(kernels_);
    const Plan plan = make_plan(graph);
    Executor executor(graph, plan, kernels_, arena);
    for (const auto& [name, id] : graph.inputs()) {
      executor.feed(name, name == "target"
                              ? std::vector<float>(static_cast<std::size_t>(wide.shape().count()))
                              : r.values(name));
    }
    set_.zero_gradients();
    executor.run({});
    Results results{executor.read("loss").at(0), executor.read("y"), {}};
    for (const AdapterTensor& t : set_.tensors()) {
      results.gradients[t.name] = set_.gradient(*t.tensor);
    }
    return results;
  }

 private:
  TrainedSet* prepared(FilesOf files) {
    set_.accompany(std::move(files));
    return &set_;
  }
  void move() {
    std::map<std::string, std::vector<float>> state;
    float phase = 0;
    for (const AdapterTensor& t : set_.tensors()) {
      std::vector<float> values = set_.values(*t.tensor);
      phase += 1.0F;
      for (std::size_t i = 0; i < values.size(); ++i) {
        const float by = std::sin(static_cast<float>(i % 997) * 0.37F + phase);
        values[i] += (t.magnitude ? 0.1F * values[i] : 0.02F) * by;
      }
      state[t.name] = values;
    }
    set_.load(state);
  }

  Kernels& kernels_;
  Preset preset_;
  TrainedSet set_;
  StableDiffusion model_;
};

class BesideTraining : public AdapterFixture {
 protected:
  FilesOf files(const std::vector<std::pair<std::string, double>>& given) {
    auto list = std::make_shared<TrainingAdapterFiles>();
    for (const auto& [name, weight] : given) {
      TrainingAdapterFile& file = list->emplace_back();
      file.name = name;
      file.weight = weight;
      file.modules = read_file(golden(name)).modules;
    }
    return list;
  }
  WeightSource merged(const FilesOf& files) {
    std::vector<WeightedAdapter> uses;
    for (const TrainingAdapterFile& file : *files) {
      uses.push_back({&file.modules, file.weight});
    }
    ModelContents model = model_contents(source_, DType::f32);
    merge_adapters(model, source_, uses);
    write_model(folder_ / "merged.safetensors", model);
    return WeightSource::open(folder_ / "merged.safetensors");
  }
  HelpedStep::Results step(const WeightSource& source, const Preset& preset, FilesOf files = {}) {
    return HelpedStep(*kernels_, source, preset, std::move(files)).run();
  }
};

void expect_same_step(const HelpedStep::Results& got, const HelpedStep::Results& want,
                      double tolerance) {
  EXPECT_NEAR(got.loss, want.loss, tolerance * want.loss);
  EXPECT_LE(relative_error(got.prediction, want.prediction), tolerance);
  ASSERT_EQ(got.gradients.size(), want.gradients.size());
  double largest = 0;
  for (const auto& [name, values] : want.gradients) {
    for (const float x : values) {
      largest = std::max(largest, std::abs(static_cast<double>(x)));
    }
  }
  for (const auto& [name, values] : want.gradients) {
    const std::vector<float>& mine = got.gradients.at(name);
    for (std::size_t i = 0; i < values.size(); ++i) {
      ASSERT_NEAR(mine[i], values[i], tolerance * largest) << name;
    }
  }
}

TEST_F(BesideTraining, ALossAndItsGradientsAreThoseOnTheMergedModel) {
  for (const char* name : kAdapterFiles) {
    SCOPED_TRACE(name);
    const FilesOf one = files({{name, 0.7}});
    const WeightSource both = merged(one);
    const Preset preset = trained_preset();
    const HelpedStep::Results want = step(both, preset);
    expect_same_step(step(source_, preset, one), want, 5e-5);
    EXPECT_GT(relative_error(step(source_, preset).prediction, want.prediction), 1e-4)
        << "it does something";
  }
}

TEST_F(BesideTraining, SeveralFilesAddUpWithTheirWeights) {
  const FilesOf all = files({{"diffusers.safetensors", 0.5},
                             {"lokr.safetensors", -0.25},
                             {"dora.safetensors", 0.4},
                             {"locon.safetensors", 1}});
  const Preset preset = trained_preset();
  expect_same_step(step(source_, preset, all), step(merged(all), preset), 5e-5);
}

TEST_F(BesideTraining, ProductsTrainBesideThemToo) {
  const FilesOf one = files({{"locon.safetensors", 1}});
  const WeightSource both = merged(one);
  for (const AdapterType type : {AdapterType::loha, AdapterType::lokr}) {
    SCOPED_TRACE(enum_name(type));
    const Preset preset = trained_preset([type](Preset& p) { p.adapter.type = type; });
    expect_same_step(step(source_, preset, one), step(both, preset), 5e-5);
  }
}

/// A DoRA's magnitudes are those of the base model's weights: what it learns is the change that its
/// file holds, whoever is beside it.
TEST_F(BesideTraining, ADoraKeepsItsOwnChange) {
  const FilesOf one = files({{"locon.safetensors", 1}});
  for (const DoraAxis axis : {DoraAxis::output, DoraAxis::input}) {
    SCOPED_TRACE(enum_name(axis));
    const Preset preset = trained_preset([axis](Preset& p) {
      p.adapter.type = AdapterType::dora;
      p.adapter.dora_axis = axis;
    });
    HelpedStep helped(*kernels_, source_, preset, one);
    const std::vector<AdapterModule> own = helped.set().snapshot();
    const HelpedStep::Results got = helped.run();
    // The sum of both, merged: W + (DoRA(W) - W) + the training adapter.
    const std::vector<WeightedAdapter> uses{{&own, 1}, {&one->front().modules, 1}};
    ModelContents model = model_contents(source_, DType::f32);
    merge_adapters(model, source_, uses);
    write_model(folder_ / "sum.safetensors", model);
    const WeightSource sum = WeightSource::open(folder_ / "sum.safetensors");
    StableDiffusion plain(kernels_.get(), sum);
    plain.bind(std::vector<Part>{kDenoiser, kTe1, kTe2});
    EXPECT_LE(relative_error(got.prediction, predicted(plain)), 5e-5);
  }
}

/// Nothing is merged into codes: what the base's storage loses doesn't grow by the adapter.
TEST_F(BesideTraining, ANarrowBaseKeepsItsBytesAndItsError) {
  const Preset exact = trained_preset();
  for (const char* name : {"peft", "lokr.safetensors", "loha.safetensors", "dora.safetensors"}) {
    const FilesOf one = files({{name, 1}});
    const HelpedStep::Results alone = step(source_, exact), both = step(merged(one), exact);
    for (const StorageType storage :
         {StorageType::bf16, StorageType::fp16, StorageType::fp8_e4m3, StorageType::fp8_e5m2,
          StorageType::int8, StorageType::int8_convrot, StorageType::mxfp8, StorageType::nf4,
          StorageType::nvfp4}) {
      for (const ComputeType compute : {ComputeType::fp32, ComputeType::bf16}) {
        SCOPED_TRACE(std::string(name) + " on " + std::string(enum_name(storage)) + " in " +
                     std::string(enum_name(compute)));
        const Preset narrow = trained_preset([&](Preset& p) {
          p.precision.weights.denoiser = storage;
          p.precision.compute = compute;
        });
        const double without = test::deviation(step(source_, narrow).prediction, alone.prediction);
        const double with = test::deviation(step(source_, narrow, one).prediction, both.prediction);
        // The model's weights are FP16 numbers: stored so they lose nothing, and FP32 rounds alone.
        const bool is_exact = storage == StorageType::fp16 && compute == ComputeType::fp32;
        EXPECT_EQ(without == 0, is_exact);
        EXPECT_LE(with, is_exact ? 2e-6 : 1.5 * without);
      }
    }
  }
}

TEST_F(BesideTraining, WhatIsRecordedWithoutThemIsTheModelAlone) {
  const Preset preset = trained_preset();
  HelpedStep helped(*kernels_, source_, preset, files({{"locon.safetensors", 1}}));
  const HelpedStep::Results alone = step(source_, preset);
  {
    const WithoutTrainingAdapters sampling(&helped.set());
    EXPECT_FALSE(helped.set().training_adapters()->active());
    expect_same_step(helped.run(), alone, 0);
  }
  EXPECT_TRUE(helped.set().training_adapters()->active());
  EXPECT_GT(relative_error(helped.run().prediction, alone.prediction), 1e-4);
}

TEST_F(BesideTraining, SnapshotsDontHoldThem) {
  const Preset preset = trained_preset();
  HelpedStep helped(*kernels_, source_, preset, files({{"locon.safetensors", 1}}));
  HelpedStep alone(*kernels_, source_, preset, {});
  const auto one = helped.set().snapshot(), other = alone.set().snapshot();
  ASSERT_EQ(one.size(), other.size());
  for (std::size_t i = 0; i < one.size(); ++i) {
    EXPECT_EQ(one[i].path, other[i].path);
    EXPECT_EQ(one[i].down, other[i].down);
    EXPECT_EQ(one[i].up, other[i].up);
  }
}

TEST_F(BesideTraining, TheirBytesAreKnownBeforeThereIsMemory) {
  const FilesOf all = files({{"peft", 1}, {"lokr.safetensors", 1}, {"dora.safetensors", 1}});
  for (const ComputeType compute : {ComputeType::fp32, ComputeType::bf16}) {
    Preset preset = trained_preset([compute](Preset& p) { p.precision.compute = compute; });
    TrainedSet planned = TrainedSet::planning(preset, source_.family());
    planned.accompany(all);
    const auto model = DiffusionModel::open_planning(source_, &planned,
                                                     PrecisionRules(preset, source_.family().id()));
    model->bind(std::vector<Part>{kDenoiser});
    planned.require_bound();
    HelpedStep bound(*kernels_, source_, preset, all);
    EXPECT_EQ(planned.training_adapters()->bytes(), bound.set().training_adapters()->bytes());
    EXPECT_GT(planned.training_adapters()->bytes(), 0U);
  }
}

TEST_F(BesideTraining, OfTextEncodersOnlyWhatBelongsToAStep) {
  const FilesOf one = files({{"peft", 1}});
  Preset preset = trained_preset();
  EXPECT_EQ(helped_parts(preset, source_.family()), std::vector<Part>{kDenoiser});
  const std::int64_t of_text = std::ranges::count_if(
      one->front().modules,
      [](const AdapterModule& m) { return split_path(m.path).part != kDenoiser; });
  EXPECT_EQ(modules_outside(one->front(), {kDenoiser}), of_text);
  preset.training.parts = {kDenoiser, kTe1};
  EXPECT_EQ(helped_parts(preset, source_.family()), (std::vector<Part>{kDenoiser, kTe1, kTe2}));
  EXPECT_EQ(modules_outside(one->front(), {kDenoiser, kTe1, kTe2}), 0);
}

TEST_F(BesideTraining, WhatDoesNotFitIsNamed) {
  TrainingAdapterFiles wrong = *files({{"locon.safetensors", 1}});
  AdapterModule& module = wrong.front().modules.front();
  module.up_shape[0] += 1;
  test::expect_error_with(
      [&] { step(source_, trained_preset(), std::make_shared<TrainingAdapterFiles>(wrong)); },
      {"locon.safetensors: " + module.path, "Was it made for another base model?"});
  module.up_shape[0] -= 1;
  module.path = "denoiser.nowhere.to_q";
  test::expect_error_with(
      [&] { step(source_, trained_preset(), std::make_shared<TrainingAdapterFiles>(wrong)); },
      {"locon.safetensors", "denoiser.nowhere.to_q", "no such layer"});
}

}  // namespace
}  // namespace mantissa
