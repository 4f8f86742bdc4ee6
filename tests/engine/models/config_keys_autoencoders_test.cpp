// Fields of autoencoders.
#include "engine/models/vae/flux2_vae.h"
#include "engine/models/vae/qwen_vae_config.h"
#include "engine/models/vae/vae_config.h"
#include "tests/engine/models/config_keys.h"

namespace mantissa::config_keys {
namespace {

TEST(ConfigKeys, Vae) {
  const std::vector<Row> rows = {
      {"in_channels", 1, H},
      {"out_channels", 1, H},
      {"down_block_types", {"AttnDownEncoderBlock2D"}, R},
      {"up_block_types", {"AttnUpDecoderBlock2D"}, R},
      {"block_out_channels", {128}, H},
      {"layers_per_block", 2, H},
      {"act_fn", "relu", R},
      {"act_fn", "swish", I},
      {"latent_channels", 16, H},
      {"norm_num_groups", 16, H},
      {"sample_size", 512, I},
      {"scaling_factor", 0.13025, H},
      {"shift_factor", 0.1, H},
      {"shift_factor", "0.1", R},
      {"shift_factor", 0.0, I},
      {"latents_mean", {1, 2, 3, 4}, R, "latents_std"},
      {"latents_std", {1, 2, 3, 4}, R, "latents_mean"},
      {"force_upcast", false, I},
      {"use_quant_conv", false, H},
      {"use_post_quant_conv", false, H},
      {"mid_block_add_attention", false, H},
  };
  json base = keys_of("AutoencoderKL");
  expect_outcomes("AutoencoderKL", base, rows, vae_config_from_json);
  base["latents_mean"] = {0.5, 0, 0, 0};
  base["latents_std"] = {2, 1, 1, 1};
  const VaeConfig vae = vae_config_from_json(base, "x");
  EXPECT_DOUBLE_EQ(vae.latent_gain(0), 0.18215 / 2);
  EXPECT_EQ(vae.latent_shift(0), 0.5);
  EXPECT_EQ(vae_config_from_json(to_json(vae), "x"), vae);
  base["latents_std"] = {2, 1, 0, 1};
  test::expect_error_with([&] { vae_config_from_json(base, "x"); }, {"latents_std", "positive"});
  base["latents_std"] = {2, 1, 1};
  test::expect_error_with([&] { vae_config_from_json(base, "x"); }, {"latents_std", "4 numbers"});
}

TEST(ConfigKeys, QwenImage21Vae) {
  const json base = keys_of("AutoencoderKLQwenImage21");
  const std::vector<Row> rows = {
      {"base_dim", 64, H},
      {"decoder_base_dim", 96, H},
      {"z_dim", 32, R, "latents_mean"},
      {"dim_mult", {1, 2, 4, 4, 4}, H},
      {"num_res_blocks", 3, H},
      {"attn_scales", {0.5}, R},
      {"temperal_downsample", {true, true, false, false}, H},
      {"temperal_downsample", {true}, R},
      {"dropout", 0.1, I},
      {"latents_mean", json(std::vector<double>(64, 0.5)), H},
      {"latents_std", json(std::vector<double>(64, 0.5)), H},
      {"is_residual", false, R},
      {"in_channels", 3, R, "out_channels"},
      {"out_channels", 3, R},
      {"patch_size", 2, R},
      {"scale_factor_temporal", 4, I},
      {"scale_factor_spatial", 8, I},
  };
  expect_outcomes("AutoencoderKLQwenImage21", base, rows, qwen_image21_vae_config_from_json);
}

TEST(ConfigKeys, QwenVae) {
  const json base = keys_of("AutoencoderKLQwenImage");
  const json ones(std::vector<double>(16, 1.0));
  const std::vector<Row> rows = {
      {"base_dim", 64, H},
      {"z_dim", 8, R, "latents_mean"},
      {"dim_mult", {1, 2, 4, 8}, H},
      {"dim_mult", {1, 2, 4}, R, "temperal_downsample"},
      {"num_res_blocks", 3, H},
      {"attn_scales", {1.0}, R},
      {"temperal_downsample", {true, true, false}, H},
      {"temperal_downsample", {true, true}, R},
      {"dropout", 0.1, I},
      {"input_channels", 4, H},
      {"latents_mean", ones, H},
      {"latents_mean", {1, 2}, R},
      {"latents_std", ones, H},
      {"latents_std", json(std::vector<double>(16, -1.0)), R},
  };
  expect_outcomes("AutoencoderKLQwenImage", base, rows, qwen_vae_config_from_json);
}

TEST(ConfigKeys, Flux2Vae) {
  const std::vector<Row> rows = {
      {"in_channels", 1, H},
      {"out_channels", 1, H},
      {"down_block_types", {"AttnDownEncoderBlock2D"}, R},
      {"up_block_types", {"AttnUpDecoderBlock2D"}, R},
      {"block_out_channels", {64, 256, 512, 512}, H},
      {"decoder_block_out_channels", {64, 128, 256, 256}, R},
      {"layers_per_block", 1, H},
      {"act_fn", "relu", R},
      {"latent_channels", 16, H},
      {"norm_num_groups", 16, H},
      {"sample_size", 512, I},
      {"use_quant_conv", false, H},
      {"use_post_quant_conv", false, H},
      {"mid_block_add_attention", false, H},
      {"batch_norm_eps", 1e-5, H},
      {"batch_norm_momentum", 0.2, I},  // of its statistics while it is trained
      {"patch_size", {1, 1}, R},
  };
  expect_outcomes("AutoencoderKLFlux2", keys_of("AutoencoderKLFlux2"), rows,
                  flux2_vae_config_from_json);
}

}  // namespace
}  // namespace mantissa::config_keys
