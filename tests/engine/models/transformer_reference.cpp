#include "tests/engine/models/transformer_reference.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "engine/adapters/trained_set.h"
#include "engine/graph/ops.h"
#include "engine/io/module_path.h"
#include "engine/models/qwen3/qwen3_inputs.h"
#include "kernels/cpu/cpu.h"
#include "tests/test_util.h"

namespace mantissa::testing_support {

std::string case_name(const ::testing::TestParamInfo<ReferenceCase>& info) {
  return info.param.name;
}

void load_adapters(TrainedSet& adapters, const Reference& r) {
  std::map<std::string, std::vector<float>> state;
  for (const std::string& name : r.below("adapter.")) {
    state[canonical_path(name)] = r.raw("adapter." + name);
  }
  adapters.load(state);
}

void expect_gradients(const Reference& r, const TrainedSet& adapters) {
  ASSERT_FALSE(adapters.tensors().empty());
  double worst = 0;
  for (const AdapterTensor& tensor : adapters.tensors()) {
    const double error = relative_error(adapters.gradient(*tensor.tensor),
                                        r.raw("grad." + traced_path(tensor.name)));
    EXPECT_LE(error, kGradient) << tensor.name;
    worst = std::max(worst, error);
  }
  EXPECT_EQ(adapters.tensors().size(), r.below("grad.").size());
  std::printf("%zu gradients, worst relative error %.2e\n", adapters.tensors().size(), worst);
}

TransformerReference::TransformerReference()
    : kernels_(make_cpu_kernels(2)),
      source_(WeightSource::open(golden_model(GetParam().model))),
      weights_(*kernels_, source_),
      arena_(*kernels_) {}

Reference TransformerReference::reference(const std::string& kind) {
  return Reference(std::string(GetParam().name) + kind + ".safetensors");
}

Value TransformerReference::input(const char* name, const Reference& r) {
  return graph_.input(name, DType::f32, r.shape(name));
}

/// What is computed, the reference's tensor of that name, or what follows from its timesteps.
std::vector<float> TransformerReference::fed(const std::string& name, const Reference& r) const {
  if (const auto found = computed_.find(name); found != computed_.end()) {
    return found->second;
  }
  if (r.has(name)) {
    return r.values(name);
  }
  std::vector<float> values;
  for (const float t : r.values("timesteps")) {
    const double level = static_cast<double>(t) / 1000;
    values.push_back(static_cast<float>(name == "weight"   ? 1
                                        : name == "signal" ? 1 - level
                                                           : level));
  }
  return values;
}

TransformerReference::Results TransformerReference::run(const Reference& r, bool reuse) {
  const Plan plan = make_plan(graph_, {.reuse = reuse});
  Executor executor(graph_, plan, *kernels_, arena_);
  for (const auto& [name, id] : graph_.inputs()) {
    write(executor.input(name), fed(name, r));
  }
  executor.run({});
  Results results;
  for (const auto& [name, id] : graph_.outputs()) {
    results[name] = read(executor.output(name));
  }
  return results;
}

std::vector<float> TransformerReference::prediction(const Reference& r,
                                                    const PrecisionRules& rules) {
  bind(Scope(weights_, nullptr, kDenoiser, &rules));
  graph_.output("prediction", predict(input("latents", r), r));
  return run(r).at("prediction");
}

void TransformerReference::expect_prediction(ModelFamily family) {
  EXPECT_EQ(source_.family().id(), family);
  EXPECT_TRUE(source_.unknown().empty()) << source_.unknown().front();
  const Reference r = reference();
  const std::vector<float> got = prediction(r, {});
  EXPECT_EQ(got, run(r, false).at("prediction")) << "the memory plan changes values";
  const double error = relative_error(got, r.values("prediction"));
  std::printf("forward, relative error %.2e\n", error);
  EXPECT_LE(error, kForward);
}

TransformerReference::Results TransformerReference::step(TrainedSet& adapters, const Reference& r,
                                                         bool checkpointing,
                                                         const PrecisionRules& rules) {
  bind(Scope(weights_, &adapters, kDenoiser, &rules));
  adapters.finalize(7);
  load_adapters(adapters, r);
  const Shape batch{2};
  const Value noisy =
      add_noise(input("latents", r), input("noise", r), graph_.input("signal", DType::f32, batch),
                graph_.input("sigma", DType::f32, batch));
  const Value prediction = predict(noisy, r);
  const Loss loss =
      mse_loss(prediction, input("target", r), graph_.input("weight", DType::f32, batch));
  graph_.output("prediction", prediction);
  graph_.output("loss", loss.loss);
  graph_.backward(loss.loss, checkpointing);
  return run(r);
}

Preset TransformerReference::adapter_preset(AdapterType type) {
  Preset preset = lora_preset({"attention+mlp"}, 3, 3, 5);
  preset.adapter.type = type;
  preset.adapter.dora_axis = DoraAxis::output;
  return preset;
}

void TransformerReference::expect_training(AdapterType type, bool checkpointing) {
  const Reference r = reference(type == AdapterType::dora ? "_dora" : "_lora");
  TrainedSet adapters(*kernels_, adapter_preset(type), source_.family());
  const Results got = step(adapters, r, checkpointing);
  EXPECT_LE(relative_error(got.at("prediction"), r.values("prediction")), kForward);
  EXPECT_LE(relative_error(got.at("loss"), r.values("loss")), kForward);
  expect_gradients(r, adapters);
}

void TransformerReference::expect_like_torch(const std::string& type, ComputeType compute,
                                             StorageType weights) {
  const Reference r = reference("_types");
  const auto like_torch = [&](const std::string& what, double own) {
    const double torch = r.metadata(what);
    std::printf("%s: %.2e, torch %.2e\n", what.c_str(), own, torch);
    EXPECT_LE(own, 1.2 * torch) << what;
    EXPECT_GT(own, 0.05 * torch) << what << ": computed in FP32?";
  };
  Preset::Precision settings;
  settings.compute = compute;
  settings.weights.denoiser = weights;
  TrainedSet adapters(*kernels_, adapter_preset(AdapterType::lora), source_.family());
  const Results got = step(adapters, r, false, PrecisionRules(settings));
  like_torch(type, test::deviation(got.at("prediction"), r.values("prediction")));
  std::vector<float> all, exact;
  for (const AdapterTensor& tensor : adapters.tensors()) {
    const std::vector<float> own = adapters.gradient(*tensor.tensor),
                             want = r.raw("grad." + traced_path(tensor.name));
    all.insert(all.end(), own.begin(), own.end());
    exact.insert(exact.end(), want.begin(), want.end());
  }
  like_torch(type + ".gradients", test::deviation(all, exact));
}

namespace {
constexpr std::array kPrompts{"a photo of a red cat", "",
                              "the blue dog sits on the grass, 2 birds fly: why?"};
}  // namespace

WholeModel::WholeModel(const std::filesystem::path& folder)
    : kernels_(make_cpu_kernels(2)),
      source_(WeightSource::open(golden_model("") / folder)),
      model_(DiffusionModel::open(*kernels_, source_)),
      arena_(*kernels_) {}

std::vector<TokenIds> WholeModel::captions(DiffusionModel& model, int phrases) {
  std::vector<TokenIds> batch;
  for (const char* prompt : kPrompts) {
    batch.push_back(model.tokenize(prompt));
  }
  if (phrases > 0) {
    std::string text;
    for (int i = 0; i < phrases; ++i) {
      text += "a red cat and a blue dog, a green bird and a white mouse on the grass: ";
    }
    batch.push_back(model.tokenize(text));
  }
  return batch;
}

std::map<std::string, std::vector<float>> WholeModel::encoded(std::span<const TokenIds> batch) {
  const auto texts = static_cast<std::int64_t>(batch.size());
  for (const auto& [name, value] : model_->encode_text(graph_, texts, model_->text_tokens())) {
    graph_.output(name, value);
  }
  const Plan plan = make_plan(graph_);
  Executor executor(graph_, plan, *kernels_, arena_);
  model_->feed_tokens(executor, batch);
  executor.run({});
  std::map<std::string, std::vector<float>> results;
  for (const auto& [name, id] : graph_.outputs()) {
    results[name] = read(executor.output(name));
  }
  return results;
}

void WholeModel::expect_texts(const Reference& r, std::span<const TokenIds> batch,
                              const std::map<std::string, std::vector<float>>& got) {
  const auto tokens = static_cast<std::size_t>(model_->text_tokens());
  const auto width = static_cast<std::size_t>(r.shape("hidden.0")[1]);
  const std::vector<float>&context = got.at("context"), &mask = got.at("mask");
  ASSERT_EQ(context.size(), batch.size() * tokens * width);
  for (std::size_t i = 0; i < batch.size(); ++i) {
    const std::string n = std::to_string(i);
    const std::vector<std::int32_t> want = r.ids("ids." + n), &ids = batch[i].of("te1_ids");
    ASSERT_GE(ids.size(), want.size());
    EXPECT_TRUE(std::equal(want.begin(), want.end(), ids.begin())) << i;
    const auto rows = static_cast<std::size_t>(r.shape("hidden." + n)[0]);
    const auto begin = context.begin() + static_cast<std::ptrdiff_t>(i * tokens * width);
    const std::vector<float> states(begin, begin + static_cast<std::ptrdiff_t>(rows * width));
    EXPECT_LE(relative_error(states, r.values("hidden." + n)), kForward) << i;
    for (std::size_t t = 0; t < tokens; ++t) {
      ASSERT_EQ(mask[i * tokens + t], t < rows ? 0.0F : kMaskedKey) << i << " " << t;
    }
  }
}

void WholeModel::expect_prediction(const char* file,
                                   const std::map<std::string, std::string>& texts) {
  const Reference r(file);
  const Shape latents = r.shape("latents");
  const TextValues text = model_->text_inputs(graph_, latents[0], r.shape("text")[1]);
  graph_.output("prediction",
                model_->predict(graph_, graph_.input("latents", DType::f32, latents),
                                graph_.input("timesteps", DType::f32, {latents[0]}), text));
  const Plan plan = make_plan(graph_);
  Executor executor(graph_, plan, *kernels_, arena_);
  executor.feed("latents", r.values("latents"));
  executor.feed("timesteps", r.values("timesteps"));
  for (const auto& [name, tensor] : texts) {
    executor.feed(name, r.values(tensor));
  }
  model_->feed_sizes(executor, std::vector<float>(6 * static_cast<std::size_t>(latents[0])),
                     latents[1], latents[2]);
  executor.run({});
  EXPECT_LE(relative_error(read(executor.output("prediction")), r.values("prediction")), kForward);
}

std::vector<float> WholeModel::predicted() {
  constexpr std::int64_t kSide = 4;
  const std::vector<TokenIds> batch = captions(*model_);
  const auto texts = std::ssize(batch);
  const Shape shape{texts, kSide, kSide, model_->latent_channels()};
  Graph graph;
  const TextValues text = model_->encode_text(graph, texts, model_->text_tokens());
  graph.output("prediction", model_->predict(graph, graph.input("latents", DType::f32, shape),
                                             graph.input("timesteps", DType::f32, {texts}), text));
  const Plan plan = make_plan(graph);
  Executor executor(graph, plan, *kernels_, arena_);
  std::vector<float> latents(static_cast<std::size_t>(shape.count()));
  for (std::size_t i = 0; i < latents.size(); ++i) {
    latents[i] = static_cast<float>(std::sin(static_cast<double>(3 * i + 1)));
  }
  executor.feed("latents", latents);
  executor.feed("timesteps", std::vector<float>{100.0F, 500.0F, 900.0F});
  model_->feed_tokens(executor, batch);
  model_->feed_sizes(executor, std::vector<float>(6 * batch.size()), kSide, kSide);
  executor.run({});
  return read(executor.output("prediction"));
}

void WholeModel::expect_padding_to_change_nothing(std::int64_t most) {
  const std::vector<float> padded = predicted();
  std::int64_t longest = 0;
  for (const char* prompt : kPrompts) {
    longest = std::max(longest, model_->tokens_needed(prompt));
  }
  EXPECT_GT(longest, 8);
  model_->set_text_options({.tokens = longest});
  EXPECT_EQ(model_->text_tokens(), 32);
  EXPECT_LE(relative_error(predicted(), padded), kForward);
  model_->set_text_options({.tokens = 33});
  EXPECT_EQ(model_->text_tokens(), 64);
  EXPECT_LE(relative_error(predicted(), padded), kForward);
  model_->set_text_options({.tokens = 5000});
  EXPECT_EQ(model_->text_tokens(), most);
}

std::vector<float> text_rows(const std::vector<float>& all, std::size_t i, std::size_t width,
                             std::size_t first, std::size_t count) {
  const auto begin = all.begin() + static_cast<std::ptrdiff_t>((i * 512 + first) * width);
  return {begin, begin + static_cast<std::ptrdiff_t>(count * width)};
}

}  // namespace mantissa::testing_support
