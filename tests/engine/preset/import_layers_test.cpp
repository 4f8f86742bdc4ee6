// The layers that other trainers adapt, and how strongly: rank, alpha, convolutions.
#include "tests/engine/preset/import_samples.h"

namespace mantissa {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing_support::row;
using LayerList = std::vector<std::string>;

ImportResult ai_toolkit_network(const std::string& model, const std::string& network) {
  return import_preset_text("job: extension\nconfig:\n  process:\n    - model: {" + model +
                                "}\n      network: {" + network + "}\n",
                            "x.yaml");
}

ImportResult musubi_network(const std::string& network, const std::string& more = "") {
  return import_preset_text(
      "dit = \"/m\"\nnetwork_module = \"" + network + "\"\nnetwork_dim = 16\n" + more, "x.toml");
}

LayerList onetrainer_layers(const std::string& model, const std::string& layers) {
  return import_preset_text(R"({"training_method": "LORA", "model_type": ")" + model +
                                R"(", "layer_filter_preset": ")" + layers + "\"}",
                            "x.json")
      .preset.adapter.targets;
}

const ImportRow& ai_toolkit_row(const ImportResult& r, const std::string& key) {
  return row(r, "config.process[0]." + key);
}

// Their adapters have PEFT's form there, which has no alpha.
TEST(ImportLayers, TransformersHaveNoAlphaInAiToolkit) {
  for (const char* model : {"is_flux: true", "arch: chroma", "arch: qwen_image", "arch: zimage",
                            "arch: krea2", "arch: anima", "arch: flux2_klein_4b"}) {
    const ImportResult silent = ai_toolkit_network(model, "type: lora, linear: 32");
    EXPECT_EQ(silent.preset.adapter.alpha, 32) << model;
    EXPECT_EQ(row(silent, "network.linear_alpha").fate, ImportFate::assumed) << model;
    const ImportResult half = ai_toolkit_network(model, "type: lora, linear: 32, linear_alpha: 16");
    EXPECT_EQ(half.preset.adapter.alpha, 32) << model;
    EXPECT_EQ(ai_toolkit_row(half, "network.linear_alpha").fate, ImportFate::changed) << model;
    const ImportResult same = ai_toolkit_network(model, "type: lora, linear: 32, linear_alpha: 32");
    EXPECT_EQ(ai_toolkit_row(same, "network.linear_alpha").fate, ImportFate::mapped) << model;
  }
  for (const char* model : {"is_xl: true", "arch: sd15", "is_pixart_sigma: true"}) {
    EXPECT_EQ(ai_toolkit_network(model, "type: lora, linear: 32").preset.adapter.alpha, 1) << model;
    EXPECT_EQ(
        ai_toolkit_network(model, "type: lora, linear: 32, linear_alpha: 16").preset.adapter.alpha,
        16)
        << model;
  }
}

TEST(ImportLayers, RankCountsBeforeLinearInAiToolkit) {
  const ImportResult r = ai_toolkit_network("is_xl: true", "type: lora, rank: 8, linear: 32");
  EXPECT_EQ(r.preset.adapter.rank, 8);
  EXPECT_EQ(ai_toolkit_row(r, "network.linear").fate, ImportFate::ignored);
}

TEST(ImportLayers, ConvolutionsHaveTheirRankAsAlphaInAiToolkit) {
  const ImportResult r =
      ai_toolkit_network("is_xl: true", "type: lora, linear: 32, linear_alpha: 16, conv: 8");
  EXPECT_EQ(r.preset.adapter.alpha, 16);
  EXPECT_EQ(r.preset.adapter.conv_rank, 8);
  ASSERT_EQ(r.preset.adapter.ranks.size(), 4U);
  EXPECT_EQ(r.preset.adapter.ranks.front().rank, 8);
  EXPECT_EQ(r.preset.adapter.ranks.front().alpha, 8);
  EXPECT_EQ(row(r, "network.conv_alpha").fate, ImportFate::assumed);
  EXPECT_TRUE(ai_toolkit_network("is_xl: true", "type: lora, linear: 8, linear_alpha: 8, conv: 8")
                  .preset.adapter.ranks.empty());
}

TEST(ImportLayers, AiToolkitCoversAWholeUnetAndBlocksOfTransformers) {
  const LayerList unet = ai_toolkit_network("is_xl: true", "type: lora").preset.adapter.targets;
  EXPECT_THAT(unet,
              ElementsAre("attention+mlp", "denoiser.*.time_emb_proj", "denoiser.*.conv_shortcut",
                          "denoiser.time_embedding.*", "denoiser.add_embedding.*"));
  const LayerList whole =
      ai_toolkit_network("is_v2: true", "type: lora, conv: 4").preset.adapter.targets;
  EXPECT_EQ(whole.front(), "linear+conv");
  EXPECT_EQ(whole.back(), "denoiser.conv_out");
  EXPECT_THAT(ai_toolkit_network("arch: krea2", "type: lora").preset.adapter.targets,
              ElementsAre("denoiser.*blocks.*"))
      << "those of the text fusion too";
}

TEST(ImportLayers, BlocksOfQwenImageAndAnimaIncludeTheirModulation) {
  const LayerList qwen{"attention+mlp", "denoiser.transformer_blocks.*_mod.*"};
  EXPECT_EQ(ai_toolkit_network("arch: qwen_image", "type: lora").preset.adapter.targets, qwen);
  EXPECT_EQ(onetrainer_layers("QWEN", "blocks"), qwen);
  EXPECT_EQ(musubi_network("networks.lora_qwen_image").preset.adapter.targets, qwen);
  const LayerList anima{"attention+mlp", "denoiser.transformer_blocks.*.norm*"};
  EXPECT_EQ(ai_toolkit_network("arch: anima", "type: lora").preset.adapter.targets, anima);
  EXPECT_EQ(onetrainer_layers("ANIMA", "blocks"), anima);
  EXPECT_THAT(import_preset_text("network_module = \"networks.lora_anima\"\n", "x.toml")
                  .preset.adapter.targets,
              ElementsAre("attention+mlp"))
      << "sd-scripts leaves it out";
}

TEST(ImportLayers, MusubiAdaptsAllOfKrea2AndNoModulationOfOthers) {
  EXPECT_THAT(musubi_network("networks.lora_krea2").preset.adapter.targets,
              ElementsAre("denoiser.*"));
  EXPECT_THAT(musubi_network("networks.lora_flux").preset.adapter.targets,
              ElementsAre("attention+mlp"));
  EXPECT_THAT(musubi_network("networks.lora_zimage").preset.adapter.targets,
              ElementsAre("denoiser.layers.*.attention.*", "denoiser.layers.*.feed_forward.*"));
}

TEST(ImportLayers, FiltersOfOneTrainerArePartsOfPaths) {
  for (const char* model : {"FLUX_DEV_1", "CHROMA_1"}) {
    EXPECT_THAT(
        onetrainer_layers(model, "attn-mlp"),
        ElementsAre("attention", "denoiser.transformer_blocks.*.ff.*", "denoiser.*.proj_mlp"))
        << model;
    EXPECT_THAT(onetrainer_layers(model, "attn-only"), ElementsAre("attention")) << model;
  }
  EXPECT_THAT(onetrainer_layers("KREA_2", "attn-mlp"),
              ElementsAre("denoiser.*.attn.*", "denoiser.*.ff.*"));
  EXPECT_THAT(onetrainer_layers("KREA_2", "attn-only"), ElementsAre("denoiser.*.attn.*"));
}

TEST(ImportLayers, SimpleTunersPlainLoraIsOfFourProjections) {
  const auto lora = [](const std::string& family, const std::string& more = "") {
    return import_preset_text(
        R"({"model_type": "lora", "model_family": ")" + family + "\"" + more + "}", "x.json");
  };
  const LayerList four{"denoiser.*.to_q", "denoiser.*.to_k", "denoiser.*.to_v",
                       "denoiser.*.to_out.0"};
  EXPECT_EQ(lora("qwen_image").preset.adapter.targets, four);
  EXPECT_EQ(lora("krea2").preset.adapter.targets, four);
  EXPECT_EQ(lora("flux2").preset.adapter.targets.back(), "denoiser.*.to_qkv_mlp_proj");
  EXPECT_EQ(row(lora("flux2"), "peft_lora_target_modules").fate, ImportFate::assumed);
  EXPECT_THAT(lora("sdxl").preset.adapter.targets, ElementsAre("attention")) << "has no others";
  EXPECT_THAT(lora("qwen_image", R"(, "lora_type": "lycoris")").preset.adapter.targets,
              ElementsAre("attention"));
}

// What sd-scripts records of a run doesn't say which encoders it trained; the layers do.
TEST(ImportLayers, AnAdaptersFileTellsWhetherItsTextEncodersWereTrained) {
  const std::map<std::string, std::string> metadata{{"ss_network_module", "networks.lora"},
                                                    {"ss_network_dim", "8"},
                                                    {"ss_learning_rate", "1e-4"},
                                                    {"ss_text_encoder_lr", "5e-5"},
                                                    {"ss_base_model_version", "sdxl_base_v1-0"}};
  const ImportResult trained = import_preset_metadata(metadata, "a", true);
  EXPECT_THAT(trained.preset.training.parts, ElementsAre(kDenoiser, kTe1, kTe2));
  const ImportResult frozen = import_preset_metadata(metadata, "a", false);
  EXPECT_THAT(frozen.preset.training.parts, ElementsAre(kDenoiser));
  EXPECT_THAT(row(frozen, "ss_text_encoder_lr").note.text(), HasSubstr("not trained"));
  EXPECT_EQ(row(frozen, "network_train_unet_only").fate, ImportFate::assumed);
}

}  // namespace
}  // namespace mantissa
