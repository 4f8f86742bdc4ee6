// FLUX.1 in the configurations of other trainers: what they mean there, and what they may not
// become.
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/preset/import.h"
#include "tests/engine/preset/import_samples.h"

namespace mantissa {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing_support::expect_reported;
using testing_support::expect_safe;
using testing_support::row;

ImportResult flux1_by_scripts(const std::string& more) {
  const ImportResult r = import_preset_text(
      "network_module = \"networks.lora_flux\"\nnetwork_dim = 16\nnetwork_alpha = 8\n"
      "learning_rate = 1e-4\n" +
          more,
      "x.toml");
  EXPECT_EQ(r.preset.model.family, ModelFamily("flux1"));
  expect_reported(r);
  expect_safe(r);
  return r;
}

ImportResult flux1_arguments(const std::string& arguments) {
  return flux1_by_scripts("network_args = [" + arguments + "]\n");
}

ImportResult flux1_by_kohya_ss(const std::string& more) {
  return import_preset_text(R"({"LoRA_type": "Flux1", "flux1_checkbox": true, "network_dim": 16,
                               "network_alpha": 8, "unet_lr": 1e-4, )" +
                                more + "}",
                            "x.json");
}

ImportResult flux1_by_simpletuner(const std::string& more) {
  const ImportResult r = import_preset_text(
      R"({"--model_family": "flux", "--model_type": "lora", "--lora_type": "standard", )" + more +
          "}",
      "config.json");
  EXPECT_EQ(r.count(ImportFate::unknown), 0u) << more;
  expect_reported(r);
  return r;
}

ImportResult flux1_by_ai_toolkit(const std::string& model) {
  return import_preset_text(
      "job: extension\nconfig:\n  process:\n    - type: sd_trainer\n      network: {type: lora, "
      "linear: 8}\n      model: {" +
          model + "}\n",
      "x.yaml");
}

ImportResult flux1_by_onetrainer(const std::string& base, const std::string& more = "") {
  return import_preset_text(
      R"({"training_method": "LORA", "model_type": "FLUX_DEV_1", "base_model_name": ")" + base +
          "\"" + more + "}",
      "x.json");
}

/// The row's note where the training differs; else the name of its fate.
std::string change_of(const ImportResult& r, const std::string& key) {
  const ImportRow& each = row(r, key);
  return each.fate == ImportFate::changed ? each.note.text()
                                          : std::string(import_fate_name(each.fate));
}

std::vector<std::string> ranks_of(const ImportResult& r) {
  std::vector<std::string> all;
  for (const LayerRank& each : r.preset.adapter.ranks) {
    all.push_back(each.layers + " " + std::to_string(each.rank) + " " +
                  std::to_string(static_cast<int>(each.alpha)));
  }
  return all;
}

const std::vector<std::string> kFlux1Blocks{"attention+mlp",
                                            "denoiser.*transformer_blocks.*.norm*"};

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

TEST(ImportFlux1, SimpleTunersLayersAreThose) {
  const std::pair<const char*, std::vector<std::string>> sets[] = {
      {"all", {"attention"}},
      {"mmdit",
       {"denoiser.*transformer_blocks.*.attn.to_q", "denoiser.*transformer_blocks.*.attn.to_k",
        "denoiser.*transformer_blocks.*.attn.to_v", "denoiser.transformer_blocks.*.attn.to_out.*"}},
      {"context",
       {"denoiser.transformer_blocks.*.attn.add_*",
        "denoiser.transformer_blocks.*.attn.to_add_out"}},
      {"context+ffs",
       {"denoiser.transformer_blocks.*.attn.add_*", "denoiser.transformer_blocks.*.attn.to_add_out",
        "denoiser.transformer_blocks.*.ff_context.*"}},
      {"all+ffs", {"attention+mlp", "denoiser.proj_out"}},
      {"all+ffs+embedder", {"attention+mlp", "denoiser.proj_out", "denoiser.x_embedder"}},
      {"ai-toolkit",
       {"attention+mlp", "denoiser.proj_out", "denoiser.*transformer_blocks.*.norm*"}},
      {"tiny",
       {"denoiser.single_transformer_blocks.7.proj_out",
        "denoiser.single_transformer_blocks.20.proj_out"}},
      {"nano", {"denoiser.single_transformer_blocks.7.proj_out"}}};
  for (const auto& [name, targets] : sets) {
    const ImportResult r =
        flux1_by_simpletuner(R"("--flux_lora_target": ")" + std::string(name) + "\"");
    EXPECT_EQ(r.preset.adapter.targets, targets) << name;
    EXPECT_EQ(row(r, "--flux_lora_target").fate, ImportFate::mapped) << name;
  }
  const ImportResult other = flux1_by_simpletuner(R"("--flux_lora_target": "fluxgym")");
  EXPECT_THAT(change_of(other, "--flux_lora_target"), HasSubstr("see adapter.targets"));
  EXPECT_THROW(flux1_by_simpletuner(R"("--flux_lora_target": "all+ffs+embedder+controlnet")"),
               UnsupportedFamily);
  const ImportResult lycoris = import_preset_text(
      R"({"model_family": "flux", "model_type": "lora", "lora_type": "lycoris",
          "flux_lora_target": "tiny"})",
      "config.json");
  EXPECT_EQ(lycoris.preset.adapter.targets, Preset{}.adapter.targets);
  EXPECT_EQ(row(lycoris, "flux_lora_target").fate, ImportFate::ignored);
}

TEST(ImportFlux1, SimpleTunersGuidanceAndSchedules) {
  const ImportResult r = flux1_by_simpletuner(
      R"("--flux_guidance_mode": "constant", "--flux_guidance_value": 1.0, "--flux_guidance_min": 1,
         "--flux_guidance_max": 4, "--flux_attention_masked_training": false,
         "--flux_fast_schedule": false, "--flux_schedule_shift": 2.5,
         "--flux_schedule_auto_shift": false, "--flux_use_uniform_schedule": true,
         "--flux_use_beta_schedule": false, "--flux_beta_schedule_alpha": 2,
         "--flux_beta_schedule_beta": 2, "--max_grad_norm": 1, "--grad_clip_method": "norm",
         "--flow_matching_sigmoid_scale": 1)");
  EXPECT_EQ(change_of(r, "--flux_guidance_value"), "ignored") << "1, as here";
  EXPECT_EQ(change_of(r, "--flux_guidance_max"), "ignored");
  EXPECT_EQ(change_of(r, "--flux_attention_masked_training"), "ignored");
  EXPECT_EQ(r.preset.training.flow_shift, 2.5) << "the older name of flow_schedule_shift";
  EXPECT_EQ(r.preset.training.timesteps, TimestepDistribution::uniform);
  const ImportResult both =
      flux1_by_simpletuner(R"("--flux_schedule_shift": 2.5, "--flow_schedule_shift": 4)");
  EXPECT_EQ(both.preset.training.flow_shift, 4);
  EXPECT_THAT(row(both, "--flux_schedule_shift").note.text(), HasSubstr("--flow_schedule_shift"));

  const std::pair<const char*, const char*> changes[] = {
      {R"("--flux_guidance_mode": "random-range")", "1 in training here"},
      {R"("--flux_guidance_value": 3.5)", "1 in training here"},
      {R"("--flux_attention_masked_training": true)", "a mask for the padding"},
      {R"("--flux_fast_schedule": true)", "another choice of timesteps"},
      {R"("--flux_use_beta_schedule": true)", "another choice of timesteps"},
      {R"("--flow_sigmoid_scale": 0.5)", "another choice of timesteps"},
      {R"("--model_flavour": "schnell")", "--training-adapter"},
      {R"("--model_flavour": "libreflux")", "a mask for the padding"},
      {R"("--model_flavour": "fluxbooru")", "1 in training here"}};
  for (const auto& [key, note] : changes) {
    const std::string name = std::string(key).substr(1, std::string(key).find('"', 1) - 1);
    const ImportResult differs = flux1_by_simpletuner(key);
    EXPECT_THAT(change_of(differs, name), HasSubstr(note)) << key;
    EXPECT_EQ(differs.preset.training.timesteps, TimestepDistribution::shifted) << key;
  }
  EXPECT_EQ(change_of(flux1_by_simpletuner(
                          R"("--model_flavour": "schnell", "--disable_assistant_lora": true)"),
                      "--model_flavour"),
            "ignored");
  EXPECT_EQ(change_of(flux1_by_simpletuner(R"("--model_flavour": "krea")"), "--model_flavour"),
            "ignored");
  const ImportResult older = import_preset_text(
      "export MODEL_TYPE='lora'\nexport FLUX=true\nexport FLUX_LORA_TARGET=nano\n"
      "export FLUX_GUIDANCE_VALUE=3.5\n",
      "config.env");
  EXPECT_EQ(older.preset.model.family, ModelFamily("flux1"));
  EXPECT_THAT(older.preset.adapter.targets,
              ElementsAre("denoiser.single_transformer_blocks.7.proj_out"));
  EXPECT_THAT(change_of(older, "FLUX_GUIDANCE_VALUE"), HasSubstr("1 in training here"));
  const ImportResult sdxl = import_preset_text(
      R"({"model_family": "sdxl", "model_type": "lora", "flux_guidance_value": 3.5,
          "flux_lora_target": "tiny", "flux_fast_schedule": true})",
      "config.json");
  EXPECT_EQ(row(sdxl, "flux_guidance_value").fate, ImportFate::ignored);
}

TEST(ImportFlux1, AGuidanceScaleOfOneTrainerIsTold) {
  EXPECT_THAT(change_of(flux1_by_onetrainer("x", R"(, "transformer": {"guidance_scale": 3.5})"),
                        "transformer.guidance_scale"),
              HasSubstr("1 in training here"));
  EXPECT_EQ(change_of(flux1_by_onetrainer("x", R"(, "transformer": {"guidance_scale": 1.0})"),
                      "transformer.guidance_scale"),
            "ignored");
}

/// Every program with this path or repository.
std::vector<std::function<ImportResult()>> flux1_imports(const std::string& model) {
  return {
      [=] { return flux1_by_scripts("pretrained_model_name_or_path = \"" + model + "\"\n"); },
      [=] { return flux1_by_kohya_ss(R"("pretrained_model_name_or_path": ")" + model + "\""); },
      [=] { return flux1_by_ai_toolkit("arch: flux, name_or_path: \"" + model + "\""); },
      [=] { return flux1_by_ai_toolkit("name_or_path: \"" + model + "\", is_flux: true"); },
      [=] { return flux1_by_onetrainer(model); },
      [=] {
        return flux1_by_onetrainer("x", R"(, "transformer": {"model_name": ")" + model + "\"}");
      },
      [=] { return flux1_by_simpletuner(R"("pretrained_model_name_or_path": ")" + model + "\""); },
      [=] {
        return import_preset_metadata({{"ss_network_module", "networks.lora_flux"},
                                       {"ss_network_dim", "4"},
                                       {"ss_sd_model_name", model}},
                                      "a.safetensors");
      }};
}

TEST(ImportFlux1, ModelsOfItsNameAreRefusedByTheirs) {
  const std::pair<const char*, const char*> models[] = {
      {"black-forest-labs/FLUX.1-Fill-dev", "FLUX.1 Fill"},
      {"black-forest-labs/FLUX.1-Kontext-dev", "FLUX.1 Kontext"},
      {"black-forest-labs/FLUX.1-Canny-dev", "FLUX.1 Canny"},
      {"black-forest-labs/FLUX.1-Depth-dev", "FLUX.1 Depth"},
      {"black-forest-labs/FLUX.1-Redux-dev", "FLUX.1 Redux"},
      {"lodestones/Chroma1-HD", "Chroma"},
      {"ostris/Flex.1-alpha", "Flex.1"},
      {"ostris/Flex.2-preview", "Flex.2"},
      {"/models/flux1-dev-kontext_fp8_scaled.safetensors", "FLUX.1 Kontext"},
      {"/models/flux1-fill-dev.safetensors", "FLUX.1 Fill"},
      {"/cache/models--black-forest-labs--FLUX.1-Canny-dev/snapshots/0a1b/", "FLUX.1 Canny"}};
  for (const auto& [model, title] : models) {
    for (const auto& import : flux1_imports(model)) {
      try {
        import();
        ADD_FAILURE() << model;
      } catch (const UnsupportedFamily& e) {
        EXPECT_THAT(std::string(e.what()),
                    testing::AllOf(HasSubstr(title), HasSubstr("is not supported here")))
            << model;
      }
    }
  }
  for (const char* model :
       {"black-forest-labs/FLUX.1-dev", "black-forest-labs/FLUX.1-Krea-dev",
        "/models/flux1-schnell.safetensors", "/runs/fill-and-depth/flux1-dev.safetensors",
        "/models/flux-canny-tests/flux1-krea-dev.safetensors"}) {
    for (const auto& import : flux1_imports(model)) {
      EXPECT_EQ(import().preset.model.family, ModelFamily("flux1")) << model;
    }
  }
  EXPECT_EQ(import_preset_text("network_module = \"networks.lora\"\nnetwork_dim = 4\n"
                               "pretrained_model_name_or_path = \"/m/chromaXL.safetensors\"\n",
                               "x.toml")
                .preset.model.family,
            ModelFamily::automatic)
      << "another family's models may have such names";
}

}  // namespace
}  // namespace mantissa
