// Forward passes against diffusers and transformers in float64 (tests/golden/make_models.py).
#include <cmath>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/graph/ops.h"
#include "engine/io/json_file.h"
#include "kernels/cpu/cpu.h"
#include "tests/engine/models/support.h"

namespace mantissa {
namespace {

using namespace testing_support;

constexpr double kTolerance = 1e-5;

struct Case {
  const char* model;
  const char* reference;
};

class Forward : public ::testing::TestWithParam<Case> {
 protected:
  Forward()
      : kernels_(make_cpu_kernels(2)),
        source_(WeightSource::open(golden_model(GetParam().model))),
        reference_(GetParam().reference),
        model_(kernels_.get(), source_),
        arena_(*kernels_) {}

  Value input(const std::string& name, DType dtype = DType::f32) {
    return graph_.input(name, dtype, reference_.shape(name));
  }
  /// Runs the graph on the reference's inputs; with and without reuse of memory, bit-equal.
  std::map<std::string, std::vector<float>> run() {
    std::map<std::string, std::vector<float>> results[2];
    for (const bool reuse : {true, false}) {
      const Plan plan = make_plan(graph_, {.reuse = reuse});
      Executor executor(graph_, plan, *kernels_, arena_);
      for (const auto& [name, id] : graph_.inputs()) {
        const View view = executor.input(name);
        if (name == "positions") {
          write_ids(view, clip_position_ids(view.shape[0], view.shape[1]));
        } else if (name == "pool") {
          write_ids(view, pool_);
        } else if (view.dtype == DType::i32) {
          write_ids(view, reference_.ids(name));
        } else {
          write(view, reference_.values(name));
        }
      }
      executor.run({});
      for (const auto& [name, id] : graph_.outputs()) {
        results[reuse ? 0 : 1][name] = read(executor.output(name));
      }
    }
    EXPECT_EQ(results[0], results[1]) << "the memory plan changes values";
    return results[0];
  }
  void check_unet(const std::string& steps, const std::string& prediction) {
    const Value out =
        model_.unet().forward(graph_, input("unet.latents"), input(steps), input("unet.context"),
                              input("unet.pooled"), input("unet.time_ids"));
    graph_.output("prediction", out);
    const double error = relative_error(run().at("prediction"), reference_.values(prediction));
    RecordProperty("error", std::to_string(error));
    EXPECT_LE(error, kTolerance);
  }
  void check_text(const std::string& name, Part part) {
    ClipText& text = part == kTe1 ? model_.te1() : model_.te2();
    const Shape shape = reference_.shape(name + ".ids");
    const std::vector<std::int32_t> ids = reference_.ids(name + ".ids");
    for (std::int64_t b = 0; b < shape[0]; ++b) {
      pool_.push_back(clip_pool_index(std::span(ids).subspan(static_cast<std::size_t>(b * shape[1]),
                                                             static_cast<std::size_t>(shape[1])),
                                      text.config().eos_id));
    }
    const ClipOutput out = text.forward(graph_, input(name + ".ids", DType::i32),
                                        graph_.input("positions", DType::i32, shape),
                                        graph_.input("pool", DType::i32, {shape[0]}));
    graph_.output("hidden", out.hidden);
    ASSERT_EQ(static_cast<bool>(out.pooled), reference_.has(name + ".pooled"));
    if (out.pooled) {
      graph_.output("pooled", out.pooled);
    }
    const auto got = run();
    EXPECT_LE(relative_error(got.at("hidden"), reference_.values(name + ".hidden")), kTolerance);
    if (out.pooled) {
      EXPECT_LE(relative_error(got.at("pooled"), reference_.values(name + ".pooled")), kTolerance);
    }
  }

  std::unique_ptr<Kernels> kernels_;
  WeightSource source_;
  Reference reference_;
  StableDiffusion model_;
  Graph graph_;
  Arena arena_;
  std::vector<std::int32_t> pool_;
};

TEST_P(Forward, Unet) {
  check_unet("unet.timesteps", "unet.prediction");
}

TEST_P(Forward, UnetAtTheEndsOfTheSchedule) {
  check_unet("unet.integer_timesteps", "unet.prediction_integer_steps");
}

class ForwardWhole : public Forward {};

TEST_P(ForwardWhole, TextEncoder1) {
  check_text("te1", kTe1);
}

TEST_P(ForwardWhole, TextEncoder2) {
  check_text("te2", kTe2);
}

TEST_P(ForwardWhole, VaeEncoder) {
  graph_.output("moments", model_.vae().encode(graph_, input("vae.image")));
  EXPECT_LE(relative_error(run().at("moments"), reference_.values("vae.moments")), kTolerance);
}

TEST_P(ForwardWhole, VaeDecoder) {
  graph_.output("image", model_.vae().decode(graph_, input("vae.latents")));
  EXPECT_LE(relative_error(run().at("image"), reference_.values("vae.decoded")), kTolerance);
}

INSTANTIATE_TEST_SUITE_P(Golden, Forward,
                         ::testing::Values(Case{"a.safetensors", "a.safetensors"},
                                           Case{"b", "b.safetensors"},
                                           Case{"c.safetensors", "c.safetensors"},
                                           Case{"d", "d.safetensors"}, Case{"e", "e.safetensors"}),
                         [](const auto& info) { return std::string(1, info.param.reference[0]); });
INSTANTIATE_TEST_SUITE_P(Golden, ForwardWhole,
                         ::testing::Values(Case{"a.safetensors", "a.safetensors"},
                                           Case{"b", "b.safetensors"}, Case{"d", "d.safetensors"}),
                         [](const auto& info) { return std::string(1, info.param.reference[0]); });

// Latents are scaled as in SDXL's pipelines if the VAE's config has mean and deviation.
TEST(UnusualConfigs, LatentsAreNormalised) {
  const VaeConfig vae = vae_config(WeightSource::open(golden_model("d")));
  const Reference reference("d.safetensors");
  std::vector<float> latents = reference.values("vae.latents");
  for (std::size_t i = 0; i < latents.size(); ++i) {
    const std::size_t channel = i % 4;
    latents[i] =
        static_cast<float>(vae.latent_gain(channel) * (latents[i] - vae.latent_shift(channel)));
  }
  EXPECT_LE(relative_error(latents, reference.values("vae.normalised")), 1e-6);
}

// tokenizer.json alone, as written by transformers 5, through the model's own configs.
TEST(UnusualConfigs, CaptionsAreTokenized) {
  const auto kernels = make_cpu_kernels(1);
  StableDiffusion model(kernels.get(), WeightSource::open(golden_model("d")));
  const nlohmann::json tokens =
      read_json(golden_model("").parent_path().parent_path() / "reference" / "d_tokens.json");
  for (std::size_t i = 0; i < tokens["prompts"].size(); ++i) {
    const TokenIds ids = model.tokenize(tokens["prompts"][i]);
    EXPECT_EQ(ids.of("te1_ids"), tokens["te1"][i].get<std::vector<std::int32_t>>());
    EXPECT_EQ(ids.of("te2_ids"), tokens["te2"][i].get<std::vector<std::int32_t>>());
  }
  EXPECT_EQ(model.te2_config().pad_id, 0);
}

TEST(ClipPoolIndex, FirstEosOrGreatestId) {
  const std::vector<std::int32_t> ids{49406, 320, 49407, 49407, 49407};
  EXPECT_EQ(clip_pool_index(ids, 49407), 2);
  EXPECT_EQ(clip_pool_index(ids, 2), 2);
  EXPECT_EQ(clip_pool_index(ids, 12), 0);
}

TEST(UnetSizes, OddLatentsComeBackAtTheirSize) {
  // 9x7 halves to 5x4: the up half must match the skip's size. (The golden files hold even sizes.)
  const WeightSource source = WeightSource::open(golden_model("c.safetensors"));
  StableDiffusion model(nullptr, source);
  Graph graph;
  const UnetConfig& config = model.unet_config();
  const Value out = model.unet().forward(
      graph, graph.input("x", DType::f32, {1, 9, 7, 4}), graph.input("t", DType::f32, {1}),
      graph.input("c", DType::f32, {1, 5, config.cross_attention_dim}),
      graph.input("p", DType::f32, {1, config.pooled_dim()}), graph.input("s", DType::f32, {1, 6}));
  EXPECT_EQ(out.shape(), (Shape{1, 9, 7, 4}));
}

}  // namespace
}  // namespace mantissa
