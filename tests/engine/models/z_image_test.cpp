// Z-Image against diffusers and PEFT in float64 (tests/golden/make_z_image.py).
#include "engine/models/z_image/z_image.h"

#include <cmath>
#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <set>

#include "engine/adapters/dialect.h"
#include "engine/graph/ops.h"
#include "engine/io/json_file.h"
#include "engine/io/name_parts.h"
#include "engine/models/z_image/z_image_family.h"
#include "engine/models/z_image/z_image_keys.h"
#include "engine/models/z_image/z_image_model.h"
#include "kernels/cpu/cpu.h"
#include "tests/engine/models/support.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {

using namespace testing_support;

constexpr double kForward = 1e-5;
constexpr double kGradient = 1e-4;

struct Case {
  const char* name;
  const char* model;
};

/// One Z-Image and a graph over a reference's inputs: captions of different lengths in one batch,
/// against diffusers' result for each of them alone.
class ZImage : public ::testing::TestWithParam<Case> {
 protected:
  ZImage()
      : kernels_(make_cpu_kernels(2)),
        source_(WeightSource::open(golden_model(GetParam().model))),
        weights_(*kernels_, source_),
        arena_(*kernels_) {}

  static Reference reference(const std::string& kind = "") {
    return Reference(std::string(GetParam().name) + kind + ".safetensors");
  }
  /// The pipeline's prediction: the transformer's output, negated.
  Value predict(const ZImageTransformer& model, Value latents, const Reference& r) {
    const auto input = [&](const char* name) {
      return graph_.input(name, DType::f32, r.shape(name));
    };
    positions_ = z_image_positions(latents.shape()[1], latents.shape()[2], r.shape("text")[1],
                                   model.config());
    const auto n = static_cast<std::int64_t>(positions_.grid.size() / 2);
    const auto pairs = static_cast<std::int64_t>(positions_.frequencies.size() / 3);
    ZImageInputs in;
    in.times = graph_.input("times", DType::f32, r.shape("timesteps"));
    in.text = input("text");
    in.layout = input("layout");
    in.order = graph_.input("order", DType::f32, {2, n});
    in.grid = graph_.input("grid", DType::f32, {latents.shape()[0], n, 2});
    in.frequencies = graph_.input("frequencies", DType::f32, {3, pairs});
    return scale(model.forward(graph_, latents, in), -1.0F);
  }
  std::vector<float> fed(const std::string& name, const Reference& r) const {
    std::vector<float> values = r.has(name) ? r.values(name) : std::vector<float>();
    const auto of_timesteps = [&](auto&& of) {
      for (const float t : r.values("timesteps")) {
        values.push_back(static_cast<float>(of(static_cast<double>(t) / 1000)));
      }
    };
    if (name == "order") {
      values = positions_.order;
    } else if (name == "grid") {
      for (std::int64_t b = 0; b < r.shape("latents")[0]; ++b) {
        values.insert(values.end(), positions_.grid.begin(), positions_.grid.end());
      }
    } else if (name == "frequencies") {
      values = positions_.frequencies;
    } else if (name == "times" || name == "signal") {
      of_timesteps([](double level) { return 1 - level; });
    } else if (name == "sigma") {
      of_timesteps([](double level) { return level; });
    } else if (name == "weight") {
      of_timesteps([](double) { return 1.0; });
    }
    return values;
  }
  std::map<std::string, std::vector<float>> run(const Reference& r, bool reuse = true) {
    const Plan plan = make_plan(graph_, {.reuse = reuse});
    Executor executor(graph_, plan, *kernels_, arena_);
    for (const auto& [name, id] : graph_.inputs()) {
      write(executor.input(name), fed(name, r));
    }
    executor.run({});
    std::map<std::string, std::vector<float>> results;
    for (const auto& [name, id] : graph_.outputs()) {
      results[name] = read(executor.output(name));
    }
    return results;
  }

  std::unique_ptr<Kernels> kernels_;
  WeightSource source_;
  WeightStore weights_;
  Graph graph_;
  Arena arena_;
  ZImagePositions positions_;
};

TEST_P(ZImage, EachSampleIsWhatItWouldBeAlone) {
  EXPECT_EQ(source_.family().id, ModelFamily::z_image);
  EXPECT_TRUE(source_.unknown().empty()) << source_.unknown().front();
  const Reference r = reference();
  const ZImageTransformer model(z_image_config(source_), Scope(weights_, nullptr, kDenoiser));
  graph_.output("prediction",
                predict(model, graph_.input("latents", DType::f32, r.shape("latents")), r));
  const auto got = run(r);
  EXPECT_EQ(got, run(r, false)) << "the memory plan changes values";
  const double error = relative_error(got.at("prediction"), r.values("prediction"));
  std::printf("forward, relative error %.2e\n", error);
  EXPECT_LE(error, kForward);
}

class ZImageTraining : public ZImage {
 protected:
  void check(AdapterType type, bool checkpointing) {
    const Reference r = reference(type == AdapterType::dora ? "_dora" : "_lora");
    Preset preset = lora_preset({"attention+mlp"}, 3, 3, 5);
    preset.adapter.type = type;
    preset.adapter.dora_axis = DoraAxis::output;
    AdapterSet adapters(*kernels_, preset, kZImage);
    const ZImageTransformer model(z_image_config(source_), Scope(weights_, &adapters, kDenoiser));
    adapters.finalize(7);
    std::map<std::string, std::vector<float>> state;
    for (const std::string& name : r.below("adapter.")) {
      state[name] = r.raw("adapter." + name);
    }
    adapters.load(state);
    const auto input = [&](const char* name) {
      return graph_.input(name, DType::f32, r.shape(name));
    };
    const Shape batch{2};
    const Value noisy =
        add_noise(input("latents"), input("noise"), graph_.input("signal", DType::f32, batch),
                  graph_.input("sigma", DType::f32, batch));
    const Value prediction = predict(model, noisy, r);
    const MseLoss loss =
        mse_loss(prediction, input("target"), graph_.input("weight", DType::f32, batch));
    graph_.output("prediction", prediction);
    graph_.output("loss", loss.loss);
    graph_.backward(loss.loss, checkpointing);
    const auto got = run(r);
    EXPECT_LE(relative_error(got.at("prediction"), r.values("prediction")), kForward);
    EXPECT_LE(relative_error(got.at("loss"), r.values("loss")), kForward);
    check_gradients(r, adapters);
  }
  static void check_gradients(const Reference& r, const AdapterSet& adapters) {
    ASSERT_FALSE(adapters.tensors().empty());
    double worst = 0;
    for (const AdapterTensor& tensor : adapters.tensors()) {
      const double error =
          relative_error(adapters.gradient(*tensor.tensor), r.raw("grad." + tensor.name));
      EXPECT_LE(error, kGradient) << tensor.name;
      worst = std::max(worst, error);
    }
    EXPECT_EQ(adapters.tensors().size(), r.below("grad.").size());
    std::printf("%zu gradients, worst relative error %.2e\n", adapters.tensors().size(), worst);
  }
};

TEST_P(ZImageTraining, LoraGradients) {
  check(AdapterType::lora, false);
}

TEST_P(ZImageTraining, LoraGradientsWithCheckpointing) {
  check(AdapterType::lora, true);
}

TEST_P(ZImageTraining, DoraGradients) {
  check(AdapterType::dora, false);
}

TEST_P(ZImageTraining, DoraGradientsWithCheckpointing) {
  check(AdapterType::dora, true);
}

const Case kFolder{"z_image", "z_image"};
const Case kOriginal{"z_image_base", "z_image_base.safetensors"};
const Case kBare{"z_image_bare", "z_image_bare.safetensors"};
const auto kCaseName = [](const auto& info) { return std::string(info.param.name); };
INSTANTIATE_TEST_SUITE_P(Golden, ZImage, ::testing::Values(kFolder, kOriginal, kBare), kCaseName);
INSTANTIATE_TEST_SUITE_P(Golden, ZImageTraining, ::testing::Values(kFolder, kOriginal, kBare),
                         kCaseName);

/// The tiny folder as training and sampling use it.
class ZImageWhole : public ::testing::Test {
 protected:
  ZImageWhole()
      : kernels_(make_cpu_kernels(2)),
        source_(WeightSource::open(golden_model("z_image"))),
        model_(*kernels_, source_),
        arena_(*kernels_) {}

  std::unique_ptr<Kernels> kernels_;
  WeightSource source_;
  ZImageModel model_;
  Graph graph_;
  Arena arena_;
};

TEST_F(ZImageWhole, ReadsCaptionsAsThePipelineDoes) {
  const Reference r("z_image_text.safetensors");
  std::vector<TokenIds> batch;
  for (const char* prompt :
       {"a photo of a red cat", "", "the blue dog sits on the grass, 2 birds fly: why?"}) {
    const std::vector<std::int32_t> want = r.ids("ids." + std::to_string(batch.size()));
    batch.push_back(model_.tokenize(prompt));
    std::vector<std::int32_t> ids = batch.back().of("te1_ids");
    EXPECT_EQ(ids.size(), 512U);
    ids.resize(want.size());
    EXPECT_EQ(ids, want) << prompt;
    EXPECT_EQ(batch.back().of("te1_length").at(0), static_cast<std::int32_t>(want.size()));
  }
  for (const auto& [name, value] : model_.encode_text(graph_, 3, 512)) {
    graph_.output(name, value);
  }
  const Plan plan = make_plan(graph_);
  Executor executor(graph_, plan, *kernels_, arena_);
  model_.feed_tokens(executor, batch);
  executor.run({});
  const std::vector<float> context = read(executor.output("context"));
  const std::vector<float> layout = read(executor.output("layout"));
  for (std::size_t i = 0; i < batch.size(); ++i) {
    const auto row = [&](const std::vector<float>& all, std::size_t width) {
      const auto begin = all.begin() + static_cast<std::ptrdiff_t>(i * 512 * width);
      return std::vector<float>(begin, begin + static_cast<std::ptrdiff_t>(512 * width));
    };
    std::vector<float> want = r.values("hidden." + std::to_string(i));
    const auto length = static_cast<std::int64_t>(want.size() / 40);
    want.resize(512 * 40, 0.0F);
    EXPECT_LE(relative_error(row(context, 40), want), kForward) << i;
    EXPECT_EQ(row(layout, 2), z_image_layout(length, 512)) << i;
  }
}

TEST_F(ZImageWhole, PredictsAsThePipelineDoes) {
  const Reference r("z_image.safetensors");
  const Shape latents = r.shape("latents");
  const TextValues text = model_.text_inputs(graph_, latents[0], r.shape("text")[1]);
  graph_.output("prediction",
                model_.predict(graph_, graph_.input("latents", DType::f32, latents),
                               graph_.input("timesteps", DType::f32, {latents[0]}), text));
  const Plan plan = make_plan(graph_);
  Executor executor(graph_, plan, *kernels_, arena_);
  executor.feed("latents", r.values("latents"));
  executor.feed("timesteps", r.values("timesteps"));
  executor.feed("context", r.values("text"));
  executor.feed("layout", r.values("layout"));
  model_.feed_sizes(executor, std::vector<float>(6 * static_cast<std::size_t>(latents[0])),
                    latents[1], latents[2]);
  executor.run({});
  EXPECT_LE(relative_error(read(executor.output("prediction")), r.values("prediction")), kForward);
}

TEST_F(ZImageWhole, HasTheLatentsOfFlux1) {
  EXPECT_EQ(model_.latent_channels(), 16);
  EXPECT_EQ(model_.latents().gain.at(15), 0.3611);
  EXPECT_EQ(model_.latents().shift.at(15), 0.1159);
  EXPECT_EQ(model_.text_tokens(), 512);
}

/// "name<TAB>a,b" rows of tests/golden/keys/z_image.tsv.
std::map<std::string, std::string> key_table() {
  std::ifstream in(std::filesystem::path(MANTISSA_TEST_DATA) / "golden/keys/z_image.tsv");
  std::map<std::string, std::string> rows;
  for (std::string line; std::getline(in, line);) {
    const std::size_t tab = line.find('\t');
    if (line[0] != '#' && tab != std::string::npos) {
      rows[line.substr(0, tab)] = line.substr(tab + 1);
    }
  }
  return rows;
}

/// Every weight of the released transformer: name below the part, and shape.
std::map<std::string, Shape> released_weights() {
  WeightStore store = WeightStore::planning();
  const ZImageTransformer model(ZImageConfig{}, Scope(store, nullptr, kDenoiser));
  std::map<std::string, Shape> weights;
  for (const auto& [path, shape] : store.bound()) {
    weights.emplace(path.substr(path.find('.') + 1), shape);
  }
  return weights;
}

TEST(ZImageBinding, FullSizeNamesAndShapes) {
  std::map<std::string, std::string> first;
  std::int64_t parameters = 0, blocks = 0;
  for (const auto& [name, shape] : released_weights()) {
    parameters += shape.count();
    blocks += name.ends_with("ffn_norm1.weight") ? 1 : 0;
    std::string_view rest = name;
    if ((take(rest, "layers.") || take(rest, "noise_refiner.") || take(rest, "context_refiner.")) &&
        !rest.starts_with("0.")) {
      continue;
    }
    std::string text = shape.str();
    std::erase_if(text, [](char c) { return c == '[' || c == ']' || c == ' '; });
    first[name] = text;
  }
  EXPECT_EQ(first, key_table());
  EXPECT_EQ(blocks, 34);
  EXPECT_EQ(released_weights().size(), 521U);
  EXPECT_EQ(parameters, 6'154'908'736);
}

TEST(ZImageKeys, EveryNameComesBackFromTheOriginal) {
  std::set<std::string> originals;
  for (const auto& [name, shape] : released_weights()) {
    const auto original = z_image_to_original(name);
    ASSERT_TRUE(original) << name;
    originals.insert(original->name);
    const auto mapping = z_image_to_diffusers(original->name);
    ASSERT_TRUE(mapping) << original->name;
    EXPECT_EQ(mapping->transform, original->transform);
    EXPECT_EQ(mapping->names.size(), static_cast<std::size_t>(original->slices));
    EXPECT_EQ(mapping->names.at(static_cast<std::size_t>(original->slice)), name);
  }
  EXPECT_EQ(originals.size(), 521U - 2 * 34) << "q, k and v are one tensor";
  for (const char* name :
       {"x_embedder.weight", "final_layer.adaLN_modulation.1.bias",
        "layers.29.attention.qkv.weight", "noise_refiner.1.attention.q_norm.weight",
        "context_refiner.0.attention.out.weight", "cap_embedder.0.weight"}) {
    EXPECT_TRUE(originals.contains(name)) << name;
  }
  for (const char* name : {"layers.x.attention.out.weight", "layers.0", "siglip_embedder.0.weight",
                           "layers.0.attention.qkv.bias", "blocks.0.attention.out.weight"}) {
    EXPECT_FALSE(z_image_to_diffusers(name)) << name;
  }
  EXPECT_EQ(z_image_to_diffusers("norm_final.weight")->transform, NameTransform::dropped);
}

TEST(ZImageKeys, ModulesOfAdapters) {
  const WeightSource source = WeightSource::open(golden_model("z_image_base.safetensors"));
  const ModelNames& base = *source.model_names();
  const std::vector<std::string> paths{"unet.layers.1.attention.to_q",
                                       "unet.context_refiner.0.attention.to_out.0",
                                       "unet.noise_refiner.1.adaLN_modulation.0"};
  const ModuleTable table(paths, base);
  const struct {
    const char* name;
    std::size_t path;
  } read[] = {{"diffusion_model.layers.1.attention.to_q", 0},
              {"transformer.layers.1.attention.to_q", 0},
              {"layers.1.attention.to_q", 0},
              {"lora_unet_layers_1_attention_to_q", 0},
              {"lycoris_layers_1_attention_to_q", 0},
              {"base_model.model.transformer.layers.1.attention.to_q", 0},
              {"diffusion_model.context_refiner.0.attention.to_out.0", 1},
              {"diffusion_model.context_refiner.0.attention.out", 1},
              {"lora_unet_context_refiner_0_attention_out", 1},
              {"diffusion_model.noise_refiner.1.adaLN_modulation.0", 2}};
  for (const auto& [name, path] : read) {
    const NamedModule* found = table.find(name);
    ASSERT_NE(found, nullptr) << name;
    EXPECT_EQ(found->path, paths[path]) << name;
  }
  const FileForm comfyui = file_form(OutputFormat::comfyui, {}, &kZImage);
  EXPECT_EQ(module_name(paths[0], *comfyui.dialect, base),
            "diffusion_model.layers.1.attention.to_q");
  EXPECT_EQ(module_name(paths[1], *comfyui.dialect, base),
            "diffusion_model.context_refiner.0.attention.to_out.0");
  EXPECT_EQ(module_name(paths[0], kKohyaDialect, base), "lora_unet_layers_1_attention_to_q");
}

TEST(ZImageBinding, AdapterTargets) {
  const auto count = [](const char* set) {
    AdapterSet adapters = AdapterSet::planning(lora_preset({set}, 4, 4, 4), kZImage);
    WeightStore store = WeightStore::planning();
    const ZImageTransformer model(ZImageConfig{}, Scope(store, &adapters, kDenoiser));
    return adapters.adapters().size();
  };
  EXPECT_EQ(count("attention"), 34U * 4);
  EXPECT_EQ(count("attention+mlp"), 34U * 7 + 32);
}

/// A copy of the tiny folder whose transformer/config.json has one field changed.
class ZImageConfigs : public ::testing::Test {
 protected:
  void change(const char* field, const nlohmann::json& value) {
    std::filesystem::copy(golden_model("z_image"), folder_ / "m",
                          std::filesystem::copy_options::recursive |
                              std::filesystem::copy_options::overwrite_existing);
    const std::filesystem::path path = folder_ / "m/transformer/config.json";
    nlohmann::json config = read_json(path);
    config[field] = value;
    std::ofstream(path) << config;
  }
  test::TempFolder folder_;
};

TEST_F(ZImageConfigs, OfAnotherModelAreNoticed) {
  for (const char* field : {"in_channels", "n_layers", "n_refiner_layers", "cap_feat_dim"}) {
    change(field, 7);
    test::expect_error_with([&] { z_image_config(WeightSource::open(folder_ / "m")); },
                            {"config.json", field, "7"});
  }
  change("dim", 64);
  test::expect_error_with([&] { z_image_config(WeightSource::open(folder_ / "m")); },
                          {"axes_dims", "64 / 3"});
}

TEST(ZImageConfig, IsDetectedWithoutOne) {
  const WeightSource source = WeightSource::open(golden_model("z_image_bare.safetensors"));
  ZImageConfig want;
  want.width = 56;
  want.heads = 2;
  want.layers = 1;
  want.refiner_layers = 3;
  want.caption_channels = 20;
  want.axes_dims = {6, 10, 12};
  EXPECT_EQ(z_image_config(source), want);
}

TEST(ZImagePositions, EndWhereTheModelDoes) {
  const ZImageConfig config;
  const ZImagePositions p = z_image_positions(10, 14, 64, config);  // 35 patches, 29 of padding
  EXPECT_EQ(p.grid.size(), 2U * (64 + 64));
  EXPECT_EQ(p.grid[2 * 34], 4);
  EXPECT_EQ(p.grid[2 * 34 + 1], 6);
  EXPECT_EQ(p.order[34], 0);
  EXPECT_EQ(p.order[35], -1);
  EXPECT_EQ(p.order[128 + 35], -1);
  EXPECT_EQ(p.order[128 + 64], 0);
  EXPECT_EQ(p.order[128 + 127], 63);
  test::expect_error_with([&] { z_image_positions(1026, 14, 64, config); },
                          {"513 x 7", "512 x 512"});
}

}  // namespace
}  // namespace mantissa
