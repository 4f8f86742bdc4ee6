// Chroma in the configurations of other trainers, most of whose keys are FLUX.1's.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/preset/import.h"
#include "tests/engine/preset/import_flux1_samples.h"

namespace mantissa {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing_support::change_of;
using testing_support::ranks_of;
using testing_support::row;

ImportResult chroma_by_scripts(const std::string& more) {
  const ImportResult r = import_preset_text(
      "network_module = \"networks.lora_flux\"\nmodel_type = \"chroma\"\nnetwork_dim = 16\n"
      "network_alpha = 8\nlearning_rate = 1e-4\n" +
          more,
      "x.toml");
  EXPECT_EQ(r.preset.model.family, ModelFamily("chroma"));
  EXPECT_EQ(r.count(ImportFate::unknown), 0u) << more;
  return r;
}

// Their blocks have no layers for modulations, and T5 alone reads captions.
TEST(ImportChroma, IsTrainedAsSdScriptsDo) {
  const ImportResult r = chroma_by_scripts(
      "guidance_scale = 0.0\napply_t5_attn_mask = true\ntimestep_sampling = \"sigmoid\"\n"
      "model_prediction_type = \"raw\"\nt5xxl_max_token_length = 512\n");
  EXPECT_THAT(r.preset.adapter.targets, ElementsAre("attention+mlp"));
  EXPECT_THAT(r.preset.training.parts, ElementsAre(kDenoiser));
  EXPECT_EQ(r.preset.training.timesteps, TimestepDistribution::sigmoid);
  for (const char* key : {"guidance_scale", "apply_t5_attn_mask", "t5xxl_max_token_length"}) {
    EXPECT_EQ(row(r, key).fate, ImportFate::ignored) << key;
  }
}

TEST(ImportChroma, AGuidanceScaleIsAChange) {
  EXPECT_THAT(change_of(chroma_by_scripts("guidance_scale = 3.5\n"), "guidance_scale"),
              HasSubstr("trained with guidance 0"));
  EXPECT_THAT(change_of(chroma_by_scripts(""), "guidance_scale"),
              HasSubstr("trained with guidance 0"));
}

TEST(ImportChroma, T5IsTheOnlyTextEncoder) {
  const ImportResult r =
      chroma_by_scripts("network_args = [\"train_t5xxl=True\"]\ntext_encoder_lr = [1e-5, 2e-5]\n");
  EXPECT_THAT(r.preset.training.parts, ElementsAre(kDenoiser, kTe1));
  const ImportResult blocks =
      chroma_by_scripts("network_args = [\"train_double_block_indices=none\"]\n");
  EXPECT_THAT(ranks_of(blocks), ElementsAre("denoiser.transformer_blocks.* 0 0"));
}

TEST(ImportChroma, LayersBeforeTheBlocksAreAdded) {
  const ImportResult r = chroma_by_scripts("network_args = [\"in_dims=[4,0,0,0,8]\"]\n");
  EXPECT_THAT(r.preset.adapter.targets,
              ElementsAre("attention+mlp", "denoiser.x_embedder", "denoiser.context_embedder"));
}

TEST(ImportChroma, LayersOfSimpleTunerHaveTheSameNames) {
  const ImportResult r = import_preset_text(
      R"({"--model_family": "chroma", "--model_type": "lora", "--lora_type": "standard",
          "--flux_lora_target": "all+ffs"})",
      "config.json");
  EXPECT_EQ(r.preset.model.family, ModelFamily("chroma"));
  EXPECT_THAT(r.preset.adapter.targets, ElementsAre("attention+mlp", "denoiser.proj_out"));
}

TEST(ImportChroma, AnAdaptersMetadataTellsIt) {
  EXPECT_EQ(import_preset_metadata({{"ss_network_dim", "4"},
                                    {"ss_network_module", "networks.lora_flux"},
                                    {"ss_base_model_version", "chroma"}},
                                   "a.safetensors")
                .preset.model.family,
            ModelFamily("chroma"));
}

}  // namespace
}  // namespace mantissa
