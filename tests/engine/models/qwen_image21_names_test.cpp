// Qwen-Image-2.1's names: weights of the released transformer in both namings, modules of adapters.
#include "engine/adapters/dialect.h"
#include "engine/io/inspect.h"
#include "engine/io/model_writer.h"
#include "engine/models/qwen_image21/qwen_image21.h"
#include "engine/models/qwen_image21/qwen_image21_family.h"
#include "engine/models/qwen_image21/qwen_image21_keys.h"
#include "engine/models/qwen_image21/qwen_image21_variant.h"
#include "tests/engine/models/names_reference.h"

namespace mantissa {
namespace {

using namespace testing_support;

Weights qwen_image21_weights() {
  return released_weights<QwenImage21Transformer>(QwenImage21Config{});
}

TEST(QwenImage21Binding, FullSizeNamesAndShapes) {
  expect_released(qwen_image21_weights(), "qwen_image21.tsv", {"transformer_blocks."}, 297,
                  7'115'124'736);
}

TEST(QwenImage21Keys, EveryNameComesBackFromComfyuis) {
  const std::set<std::string> originals =
      original_names(qwen_image21_weights(), qwen_image21_to_original, qwen_image21_to_diffusers);
  EXPECT_EQ(originals.size(), 297U - 32U);
  expect_names(
      originals, qwen_image21_to_diffusers,
      {"img_in.weight", "txt_in.text_norm.weight", "txt_in.out_layer.weight",
       "time_text_embed.timestep_embedder.linear_2.weight", "modulation.1.weight",
       "transformer_blocks.31.attn.to_out.0.weight", "transformer_blocks.0.attn.norm_k.weight",
       "transformer_blocks.5.img_mlp.gate_up.weight", "transformer_blocks.5.img_mlp.out.weight",
       "norm_out.linear.weight", "proj_out.weight"},
      {"transformer_blocks.x.attn.to_q.weight", "transformer_blocks.0",
       "transformer_blocks.0.img_mlp.net.0.proj.weight",
       "transformer_blocks.0.attn.add_q_proj.weight", "txt_norm.weight"});
}

TEST(QwenImage21Keys, PrefixedFilesInDiffusersNamesAreReadToo) {
  const std::string name = "transformer_blocks.2.img_mlp.gate_layer.weight";
  const auto mapping = qwen_image21_to_diffusers(name);
  ASSERT_TRUE(mapping);
  EXPECT_EQ(mapping->transform, NameTransform::none);
  EXPECT_EQ(mapping->names, std::vector<std::string>{name});
}

TEST(QwenImage21Keys, AFileIsWrittenAsItWasRead) {
  expect_written_as_read("qwen_image21_base.safetensors");
}

TEST(QwenImage21Keys, AWrittenFolderHasTheNamesOfQwen3Vl) {
  const test::TempFolder folder;
  const WeightSource source = WeightSource::open(golden_model("qwen_image_21"));
  write_model(folder / "copy", model_contents(source));
  const SafetensorsFile copy =
      SafetensorsFile::open(folder / "copy/text_encoder/model.safetensors");
  EXPECT_NE(copy.find("model.language_model.layers.2.mlp.up_proj.weight"), nullptr);
  const WeightSource again = WeightSource::open(folder / "copy");
  EXPECT_EQ(again.names(kTe1), source.names(kTe1));
  EXPECT_EQ(again.tokenizer_folder(kTe1), folder / "copy/processor");
}

// ComfyUI's files have the gate and the entry of a feed-forward in one, diffusers' have two.
TEST(QwenImage21Keys, ModulesOfAdapters) {
  const WeightSource source = WeightSource::open(golden_model("qwen_image21_base.safetensors"));
  const ModelNames& base = *source.model_names();
  const std::vector<std::string> paths{"denoiser.transformer_blocks.0.attn.to_out.0",
                                       "denoiser.transformer_blocks.0.img_mlp.gate_layer",
                                       "denoiser.transformer_blocks.0.img_mlp.proj",
                                       "denoiser.transformer_blocks.0.img_mlp.out"};
  expect_modules(base, paths,
                 {{"transformer.transformer_blocks.0.attn.to_out.0", 0},
                  {"diffusion_model.transformer_blocks.0.attn.to_out.0", 0},
                  {"transformer_blocks.0.attn.to_out.0", 0},
                  {"lora_unet_transformer_blocks_0_attn_to_out_0", 0},
                  {"transformer.transformer_blocks.0.img_mlp.gate_layer", 1},
                  {"diffusion_model.transformer_blocks.0.img_mlp.gate_layer", 1},
                  {"lycoris_transformer_blocks_0_img_mlp_gate_layer", 1},
                  {"transformer.transformer_blocks.0.img_mlp.proj", 2},
                  {"diffusion_model.transformer_blocks.0.img_mlp.out", 3}});
  const ModuleTable table(paths, base);
  const NamedModule* fused = table.find("diffusion_model.transformer_blocks.0.img_mlp.gate_up");
  ASSERT_NE(fused, nullptr);
  EXPECT_EQ(fused->slices, (std::vector<std::string>{paths[1], paths[2]}));
  const Dialect& comfyui = *file_form(OutputFormat::comfyui, {}, &kQwenImage21).dialect;
  EXPECT_EQ(module_name(paths[0], comfyui, base),
            "diffusion_model.transformer_blocks.0.attn.to_out.0");
  EXPECT_FALSE(module_name(paths[1], comfyui, base));
  const auto within = written_within(paths[2], comfyui, base);
  ASSERT_TRUE(within);
  EXPECT_EQ(within->path, "denoiser.transformer_blocks.0.img_mlp.gate_up");
  EXPECT_EQ(within->slice, 1);
}

TEST(QwenImage21Binding, AdapterTargets) {
  const auto count = [](const char* set) {
    return adapted_modules<QwenImage21Transformer>(set, kQwenImage21, QwenImage21Config{});
  };
  EXPECT_EQ(count("attention"), 32U * 4);
  EXPECT_EQ(count("attention+mlp"), 32U * 7);
}

TEST(QwenImage21Configs, IsDetectedWithoutOne) {
  const WeightSource source = WeightSource::open(golden_model("qwen_image21_bare.safetensors"));
  QwenImage21Config want;
  want.in_channels = 4;
  want.layers = 3;
  want.heads = 2;
  want.head_dim = 32;
  want.context_channels = 12;
  want.axes_dims = {4, 14, 14};
  EXPECT_EQ(qwen_image21_config(source), want);
}

TEST(QwenImage21Configs, OfAnotherModelIsNoticed) {
  const std::pair<const char*, nlohmann::json> others[] = {
      {"num_layers", 7}, {"num_attention_heads", 7}, {"context_in_dim", 7},
      {"mlp_ratio", 7},  {"patch_size", 2},          {"out_channels", 9}};
  for (const auto& [field, other] : others) {
    expect_refused("qwen_image_21", "transformer", field, other,
                   {"config.json", field, other.dump()}, qwen_image21_config);
  }
}

TEST(QwenImage21Variants, EveryModelIsDistilled) {
  const ModelSummary usual = inspect(golden_model("qwen_image_21"));
  EXPECT_EQ(usual.variant, "40-step");
  EXPECT_TRUE(usual.distilled);
  const test::TempFolder folder;
  const std::filesystem::path turbo = folder / "Qwen-Image-2.1-Turbo.safetensors";
  std::filesystem::copy(golden_model("qwen_image21_bare.safetensors"), turbo);
  EXPECT_EQ(inspect(turbo).variant, "Turbo");
}

/// The tiny folder with levels of samples in its index.
class QwenImage21Levels : public ::testing::Test {
 protected:
  WeightSource with(const nlohmann::json& levels) {
    const std::filesystem::path model = folder_ / "m";
    std::filesystem::remove_all(model);
    std::filesystem::copy(golden_model("qwen_image_21"), model,
                          std::filesystem::copy_options::recursive);
    nlohmann::json index = read_json(model / "model_index.json");
    index["sample_sigmas"] = levels;
    test::write_file(model / "model_index.json", index.dump());
    return WeightSource::open(model);
  }
  test::TempFolder folder_;
};

TEST_F(QwenImage21Levels, AreTurbos) {
  EXPECT_EQ(qwen_image21_variant(with({1.0, 0.9, 0.4})).name, "Turbo");
  EXPECT_EQ(qwen_image21_variant(with(nullptr)).name, "40-step");
}

}  // namespace
}  // namespace mantissa
