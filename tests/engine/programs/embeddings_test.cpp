// Steps that train the vectors of new words, against PyTorch, transformers and diffusers in float64
// (tests/golden/make_embeddings.py): of every kind of text encoder, with one and with two.
#include <gtest/gtest.h>

#include "engine/adapters/trained_set.h"
#include "engine/diffusion/model_objective.h"
#include "engine/models/clip/clip_text.h"
#include "engine/programs/step_program.h"
#include "kernels/cpu/cpu.h"
#include "tests/engine/models/support.h"

namespace mantissa {
namespace {

using namespace testing_support;

constexpr double kWordLoss = 1e-5;
constexpr double kWordGradient = 1e-4;
constexpr int kWordEnd = 99;  // of both vocabularies
constexpr int kLeastVocabulary = 55;
const std::string kFed = "tokens.";

struct WordCase {
  const char *name, *model;
  std::vector<Part> encoders;
  friend void PrintTo(const WordCase& one, std::ostream* out) { *out << one.name; }
};
std::string word_case_name(const testing::TestParamInfo<WordCase>& info) {
  return info.param.name;
}

class Embeddings : public testing::TestWithParam<WordCase> {
 protected:
  Embeddings()
      : kernels_(make_cpu_kernels(2)),
        source_(WeightSource::open(golden_model(GetParam().model))),
        arena_(*kernels_) {}

  /// The loss of the reference's step; the gradients are in the set. `beside`: with an adapter,
  /// which is no change at first.
  double step(const Reference& r, bool checkpointing, bool beside) {
    Preset preset =
        lora_preset({"attention"}, 4, 4, 4,
                    beside ? std::vector{kDenoiser, kEmbeddings} : std::vector{kEmbeddings});
    preset.embedding.tokens = {{"one", 3}, {"two", 2}};
    set_ = std::make_unique<TrainedSet>(*kernels_, preset, source_.family());
    model_ = DiffusionModel::open(*kernels_, source_, set_.get());
    model_->bind(model_->training_parts(preset));
    set_->finalize(7);
    for (const TrainedWords& words : set_->words()) {
      set_->set_words(words, r.raw(std::string(words.part.name()) + ".words"));
    }
    StepOptions options = StepOptions::of(preset);
    if (checkpointing) {
      options.checkpointing = CheckpointingScope::blocks;
    }
    const StepInputs in = inputs(r);
    const std::int64_t tokens = r.below(kFed).empty() ? 77 : std::stol(r.text("tokens"));
    StepProgram program(*kernels_, arena_, *model_, {in.batch, in.height, in.width, tokens},
                        options);
    const auto objective = model_objective(source_, preset);
    return program.run(in, batch_coefficients(*objective, {}, in.timesteps), 1, {});
  }

  static StepInputs inputs(const Reference& r) {
    const Shape image = r.shape("latents");
    StepInputs in;
    in.batch = image[0];
    in.height = image[1];
    in.width = image[2];
    in.channels = image[3];
    in.latents = r.values("latents");
    in.noise = r.values("noise");
    for (const float t : r.values("timesteps")) {
      in.timesteps.push_back(static_cast<double>(t));
    }
    in.time_ids = r.has("time_ids") ? r.values("time_ids")
                                    : std::vector<float>(6 * static_cast<std::size_t>(in.batch));
    in.tokens.resize(static_cast<std::size_t>(in.batch));
    if (const std::vector<std::string> fed = r.below(kFed); !fed.empty()) {
      for (const std::string& name : fed) {
        const std::vector<std::int32_t> all = r.ids(kFed + name);
        const std::size_t count = all.size() / in.tokens.size();
        for (std::size_t b = 0; b < in.tokens.size(); ++b) {
          const auto row = std::span(all).subspan(count * b, count);
          in.tokens[b].ids[name] = {row.begin(), row.end()};
        }
      }
      return in;
    }
    for (const Part part : GetParam().encoders) {
      const std::string name(part.name());
      const std::vector<std::int32_t> all = r.ids(name + ".ids");
      for (std::size_t b = 0; b < in.tokens.size(); ++b) {
        const auto row = std::span(all).subspan(77 * b, 77);
        in.tokens[b].ids[name + "_ids"] = {row.begin(), row.end()};
        in.tokens[b].ids[name + "_pool"] = {clip_pool_index(row, kWordEnd)};
      }
    }
    return in;
  }

  void expect_reference(const Reference& r, double loss) {
    EXPECT_NEAR(loss, r.raw("loss")[0], kWordLoss * r.raw("loss")[0]);
    ASSERT_EQ(set_->words().size(), GetParam().encoders.size());
    for (const TrainedWords& words : set_->words()) {
      const double error = relative_error(set_->gradient(words.vectors),
                                          r.raw("grad." + std::string(words.part.name())));
      EXPECT_LE(error, kWordGradient) << words.table;
      std::printf("%s: loss %.6f, relative error of the gradient %.2e\n", words.table.c_str(), loss,
                  error);
    }
  }

  std::unique_ptr<Kernels> kernels_;
  WeightSource source_;
  Arena arena_;
  std::unique_ptr<TrainedSet> set_;
  std::unique_ptr<DiffusionModel> model_;
};

TEST_P(Embeddings, AStepIsThatOfTheReference) {
  const Reference r(std::string("embeddings_") + GetParam().name + ".safetensors");
  for (const bool checkpointing : {false, true}) {
    expect_reference(r, step(r, checkpointing, false));
  }
}

TEST_P(Embeddings, AnAdapterThatChangesNothingLeavesItAsItIs) {
  const Reference r(std::string("embeddings_") + GetParam().name + ".safetensors");
  expect_reference(r, step(r, false, true));
  EXPECT_EQ(set_->parts(), (std::vector{kDenoiser, kEmbeddings}));
}

// Whatever the types of the others are.
TEST_P(Embeddings, VectorsAndGradientsAreFp32) {
  Preset preset = lora_preset({"attention"}, 4, 4, 4, {kDenoiser, kEmbeddings});
  preset.embedding.tokens = {{"one", 3}};
  preset.precision.adapter = MasterType::bf16;
  preset.precision.gradients = MasterType::bf16;
  TrainedSet set(*kernels_, preset, source_.family());
  model_ = DiffusionModel::open(*kernels_, source_, &set);
  model_->bind(model_->training_parts(preset));
  const std::size_t planned = set.bytes();
  set.finalize(7);
  std::size_t bytes = 0;
  for (const AdapterBuffer& buffer : set.buffers()) {
    const DType type = buffer.part == kEmbeddings ? DType::f32 : DType::bf16;
    EXPECT_EQ(buffer.parameters.dtype, type);
    EXPECT_EQ(buffer.gradients.dtype, type);
    bytes += 2 * static_cast<std::size_t>(buffer.parameters.count()) * dtype_size(type);
  }
  EXPECT_EQ(planned, bytes);
  model_.reset();
}

// A table of another type is read as it is stored, beside words too.
TEST_P(Embeddings, TextWithoutAWordIsEncodedAsEver) {
  const Reference r(std::string("embeddings_") + GetParam().name + ".safetensors");
  const bool fed = !r.below(kFed).empty();
  const std::int64_t tokens = fed ? std::stol(r.text("tokens")) : 77;
  Preset preset = lora_preset({"attention"}, 4, 4, 4, {kEmbeddings});
  preset.embedding.tokens = {{"one", 3}};
  const auto encode = [&](AdapterSet* set) {
    const auto model = DiffusionModel::open(*kernels_, source_, set);
    model->bind(model->training_parts(true));
    if (auto* trained = static_cast<TrainedSet*>(set)) {
      trained->finalize(7);
    }
    Graph graph;
    for (const auto& [name, value] : model->encode_text(graph, 1, tokens)) {
      graph.output(name, value);
    }
    const Plan plan = make_plan(graph);
    Executor executor(graph, plan, *kernels_, arena_);
    TokenIds ids = inputs(r).tokens.front();
    for (auto& [name, row] : ids.ids) {
      if (name.ends_with("_ids")) {
        std::ranges::replace_if(
            row, [](std::int32_t id) { return id >= kLeastVocabulary; }, 12);
      }
    }
    for (const char* name : {"te1_ids", "te2_ids"}) {
      if (!fed) {
        ids.ids[name].assign(77, kWordEnd);
        ids.ids[name][0] = 98;
        ids.ids[name][1] = 12;
      }
    }
    if (!fed) {
      ids.ids["te2_pool"] = {2};
    }
    model->feed_tokens(executor, {&ids, 1});
    executor.run({});
    return executor.read("context");
  };
  TrainedSet set(*kernels_, preset, source_.family());
  EXPECT_EQ(encode(&set), encode(nullptr));
}

INSTANTIATE_TEST_SUITE_P(Families, Embeddings,
                         testing::Values(WordCase{"sd15", "sd15.safetensors", {kTe1}},
                                         WordCase{"sdxl", "a.safetensors", {kTe1, kTe2}},
                                         WordCase{"pixart", "pixart", {kTe1}},
                                         WordCase{"flux1", "flux1", {kTe1, kTe2}},
                                         WordCase{"flux2", "flux2", {kTe1}},
                                         WordCase{"anima", "anima", {kTe1, kTe2}},
                                         WordCase{"qwen_image", "qwen_image", {kTe1}},
                                         WordCase{"qwen_image_21", "qwen_image_21", {kTe1}},
                                         WordCase{"ernie_image", "ernie_image", {kTe1}}),
                         word_case_name);

}  // namespace
}  // namespace mantissa
