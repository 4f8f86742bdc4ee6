#include <deque>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/io/inspect.h"
#include "engine/io/json_file.h"
#include "engine/io/safetensors.h"
#include "engine/models/clip/clip_config.h"
#include "engine/models/stable_diffusion/unet_config.h"
#include "engine/models/vae/vae_config.h"
#include "tests/shapes_only.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

using Depths = std::vector<std::vector<int>>;

const fs::path kModels = fs::path(MANTISSA_TEST_DATA) / "golden/models";

TEST(ModelConfig, RealSdxlIsDetectedFromShapesAlone) {
  const test::TempFolder folder;
  test::ShapesOnly file;
  file.add_sdxl();
  file.write_sparse(folder / "sdxl.safetensors");
  const WeightSource source = WeightSource::open(folder / "sdxl.safetensors");
  EXPECT_TRUE(source.unknown().empty());
  EXPECT_EQ(source.ignored().size(), 2u);  // position_ids and logit_scale
  EXPECT_EQ(source.names(kDenoiser).size(), 1680u);
  EXPECT_EQ(source.names(kVae).size(), 248u);
  EXPECT_EQ(source.names(kTe1).size(), 196u);
  EXPECT_EQ(source.names(kTe2).size(), 517u);
  EXPECT_EQ(inspect(folder / "sdxl.safetensors").tensors, 2515);
  std::int64_t parameters = 0;
  for (const std::string& name : source.names(kDenoiser)) {
    parameters += source.shape(kDenoiser, name).count();
  }
  EXPECT_EQ(parameters, 2'567'463'684);
  for (const auto& row : test::key_table("vae.tsv")) {
    std::string shape = source.shape(kVae, row[1]).str();
    std::erase(shape, ' ');
    EXPECT_EQ(shape, "[" + row[3] + "]") << row[1];
  }

  const UnetConfig unet = unet_config(source);
  UnetConfig expected;
  expected.block_out_channels = {320, 640, 1280};
  expected.layers_per_block = {2, 2, 2};
  expected.has_attention = {false, true, true};
  expected.set_transformer_layers({0, 2, 10});
  expected.num_attention_heads = {5, 10, 20};
  expected.mid_transformer_layers = 10;
  expected.mid_attention_heads = 20;
  expected.cross_attention_dim = 2048;
  expected.addition_time_embed_dim = 256;
  expected.projection_class_embeddings_input_dim = 2816;
  expected.time_embed_dim = 1280;
  EXPECT_EQ(unet, expected);
  EXPECT_EQ(unet.pooled_dim(), 1280);

  const ClipConfig te1 = clip_config(source, kTe1);
  EXPECT_EQ(te1, ClipConfig{});
  const ClipConfig te2 = clip_config(source, kTe2);
  ClipConfig big;
  big.hidden = 1280;
  big.layers = 32;
  big.heads = 20;
  big.intermediate = 5120;
  big.quick_gelu = false;
  big.projection_dim = 1280;
  big.pad_id = 0;
  EXPECT_EQ(te2, big);
  const VaeConfig vae = vae_config(source);
  VaeConfig sdxl_vae;
  sdxl_vae.block_out_channels = {128, 256, 512, 512};
  EXPECT_EQ(vae, sdxl_vae);
}

TEST(ModelConfig, RealSd15IsDetectedFromShapesAlone) {
  const test::TempFolder folder;
  test::ShapesOnly file;
  file.add_table("sd15_unet.tsv", 2);
  file.add_table("vae.tsv", 2);
  file.write_sparse(folder / "sd15.safetensors");
  const WeightSource source = WeightSource::open(folder / "sd15.safetensors");
  const UnetConfig unet = unet_config(source);
  EXPECT_EQ(unet.block_out_channels, (std::vector<int>{320, 640, 1280, 1280}));
  EXPECT_EQ(unet.has_attention, (std::vector<bool>{true, true, true, false}));
  EXPECT_EQ(unet.transformer_layers, (Depths{{1, 1}, {1, 1}, {1, 1}, {}}));
  EXPECT_EQ(unet.up_transformer_layers, (Depths{{1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {}}));
  EXPECT_EQ(unet.num_attention_heads, (std::vector<int>{8, 8, 8, 8}));
  EXPECT_FALSE(unet.use_linear_projection);
  EXPECT_EQ(unet.cross_attention_dim, 768);
  EXPECT_EQ(unet.addition_time_embed_dim, 0);
  EXPECT_EQ(vae_config(source).scaling_factor, 0.18215);
  EXPECT_EQ(inspect(folder / "sd15.safetensors").family, "sd15");
  test::expect_error_with([&] { clip_config(source, kTe1); }, {"no te1 weights"});
}

TEST(ModelConfig, InpaintingCheckpointsAreNamed) {
  const test::TempFolder folder;
  test::ShapesOnly file;
  for (const auto& row : test::key_table("sdxl_unet.tsv")) {
    file.add(row[0], row[1] == "conv_in.weight" ? "320,9,3,3" : row[2]);
  }
  file.write_sparse(folder / "inpaint.safetensors");
  const WeightSource source = WeightSource::open(folder / "inpaint.safetensors");
  test::expect_error_with([&] { unet_config(source); },
                          {"inpaint.safetensors", "9 channels", "inpainting"});
}

TEST(ModelConfig, DiffusersFolderReadsItsConfigs) {
  const WeightSource source = WeightSource::open(kModels / "b");
  const UnetConfig unet = unet_config(source);
  EXPECT_EQ(unet.block_out_channels, (std::vector<int>{8, 16, 32}));
  EXPECT_EQ(unet.transformer_layers, (Depths{{}, {2, 2}, {3, 3}}));
  EXPECT_EQ(unet.up_transformer_layers, (Depths{{}, {2, 2, 2}, {3, 3, 3}}));
  EXPECT_EQ(unet.mid_transformer_layers, 3);
  EXPECT_EQ(unet.num_attention_heads, (std::vector<int>{1, 2, 2}));
  EXPECT_EQ(unet.norm_num_groups, 4);
  EXPECT_EQ(unet.addition_time_embed_dim, 16);
  EXPECT_EQ(unet.pooled_dim(), 120 - 96);
  EXPECT_EQ(unet.sample_size, 16);
  const ClipConfig te1 = clip_config(source, kTe1);
  const ClipConfig te2 = clip_config(source, kTe2);
  EXPECT_EQ(te1.eos_id, te1.vocab - 1);
  EXPECT_EQ(te1.pad_id, te1.eos_id);
  EXPECT_EQ(te2.pad_id, 0);  // "!" in tokenizer_2
  EXPECT_EQ(te1.hidden + te2.hidden, unet.cross_attention_dim);
  EXPECT_EQ(te2.projection_dim, unet.pooled_dim());
  EXPECT_EQ(vae_config(source).latent_channels, 4);
}

TEST(ModelConfig, EmbeddedConfigOverridesDetection) {
  const WeightSource source = WeightSource::open(kModels / "a.safetensors");
  const UnetConfig unet = unet_config(source);
  EXPECT_EQ(unet.num_attention_heads, (std::vector<int>{2, 2}));  // detection would give 1
  EXPECT_EQ(unet.norm_num_groups, 8);
  EXPECT_EQ(unet.addition_time_embed_dim, 8);
  const VaeConfig vae = vae_config(source);
  EXPECT_FALSE(vae.block_out_channels.empty());
  EXPECT_GT(clip_config(source, kTe1).heads, 0);
}

TEST(ModelConfig, JsonRoundTrips) {
  const WeightSource source = WeightSource::open(kModels / "b");
  const UnetConfig unet = unet_config(source);
  EXPECT_EQ(unet_config_from_json(to_json(unet), "x"), unet);
  for (Part part : {kTe1, kTe2}) {
    ClipConfig clip = clip_config(source, part);
    EXPECT_EQ(clip_config_from_json(to_json(clip), part, "x"), clip);
  }
  const VaeConfig vae = vae_config(source);
  EXPECT_EQ(vae_config_from_json(to_json(vae), "x"), vae);
}

TEST(ModelConfig, FieldsThatCantBeHonouredAreErrors) {
  const json good = to_json(unet_config(WeightSource::open(kModels / "b")));
  const struct {
    const char* field;
    json value;
    const char* text;
  } cases[] = {
      {"_class_name", "FluxTransformer2DModel", "_class_name"},
      {"block_out_channels", "wide", "block_out_channels"},
      {"block_out_channels", json::array(), "block_out_channels"},
      {"block_out_channels", {8, 16, -32}, "block_out_channels"},
      {"block_out_channels", {8, 16.5, 32}, "block_out_channels"},
      {"block_out_channels", {8, 16, 30}, "norm_num_groups"},
      {"layers_per_block", {2, 2}, "layers_per_block"},
      {"layers_per_block", 0, "layers_per_block"},
      {"attention_head_dim", 3, "attention_head_dim"},
      {"down_block_types", {"DownBlock2D"}, "down_block_types"},
      {"down_block_types",
       {"DownBlock2D", "AttnDownBlock2D", "CrossAttnDownBlock2D"},
       "AttnDownBlock2D"},
      {"up_block_types", {"UpBlock2D", "CrossAttnUpBlock2D", "UpBlock2D"}, "up_block_types"},
      {"act_fn", "mish", "act_fn"},
      {"class_embed_type", "timestep", "class_embed_type"},
      {"addition_embed_type", "image", "addition_embed_type"},
      {"projection_class_embeddings_input_dim", 60, "projection_class_embeddings_input_dim"},
      {"norm_eps", -1, "norm_eps"},
      {"use_linear_projection", "yes", "use_linear_projection"},
      {"mid_block_type", "UNetMidBlock2DSimpleCrossAttn", "mid_block_type"},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.field);
    json changed = good;
    changed[c.field] = c.value;
    test::expect_error_with([&] { unet_config_from_json(changed, "the config"); },
                            {"the config", c.text});
  }
  test::expect_error_with([] { unet_config_from_json(json::array(), "the config"); },
                          {"the config", "object"});
  test::expect_error_with(
      [] {
        clip_config_from_json({{"hidden_act", "relu"}}, kTe1, "the config");
      },
      {"hidden_act"});
}

TEST(ModelConfig, AShiftThatThePipelinesIgnoreIsRefused) {
  const test::TempFolder folder;
  fs::copy(kModels / "b", folder / "b", fs::copy_options::recursive);
  const fs::path path = folder / "b/vae/config.json";
  json changed = read_json(path);
  changed["shift_factor"] = 0.1;
  fs::remove(path);
  std::ofstream(path) << changed;
  test::expect_error_with([&] { vae_config(WeightSource::open(folder / "b")); },
                          {"config.json", "shift_factor", "0.1"});
}

TEST(ModelConfig, ConfigOfAnotherModelIsNoticed) {
  const test::TempFolder folder;
  fs::copy(kModels / "b", folder / "b", fs::copy_options::recursive);
  const fs::path path = folder / "b/unet/config.json";
  json changed = read_json(path);
  changed["cross_attention_dim"] = 64;
  fs::remove(path);
  test::write_file(path, changed.dump());
  const WeightSource source = WeightSource::open(folder / "b");
  test::expect_error_with([&] { unet_config(source); },
                          {"unet/config.json", "cross_attention_dim", "64"});
}

// As saved by diffusers' DPMSolverMultistepScheduler, whose least lambda is minus infinity.
TEST(ModelConfig, InfinityInASchedulersConfigIsRead) {
  const test::TempFolder folder;
  fs::copy(kModels / "b", folder / "b", fs::copy_options::recursive);
  const fs::path path = folder / "b/scheduler/scheduler_config.json";
  fs::remove(path);
  test::write_file(path, R"({"_class_name": "DPMSolverMultistepScheduler", "x": "a \" NaN, b",
                             "lambda_min_clipped": -Infinity, "y": [NaN, Infinity]})");
  const auto scheduler = WeightSource::open(folder / "b").scheduler_config();
  ASSERT_TRUE(scheduler.has_value());
  EXPECT_FALSE(scheduler->contains("lambda_min_clipped"));
  EXPECT_EQ(scheduler->at("x"), "a \" NaN, b");
  EXPECT_EQ(scheduler->at("y"), (json{"NaN", "Infinity"}));
  test::expect_error_with([&] { read_json(path); }, {"not valid JSON"});
}

TEST(ModelConfig, AUnetWithoutBlocksIsIncomplete) {
  const SafetensorsFile whole =
      SafetensorsFile::open(kModels / "b/unet/diffusion_pytorch_model.safetensors");
  std::vector<TensorToWrite> tensors;
  for (const TensorInfo& t : whole.tensors()) {
    if (!t.name.starts_with("down_blocks.")) {
      tensors.push_back({t.name, *t.type, t.shape(), t.data, {}});
    }
  }
  const test::TempFolder folder;
  fs::create_directories(folder / "unet");
  write_safetensors(folder / "unet/model.safetensors", tensors);
  test::expect_error_with([&] { unet_config(WeightSource::open(folder.path())); },
                          {"no down_blocks.0", "incomplete"});
}

TEST(ModelConfig, BadJsonFilesAreNamed) {
  test::expect_error_with([] { parse_json("{", "f"); }, {"f", "not valid JSON"});
  test::expect_error_with([] { parse_json(R"({"a":1,"a":2})", "f"); }, {"'a'", "twice"});
  test::expect_error_with([] { parse_json(std::string(100, '[') + std::string(100, ']'), "f"); },
                          {"f", "nested"});
  test::expect_error_with([] { parse_json(R"({"a":1e999})", "f"); }, {"f", "number beyond"});
}

}  // namespace
}  // namespace mantissa
