// Qwen-Image's names: weights of the released transformer, modules of adapters, configs, and what
// its text encoder's files are called.
#include "engine/adapters/dialect.h"
#include "engine/io/inspect.h"
#include "engine/io/model_writer.h"
#include "engine/models/qwen3/qwen3_config.h"
#include "engine/models/qwen_image/qwen_image.h"
#include "engine/models/qwen_image/qwen_image_family.h"
#include "engine/models/qwen_image/qwen_image_keys.h"
#include "tests/engine/models/names_reference.h"

namespace mantissa {
namespace {

namespace fs = std::filesystem;
using namespace testing_support;

Weights qwen_image_weights() {
  return released_weights<QwenImageTransformer>(QwenImageConfig{});
}

TEST(QwenImageBinding, FullSizeNamesAndShapes) {
  expect_released(qwen_image_weights(), "qwen_image.tsv", {"transformer_blocks."}, 1933,
                  20'430'401'088);
}

TEST(QwenImageKeys, EveryNameIsTheSameInEveryFile) {
  const std::set<std::string> originals =
      original_names(qwen_image_weights(), qwen_image_to_original, qwen_image_to_diffusers);
  EXPECT_EQ(originals.size(), 1933U);
  expect_names(
      originals, qwen_image_to_diffusers,
      {"img_in.weight", "txt_norm.weight", "txt_in.bias", "proj_out.bias", "norm_out.linear.weight",
       "time_text_embed.timestep_embedder.linear_2.bias", "transformer_blocks.59.img_mod.1.bias",
       "transformer_blocks.0.attn.to_add_out.weight", "transformer_blocks.0.attn.to_out.0.bias",
       "transformer_blocks.31.txt_mlp.net.0.proj.weight"},
      {"transformer_blocks.x.attn.to_q.weight", "transformer_blocks.0",
       "transformer_blocks.0.img_mlp.gate_layer.weight", "transformer_blocks.0.ff.net.2.weight",
       "time_text_embed.addition_t_embedding.weight", "modulation.1.weight"});
}

TEST(QwenImageKeys, AFileIsWrittenAsItWasRead) {
  expect_written_as_read("qwen_image_base.safetensors");
}

TEST(QwenImageKeys, AWrittenFolderHasTheNamesOfQwen25Vl) {
  const test::TempFolder folder;
  const WeightSource source = WeightSource::open(golden_model("qwen_image"));
  write_model(folder / "copy", model_contents(source));
  const SafetensorsFile copy =
      SafetensorsFile::open(folder / "copy/text_encoder/model.safetensors");
  EXPECT_NE(copy.find("model.language_model.layers.2.self_attn.q_proj.bias"), nullptr);
  const WeightSource again = WeightSource::open(folder / "copy");
  EXPECT_EQ(again.names(kTe1), source.names(kTe1));
  EXPECT_EQ(again.tokenizer_folder(kTe1), folder / "copy/tokenizer");
}

// ComfyUI's files of all parts.
TEST(QwenImageFiles, HoldAllParts) {
  expect_all_parts_in_one_file(
      "qwen_image", kQwenImage,
      {"model.diffusion_model.transformer_blocks.1.txt_mod.1.weight",
       "text_encoders.qwen25_7b.transformer.model.layers.0.self_attn.k_proj.bias",
       "vae.conv1.weight"});
}

TEST(QwenImageKeys, ModulesOfAdapters) {
  const WeightSource source = WeightSource::open(golden_model("qwen_image_base.safetensors"));
  const ModelNames& base = *source.model_names();
  const std::vector<std::string> paths{"denoiser.transformer_blocks.0.attn.to_out.0",
                                       "denoiser.transformer_blocks.0.txt_mlp.net.0.proj",
                                       "denoiser.transformer_blocks.0.img_mod.1"};
  expect_modules(base, paths,
                 {{"transformer.transformer_blocks.0.attn.to_out.0", 0},
                  {"diffusion_model.transformer_blocks.0.attn.to_out.0", 0},
                  {"transformer_blocks.0.attn.to_out.0", 0},
                  {"lora_unet_transformer_blocks_0_attn_to_out_0", 0},
                  {"lycoris_transformer_blocks_0_attn_to_out_0", 0},
                  {"transformer.transformer_blocks.0.txt_mlp.net.0.proj", 1},
                  {"lora_unet_transformer_blocks_0_txt_mlp_net_0_proj", 1},
                  {"diffusion_model.transformer_blocks.0.img_mod.1", 2},
                  {"lora_unet_transformer_blocks_0_img_mod_1", 2}});
  const Dialect& comfyui = *file_form(OutputFormat::comfyui, {}, &kQwenImage).dialect;
  EXPECT_EQ(module_name(paths[1], comfyui, base),
            "diffusion_model.transformer_blocks.0.txt_mlp.net.0.proj");
}

TEST(QwenImageBinding, AdapterTargets) {
  const auto count = [](const char* set) {
    return adapted_modules<QwenImageTransformer>(set, kQwenImage, QwenImageConfig{});
  };
  EXPECT_EQ(count("attention"), 60U * 8);
  EXPECT_EQ(count("attention+mlp"), 60U * 12);
  EXPECT_EQ(count("*"), 60U * 14 + 6) << "modulations, entries, the time's and the exit's";
}

TEST(QwenImageConfigs, IsDetectedWithoutOne) {
  const WeightSource source = WeightSource::open(golden_model("qwen_image_bare.safetensors"));
  QwenImageConfig want;
  want.in_channels = 8;
  want.layers = 2;
  want.heads = 2;
  want.head_dim = 8;
  want.context_channels = 12;
  want.axes_dims = {2, 4, 2};
  EXPECT_EQ(qwen_image_config(source), want);
}

TEST(QwenImageConfigs, OfAnotherModelIsNoticed) {
  const std::pair<const char*, nlohmann::json> others[] = {{"num_layers", 7},
                                                           {"num_attention_heads", 7},
                                                           {"joint_attention_dim", 7},
                                                           {"patch_size", 1},
                                                           {"out_channels", 9}};
  for (const auto& [field, other] : others) {
    expect_refused("qwen_image", "transformer", field, other, {"config.json", field, other.dump()},
                   qwen_image_config);
  }
}

TEST(QwenImageVariants, ThePipelineAndTheConfigTellModelsThatEdit) {
  const test::TempFolder folder;
  fs::copy(golden_model("qwen_image"), folder / "m", fs::copy_options::recursive);
  nlohmann::json index = read_json(folder / "m/model_index.json");
  const std::pair<const char*, const char*> pipelines[] = {
      {"QwenImageEditPlusPipeline", "Edit 2509"},
      {"QwenImageEditPipeline", "Edit"},
      {"QwenImageEditInpaintPipeline", "Edit"},
      {"QwenImagePipeline", "unknown"}};
  for (const auto& [name, variant] : pipelines) {
    index["_class_name"] = name;
    test::write_file(folder / "m/model_index.json", index.dump());
    EXPECT_EQ(inspect(folder / "m").variant, variant) << name;
  }
  nlohmann::json config = read_json(folder / "m/transformer/config.json");
  config["zero_cond_t"] = true;
  test::write_file(folder / "m/transformer/config.json", config.dump());
  const ModelSummary found = inspect(folder / "m");
  EXPECT_EQ(found.variant, "Edit 2511");
  EXPECT_EQ(found.variant_evidence.text(), "its config has zero_cond_t true");
  EXPECT_TRUE(qwen_image_config(WeightSource::open(folder / "m")).zero_cond_t);
}

TEST(QwenImageVariants, LightningAloneIsDistilled) {
  const test::TempFolder folder;
  const std::pair<const char*, const char*> files[] = {
      {"qwen_image_bf16", "unknown"},
      {"qwen_image_2512_bf16", "2512"},
      {"Qwen-Image-Lightning-8steps", "Lightning"},
      {"Qwen-Image-Edit-2511", "Edit 2511"},
      {"qwen_image_edit_2509_fp8_e4m3fn", "Edit 2509"},
      {"qwen_image_edit_bf16", "Edit"}};
  for (const auto& [name, variant] : files) {
    const fs::path path = folder / (std::string(name) + ".safetensors");
    fs::copy(golden_model("qwen_image_bare.safetensors"), path);
    EXPECT_EQ(inspect(path).variant, variant) << name;
    EXPECT_EQ(inspect(path).distilled, std::string(variant) == "Lightning") << name;
  }
}

TEST(QwenImageVariants, ComfyuisTensorTellsEdit2511) {
  const test::TempFolder folder;
  const SafetensorsFile given = SafetensorsFile::open(golden_model("qwen_image_bare.safetensors"));
  std::vector<TensorToWrite> tensors;
  for (const TensorInfo& t : given.tensors()) {
    tensors.push_back({t.name, t.type.value(), t.shape(), t.data, {}});
  }
  tensors.push_back({"__index_timestep_zero__", DType::f32, Shape{0}, nullptr, {}});
  write_safetensors(folder / "any.safetensors", tensors);
  const ModelSummary found = inspect(folder / "any.safetensors");
  EXPECT_EQ(found.variant, "Edit 2511");
  EXPECT_NE(found.variant_evidence.text().find("__index_timestep_zero__"), std::string::npos);
  EXPECT_TRUE(qwen_image_config(WeightSource::open(folder / "any.safetensors")).zero_cond_t);
}

/// The released text encoder's config, with the text's fields in a level of their own or not.
nlohmann::json qwen25_vl_json(bool levels) {
  nlohmann::json text = {{"model_type", "qwen2_5_vl_text"},
                         {"vocab_size", 152064},
                         {"hidden_size", 3584},
                         {"intermediate_size", 18944},
                         {"num_hidden_layers", 28},
                         {"num_attention_heads", 28},
                         {"num_key_value_heads", 4},
                         {"hidden_act", "silu"},
                         {"rms_norm_eps", 1e-6},
                         {"rope_theta", 1e6},
                         {"rope_scaling", {{"type", "mrope"}, {"mrope_section", {16, 24, 24}}}},
                         {"sliding_window", 32768},
                         {"max_window_layers", 28},
                         {"use_sliding_window", false},
                         {"vision_token_id", 151654}};
  const nlohmann::json vision = {{"hidden_size", 1280}};
  if (levels) {
    return {{"model_type", "qwen2_5_vl"},
            {"image_token_id", 151655},
            {"text_config", text},
            {"vision_config", vision}};
  }
  text["model_type"] = "qwen2_5_vl";
  text["vision_config"] = vision;
  text["image_token_id"] = 151655;
  return text;
}

TEST(Qwen2Config, IsReadInBothForms) {
  Qwen3Config want;
  want.vocab = 152064;
  want.hidden = 3584;
  want.layers = 28;
  want.intermediate = 18944;
  want.heads = 28;
  want.key_heads = 4;
  want.biases = true;
  for (const bool levels : {false, true}) {
    EXPECT_EQ(qwen2_config_from_json(qwen25_vl_json(levels), "x"), want);
  }
}

TEST(Qwen2Config, OthersAreRefused) {
  nlohmann::json windows = qwen25_vl_json(false);
  windows["use_sliding_window"] = true;
  test::expect_error_with([&] { qwen2_config_from_json(windows, "x"); }, {"use_sliding_window"});
  test::expect_error_with(
      [&] {
        qwen2_config_from_json({{"model_type", "qwen3"}}, "x");
      },
      {"model_type", "qwen3", "qwen2_5_vl"});
  test::expect_error_with([&] { qwen3_config_from_json(qwen25_vl_json(true), "x"); },
                          {"model_type", "qwen2_5_vl"});
  const WeightSource qwen3 = WeightSource::open(golden_model("z_image"));
  test::expect_error_with([&] { qwen2_config(qwen3, kTe1); },
                          {"q_proj.bias", "no Qwen2.5 text encoder"});
  const WeightSource qwen2 = WeightSource::open(golden_model("qwen_image"));
  test::expect_error_with([&] { qwen3_config(qwen2, kTe1); }, {"q_norm", "no Qwen3 text encoder"});
}

}  // namespace
}  // namespace mantissa
