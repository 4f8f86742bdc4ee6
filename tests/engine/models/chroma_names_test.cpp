// Chroma's names: weights of the released transformer in both namings, modules of adapters,
// configs, and what tells it from FLUX.1.
#include "engine/io/inspect.h"
#include "engine/io/model_writer.h"
#include "engine/models/chroma/chroma.h"
#include "engine/models/chroma/chroma_family.h"
#include "engine/models/chroma/chroma_keys.h"
#include "engine/models/flux1/flux1_family.h"
#include "engine/precision/rules.h"
#include "tests/engine/models/names_reference.h"

namespace mantissa {
namespace {

namespace fs = std::filesystem;
using namespace testing_support;

/// Every weight of the released transformer.
Weights chroma_weights() {
  return released_weights<ChromaTransformer>(ChromaConfig{});
}

TEST(ChromaBinding, FullSizeNamesAndShapes) {
  expect_released(chroma_weights(), "chroma.tsv",
                  {"transformer_blocks.", "single_transformer_blocks.",
                   "distilled_guidance_layer.layers.", "distilled_guidance_layer.norms."},
                  1023, 8'899'983'424);
}

TEST(ChromaKeys, EveryNameComesBackFromTheOriginal) {
  const std::set<std::string> originals =
      original_names(chroma_weights(), chroma_to_original, chroma_to_diffusers);
  EXPECT_EQ(originals.size(), 1023U - 19 * 8 - 38 * 6) << "weights and biases that share a tensor";
  expect_names(
      originals, chroma_to_diffusers,
      {"img_in.bias", "txt_in.weight", "distilled_guidance_layer.in_proj.weight",
       "distilled_guidance_layer.out_proj.bias",
       "distilled_guidance_layer.layers.4.in_layer.weight",
       "distilled_guidance_layer.layers.0.out_layer.bias", "distilled_guidance_layer.norms.4.scale",
       "double_blocks.18.txt_attn.qkv.bias", "double_blocks.0.img_attn.norm.query_norm.scale",
       "double_blocks.0.img_mlp.2.weight", "single_blocks.37.linear1.weight",
       "single_blocks.0.norm.key_norm.scale", "final_layer.linear.weight"},
      {"time_in.in_layer.weight", "vector_in.out_layer.bias", "guidance_in.in_layer.weight",
       "double_blocks.0.img_mod.lin.weight", "double_blocks.0.txt_mod.lin.bias",
       "single_blocks.0.modulation.lin.bias", "final_layer.adaLN_modulation.1.weight",
       "distilled_guidance_layer.layers.0.linear_1.weight"});
}

TEST(ChromaKeys, NormsSavedByComfyuiAreWeights) {
  const auto mapping = chroma_to_diffusers("distilled_guidance_layer.norms.2.weight");
  ASSERT_TRUE(mapping);
  EXPECT_EQ(mapping->names.at(0), "distilled_guidance_layer.norms.2.weight");
}

TEST(ChromaKeys, WeightsOfFlux1AreNotIts) {
  for (const char* name : {"time_text_embed.timestep_embedder.linear_1.weight",
                           "norm_out.linear.weight", "transformer_blocks.0.norm1.linear.weight",
                           "transformer_blocks.0.norm1_context.linear.bias",
                           "single_transformer_blocks.0.norm.linear.weight"}) {
    EXPECT_FALSE(chroma_to_original(name)) << name;
  }
}

TEST(ChromaKeys, ModulesOfAdapters) {
  const WeightSource source = WeightSource::open(golden_model("chroma_base.safetensors"));
  expect_modules(
      *source.model_names(),
      {"denoiser.transformer_blocks.1.attn.to_q", "denoiser.transformer_blocks.0.attn.to_add_out",
       "denoiser.single_transformer_blocks.0.proj_out",
       "denoiser.distilled_guidance_layer.layers.1.linear_2"},
      {{"transformer.transformer_blocks.1.attn.to_q", 0},
       {"transformer_blocks.1.attn.to_q", 0},
       {"diffusion_model.double_blocks.0.txt_attn.proj", 1},
       {"lora_unet_double_blocks_0_txt_attn_proj", 1},
       {"diffusion_model.single_blocks.0.linear2", 2},
       {"lora_unet_single_blocks_0_linear2", 2},
       {"lora_unet_distilled_guidance_layer_layers_1_out_layer", 3}});
}

TEST(ChromaBinding, AdapterTargets) {
  const auto count = [](const char* set) {
    return adapted_modules<ChromaTransformer>(set, kChroma, ChromaConfig{});
  };
  EXPECT_EQ(count("attention"), 19U * 8 + 38 * 3);
  EXPECT_EQ(count("attention+mlp"), 19U * 12 + 38 * 5);
}

// What all blocks rely on isn't trained, whatever a pattern says.
TEST(ChromaBinding, TheApproximatorIsNeverAdapted) {
  const auto count = [](const char* set) {
    return adapted_modules<ChromaTransformer>(set, kChroma, ChromaConfig{});
  };
  EXPECT_EQ(count("denoiser.distilled_guidance_layer.*"), 0U);
  EXPECT_EQ(count("*"), 19U * 12 + 38 * 5 + 3) << "the blocks, two entries and the exit";
}

TEST(ChromaBinding, NorTrainedInFull) {
  Preset preset = lora_preset({"*"}, 4, 4, 4, {kDenoiser});
  preset.training.method = TrainingMethod::full;
  preset.training.weights = {"*"};
  TrainedSet trained = TrainedSet::planning(preset, kChroma);
  WeightStore store = WeightStore::planning();
  const ChromaTransformer model(ChromaConfig{}, Scope(store, &trained, kDenoiser));
  EXPECT_EQ(trained.weights().size(), 1023U - (4 + 5 * 5));
  for (const TrainedWeight& weight : trained.weights()) {
    EXPECT_EQ(weight.path.find("distilled_guidance_layer"), std::string::npos) << weight.path;
  }
  preset.precision.compute = ComputeType::bf16;
  preset.precision.weights.denoiser = StorageType::bf16;
  const PrecisionRules rules(preset, kChroma.id());
  const auto stored = [&](const char* path) { return rules.of(path, ModuleKind::linear).storage; };
  EXPECT_EQ(stored("denoiser.distilled_guidance_layer.layers.0.linear_1"), DType::bf16);
  EXPECT_EQ(stored("denoiser.transformer_blocks.0.attn.to_q"), DType::f32) << "a master";
}

TEST(ChromaConfigs, AreDetectedWithoutOne) {
  const WeightSource source = WeightSource::open(golden_model("chroma_bare.safetensors"));
  ChromaConfig want;
  want.heads = 2;
  want.head_dim = 8;
  want.double_blocks = 1;
  want.single_blocks = 1;
  want.context_channels = 28;
  want.axes_dims = {2, 4, 2};
  want.approximator_channels = 24;
  want.approximator_width = 28;
  want.approximator_layers = 1;
  EXPECT_EQ(chroma_config(source), want);
}

TEST(ChromaConfigs, OfAnotherModelAreNoticed) {
  const std::pair<const char*, nlohmann::json> others[] = {{"in_channels", 32},
                                                           {"num_layers", 7},
                                                           {"num_single_layers", 7},
                                                           {"num_attention_heads", 7},
                                                           {"joint_attention_dim", 7},
                                                           {"approximator_num_channels", 64},
                                                           {"approximator_hidden_dim", 7},
                                                           {"approximator_layers", 7}};
  for (const auto& [field, other] : others) {
    expect_refused("chroma", "transformer", field, other, {"config.json", field, other.dump()},
                   chroma_config);
  }
}

// Both ways: their blocks have the same names.
TEST(ChromaFiles, AreToldFromFlux1s) {
  for (const char* file : {"chroma", "chroma_base.safetensors", "chroma_bare.safetensors"}) {
    EXPECT_EQ(&WeightSource::open(golden_model(file)).family(), &kChroma) << file;
    EXPECT_EQ(inspect(golden_model(file)).family, "chroma") << file;
  }
  for (const char* file : {"flux1", "flux1_base.safetensors", "flux1_bare.safetensors"}) {
    EXPECT_EQ(&WeightSource::open(golden_model(file)).family(), &kFlux1) << file;
    EXPECT_EQ(inspect(golden_model(file)).family, "flux1") << file;
  }
}

// ComfyUI's files of all parts.
TEST(ChromaFiles, HoldAllParts) {
  expect_all_parts_in_one_file(
      "chroma", kChroma,
      {"model.diffusion_model.single_blocks.1.linear1.weight",
       "model.diffusion_model.distilled_guidance_layer.norms.1.scale",
       "text_encoders.t5xxl.transformer.shared.weight", "vae.decoder.conv_in.weight"});
}

TEST(ChromaFiles, OfT5MayHaveItsTableTwice) {
  const auto names = WeightSource::open(golden_model("chroma")).model_names();
  const auto meaning = [&](const char* name) {
    return names->canonical(kTe1, TensorInfo{.name = name, .dtype = "F32", .type = DType::f32});
  };
  EXPECT_EQ(meaning("encoder.embed_tokens.weight")->transform, NameTransform::dropped);
  EXPECT_EQ(meaning("encoder.final_layer_norm.weight")->part, kTe1);
  EXPECT_FALSE(meaning("text_model.final_layer_norm.weight"));
  EXPECT_FALSE(names->canonical(
      kTe2, TensorInfo{.name = "shared.weight", .dtype = "F32", .type = DType::f32}))
      << "a second encoder, as FLUX.1 has";
}

TEST(ChromaVariants, FlashIsDistilled) {
  const test::TempFolder folder;
  const std::pair<const char*, bool> files[] = {
      {"Chroma1-HD", false}, {"chroma-unlocked-v50", false}, {"Chroma1-HD-Flash", true}};
  for (const auto& [name, distilled] : files) {
    const fs::path path = folder / (std::string(name) + ".safetensors");
    fs::copy(golden_model("chroma_base.safetensors"), path);
    EXPECT_EQ(inspect(path).distilled, distilled) << name;
    EXPECT_EQ(inspect(path).variant, distilled ? "Flash" : "unknown") << name;
  }
}

}  // namespace
}  // namespace mantissa
