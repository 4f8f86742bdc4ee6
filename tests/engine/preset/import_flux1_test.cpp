// FLUX.1 in configurations of sd-scripts and kohya_ss.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/preset/import.h"
#include "tests/engine/preset/import_flux1_samples.h"

namespace mantissa {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing_support::change_of;
using testing_support::flux1_arguments;
using testing_support::flux1_by_kohya_ss;
using testing_support::flux1_by_scripts;
using testing_support::kFlux1Blocks;
using testing_support::ranks_of;
using testing_support::row;

TEST(ImportFlux1, DefaultsOfSdScriptsAreTold) {
  const ImportResult r = flux1_by_scripts("");
  EXPECT_EQ(r.preset.training.timesteps, TimestepDistribution::uniform);
  EXPECT_EQ(r.preset.training.flow_shift, 3);
  EXPECT_EQ(row(r, "discrete_flow_shift").fate, ImportFate::assumed);
  EXPECT_EQ(row(r, "model_prediction_type").value, "sigma_scaled");
  EXPECT_THAT(change_of(r, "model_prediction_type"), HasSubstr("estimate of the image"));
  EXPECT_EQ(row(r, "guidance_scale").value, "3.5");
  EXPECT_THAT(change_of(r, "guidance_scale"), HasSubstr("1 in training here"));
  EXPECT_THAT(change_of(r, "network_args.split_qkv"),
              HasSubstr("One adapter for q, k and v there"));
  EXPECT_EQ(r.preset.adapter.targets, kFlux1Blocks);

  const ImportResult shift = flux1_by_scripts("timestep_sampling = \"shift\"\n");
  EXPECT_EQ(shift.preset.training.timesteps, TimestepDistribution::shifted);
  EXPECT_EQ(shift.preset.training.flow_shift, 3);
  EXPECT_EQ(row(shift, "timestep_sampling").fate, ImportFate::mapped);
  EXPECT_EQ(flux1_by_scripts("timestep_sampling = \"sigmoid\"\n").preset.training.flow_shift,
            std::nullopt);

  const ImportResult same = flux1_by_scripts(
      "model_prediction_type = \"raw\"\nguidance_scale = 1.0\nnetwork_args = [\"split_qkv=True\"]\n"
      "timestep_sampling = \"sigma\"\ndiscrete_flow_shift = 3.1582\n");
  EXPECT_EQ(same.preset.training.flow_shift, 3.1582);
  EXPECT_EQ(same.count(ImportFate::changed), 0u);
  EXPECT_EQ(row(same, "guidance_scale").fate, ImportFate::ignored);

  // The scripts write all of them into an adapter.
  const ImportResult adapter = import_preset_metadata(
      {{"ss_network_module", "networks.lora_flux"}, {"ss_network_dim", "16"}}, "a.safetensors");
  EXPECT_EQ(adapter.count(ImportFate::changed), 0u);
  // A model's own weights are trained by a script with the same defaults.
  const ImportResult full = import_preset_text(
      "pretrained_model_name_or_path = \"flux1-dev.safetensors\"\nae = \"a\"\nt5xxl = \"t\"\n"
      "blockwise_fused_optimizers = true\nmem_eff_save = true\n",
      "x.toml");
  EXPECT_EQ(full.preset.training.method, TrainingMethod::full);
  EXPECT_EQ(full.preset.training.flow_shift, 3);
  EXPECT_TRUE(full.preset.optimizer.fused_back_pass);
  EXPECT_THAT(change_of(full, "guidance_scale"), HasSubstr("1 in training here"));
  EXPECT_EQ(full.count(ImportFate::changed), 2u) << "without a network, q, k and v are no matter";
}

TEST(ImportFlux1, ValuesThatTrainSomethingElseAreChanges) {
  const ImportResult r = flux1_by_scripts(
      "guidance_scale = 3.5\nmodel_prediction_type = \"additive\"\napply_t5_attn_mask = true\n"
      "t5xxl_max_token_length = 256\nsplit_mode = true\nconv_dim = 8\ndouble_blocks_to_swap = 4\n"
      "network_args = [\"split_qkv=False\", \"ggpo_beta=0.01\", \"ggpo_sigma=0.03\"]\n");
  EXPECT_THAT(change_of(r, "guidance_scale"), HasSubstr("1 in training here"));
  EXPECT_THAT(change_of(r, "model_prediction_type"), HasSubstr("(raw)"));
  EXPECT_THAT(change_of(r, "apply_t5_attn_mask"), HasSubstr("a mask for the padding"));
  EXPECT_THAT(change_of(r, "t5xxl_max_token_length"), HasSubstr("512 tokens"));
  EXPECT_THAT(change_of(r, "network_args.split_qkv"), HasSubstr("One adapter for q, k and v"));
  EXPECT_THAT(change_of(r, "network_args.ggpo_beta"), HasSubstr("GGPO"));
  EXPECT_THAT(change_of(r, "network_args.ggpo_sigma"), HasSubstr("GGPO"));
  EXPECT_THAT(row(r, "split_mode").note.text(), HasSubstr("memory of that program"));
  EXPECT_EQ(row(r, "double_blocks_to_swap").fate, ImportFate::ignored);
  EXPECT_EQ(r.preset.adapter.targets, kFlux1Blocks) << "it has no convolutions";
  EXPECT_EQ(r.count(ImportFate::unknown), 0u);
  EXPECT_EQ(
      change_of(flux1_by_scripts("pretrained_model_name_or_path = \"flux1-schnell.safetensors\"\n"
                                 "t5xxl_max_token_length = 256\n"),
                "t5xxl_max_token_length"),
      "ignored");
  EXPECT_EQ(change_of(flux1_by_scripts("t5xxl_max_token_length = 512\n"), "t5xxl_max_token_length"),
            "ignored");
}

TEST(ImportFlux1, BlocksOfSdScriptsAreChosenAsThere) {
  EXPECT_THAT(ranks_of(flux1_arguments("\"train_blocks=single\"")),
              ElementsAre("denoiser.transformer_blocks.* 0 0"));
  EXPECT_THAT(ranks_of(flux1_arguments("\"train_blocks=double\"")),
              ElementsAre("denoiser.single_transformer_blocks.* 0 0"));
  const ImportResult all = flux1_arguments(
      "\"train_blocks=all\", \"train_double_block_indices=all\", "
      "\"train_single_block_indices=0-37\"");
  EXPECT_TRUE(all.preset.adapter.ranks.empty());
  EXPECT_THAT(ranks_of(flux1_arguments("\"train_double_block_indices=none\"")),
              ElementsAre("denoiser.transformer_blocks.* 0 0"));
  const std::vector<std::string> some =
      ranks_of(flux1_arguments("\"train_double_block_indices=0-3,7\""));
  EXPECT_EQ(some.size(), 14u) << "of 19 blocks, five are trained";
  EXPECT_EQ(some.front(), "denoiser.transformer_blocks.4.* 0 0");
  EXPECT_EQ(some.back(), "denoiser.transformer_blocks.18.* 0 0");
  EXPECT_EQ(ranks_of(flux1_arguments("\"train_single_block_indices=7\"")).size(), 37u);
  EXPECT_EQ(ranks_of(flux1_arguments("\"train_single_block_indices=7,20\"")).size(), 36u);
  for (const char* wrong : {"19", "3-1", "a", "-1"}) {
    const ImportResult r =
        flux1_arguments("\"train_double_block_indices=" + std::string(wrong) + "\"");
    EXPECT_THAT(change_of(r, "network_args.train_double_block_indices"),
                HasSubstr("numbers of blocks up to 18"))
        << wrong;
    EXPECT_TRUE(r.preset.adapter.ranks.empty()) << wrong;
  }
  EXPECT_THAT(change_of(flux1_arguments("\"train_blocks=triple\""), "network_args.train_blocks"),
              HasSubstr("triple"));
}

TEST(ImportFlux1, RanksOfSdScriptsHoldForTheirLayers) {
  EXPECT_THAT(ranks_of(flux1_arguments("\"img_attn_dim=4\"")),
              ElementsAre("denoiser.transformer_blocks.*.attn.to_q 4 8",
                          "denoiser.transformer_blocks.*.attn.to_k 4 8",
                          "denoiser.transformer_blocks.*.attn.to_v 4 8",
                          "denoiser.transformer_blocks.*.attn.to_out.* 4 8"));
  EXPECT_THAT(ranks_of(flux1_arguments("\"txt_attn_dim=2\", \"single_mod_dim=0\"")),
              ElementsAre("denoiser.transformer_blocks.*.attn.add_* 2 8",
                          "denoiser.transformer_blocks.*.attn.to_add_out 2 8",
                          "denoiser.single_transformer_blocks.*.norm.* 0 0"));
  EXPECT_THAT(ranks_of(flux1_arguments("\"img_mlp_dim=2\", \"txt_mlp_dim=3\", \"img_mod_dim=4\", "
                                       "\"txt_mod_dim=5\"")),
              ElementsAre("denoiser.transformer_blocks.*.ff.* 2 8",
                          "denoiser.transformer_blocks.*.ff_context.* 3 8",
                          "denoiser.transformer_blocks.*.norm1.* 4 8",
                          "denoiser.transformer_blocks.*.norm1_context.* 5 8"));
  EXPECT_THAT(ranks_of(flux1_arguments("\"single_dim=6\"")),
              ElementsAre("denoiser.single_transformer_blocks.*.attn.* 6 8",
                          "denoiser.single_transformer_blocks.*.proj_mlp 6 8",
                          "denoiser.single_transformer_blocks.*.proj_out 6 8"));
  // Blocks that are left out come first, since the first entry that names a layer counts.
  EXPECT_EQ(ranks_of(flux1_arguments("\"txt_mlp_dim=4\", \"train_blocks=double\"")).front(),
            "denoiser.single_transformer_blocks.* 0 0");
  EXPECT_THAT(ranks_of(flux1_arguments("\"txt_mlp_dim=4\", \"train_blocks=single\"")),
              ElementsAre("denoiser.transformer_blocks.* 0 0"))
      << "an entry without layers would be a warning";

  const ImportResult in = flux1_arguments("\"in_dims=[4,0,2,0,1]\"");
  EXPECT_THAT(
      in.preset.adapter.targets,
      ElementsAre("attention+mlp", "denoiser.*transformer_blocks.*.norm*", "denoiser.x_embedder",
                  "denoiser.time_text_embed.text_embedder.*", "denoiser.context_embedder"));
  EXPECT_THAT(ranks_of(in),
              ElementsAre("denoiser.x_embedder 4 8", "denoiser.time_text_embed.text_embedder.* 2 8",
                          "denoiser.context_embedder 1 8"));
  EXPECT_EQ(flux1_arguments("\"in_dims=0,0,0,0,0\"").preset.adapter.targets, kFlux1Blocks);
  EXPECT_THAT(change_of(flux1_arguments("\"in_dims=4,4\""), "network_args.in_dims"),
              HasSubstr("holds 5 ranks"));
  EXPECT_THAT(change_of(flux1_arguments("\"img_attn_dim=-1\""), "network_args.img_attn_dim"),
              HasSubstr("not a rank"));
}

TEST(ImportFlux1, T5IsTrainedBySdScriptsSwitchAtItsOwnRate) {
  const ImportResult r = flux1_by_scripts(
      "text_encoder_lr = [5e-5, 1e-5]\nnetwork_args = [\"train_t5xxl=True\", \"verbose=True\"]\n");
  EXPECT_THAT(r.preset.training.parts, ElementsAre(kDenoiser, kTe1, kTe2));
  ASSERT_EQ(r.preset.optimizer.groups.size(), 2u);
  EXPECT_EQ(r.preset.optimizer.groups[0].learning_rate, 5e-5);
  EXPECT_EQ(r.preset.optimizer.groups[1].learning_rate, 1e-5);
  EXPECT_THAT(row(r, "network_args.train_t5xxl").targets, ElementsAre("training.parts"));
  EXPECT_EQ(r.count(ImportFate::unknown), 0u);
  EXPECT_THAT(flux1_by_scripts("text_encoder_lr = [5e-5, 1e-5]\n").preset.training.parts,
              ElementsAre(kDenoiser, kTe1))
      << "CLIP alone";
  EXPECT_THAT(
      flux1_by_scripts("network_train_unet_only = true\nnetwork_args = [\"train_t5xxl=True\"]\n")
          .preset.training.parts,
      ElementsAre(kDenoiser));
  const ImportResult gui =
      flux1_by_kohya_ss(R"("text_encoder_lr": 5e-5, "t5xxl_lr": 1e-5, "train_t5xxl": true)");
  EXPECT_THAT(gui.preset.training.parts, ElementsAre(kDenoiser, kTe1, kTe2));
  ASSERT_EQ(gui.preset.optimizer.groups.size(), 2u);
  EXPECT_EQ(gui.preset.optimizer.groups[1].learning_rate, 1e-5);
  EXPECT_EQ(row(gui, "t5xxl_lr").fate, ImportFate::mapped);
  EXPECT_EQ(row(flux1_by_kohya_ss(R"("t5xxl_lr": 1e-5, "text_encoder_lr": 5e-5)"), "t5xxl_lr").fate,
            ImportFate::ignored);
}

TEST(ImportFlux1, KohyaSsHasTheSameAsKeys) {
  const ImportResult r = flux1_by_kohya_ss(
      R"("train_blocks": "double", "split_qkv": true, "enable_all_linear": true, "split_mode": false,
         "img_attn_dim": "4", "img_mod_dim": "", "in_dims": "", "t5xxl_lr": 0,
         "train_double_block_indices": "all", "train_single_block_indices": "none",
         "train_t5xxl": false, "mem_eff_save": false, "double_blocks_to_swap": 0,
         "single_blocks_to_swap": 0, "flux1_t5xxl": "", "flux1_clip_l": "c",
         "flux1_cache_text_encoder_outputs_to_disk": true, "train_lora_ggpo": false,
         "flux_fused_backward_pass": false, "guidance_scale": 3.5, "apply_t5_attn_mask": true)");
  EXPECT_EQ(r.count(ImportFate::unknown), 0u);
  EXPECT_EQ(ranks_of(r).front(), "denoiser.single_transformer_blocks.* 0 0");
  EXPECT_EQ(ranks_of(r).size(), 5u);
  EXPECT_THAT(row(r, "train_blocks").note.text(), HasSubstr("where split_mode is set"));
  EXPECT_THAT(row(r, "enable_all_linear").note.text(), HasSubstr("OFT"));
  EXPECT_THAT(change_of(r, "guidance_scale"), HasSubstr("1 in training here"));
  EXPECT_THAT(change_of(r, "apply_t5_attn_mask"), HasSubstr("a mask for the padding"));
  const ImportResult split = flux1_by_kohya_ss(R"("split_mode": true, "train_blocks": "all")");
  EXPECT_THAT(ranks_of(split), ElementsAre("denoiser.transformer_blocks.* 0 0"));
  EXPECT_EQ(row(split, "split_mode").fate, ImportFate::mapped);

  const ImportResult sdxl = import_preset_text(
      R"({"LoRA_type": "Standard", "sdxl": true, "network_dim": 8, "unet_lr": 1e-4,
          "train_blocks": "single", "img_attn_dim": "4", "split_qkv": false, "train_t5xxl": true,
          "guidance_scale": 3.5, "model_prediction_type": "sigma_scaled",
          "t5xxl_max_token_length": 256})",
      "x.json");
  EXPECT_TRUE(sdxl.preset.adapter.ranks.empty());
  EXPECT_EQ(sdxl.count(ImportFate::changed), 0u) << "none of these keys is SDXL's";
  EXPECT_THAT(row(sdxl, "img_attn_dim").note.text(), HasSubstr("plain LoRA of FLUX.1"));
}

}  // namespace
}  // namespace mantissa
