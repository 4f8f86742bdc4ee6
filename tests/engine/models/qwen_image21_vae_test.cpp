// The autoencoder of Qwen-Image-2.1 against diffusers' on opaque images, in float64
// (tests/golden/make_qwen_image21.py).
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/io/json_file.h"
#include "engine/models/vae/qwen_vae.h"
#include "engine/models/vae/qwen_vae_keys.h"
#include "kernels/cpu/cpu.h"
#include "tests/engine/models/names_reference.h"
#include "tests/engine/models/support.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {

using namespace testing_support;
using nlohmann::json;

class QwenImage21VaeImages : public ::testing::TestWithParam<const char*> {};

// The two take every way through the shortcuts: squares of one frame and of two, into fewer
// channels, as many and more.
TEST_P(QwenImage21VaeImages, AreEncodedAndDecodedAsInDiffusers) {
  const std::string name = GetParam();
  const auto kernels = make_cpu_kernels(2);
  const WeightSource source = WeightSource::open(golden_model(name));
  const Reference r(name.substr(0, name.find('.')) + "_vae.safetensors");
  EXPECT_TRUE(source.unknown().empty()) << source.unknown().front();
  WeightStore weights(*kernels, source);
  const QwenVae vae(qwen_image21_vae_config(source), Scope(weights, nullptr, kVae));
  Graph graph;
  graph.output("moments", vae.encode(graph, graph.input("image", DType::f32, r.shape("image"))));
  graph.output("decoded",
               vae.decode(graph, graph.input("latents", DType::f32, r.shape("latents"))));
  Arena arena(*kernels);
  const Plan plan = make_plan(graph);
  Executor executor(graph, plan, *kernels, arena);
  for (const auto& [input, id] : graph.inputs()) {
    write(executor.input(input), r.values(input));
  }
  executor.run({});
  for (const char* result : {"moments", "decoded"}) {
    const double error = relative_error(read(executor.output(result)), r.values(result));
    std::printf("%s, relative error %.2e\n", result, error);
    EXPECT_LE(error, 1e-5) << result;
  }
}

INSTANTIATE_TEST_SUITE_P(Golden, QwenImage21VaeImages,
                         ::testing::Values("qwen_image_21", "qwen_image21_base.safetensors"),
                         [](const auto& info) {
                           const std::string name = info.param;
                           return name.substr(0, name.find('.'));
                         });

TEST(QwenImage21VaeBinding, FullSizeNamesAndShapes) {
  const json bare = {{"_class_name", "AutoencoderKLQwenImage21"}};
  WeightStore store = WeightStore::planning();
  const QwenVae vae(qwen_image21_vae_config_from_json(bare, "x"), Scope(store, nullptr, kVae));
  Weights weights;
  for (const auto& [path, shape] : store.bound()) {
    weights.emplace(path.substr(path.find('.') + 1), shape);
  }
  std::size_t listed = 0;
  for (const std::vector<std::string>& row : test::key_table("qwen_image21_vae.tsv")) {
    if (row.at(0).find("time_conv") == std::string::npos) {  // those act on several frames alone
      EXPECT_TRUE(weights.contains(row.at(0))) << row.at(0);
      ++listed;
    }
  }
  EXPECT_EQ(weights.size(), listed);
}

TEST(QwenImage21VaeKeys, ComeBackFromTheOriginal) {
  for (const char* model : {"qwen_image_21", "qwen_image21_base.safetensors"}) {
    const WeightSource source = WeightSource::open(golden_model(model));
    const std::vector<std::string> names = source.names(kVae);
    const int blocks = qwen_vae_level_size_from_diffusers(names) - 1;
    for (const std::string& name : names) {
      const auto original = qwen_image21_vae_to_original(name, blocks);
      ASSERT_TRUE(original) << name;
      EXPECT_EQ(qwen_image21_vae_to_diffusers(*original, blocks), name) << *original;
    }
  }
  const std::pair<const char*, const char*> released[] = {
      {"conv1.weight", "quant_conv.weight"},
      {"encoder.conv1.bias", "encoder.conv_in.bias"},
      {"encoder.downsamples.1.downsamples.0.shortcut.weight",
       "encoder.down_blocks.1.resnets.0.conv_shortcut.weight"},
      {"encoder.downsamples.0.downsamples.2.resample.1.weight",
       "encoder.down_blocks.0.downsampler.resample.1.weight"},
      {"encoder.middle.1.to_qkv.weight", "encoder.mid_block.attentions.0.to_qkv.weight"},
      {"decoder.upsamples.0.upsamples.3.time_conv.bias",
       "decoder.up_blocks.0.upsampler.time_conv.bias"},
      {"decoder.upsamples.4.upsamples.2.residual.6.bias",
       "decoder.up_blocks.4.resnets.2.conv2.bias"},
      {"decoder.head.2.weight", "decoder.conv_out.weight"}};
  for (const auto& [original, diffusers] : released) {
    EXPECT_EQ(qwen_image21_vae_to_diffusers(original, 3), diffusers);
    EXPECT_EQ(qwen_image21_vae_to_original(diffusers, 3), original);
  }
  for (const char* name :
       {"encoder.downsamples.0.downsamples.3.resample.1.weight",
        "encoder.downsamples.0.shortcut.bias", "decoder.upsamples.0.upsamples.4.residual.2.bias",
        "decoder.conv3.weight"}) {
    EXPECT_FALSE(qwen_image21_vae_to_diffusers(name, 3)) << name;
  }
}

TEST(QwenImage21VaeConfig, OfTheReleasedModelNeedsNoFile) {
  const json bare = {{"_class_name", "AutoencoderKLQwenImage21"}};
  const QwenVaeConfig usual = qwen_image21_vae_config_from_json(bare, "the config");
  EXPECT_EQ(usual.factor(), 16);
  EXPECT_EQ(usual.decoder_width, 144);
  EXPECT_EQ(usual.latents_mean.at(0), 0.5126);
  EXPECT_EQ(usual.latents_std.at(63), 3.8161);
  EXPECT_EQ(qwen_image21_vae_config_from_json(to_json(usual), "the config"), usual);
  json same = bare;
  same["decoder_base_dim"] = nullptr;
  EXPECT_EQ(qwen_image21_vae_config_from_json(same, "the config").decoder_width, 96);
}

TEST(QwenImage21VaeConfig, ThatCantBeHonouredIsAnError) {
  const json good = read_json(golden_model("qwen_image_21") / "vae/config.json");
  const std::pair<const char*, json> cases[] = {{"_class_name", "AutoencoderKLQwenImage"},
                                                {"attn_scales", {0.5}},
                                                {"is_residual", false},
                                                {"patch_size", 2},
                                                {"out_channels", 3},
                                                {"temperal_downsample", {true}},
                                                {"twins", true}};
  for (const auto& [field, value] : cases) {
    json changed = good;
    changed[field] = value;
    test::expect_error_with([&] { qwen_image21_vae_config_from_json(changed, "the config"); },
                            {"the config", "'" + std::string(field) + "'"});
  }
}

TEST(QwenImage21VaeConfig, OfAnotherModelIsNoticed) {
  const std::pair<const char*, json> changes[] = {{"base_dim", 7},
                                                  {"decoder_base_dim", 7},
                                                  {"dim_mult", {1, 2, 3}},
                                                  {"num_res_blocks", 3},
                                                  {"temperal_downsample", {true, true}}};
  for (const auto& [field, value] : changes) {
    expect_refused("qwen_image_21", "vae", field, value, {"vae/config.json", field},
                   qwen_image21_vae_config);
  }
}

}  // namespace
}  // namespace mantissa
