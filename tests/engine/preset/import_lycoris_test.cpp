#include "engine/preset/import_lycoris.h"

#include <algorithm>

#include "engine/core/glob.h"
#include "tests/engine/preset/import_samples.h"

namespace mantissa {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing_support::expect_reported;
using testing_support::expect_safe;
using testing_support::row;

// As LyCORIS's own example, shortened.
constexpr const char* kPreset = R"(enable_conv = true
unet_target_module = ["Transformer2DModel", "ResnetBlock2D", "HunYuanDiTBlock"]
unet_target_name = ["conv_in", "time_embedding.linear_1"]
text_encoder_target_module = ["CLIPAttention", "CLIPSdpaAttention"]

[module_algo_map]
  [module_algo_map.CrossAttention]
    algo = "lora"
    dim = 16
  [module_algo_map.ResnetBlock2D]
    algo = "lokr"
    dim = 4
    alpha = 1
    use_tucker = true
  [module_algo_map.HunYuanDiTBlock]
    dim = 8
[name_algo_map]
  [name_algo_map."mid_block\\.attentions.*ff"]
    dim = 32
)";

TEST(ImportLycoris, APresetGivesTargetsAndRanks) {
  const ImportResult r = import_preset_text(kPreset, "preset.toml");
  EXPECT_EQ(r.format, ImportFormat::lycoris);
  EXPECT_THAT(
      r.preset.adapter.targets,
      ElementsAre("denoiser.*.attentions.*", "denoiser.*.resnets.*", "text_encoder*.self_attn.*",
                  "denoiser.conv_in*", "denoiser.time_embedding.linear_1*"));
  EXPECT_EQ(r.preset.adapter.ranks,
            (std::vector<LayerRank>{{"denoiser.mid_block.attentions*ff*", 32, 0},
                                    {"denoiser.*.attn*", 16, 0},
                                    {"denoiser.*.resnets.*", 4, 1}}));
  EXPECT_EQ(row(r, "unet_target_module").fate, ImportFate::changed);
  EXPECT_THAT(row(r, "unet_target_module").note.text(), HasSubstr("HunYuanDiTBlock"));
  EXPECT_EQ(row(r, "text_encoder_target_module").fate, ImportFate::mapped);
  EXPECT_EQ(row(r, "module_algo_map.CrossAttention.algo").fate, ImportFate::mapped);
  EXPECT_EQ(row(r, "module_algo_map.ResnetBlock2D.algo").fate, ImportFate::changed);
  EXPECT_EQ(row(r, "module_algo_map.ResnetBlock2D.use_tucker").fate, ImportFate::ignored);
  EXPECT_EQ(row(r, "module_algo_map.HunYuanDiTBlock.dim").fate, ImportFate::changed);
  expect_safe(r);
  expect_reported(r);
}

TEST(ImportLycoris, AConfigurationGivesTheFormToo) {
  const ImportResult r = import_preset_text(
      R"({"algo": "lokr", "multiplier": 1.0, "linear_dim": 10000, "linear_alpha": 1, "factor": 16,
          "apply_preset": {"target_module": ["Attention", "FeedForward"],
                           "module_algo_map": {"Attention": {"factor": 8},
                                               "FeedForward": {"dim": 100000, "alpha": 2}}}})",
      "lycoris_config.json");
  EXPECT_EQ(r.format, ImportFormat::lycoris);
  EXPECT_EQ(r.preset.adapter.type, AdapterType::lokr);
  EXPECT_EQ(r.preset.adapter.rank, 1024);
  EXPECT_EQ(r.preset.adapter.alpha, 1024) << "a whole matrix has none";
  EXPECT_EQ(r.preset.adapter.factor, 16);
  EXPECT_THAT(r.preset.adapter.targets,
              ElementsAre("denoiser.*.attn*", "denoiser.*.attention.*", "denoiser.*.net.*",
                          "denoiser.*.feed_forward.*"));
  EXPECT_EQ(r.preset.adapter.ranks,
            (std::vector<LayerRank>{{"denoiser.*.net.*", 1024, 2},
                                    {"denoiser.*.feed_forward.*", 1024, 2}}));
  EXPECT_THAT(row(r, "apply_preset.module_algo_map.Attention.factor").note.text(),
              HasSubstr("all layers"));
  expect_safe(r);
  expect_reported(r);
}

TEST(ImportLycoris, ClassesOfFlux2NameItsLayers) {
  const ImportResult r = import_preset_text(
      R"({"algo": "lokr", "linear_dim": 10000, "full_matrix": true, "factor": 4,
          "apply_preset": {"target_module": ["Flux2Attention", "Flux2FeedForward",
                                             "Flux2ParallelSelfAttention"],
                           "module_algo_map": {"Flux2FeedForward": {"factor": 4},
                                               "Flux2Attention": {"factor": 2}}}})",
      "lycoris_config.json");
  EXPECT_THAT(r.preset.adapter.targets, ElementsAre("denoiser.transformer_blocks.*.attn.*",
                                                    "denoiser.transformer_blocks.*.ff*.*",
                                                    "denoiser.single_transformer_blocks.*.attn.*"));
  EXPECT_EQ(r.preset.adapter.factor, 4);
  EXPECT_EQ(row(r, "apply_preset.target_module").fate, ImportFate::mapped);
  EXPECT_EQ(row(r, "apply_preset.module_algo_map.Flux2FeedForward.factor").fate,
            ImportFate::mapped);
  EXPECT_EQ(row(r, "apply_preset.module_algo_map.Flux2Attention.factor").fate, ImportFate::changed);
  const ImportResult other = import_preset_text(
      R"({"algo": "lokr", "apply_preset": {"target_module": ["SwiGLUFFN"]}})", "x.json");
  EXPECT_EQ(row(other, "apply_preset.target_module").fate, ImportFate::changed);
}

// As diffusers' models have modules of the class: SDXL, FLUX.1, Qwen-Image, Z-Image; not those of
// Qwen-Image-2.1, whose class is its own.
TEST(ImportLycoris, FeedForwardsAreThoseOfEveryModel) {
  const ImportResult r = import_preset_text(
      R"({"algo": "lora", "apply_preset": {"target_module": ["FeedForward"]}})", "x.json");
  const auto chosen = [&](const std::string& path) {
    return std::ranges::any_of(r.preset.adapter.targets, [&](const std::string& target) {
      return glob_match(target, "denoiser." + path);
    });
  };
  for (const char* path :
       {"down_blocks.1.attentions.0.transformer_blocks.0.ff.net.0.proj",
        "transformer_blocks.0.ff_context.net.2", "transformer_blocks.0.img_mlp.net.0.proj",
        "transformer_blocks.0.txt_mlp.net.2", "layers.0.feed_forward.w1"}) {
    EXPECT_TRUE(chosen(path)) << path;
  }
  for (const char* path : {"transformer_blocks.0.attn.to_q", "transformer_blocks.0.img_mod.1",
                           "transformer_blocks.0.img_mlp.gate_layer"}) {
    EXPECT_FALSE(chosen(path)) << path;
  }
}

TEST(ImportLycoris, ExpressionsThatAreNoGlobsAreReported) {
  const ImportResult r = import_preset_text(
      "unet_target_name = [\"(up|down)_blocks\", \"conv_out\"]\n"
      "[name_algo_map.\"up_blocks.[01]\"]\ndim = 4\n",
      "preset.toml");
  EXPECT_THAT(r.preset.adapter.targets, ElementsAre("denoiser.conv_out*"));
  EXPECT_TRUE(r.preset.adapter.ranks.empty());
  EXPECT_THAT(row(r, "unet_target_name").note.text(), HasSubstr("(up|down)_blocks"));
  expect_reported(r);
}

TEST(ImportLycoris, OtherFormatsAreNone) {
  EXPECT_EQ(import_preset_text("network_dim = 8\n", "x.toml").format, ImportFormat::kohya);
}

}  // namespace
}  // namespace mantissa
