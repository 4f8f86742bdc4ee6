// FLUX.2's names: weights of the released transformer in both namings, modules of adapters.
#include <span>
#include <tuple>

#include "engine/adapters/dialect.h"
#include "engine/models/flux2/flux2.h"
#include "engine/models/flux2/flux2_family.h"
#include "engine/models/flux2/flux2_keys.h"
#include "tests/engine/models/names_reference.h"

namespace mantissa {
namespace {

using namespace testing_support;

/// Every weight of klein 4B's transformer.
Weights klein_weights() {
  return released_weights<Flux2Transformer>(Flux2Config{});
}

TEST(Flux2Binding, FullSizeNamesAndShapes) {
  expect_released(klein_weights(), "flux2.tsv",
                  {"transformer_blocks.", "single_transformer_blocks."}, 169, 3'875'544'576);
}

TEST(Flux2Keys, EveryNameComesBackFromTheOriginal) {
  const std::set<std::string> originals =
      original_names(klein_weights(), flux2_to_original, flux2_to_diffusers);
  EXPECT_EQ(originals.size(), 169U - 5 * 4) << "q, k and v of each stream are one tensor";
  expect_names(
      originals, flux2_to_diffusers,
      {"img_in.weight", "txt_in.weight", "time_in.in_layer.weight",
       "double_stream_modulation_img.lin.weight", "double_blocks.4.txt_attn.qkv.weight",
       "double_blocks.0.img_attn.norm.query_norm.scale", "double_blocks.0.img_mlp.2.weight",
       "single_blocks.19.linear1.weight", "single_blocks.0.norm.key_norm.scale",
       "final_layer.adaLN_modulation.1.weight", "final_layer.linear.weight"},
      {"double_blocks.x.img_attn.proj.weight", "double_blocks.0", "vector_in.in_layer.weight",
       "double_blocks.0.img_attn.qkv.bias", "single_blocks.0.modulation.lin.weight"});
}

TEST(Flux2Keys, NormsSavedByComfyuiAreWeights) {
  const auto mapping = flux2_to_diffusers("double_blocks.3.txt_attn.norm.key_norm.weight");
  ASSERT_TRUE(mapping);
  EXPECT_EQ(mapping->names.at(0), "transformer_blocks.3.attn.norm_added_k.weight");
}

TEST(Flux2Keys, TheExitsHalvesAreExchanged) {
  const WeightSource source = WeightSource::open(golden_model("flux2_base.safetensors"));
  const SafetensorsFile file = SafetensorsFile::open(golden_model("flux2_base.safetensors"));
  const TensorInfo* stored =
      file.find("model.diffusion_model.final_layer.adaLN_modulation.1.weight");
  ASSERT_NE(stored, nullptr);
  const auto count = static_cast<std::size_t>(stored->count());
  std::vector<float> values(count);
  source.read_f32(kDenoiser, "norm_out.linear.weight", values);
  const auto at = [&](std::size_t i) {
    float16 value;
    std::memcpy(&value, stored->data + i * sizeof value, sizeof value);
    return static_cast<float>(value);
  };
  EXPECT_EQ(values[0], at(count / 2));
  EXPECT_EQ(values[count / 2], at(0));
  EXPECT_EQ(values[count - 1], at(count / 2 - 1));
}

TEST(Flux2Keys, ModulesOfAdapters) {
  const WeightSource source = WeightSource::open(golden_model("flux2_base.safetensors"));
  expect_modules(
      *source.model_names(),
      {"denoiser.transformer_blocks.1.attn.to_q", "denoiser.transformer_blocks.0.attn.to_add_out",
       "denoiser.single_transformer_blocks.0.attn.to_qkv_mlp_proj"},
      {{"transformer.transformer_blocks.1.attn.to_q", 0},
       {"transformer_blocks.1.attn.to_q", 0},
       {"base_model.model.transformer.transformer_blocks.1.attn.to_q", 0},
       {"transformer.transformer_blocks.0.attn.to_add_out", 1},
       {"diffusion_model.double_blocks.0.txt_attn.proj", 1},
       {"lora_unet_double_blocks_0_txt_attn_proj", 1},
       {"diffusion_model.single_blocks.0.linear1", 2},
       {"lora_unet_single_blocks_0_linear1", 2}});
}

// klein 4B reads captions with Qwen3-4B, klein 9B with Qwen3-8B, whose tokens are wider.
TEST(Flux2Keys, ComfyuiNamesTheEncoderByItsSize) {
  const std::vector<std::string> paths{"te1.model.layers.0.self_attn.q_proj"};
  const std::string small = "text_encoders.qwen3_4b.transformer.model.layers.0.self_attn.q_proj",
                    large = "text_encoders.qwen3_8b.transformer.model.layers.0.self_attn.q_proj";
  for (const auto& [width, own, other] :
       {std::tuple{2560, small, large}, std::tuple{4096, large, small}}) {
    TensorInfo mark, table;
    mark.name = kFlux2Mark;
    mark.dims = {1};
    table.name = "model.embed_tokens.weight";
    table.dims = {8, width};
    const auto base =
        kFlux2.recognise({{{kDenoiser, std::span(&mark, 1)}, {kTe1, std::span(&table, 1)}}});
    ASSERT_NE(base, nullptr);
    EXPECT_TRUE(own.starts_with(base->comfyui(kTe1))) << base->comfyui(kTe1);
    const ModuleTable modules(paths, *base);
    ASSERT_NE(modules.find(own), nullptr) << own;
    EXPECT_EQ(modules.find(own)->path, paths[0]);
    EXPECT_EQ(modules.find(other), nullptr) << other;
    EXPECT_NE(modules.find("lora_te_layers_0_self_attn_q_proj"), nullptr);
  }
}

TEST(Flux2Binding, AdapterTargets) {
  const auto count = [](const char* set) {
    return adapted_modules<Flux2Transformer>(set, kFlux2, Flux2Config{});
  };
  EXPECT_EQ(count("attention"), 5U * 8 + 20 * 2);
  EXPECT_EQ(count("attention+mlp"), 5U * 12 + 20 * 2);
}

TEST(Flux2Config, IsDetectedWithoutOne) {
  const WeightSource source = WeightSource::open(golden_model("flux2_bare.safetensors"));
  Flux2Config want;
  want.in_channels = 8;
  want.heads = 2;
  want.head_dim = 24;
  want.double_blocks = 1;
  want.single_blocks = 2;
  want.context_channels = 28;
  want.time_channels = 64;
  want.mlp_ratio = 2;
  want.axes_dims = {6, 6, 6, 6};
  want.guidance = true;
  EXPECT_EQ(flux2_config(source), want);
}

TEST(Flux2Config, OfAnotherModelIsNoticed) {
  const std::pair<const char*, nlohmann::json> others[] = {
      {"in_channels", 7},         {"num_layers", 7},          {"num_single_layers", 7},
      {"num_attention_heads", 7}, {"joint_attention_dim", 7}, {"timestep_guidance_channels", 7},
      {"mlp_ratio", 7},           {"guidance_embeds", true}};
  for (const auto& [field, other] : others) {
    expect_refused("flux2", "transformer", field, other, {"config.json", field, other.dump()},
                   flux2_config);
  }
}

}  // namespace
}  // namespace mantissa
