// FLUX.3's names: weights of the released transformer in both namings, modules of adapters.
#include "engine/io/inspect.h"
#include "engine/models/flux3/flux3.h"
#include "engine/models/flux3/flux3_family.h"
#include "engine/models/flux3/flux3_keys.h"
#include "tests/engine/models/names_reference.h"

namespace mantissa {
namespace {

using namespace testing_support;

/// FLUX.3's transformer with the blocks of reference images.
class WithReferences : public Flux3Transformer {
 public:
  WithReferences(const Flux3Config& config, const Scope& scope)
      : Flux3Transformer(config, scope, Flux3References::given) {}
};

/// Every weight of klein Base's transformer.
Weights flux3_weights() {
  return released_weights<WithReferences>(Flux3Config{});
}

TEST(Flux3Binding, FullSizeNamesAndShapes) {
  expect_released(flux3_weights(), "flux3.tsv",
                  {"mode_blocks.image.", "mode_blocks.image_cond.", "txt_mode_blocks.",
                   "single_transformer_blocks."},
                  357, 5'538'458'368);
}

TEST(Flux3Keys, EveryNameComesBackFromTheOriginal) {
  const std::set<std::string> originals =
      original_names(flux3_weights(), flux3_to_original, flux3_to_diffusers);
  EXPECT_EQ(originals.size(), 357U);
  expect_names(
      originals, flux3_to_diffusers,
      {"emb_in.image.weight", "txt_in.weight", "time_in.in_layer.weight",
       "early_stream_modulations.image_cond.lin.weight", "single_stream_modulations.txt.lin.weight",
       "content_mode_blocks.image.4.q_proj.weight",
       "content_mode_blocks.image_cond.0.mlp_in.weight", "txt_mode_blocks.0.norm.query_norm.scale",
       "single_blocks.27.attn_out.weight", "final_layer.image.adaLN_modulation.1.weight",
       "final_layer.image.linear.weight"},
      {"content_mode_blocks.x.0.q_proj.weight", "content_mode_blocks.image", "single_blocks.0",
       "single_blocks.0.linear1.weight", "final_layer.linear.weight"});
}

TEST(Flux3Keys, NormsSavedByComfyuiAreWeights) {
  const auto mapping = flux3_to_diffusers("txt_mode_blocks.3.norm.key_norm.weight");
  ASSERT_TRUE(mapping);
  EXPECT_EQ(mapping->names.at(0), "txt_mode_blocks.3.attn.norm_k.weight");
}

TEST(Flux3Keys, HeadsOfTheAuthorsTrainingAreLeftOut) {
  const auto mapping = flux3_to_diffusers("repa_projectors.0.weight");
  ASSERT_TRUE(mapping);
  EXPECT_EQ(mapping->transform, NameTransform::dropped);
}

// diffusers' _convert_non_diffusers_flux3_lora_to_diffusers.
TEST(Flux3Keys, ModulesOfAdapters) {
  const WeightSource source = WeightSource::open(golden_model("flux3_base.safetensors"));
  expect_modules(
      *source.model_names(),
      {"denoiser.mode_blocks.image.1.attn.to_q", "denoiser.txt_mode_blocks.0.attn.to_out.0",
       "denoiser.single_transformer_blocks.0.ff.linear_in"},
      {{"transformer.mode_blocks.image.1.attn.to_q", 0},
       {"base_model.model.transformer.mode_blocks.image.1.attn.to_q", 0},
       {"diffusion_model.content_mode_blocks.image.1.q_proj", 0},
       {"lora_unet_content_mode_blocks_image_1_q_proj", 0},
       {"transformer.txt_mode_blocks.0.attn.to_out.0", 1},
       {"diffusion_model.txt_mode_blocks.0.attn_out", 1},
       {"transformer.single_transformer_blocks.0.ff.linear_in", 2},
       {"diffusion_model.single_blocks.0.mlp_in", 2},
       {"lora_unet_single_blocks_0_mlp_in", 2}});
}

TEST(Flux3Binding, AdapterTargets) {
  const auto count = [](const char* set) {
    return adapted_modules<Flux3Transformer>(set, kFlux3, Flux3Config{});
  };
  EXPECT_EQ(count("attention"), (2U * 5 + 28) * 4);
  EXPECT_EQ(count("attention+mlp"), (2U * 5 + 28) * 6);
}

TEST(Flux3Config, IsDetectedWithoutOne) {
  const WeightSource source = WeightSource::open(golden_model("flux3_bare.safetensors"));
  Flux3Config want;
  want.in_channels = want.reference_channels = 8;
  want.heads = 2;
  want.head_dim = 16;
  want.mode_blocks = 1;
  want.single_blocks = 2;
  want.context_channels = 28;
  want.time_channels = 64;
  want.mlp_ratio = 2;
  want.axes_dims = {4, 4, 4, 4};
  want.flow_map = true;
  EXPECT_EQ(flux3_config(source), want);
}

TEST(Flux3Config, OfAnotherModelIsNoticed) {
  const std::pair<const char*, nlohmann::json> others[] = {
      {"in_channels", 7},       {"cond_in_channels", 7},    {"num_layers", 7},
      {"num_single_layers", 7}, {"num_attention_heads", 7}, {"joint_attention_dim", 7},
      {"timestep_channels", 7}, {"mlp_ratio", 7},           {"flow_map", true}};
  for (const auto& [field, other] : others) {
    expect_refused("flux3", "transformer", field, other, {"config.json", field, other.dump()},
                   flux3_config);
  }
}

TEST(Flux3Variants, AFlowMapIsDistilled) {
  const ModelSummary distilled = inspect(golden_model("flux3_bare.safetensors"));
  EXPECT_EQ(distilled.variant, "16-step");
  EXPECT_TRUE(distilled.distilled);
  EXPECT_NE(distilled.variant_evidence.text().find("FLUX.3 Image klein Base"), std::string::npos);
  const ModelSummary base = inspect(golden_model("flux3_base.safetensors"));
  EXPECT_EQ(base.variant, "Base");
  EXPECT_FALSE(base.distilled);
}

}  // namespace
}  // namespace mantissa
