// Fields of denoisers.
#include "engine/models/anima/anima_config.h"
#include "engine/models/chroma/chroma_config.h"
#include "engine/models/ernie_image/ernie_image_config.h"
#include "engine/models/flux1/flux1_config.h"
#include "engine/models/flux2/flux2_config.h"
#include "engine/models/flux3/flux3_config.h"
#include "engine/models/krea2/krea2_config.h"
#include "engine/models/pixart/pixart_config.h"
#include "engine/models/qwen_image/qwen_image_config.h"
#include "engine/models/qwen_image21/qwen_image21_config.h"
#include "engine/models/stable_diffusion/unet_config.h"
#include "engine/models/z_image/z_image_config.h"
#include "tests/engine/models/config_keys.h"

namespace mantissa::config_keys {
namespace {

TEST(ConfigKeys, Unet) {
  const json all = {{"block_out_channels", {32, 64}},
                    {"down_block_types", {"DownBlock2D", "CrossAttnDownBlock2D"}},
                    {"up_block_types", {"CrossAttnUpBlock2D", "UpBlock2D"}},
                    {"addition_embed_type", "text_time"},
                    {"addition_time_embed_dim", 8},
                    {"projection_class_embeddings_input_dim", 80}};
  json base = keys_of("UNet2DConditionModel");
  base.update(all);
  const std::vector<Row> rows = {
      {"sample_size", 32, H},
      {"sample_size", {32, 48}, H},
      {"sample_size", {1, 2, 3}, R},
      {"in_channels", 9, H},
      {"out_channels", 8, H},
      {"center_input_sample", true, R},
      {"flip_sin_to_cos", false, R},
      {"freq_shift", 1, R},
      {"down_block_types", {"CrossAttnDownBlock2D", "DownBlock2D"}, R, "up_block_types"},
      {"down_block_types", {"DownBlock2D", "AttnDownBlock2D"}, R},
      {"mid_block_type", "UNetMidBlock2D", H},
      {"mid_block_type", nullptr, H},
      {"mid_block_type", "UNetMidBlock2DSimpleCrossAttn", R},
      {"up_block_types", {"UpBlock2D", "UpBlock2D"}, R},
      {"only_cross_attention", true, R},
      {"only_cross_attention", {false, true}, R},
      {"only_cross_attention", {false, false}, I},
      {"block_out_channels", {32, 96}, H},
      {"layers_per_block", 3, H},
      {"layers_per_block", {1, 2}, H},
      {"downsample_padding", 0, R},
      {"downsample_padding", nullptr, R},
      {"mid_block_scale_factor", 1.5, R},
      {"dropout", 0.1, I},
      {"act_fn", "gelu", R},
      {"act_fn", "swish", I},
      {"norm_num_groups", 16, H},
      {"norm_num_groups", nullptr, R},
      {"norm_eps", 1e-6, H},
      {"cross_attention_dim", 24, H},
      {"cross_attention_dim", {16, 24}, H},
      {"transformer_layers_per_block", 2, H},
      {"transformer_layers_per_block", 0, H},
      {"transformer_layers_per_block", {1, 3}, H},
      {"transformer_layers_per_block", {1, {1, 2}}, R, "reverse_transformer_layers_per_block"},
      {"reverse_transformer_layers_per_block", {{2, 0, 1}, 1}, H},
      {"reverse_transformer_layers_per_block", {{2, 0}, 1}, R},
      {"encoder_hid_dim", 8, R},
      {"encoder_hid_dim_type", "text_proj", R},
      {"attention_head_dim", 4, H},
      {"attention_head_dim", {8, 16}, H},
      {"num_attention_heads", 4, H},
      {"dual_cross_attention", true, R},
      {"use_linear_projection", true, H},
      {"class_embed_type", "timestep", R},
      {"addition_embed_type", "text", R},
      {"addition_embed_type", nullptr, H},
      {"addition_time_embed_dim", 4, H},
      {"num_class_embeds", 10, R},
      {"upcast_attention", true, I},
      {"resnet_time_scale_shift", "scale_shift", R},
      {"resnet_skip_time_act", true, R},
      {"resnet_out_scale_factor", 2.0, R},
      {"time_embedding_type", "fourier", R},
      {"time_embedding_dim", 64, H},
      {"time_embedding_act_fn", "silu", R},
      {"timestep_post_act", "silu", R},
      {"time_cond_proj_dim", 32, R},
      {"conv_in_kernel", 5, R},
      {"conv_out_kernel", 1, R},
      {"projection_class_embeddings_input_dim", 96, H},
      {"attention_type", "gated", R},
      {"class_embeddings_concat", true, R},
      {"mid_block_only_cross_attention", true, I},
      {"cross_attention_norm", "layer_norm", R},
      {"addition_embed_type_num_heads", 32, I},
      {"quantization_config", {{"quant_method", "bitsandbytes"}, {"load_in_8bit", true}}, R},
      {"quantization_config", {{"quant_method", "bitsandbytes"}, {"load_in_4bit", true}}, I},
  };
  expect_outcomes("UNet2DConditionModel", base, rows, unet_config_from_json);
}

TEST(ConfigKeys, Pixart) {
  json base = keys_of("PixArtTransformer2DModel");
  base["caption_channels"] = 64;
  base.erase("cross_attention_dim");  // the width
  const std::vector<Row> rows = {
      {"num_attention_heads", 8, H},
      {"attention_head_dim", 36, H},
      {"attention_head_dim", 5, R},
      {"in_channels", 16, H},
      {"out_channels", 4, H},
      {"num_layers", 2, H},
      {"dropout", 0.1, I},
      {"norm_num_groups", 8, I},
      {"cross_attention_dim", 64, R},
      {"attention_bias", false, R},
      {"sample_size", 64, H},
      {"sample_size", 63, R},
      {"patch_size", 4, H},
      {"activation_fn", "geglu", R},
      {"num_embeds_ada_norm", 500, I},
      {"upcast_attention", true, I},
      {"norm_type", "layer_norm", R},
      {"norm_elementwise_affine", true, R},
      {"norm_eps", 1e-5, H},
      {"interpolation_scale", 1, H},
      {"use_additional_conditions", false, H},
      {"caption_channels", 128, H},
      {"caption_channels", nullptr, R},
      {"attention_type", "gated", R},
  };
  expect_outcomes("PixArtTransformer2DModel", base, rows, pixart_config_from_json);
}

TEST(ConfigKeys, ZImage) {
  const json base = keys_of("ZImageTransformer2DModel");
  const std::vector<Row> rows = {
      {"all_patch_size", {4}, H},
      {"all_patch_size", {2, 4}, R},
      {"all_f_patch_size", {2}, R},
      {"in_channels", 4, H},
      {"dim", 2560, R, "axes_dims"},
      {"n_layers", 4, H},
      {"n_refiner_layers", 0, H},
      {"n_heads", 15, R, "axes_dims"},
      {"n_kv_heads", 5, I},
      {"norm_eps", 1e-6, H},
      {"qk_norm", false, R},
      {"cap_feat_dim", 64, H},
      {"siglip_feat_dim", 1152, R},
      {"rope_theta", 10000, H},
      {"t_scale", 1, H},
      {"axes_dims", {64, 32, 32}, H},
      {"axes_dims", {31, 49, 48}, R},
      {"axes_dims", {64, 64}, R},
      {"axes_lens", {1536, 512, 512}, H},
      {"axes_lens", {33, 512, 512}, R},
      {"axes_lens", {1536, 512}, R},
  };
  expect_outcomes("ZImageTransformer2DModel", base, rows, z_image_config_from_json);
  const ZImageConfig config = z_image_config_from_json(base, "x");
  EXPECT_EQ(z_image_config_from_json(to_json(config), "x"), config);
}

TEST(ConfigKeys, Flux1) {
  const json base = keys_of("FluxTransformer2DModel");
  const std::vector<Row> rows = {
      {"patch_size", 2, R},
      {"in_channels", 128, H},
      {"out_channels", 128, R},
      {"num_layers", 5, H},
      {"num_single_layers", 20, H},
      {"attention_head_dim", 64, R, "axes_dims_rope"},
      {"num_attention_heads", 16, H},
      {"joint_attention_dim", 7680, H},
      {"pooled_projection_dim", 512, H},
      {"axes_dims_rope", {32, 48, 48}, H},
      {"axes_dims_rope", {17, 55, 56}, R},
      {"axes_dims_rope", {64, 64}, R},
      {"guidance_embeds", true, H},
  };
  expect_outcomes("FluxTransformer2DModel", base, rows, flux1_config_from_json);
  Flux1Config config = flux1_config_from_json(base, "x");
  EXPECT_EQ(flux1_config_from_json(to_json(config), "x"), config);
  config.guidance = true;
  EXPECT_EQ(config, Flux1Config{}) << "dev's";
}

TEST(ConfigKeys, Chroma) {
  const json base = keys_of("ChromaTransformer2DModel");
  const std::vector<Row> rows{{"patch_size", 2, R},
                              {"in_channels", 32, H},
                              {"in_channels", 6, R},
                              {"out_channels", 64, I},
                              {"out_channels", 16, R},
                              {"num_layers", 2, H},
                              {"num_single_layers", 3, H},
                              {"attention_head_dim", 64, R, "axes_dims_rope"},
                              {"num_attention_heads", 5, H},
                              {"joint_attention_dim", 100, H},
                              {"axes_dims_rope", {32, 48, 48}, H},
                              {"axes_dims_rope", {15, 57, 56}, R},
                              {"axes_dims_rope", {16, 56}, R},
                              {"approximator_num_channels", 32, H},
                              {"approximator_num_channels", 60, R},
                              {"approximator_hidden_dim", 20, H},
                              {"approximator_layers", 2, H}};
  expect_outcomes("ChromaTransformer2DModel", base, rows, chroma_config_from_json);
  const ChromaConfig config = chroma_config_from_json(base, "x");
  EXPECT_EQ(config, ChromaConfig{}) << "every released one's";
  EXPECT_EQ(chroma_config_from_json(to_json(config), "x"), config);
  EXPECT_EQ(config.modulations(), 344);
}

TEST(ConfigKeys, Flux2) {
  const json base = keys_of("Flux2Transformer2DModel");
  const std::vector<Row> rows = {
      {"patch_size", 2, R},
      {"in_channels", 64, H},
      {"out_channels", 64, R},
      {"num_layers", 5, H},
      {"num_single_layers", 20, H},
      {"attention_head_dim", 64, R, "axes_dims_rope"},
      {"num_attention_heads", 24, H},
      {"joint_attention_dim", 7680, H},
      {"timestep_guidance_channels", 128, H},
      {"mlp_ratio", 4, H},
      {"axes_dims_rope", {16, 48, 48, 16}, H},
      {"axes_dims_rope", {31, 33, 32, 32}, R},
      {"axes_dims_rope", {64, 64}, R},
      {"rope_theta", 10000, H},
      {"eps", 1e-5, H},
      {"guidance_embeds", false, H},
  };
  expect_outcomes("Flux2Transformer2DModel", base, rows, flux2_config_from_json);
  const Flux2Config config = flux2_config_from_json(base, "x");
  EXPECT_EQ(flux2_config_from_json(to_json(config), "x"), config);
}

TEST(ConfigKeys, Flux3) {
  const json base = keys_of("Flux3Transformer2DModel");
  const std::vector<Row> rows = {
      {"in_channels", 64, H},
      {"cond_in_channels", 64, H},
      {"num_layers", 4, H},
      {"num_single_layers", 20, H},
      {"attention_head_dim", 64, R, "axes_dims_rope"},
      {"num_attention_heads", 16, H},
      {"joint_attention_dim", 7680, H},
      {"timestep_channels", 128, H},
      {"mlp_ratio", 4, H},
      {"axes_dims_rope", {16, 48, 48, 16}, H},
      {"axes_dims_rope", {31, 33, 32, 32}, R},
      {"axes_dims_rope", {64, 64}, R},
      {"rope_theta", 2000, H},
      {"eps", 1e-5, H},
      {"flow_map", true, H},
  };
  expect_outcomes("Flux3Transformer2DModel", base, rows, flux3_config_from_json);
  const Flux3Config config = flux3_config_from_json(base, "x");
  EXPECT_EQ(config, Flux3Config{}) << "klein Base's";
  EXPECT_EQ(flux3_config_from_json(to_json(config), "x"), config);
}

TEST(ConfigKeys, QwenImage) {
  const json base = keys_of("QwenImageTransformer2DModel");
  const std::vector<Row> rows = {
      {"patch_size", 1, R},
      {"in_channels", 32, R, "out_channels"},
      {"out_channels", 8, R},
      {"num_layers", 4, H},
      {"attention_head_dim", 64, R, "axes_dims_rope"},
      {"num_attention_heads", 16, H},
      {"joint_attention_dim", 2048, H},
      {"guidance_embeds", true, R},
      {"axes_dims_rope", {32, 48, 48}, H},
      {"axes_dims_rope", {15, 57, 56}, R},
      {"axes_dims_rope", {64, 64}, R},
      {"zero_cond_t", true, H},
      {"use_additional_t_cond", true, R},
      {"use_layer3d_rope", true, R},
  };
  expect_outcomes("QwenImageTransformer2DModel", base, rows, qwen_image_config_from_json);
  const QwenImageConfig config = qwen_image_config_from_json(base, "x");
  EXPECT_EQ(config, QwenImageConfig{}) << "every released one's";
  EXPECT_EQ(qwen_image_config_from_json(to_json(config), "x"), config);
}

TEST(ConfigKeys, ErnieImage) {
  const json base = keys_of("ErnieImageTransformer2DModel");
  const std::vector<Row> rows = {
      {"hidden_size", 6144, R, "rope_axes_dim"},
      {"num_attention_heads", 12, R, "rope_axes_dim"},
      {"num_attention_heads", 7, R},
      {"num_layers", 4, H},
      {"ffn_hidden_size", 1024, H},
      {"in_channels", 32, R, "out_channels"},
      {"out_channels", 8, R},
      {"patch_size", 2, R},
      {"text_in_dim", 2048, H},
      {"rope_theta", 1000, H},
      {"rope_axes_dim", {16, 56, 56}, H},
      {"rope_axes_dim", {16, 56, 48}, R},
      {"rope_axes_dim", {64, 64}, R},
      {"eps", 1e-5, H},
      {"qk_layernorm", false, R},
  };
  expect_outcomes("ErnieImageTransformer2DModel", base, rows, ernie_image_config_from_json);
  const ErnieImageConfig config = ernie_image_config_from_json(base, "x");
  EXPECT_EQ(ernie_image_config_from_json(to_json(config), "x"), config);
}

TEST(ConfigKeys, QwenImage21) {
  const json base = keys_of("QwenImage21Transformer2DModel");
  const std::vector<Row> rows = {
      {"patch_size", 2, R},
      {"in_channels", 16, R, "out_channels"},
      {"out_channels", 16, R},
      {"num_layers", 4, H},
      {"attention_head_dim", 64, R, "axes_dims_rope"},
      {"num_attention_heads", 16, H},
      {"context_in_dim", 2560, H},
      {"mlp_ratio", 4, H},
      {"axes_dims_rope", {32, 48, 48}, H},
      {"axes_dims_rope", {15, 57, 56}, R},
      {"axes_dims_rope", {64, 64}, R},
      {"eps", 1e-5, H},
      {"causal_condition", false, H},
  };
  expect_outcomes("QwenImage21Transformer2DModel", base, rows, qwen_image21_config_from_json);
  const QwenImage21Config config = qwen_image21_config_from_json(base, "x");
  EXPECT_EQ(config, QwenImage21Config{}) << "the released model's";
  EXPECT_EQ(qwen_image21_config_from_json(to_json(config), "x"), config);
}

TEST(ConfigKeys, Anima) {
  json base = keys_of("CosmosTransformer3DModel");
  base["extra_pos_embed_type"] = json();  // the default is Cosmos-Predict1's
  const std::vector<Row> rows = {
      {"in_channels", 8, R, "out_channels"},
      {"out_channels", 32, R},
      {"num_attention_heads", 16, H},
      {"attention_head_dim", 64, H},
      {"attention_head_dim", 63, R},
      {"num_layers", 36, H},
      {"mlp_ratio", 2, H},
      {"text_embed_dim", 512, H},
      {"adaln_lora_dim", 64, H},
      {"max_size", {128, 480, 480}, H},
      {"max_size", {128, 240}, R},
      {"patch_size", {1, 4, 4}, H},
      {"patch_size", {2, 2, 2}, R},
      {"patch_size", {1, 2, 4}, R},
      {"rope_scale", {1.0, 4.0, 4.0}, H},
      {"rope_scale", {1.0, 0.0, 4.0}, R},
      {"concat_padding_mask", false, H},
      {"extra_pos_embed_type", "learnable", R},
      {"use_crossattn_projection", true, R},
      {"crossattn_proj_in_channels", 2048, I},
      {"encoder_hidden_states_channels", 2048, I},
      {"controlnet_block_every_n", 7, R},
      {"img_context_dim_in", 1152, R},
      {"img_context_num_tokens", 128, I},
      {"img_context_dim_out", 1024, I},
  };
  expect_outcomes("CosmosTransformer3DModel", base, rows, anima_config_from_json);
  const AnimaConfig config = anima_config_from_json(base, "x");
  EXPECT_EQ(anima_config_from_json(to_json(config), "x"), config);
  base.erase("extra_pos_embed_type");
  test::expect_error_with([&] { anima_config_from_json(base, "x"); },
                          {"'extra_pos_embed_type'", "missing"});
}

TEST(ConfigKeys, Krea2) {
  const json base = keys_of("Krea2Transformer2DModel");
  const std::vector<Row> rows = {
      {"in_channels", 32, H},
      {"in_channels", 30, R},
      {"num_layers", 14, H},
      {"attention_head_dim", 64, R, "axes_dims_rope"},
      {"num_attention_heads", 24, H},
      {"num_key_value_heads", 48, H},
      {"num_key_value_heads", 5, R},
      {"intermediate_size", 8192, H},
      {"timestep_embed_dim", 128, H},
      {"text_hidden_dim", 5120, H},
      {"num_text_layers", 6, H},
      {"text_num_attention_heads", 40, H},
      {"text_num_attention_heads", 60, R},
      {"text_num_key_value_heads", 10, H},
      {"text_num_key_value_heads", 3, R},
      {"text_intermediate_size", 512, H},
      {"num_layerwise_text_blocks", 0, H},
      {"num_refiner_text_blocks", 1, H},
      {"axes_dims_rope", {64, 32, 32}, H},
      {"axes_dims_rope", {31, 49, 48}, R},
      {"axes_dims_rope", {64, 64}, R},
      {"rope_theta", 10000, H},
      {"norm_eps", 1e-6, H},
  };
  expect_outcomes("Krea2Transformer2DModel", base, rows, krea2_config_from_json);
  const Krea2Config config = krea2_config_from_json(base, "x");
  EXPECT_EQ(krea2_config_from_json(to_json(config), "x"), config);
}

}  // namespace
}  // namespace mantissa::config_keys
