// ERNIE-Image's names: weights of the released transformer, modules of adapters, configs, and what
// its text encoder's files are called.
#include "engine/adapters/dialect.h"
#include "engine/io/inspect.h"
#include "engine/io/model_writer.h"
#include "engine/models/ernie_image/ernie_image.h"
#include "engine/models/ernie_image/ernie_image_family.h"
#include "engine/models/ernie_image/ernie_image_keys.h"
#include "engine/models/qwen3/qwen3_config.h"
#include "engine/models/qwen3/qwen3_keys.h"
#include "tests/engine/models/names_reference.h"

namespace mantissa {
namespace {

namespace fs = std::filesystem;
using namespace testing_support;

Weights ernie_image_weights() {
  return released_weights<ErnieImageTransformer>(ErnieImageConfig{});
}

TEST(ErnieImageBinding, FullSizeNamesAndShapes) {
  expect_released(ernie_image_weights(), "ernie_image.tsv", {"layers."}, 409, 8'033'490'048);
}

TEST(ErnieImageKeys, EveryNameIsTheSameInEveryFile) {
  const std::set<std::string> originals =
      original_names(ernie_image_weights(), ernie_image_to_original, ernie_image_to_diffusers);
  EXPECT_EQ(originals.size(), 409U);
  expect_names(originals, ernie_image_to_diffusers,
               {"x_embedder.proj.weight", "text_proj.weight", "time_embedding.linear_2.bias",
                "adaLN_modulation.1.weight", "final_norm.linear.bias", "final_linear.weight",
                "layers.35.adaLN_mlp_ln.weight", "layers.0.self_attention.to_out.0.weight",
                "layers.7.mlp.linear_fc2.weight"},
               {"layers.x.mlp.up_proj.weight", "layers.0", "layers.0.attention.to_q.weight",
                "layers.0.mlp.down_proj.weight", "time_embedding.linear_3.bias"});
}

TEST(ErnieImageKeys, AFileIsWrittenAsItWasRead) {
  expect_written_as_read("ernie_image_base.safetensors");
}

TEST(ErnieImageKeys, AWrittenFolderHasTheNamesOfMistral3) {
  const test::TempFolder folder;
  const WeightSource source = WeightSource::open(golden_model("ernie_image"));
  write_model(folder / "copy", model_contents(source));
  const SafetensorsFile copy =
      SafetensorsFile::open(folder / "copy/text_encoder/model.safetensors");
  EXPECT_NE(copy.find("language_model.layers.2.self_attn.q_proj.weight"), nullptr);
  const WeightSource again = WeightSource::open(folder / "copy");
  EXPECT_EQ(again.names(kTe1), source.names(kTe1));
  EXPECT_EQ(again.tokenizer_folder(kTe1), folder / "copy/tokenizer");
}

// ComfyUI's files of all parts.
TEST(ErnieImageFiles, HoldAllParts) {
  expect_all_parts_in_one_file(
      "ernie_image", kErnieImage,
      {"model.diffusion_model.layers.1.adaLN_sa_ln.weight",
       "text_encoders.ministral3_3b.transformer.model.layers.0.self_attn.k_proj.weight",
       "vae.bn.running_mean"});
}

TEST(ErnieImageFiles, WhatReadsImagesIsLeftOut) {
  for (const char* name :
       {"vision_tower.patch_conv.weight", "model.vision_tower.ln_pre.weight",
        "multi_modal_projector.linear_1.weight", "tekken_model", "lm_head.weight"}) {
    const auto mapping = ministral3_weight(kTe1, name);
    ASSERT_TRUE(mapping) << name;
    EXPECT_EQ(mapping->transform, NameTransform::dropped) << name;
  }
  for (const char* name :
       {"language_model.layers.3.mlp.up_proj.weight",
        "language_model.model.layers.3.mlp.up_proj.weight",
        "model.language_model.layers.3.mlp.up_proj.weight", "model.layers.3.mlp.up_proj.weight"}) {
    const auto mapping = ministral3_weight(kTe1, name);
    ASSERT_TRUE(mapping) << name;
    EXPECT_EQ(mapping->names, std::vector<std::string>{"model.layers.3.mlp.up_proj.weight"});
  }
}

// llama.cpp's conversion reorders the channels of q and k for its own rotation.
TEST(ErnieImageFiles, TextEncodersOfLlamaCppAreNotRead) {
  for (const char* name : {"blk.3.ffn_up.weight", "blk.0.attn_q.weight", "token_embd.weight"}) {
    EXPECT_FALSE(ministral3_weight(kTe1, name)) << name;
    EXPECT_TRUE(qwen3_weight(kTe1, name)) << name;
  }
}

TEST(ErnieImageKeys, ModulesOfAdapters) {
  const WeightSource source = WeightSource::open(golden_model("ernie_image"));
  const ModelNames& base = *source.model_names();
  const std::vector<std::string> paths{"denoiser.layers.0.self_attention.to_out.0",
                                       "denoiser.layers.1.mlp.linear_fc2",
                                       "denoiser.adaLN_modulation.1"};
  expect_modules(base, paths,
                 {{"transformer.layers.0.self_attention.to_out.0", 0},
                  {"diffusion_model.layers.0.self_attention.to_out.0", 0},
                  {"layers.0.self_attention.to_out.0", 0},
                  {"lora_unet_layers_0_self_attention_to_out_0", 0},
                  {"lycoris_layers_0_self_attention_to_out_0", 0},
                  {"transformer.layers.1.mlp.linear_fc2", 1},
                  {"lora_unet_layers_1_mlp_linear_fc2", 1},
                  {"diffusion_model.adaLN_modulation.1", 2},
                  {"lora_unet_adaLN_modulation_1", 2}});
  const Dialect& comfyui = *file_form(OutputFormat::comfyui, {}, &kErnieImage).dialect;
  EXPECT_EQ(module_name(paths[1], comfyui, base), "diffusion_model.layers.1.mlp.linear_fc2");
}

TEST(ErnieImageBinding, AdapterTargets) {
  const auto count = [](const char* set) {
    return adapted_modules<ErnieImageTransformer>(set, kErnieImage, ErnieImageConfig{});
  };
  EXPECT_EQ(count("attention"), 36U * 4);
  EXPECT_EQ(count("attention+mlp"), 36U * 7);
  EXPECT_EQ(count("*"), 36U * 7 + 7) << "entries, the time's, modulations and the exit";
}

TEST(ErnieImageConfigs, IsDetectedWithoutOne) {
  const WeightSource source = WeightSource::open(golden_model("ernie_image_bare.safetensors"));
  ErnieImageConfig want;
  want.width = 16;
  want.heads = 2;
  want.layers = 3;
  want.hidden = 20;
  want.in_channels = 8;
  want.context_channels = 12;
  want.axes_dims = {2, 4, 2};
  EXPECT_EQ(ernie_image_config(source), want);
}

TEST(ErnieImageConfigs, TextAsWideAsTheTransformerIsNotProjected) {
  const WeightSource source = WeightSource::open(golden_model("ernie_image_base.safetensors"));
  EXPECT_FALSE(source.contains(kDenoiser, "text_proj.weight"));
  EXPECT_EQ(ernie_image_config(source).context_channels, 30);
}

TEST(ErnieImageConfigs, OfAnotherModelIsNoticed) {
  const std::pair<const char*, nlohmann::json> others[] = {
      {"num_layers", 7}, {"num_attention_heads", 6}, {"text_in_dim", 7},     {"ffn_hidden_size", 7},
      {"patch_size", 2}, {"out_channels", 9},        {"qk_layernorm", false}};
  for (const auto& [field, other] : others) {
    expect_refused(
        "ernie_image", "transformer", field, other,
        {"config.json", std::string(field) == "num_attention_heads" ? "rope_axes_dim" : field},
        ernie_image_config);
  }
  expect_refused("ernie_image", "transformer", "num_attention_heads", 5,
                 {"config.json", "num_attention_heads", "hidden_size"}, ernie_image_config);
}

TEST(ErnieImageVariants, TurboAloneIsDistilled) {
  const test::TempFolder folder;
  const std::tuple<const char*, const char*, bool> files[] = {
      {"ernie-image", "", false},
      {"ERNIE-Image-Turbo-bf16", "Turbo", true},
      {"ernie_image_deturbo", "De-Turbo", false}};
  for (const auto& [name, variant, distilled] : files) {
    const fs::path path = folder / (std::string(name) + ".safetensors");
    fs::copy(golden_model("ernie_image_bare.safetensors"), path);
    const ModelVariant found = kErnieImage.variant(WeightSource::open(path));
    EXPECT_EQ(found.name, variant) << name;
    EXPECT_EQ(found.distilled, distilled) << name;
  }
}

nlohmann::json mistral3_json(bool levels) {
  nlohmann::json text = {{"model_type", "ministral3"},
                         {"vocab_size", 131072},
                         {"hidden_size", 3072},
                         {"intermediate_size", 9216},
                         {"num_hidden_layers", 26},
                         {"num_attention_heads", 32},
                         {"num_key_value_heads", 8},
                         {"head_dim", 128},
                         {"hidden_act", "silu"},
                         {"rms_norm_eps", 1e-5},
                         {"max_position_embeddings", 262144},
                         {"sliding_window", nullptr},
                         {"rope_parameters",
                          {{"rope_type", "yarn"},
                           {"type", "yarn"},
                           {"rope_theta", 1e6},
                           {"factor", 16.0},
                           {"original_max_position_embeddings", 16384},
                           {"beta_fast", 32.0},
                           {"beta_slow", 1.0},
                           {"mscale", 1.0},
                           {"mscale_all_dim", 1.0},
                           {"llama_4_scaling_beta", 0.1}}}};
  return levels ? nlohmann::json{{"model_type", "mistral3"},
                                 {"image_token_index", 10},
                                 {"spatial_merge_size", 2},
                                 {"text_config", text},
                                 {"vision_config", {{"hidden_size", 1024}}}}
                : text;
}

TEST(Ministral3Config, IsReadInBothForms) {
  Qwen3Config want;
  want.vocab = 131072;
  want.hidden = 3072;
  want.layers = 26;
  want.intermediate = 9216;
  want.norm_eps = 1e-5;
  want.plain = true;
  want.yarn = {.factor = 16, .trained = 16384};
  for (const bool levels : {false, true}) {
    EXPECT_EQ(ministral3_config_from_json(mistral3_json(levels), "x"), want);
  }
  nlohmann::json plain = mistral3_json(false);
  plain.erase("rope_parameters");
  EXPECT_EQ(ministral3_config_from_json(plain, "x"), want) << "transformers' default";
  plain["rope_parameters"] = {{"rope_type", "default"}, {"rope_theta", 1e6}};
  want.yarn = {};
  EXPECT_EQ(ministral3_config_from_json(plain, "x"), want);
}

TEST(Ministral3Config, OthersAreRefused) {
  const auto refused = [](const nlohmann::json& patch, std::initializer_list<std::string> texts) {
    nlohmann::json changed = mistral3_json(false);
    changed.merge_patch(patch);
    test::expect_error_with([&] { ministral3_config_from_json(changed, "x"); }, texts);
  };
  refused({{"sliding_window", 4096}}, {"sliding_window"});
  refused({{"model_type", "mistral"}}, {"model_type", "ministral3"});
  refused({{"rope_parameters", {{"mscale", 2.0}}}}, {"mscale"});
  refused({{"rope_parameters", {{"mscale_all_dim", nullptr}}}}, {"mscale_all_dim", "missing"});
  refused({{"rope_parameters", {{"rope_type", "longrope"}}}}, {"rope_type"});
  refused({{"rope_parameters", {{"truncate", false}}}}, {"truncate"});
  const WeightSource qwen3 = WeightSource::open(golden_model("z_image"));
  test::expect_error_with([&] { ministral3_config(qwen3, kTe1); },
                          {"q_norm", "no Ministral 3 text encoder"});
  const WeightSource qwen2 = WeightSource::open(golden_model("qwen_image"));
  test::expect_error_with([&] { ministral3_config(qwen2, kTe1); },
                          {"q_proj.bias", "no Ministral 3 text encoder"});
  const WeightSource ministral = WeightSource::open(golden_model("ernie_image"));
  test::expect_error_with([&] { qwen3_config(ministral, kTe1); }, {"q_norm", "no Qwen3"});
}

}  // namespace
}  // namespace mantissa
