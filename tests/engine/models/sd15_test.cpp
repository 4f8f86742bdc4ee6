// SD 1.5 through the same blocks, against diffusers and transformers (tests/golden/make_sd15.py).
#include <gtest/gtest.h>

#include "engine/adapters/export.h"
#include "engine/adapters/read_adapter.h"
#include "engine/adapters/trained_set.h"
#include "engine/graph/ops.h"
#include "engine/io/file.h"
#include "engine/io/json_file.h"
#include "engine/io/model_writer.h"
#include "engine/io/module_path.h"
#include "kernels/cpu/cpu.h"
#include "tests/engine/models/support.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {

using namespace testing_support;
namespace fs = std::filesystem;

constexpr double kTolerance = 1e-5;

/// The file, and the folder written from it.
class Sd15 : public ::testing::TestWithParam<bool> {
 protected:
  Sd15() : reference_("sd15.safetensors") {
    fs::path base = golden_model("sd15.safetensors");
    if (GetParam()) {
      write_model(folder_ / "model", model_contents(WeightSource::open(base)));
      base = folder_ / "model";
    }
    source_ = WeightSource::open(base);
    model_ = std::make_unique<StableDiffusion>(kernels_.get(), source_);
  }
  Value input(const std::string& name) {
    return graph_.input(name, DType::f32, reference_.shape(name));
  }
  std::vector<float> run(Value out,
                         const std::map<std::string, std::vector<std::int32_t>>& ids = {}) {
    graph_.output("out", out);
    Arena arena(*kernels_);
    const Plan plan = make_plan(graph_);
    Executor executor(graph_, plan, *kernels_, arena);
    for (const auto& [name, id] : graph_.inputs()) {
      if (const auto it = ids.find(name); it != ids.end()) {
        executor.feed(name, it->second);
      } else {
        executor.feed(name, reference_.values(name));
      }
    }
    executor.run({});
    return executor.read("out");
  }

  std::unique_ptr<Kernels> kernels_ = make_cpu_kernels(2);
  Reference reference_;
  test::TempFolder folder_;  // removed after the models in it are closed
  WeightSource source_;
  std::unique_ptr<StableDiffusion> model_;
  Graph graph_;
};

TEST_P(Sd15, IsKnownByItsNames) {
  EXPECT_EQ(source_.family().id(), ModelFamily("sd15"));
  EXPECT_TRUE(source_.unknown().empty());
  EXPECT_EQ(model_->text_parts(), std::vector{kTe1});
  EXPECT_EQ(model_->vae_config().scaling_factor, 0.18215);
  EXPECT_FALSE(model_->unet_config().use_linear_projection);
}

TEST_P(Sd15, Unet) {
  const TextValues text{{"context", input("unet.context")}};
  const Value out = model_->predict(graph_, input("unet.latents"), input("unet.timesteps"), text);
  EXPECT_LE(relative_error(run(out), reference_.values("unet.prediction")), kTolerance);
}

TEST_P(Sd15, Vae) {
  EXPECT_LE(relative_error(run(model_->vae().encode(graph_, input("vae.image"))),
                           reference_.values("vae.moments")),
            kTolerance);
}

TEST_P(Sd15, TextIsTheLastStateNormedOrTheOneBefore) {
  const Shape shape = reference_.shape("te.ids");
  for (int skip : {0, 1, 2}) {
    model_->set_text_options({.clip_skip = skip});
    Graph graph;
    const TextValues text = model_->encode_text(graph, shape[0], model_->text_tokens());
    ASSERT_EQ(text.size(), 1U);
    graph.output("out", text.at("context"));
    Arena arena(*kernels_);
    const Plan plan = make_plan(graph);
    Executor executor(graph, plan, *kernels_, arena);
    executor.feed("te1_ids", reference_.ids("te.ids"));
    executor.feed("positions", clip_position_ids(shape[0], shape[1]));
    executor.run({});
    EXPECT_LE(relative_error(executor.read("out"),
                             reference_.values(skip == 2 ? "te.skip2" : "te.hidden")),
              kTolerance)
        << skip;
  }
}

TEST_P(Sd15, LongTextIsRejoinedFromItsPieces) {
  model_->set_text_options({.chunks = 3});
  ASSERT_EQ(model_->text_tokens(), 227);
  Graph graph;
  graph.output("out", model_->encode_text(graph, 1, 227).at("context"));
  Arena arena(*kernels_);
  const Plan plan = make_plan(graph);
  Executor executor(graph, plan, *kernels_, arena);
  executor.feed("te1_ids", reference_.ids("long.ids"));
  executor.feed("positions", clip_position_ids(3, 77));
  executor.run({});
  EXPECT_LE(relative_error(executor.read("out"), reference_.values("long.hidden")), kTolerance);
}

TEST_P(Sd15, AdaptersHaveKohyasNamesForIt) {
  const Reference r("sd15_lora_attention.safetensors");
  TrainedSet set(*kernels_, lora_preset({"attention"}, 4, 2, 6, {kDenoiser, kTe1}),
                 source_.family());
  StableDiffusion model(kernels_.get(), source_, &set);
  model.bind(std::vector<Part>{kDenoiser, kTe1});
  set.finalize(1);
  std::map<std::string, std::vector<float>> state;
  for (const AdapterTensor& t : set.tensors()) {
    const std::string name = "adapter." + traced_path(t.name);
    state[t.name] = r.has(name) ? r.raw(name) : set.values(*t.tensor);
  }
  set.load(state);
  const fs::path file = folder_ / "lora.safetensors";
  AdapterExport options;
  options.base = source_.model_names();
  write_adapter_file(file, set.snapshot(), options);
  const SafetensorsFile written = SafetensorsFile::open(file);
  for (const char* name :
       {"lora_unet_down_blocks_0_attentions_0_transformer_blocks_0_attn1_to_q.lora_down.weight",
        "lora_te_text_model_encoder_layers_0_self_attn_q_proj.lora_up.weight"}) {
    EXPECT_NE(written.find(name), nullptr) << name;
  }
  EXPECT_EQ(written.metadata().at("ss_base_model_version"), "sd_v1");
  EXPECT_EQ(read_adapter(file, source_).modules.size(), set.adapters().size());
  // The adapted forward is PEFT's.
  Graph graph;
  const auto in = [&](const char* name) { return graph.input(name, DType::f32, r.shape(name)); };
  const Value latents = in("latents");
  const Shape batch{latents.shape()[0]};
  const Value noisy = add_noise(latents, in("noise"), graph.input("signal", DType::f32, batch),
                                graph.input("sigma", DType::f32, batch));
  graph.output("out", model.predict(graph, noisy, in("timesteps"), {{"context", in("context")}}));
  Arena arena(*kernels_);
  const Plan plan = make_plan(graph);
  Executor executor(graph, plan, *kernels_, arena);
  std::vector<float> signal, sigma;
  for (float t : r.values("timesteps")) {
    const NoiseLevel level = noise_level(static_cast<int>(t));
    signal.push_back(static_cast<float>(level.signal));
    sigma.push_back(static_cast<float>(level.noise));
  }
  executor.feed("signal", signal);
  executor.feed("sigma", sigma);
  for (const char* name : {"latents", "noise", "timesteps", "context"}) {
    executor.feed(name, r.values(name));
  }
  executor.run({});
  EXPECT_LE(relative_error(executor.read("out"), r.values("prediction")), kTolerance);
}

TEST_P(Sd15, WrittenAsOneFileItIsTheSame) {
  const fs::path file = folder_ / "again.safetensors";
  write_model(file, model_contents(source_));
  const WeightSource again = WeightSource::open(file),
                     first = WeightSource::open(golden_model("sd15.safetensors"));
  for (Part part : {kDenoiser, kTe1, kVae}) {
    ASSERT_EQ(again.names(part), first.names(part));
    for (const std::string& name : first.names(part)) {
      std::vector<float> a(static_cast<std::size_t>(first.shape(part, name).count())), b(a.size());
      first.read_f32(part, name, a);
      again.read_f32(part, name, b);
      ASSERT_EQ(a, b) << name;
    }
  }
}

TEST_P(Sd15, ATextEncoderThatContradictsItsConfigIsNotWrittenOn) {
  const fs::path folder = folder_ / "contradiction";
  write_model(folder, model_contents(source_));
  nlohmann::json config = read_json(folder / "text_encoder/config.json");
  config["num_hidden_layers"] = config["num_hidden_layers"].get<int>() + 1;
  atomic_write(folder / "text_encoder/config.json", config.dump());
  test::expect_error_with([&] { model_contents(WeightSource::open(folder)); },
                          {"num_hidden_layers", "the weights have"});
}

INSTANTIATE_TEST_SUITE_P(Layouts, Sd15, ::testing::Bool(), [](const auto& info) {
  return info.param ? std::string("Folder") : std::string("File");
});

}  // namespace
}  // namespace mantissa
