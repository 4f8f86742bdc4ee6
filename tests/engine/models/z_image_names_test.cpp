// Z-Image's names: weights of the released transformer in both namings, modules of adapters.
#include <algorithm>

#include "engine/adapters/dialect.h"
#include "engine/models/z_image/z_image.h"
#include "engine/models/z_image/z_image_family.h"
#include "engine/models/z_image/z_image_keys.h"
#include "tests/engine/models/names_reference.h"

namespace mantissa {
namespace {

using namespace testing_support;

Weights z_image_weights() {
  return released_weights<ZImageTransformer>(ZImageConfig{});
}

TEST(ZImageBinding, FullSizeNamesAndShapes) {
  const Weights weights = z_image_weights();
  expect_released(weights, "z_image.tsv", {"layers.", "noise_refiner.", "context_refiner."}, 521,
                  6'154'908'736);
  EXPECT_EQ(
      std::count_if(weights.begin(), weights.end(),
                    [](const auto& weight) { return weight.first.ends_with("ffn_norm1.weight"); }),
      34);
}

TEST(ZImageKeys, EveryNameComesBackFromTheOriginal) {
  const std::set<std::string> originals =
      original_names(z_image_weights(), z_image_to_original, z_image_to_diffusers);
  EXPECT_EQ(originals.size(), 521U - 2 * 34) << "q, k and v are one tensor";
  expect_names(originals, z_image_to_diffusers,
               {"x_embedder.weight", "final_layer.adaLN_modulation.1.bias",
                "layers.29.attention.qkv.weight", "noise_refiner.1.attention.q_norm.weight",
                "context_refiner.0.attention.out.weight", "cap_embedder.0.weight"},
               {"layers.x.attention.out.weight", "layers.0", "siglip_embedder.0.weight",
                "layers.0.attention.qkv.bias", "blocks.0.attention.out.weight"});
  EXPECT_EQ(z_image_to_diffusers("norm_final.weight")->transform, NameTransform::dropped);
}

TEST(ZImageKeys, ModulesOfAdapters) {
  const WeightSource source = WeightSource::open(golden_model("z_image_base.safetensors"));
  const ModelNames& base = *source.model_names();
  const std::vector<std::string> paths{"denoiser.layers.1.attention.to_q",
                                       "denoiser.context_refiner.0.attention.to_out.0",
                                       "denoiser.noise_refiner.1.adaLN_modulation.0"};
  expect_modules(base, paths,
                 {{"diffusion_model.layers.1.attention.to_q", 0},
                  {"transformer.layers.1.attention.to_q", 0},
                  {"layers.1.attention.to_q", 0},
                  {"lora_unet_layers_1_attention_to_q", 0},
                  {"lycoris_layers_1_attention_to_q", 0},
                  {"base_model.model.transformer.layers.1.attention.to_q", 0},
                  {"diffusion_model.context_refiner.0.attention.to_out.0", 1},
                  {"diffusion_model.context_refiner.0.attention.out", 1},
                  {"lora_unet_context_refiner_0_attention_out", 1},
                  {"diffusion_model.noise_refiner.1.adaLN_modulation.0", 2}});
  const FileForm comfyui = file_form(OutputFormat::comfyui, {}, &kZImage);
  EXPECT_EQ(module_name(paths[0], *comfyui.dialect, base),
            "diffusion_model.layers.1.attention.to_q");
  EXPECT_EQ(module_name(paths[1], *comfyui.dialect, base),
            "diffusion_model.context_refiner.0.attention.to_out.0");
  EXPECT_EQ(module_name(paths[0], kKohyaDialect, base), "lora_unet_layers_1_attention_to_q");
}

TEST(ZImageBinding, AdapterTargets) {
  const auto count = [](const char* set) {
    return adapted_modules<ZImageTransformer>(set, kZImage, ZImageConfig{});
  };
  EXPECT_EQ(count("attention"), 34U * 4);
  EXPECT_EQ(count("attention+mlp"), 34U * 7 + 32);
}

TEST(ZImageConfigs, OfAnotherModelAreNoticed) {
  for (const char* field : {"in_channels", "n_layers", "n_refiner_layers", "cap_feat_dim"}) {
    expect_refused("z_image", "transformer", field, 7, {"config.json", field, "7"}, z_image_config);
  }
  expect_refused("z_image", "transformer", "dim", 64, {"axes_dims", "64 / 3"}, z_image_config);
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

}  // namespace
}  // namespace mantissa
