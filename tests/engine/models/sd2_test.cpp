// SD 2.x through the same blocks, against diffusers and transformers (tests/golden/make_sd2.py).
#include <gtest/gtest.h>
#include <tuple>

#include "engine/adapters/dialect.h"
#include "engine/io/generation.h"
#include "engine/io/model_writer.h"
#include "engine/models/stable_diffusion/sd_family.h"
#include "kernels/cpu/cpu.h"
#include "tests/engine/models/support.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {

using namespace testing_support;

class Sd2 : public ::testing::Test {
 protected:
  static constexpr double kTolerance = 1e-5;

  std::vector<float> run(Graph& graph, Value out) {
    graph.output("out", out);
    Arena arena(*kernels_);
    const Plan plan = make_plan(graph);
    Executor executor(graph, plan, *kernels_, arena);
    for (const auto& [name, id] : graph.inputs()) {
      if (name == "te1_ids") {
        executor.feed(name, reference_.ids("te.ids"));
      } else if (name == "positions") {
        executor.feed(name, clip_position_ids(3, 77));
      } else {
        executor.feed(name, reference_.values(name));
      }
    }
    executor.run({});
    return executor.read("out");
  }
  std::vector<float> text(StableDiffusion& model, int clip_skip = 0) {
    model.set_text_options({.clip_skip = clip_skip});
    Graph graph;
    return run(graph, model.encode_text(graph, 3, model.text_tokens()).at("context"));
  }

  std::unique_ptr<Kernels> kernels_ = make_cpu_kernels(2);
  Reference reference_{"sd2.safetensors"};
  WeightSource source_ = WeightSource::open(golden_model("sd2.safetensors"));
};

TEST_F(Sd2, IsKnownByItsNames) {
  EXPECT_EQ(source_.family().id(), ModelFamily("sd15"));
  EXPECT_TRUE(source_.unknown().empty());
  EXPECT_EQ(generation_key(source_), "sd2");
  EXPECT_EQ(generation_key(WeightSource::open(golden_model("sd15.safetensors"))), "sd15");
  const StableDiffusion model(kernels_.get(), source_);
  EXPECT_EQ(model.text_parts(), std::vector{kTe1});
  EXPECT_TRUE(model.unet_config().use_linear_projection);
}

TEST(Sd2Names, ComfyuiHasAnotherNameForItsEncoder) {
  const std::vector<std::string> paths{"te1.text_model.encoder.layers.0.mlp.fc1"};
  const std::string name = ".transformer.text_model.encoder.layers.0.mlp.fc1";
  TensorInfo unet, table;
  unet.name = "model.diffusion_model.time_embed.0.weight";
  unet.dims = {4, 4};
  for (const auto& [stored, width, own, other] :
       {std::tuple{"cond_stage_model.transformer.text_model.embeddings.token_embedding.weight", 768,
                   "text_encoders.clip_l", "text_encoders.clip_h"},
        std::tuple{"cond_stage_model.model.token_embedding.weight", 1024, "text_encoders.clip_h",
                   "text_encoders.clip_l"}}) {
    table.name = stored;
    table.dims = {8, width};
    const std::vector<TensorInfo> tensors{unet, table};
    const auto base = kSd15.recognise({{{std::nullopt, tensors}}});
    ASSERT_NE(base, nullptr) << stored;
    const ModuleTable modules(paths, *base);
    EXPECT_NE(modules.find(own + name), nullptr) << stored;
    EXPECT_EQ(modules.find(other + name), nullptr) << stored;
  }
}

TEST_F(Sd2, Unet) {
  StableDiffusion model(kernels_.get(), source_);
  Graph graph;
  const auto in = [&](const char* name) {
    return graph.input(name, DType::f32, reference_.shape(name));
  };
  const Value out = model.predict(graph, in("unet.latents"), in("unet.timesteps"),
                                  {{"context", in("unet.context")}});
  EXPECT_LE(relative_error(run(graph, out), reference_.values("unet.prediction")), kTolerance);
}

TEST_F(Sd2, TextIsWhatEntersTheLastLayerNormed) {
  StableDiffusion model(kernels_.get(), source_);
  EXPECT_LE(relative_error(text(model), reference_.values("te.hidden")), kTolerance);
  EXPECT_LE(relative_error(text(model, 1), reference_.values("te.last")), kTolerance);
}

/// A folder has the encoder as in diffusers, without its last layer: the last layer's output is
/// then used.
TEST_F(Sd2, AFolderHasTheCutEncoderAndGivesTheSame) {
  const test::TempFolder folder;
  write_model(folder / "model", model_contents(source_));
  const WeightSource cut = WeightSource::open(folder / "model");
  StableDiffusion model(kernels_.get(), cut);
  EXPECT_EQ(cut.names(kTe1).size(), source_.names(kTe1).size() - 16);
  EXPECT_LE(relative_error(text(model), reference_.values("te.hidden")), kTolerance);
}

}  // namespace
}  // namespace mantissa
