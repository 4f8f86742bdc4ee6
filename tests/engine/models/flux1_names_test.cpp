// FLUX.1's names: weights of the released transformer in both namings, modules of adapters, configs
// and variants.
#include <algorithm>
#include <cstring>
#include <functional>
#include <tuple>

#include "engine/io/inspect.h"
#include "engine/io/model_writer.h"
#include "engine/models/flux1/flux1.h"
#include "engine/models/flux1/flux1_family.h"
#include "engine/models/flux1/flux1_keys.h"
#include "engine/models/flux1/flux1_model.h"
#include "tests/engine/models/names_reference.h"

namespace mantissa {
namespace {

namespace fs = std::filesystem;
using namespace testing_support;

/// Every weight of dev's transformer.
Weights dev_weights() {
  return released_weights<Flux1Transformer>(Flux1Config{});
}

TEST(Flux1Binding, FullSizeNamesAndShapes) {
  expect_released(dev_weights(), "flux1.tsv", {"transformer_blocks.", "single_transformer_blocks."},
                  1160, 11'901'408'320);
}

TEST(Flux1Keys, EveryNameComesBackFromTheOriginal) {
  const std::set<std::string> originals =
      original_names(dev_weights(), flux1_to_original, flux1_to_diffusers);
  EXPECT_EQ(originals.size(), 1160U - 19 * 8 - 38 * 6) << "weights and biases that share a tensor";
  expect_names(
      originals, flux1_to_diffusers,
      {"img_in.bias", "txt_in.weight", "time_in.in_layer.weight", "vector_in.out_layer.bias",
       "guidance_in.in_layer.weight", "double_blocks.18.txt_attn.qkv.bias",
       "double_blocks.0.img_attn.norm.query_norm.scale", "double_blocks.0.img_mlp.2.weight",
       "double_blocks.0.img_mod.lin.weight", "single_blocks.37.linear1.weight",
       "single_blocks.0.norm.key_norm.scale", "single_blocks.0.modulation.lin.bias",
       "final_layer.adaLN_modulation.1.bias", "final_layer.linear.weight"},
      {"double_blocks.x.img_attn.proj.weight", "double_blocks.0", "single_blocks.0.linear3.weight",
       "double_stream_modulation_img.lin.weight"});
}

TEST(Flux1Keys, ASingleBlocksEntryIsFourFifthsOfTheWeightsBehindQkv) {
  const auto mapping = flux1_to_diffusers("single_blocks.3.linear1.weight");
  ASSERT_TRUE(mapping);
  EXPECT_EQ(mapping->names.at(3), "single_transformer_blocks.3.proj_mlp.weight");
  EXPECT_EQ(mapping->spans, (std::vector{1, 1, 1, 4}));
  const auto fused = fused_module(flux1_to_original("single_transformer_blocks.3.proj_mlp.weight"));
  ASSERT_TRUE(fused);
  EXPECT_EQ(fused->path, "single_blocks.3.linear1");
  EXPECT_EQ(fused->slice, 3);
  EXPECT_EQ(fused->span, 4);
  EXPECT_EQ(fused->slices, 7);
}

TEST(Flux1Keys, NormsSavedByComfyuiAreWeights) {
  const auto mapping = flux1_to_diffusers("double_blocks.3.txt_attn.norm.key_norm.weight");
  ASSERT_TRUE(mapping);
  EXPECT_EQ(mapping->names.at(0), "transformer_blocks.3.attn.norm_added_k.weight");
}

/// Values of a tensor of flux1_base, which is F16.
std::vector<float> stored_values(const char* name) {
  const SafetensorsFile file = SafetensorsFile::open(golden_model("flux1_base.safetensors"));
  const TensorInfo* tensor = file.find(std::string(kFlux1Prefix) + name);
  std::vector<float> values;
  for (std::int64_t i = 0; tensor != nullptr && i < tensor->count(); ++i) {
    float16 value;
    std::memcpy(&value, tensor->data + static_cast<std::size_t>(i) * sizeof value, sizeof value);
    values.push_back(static_cast<float>(value));
  }
  return values;
}

std::vector<float> read_values(const std::string& name) {
  const WeightSource source = WeightSource::open(golden_model("flux1_base.safetensors"));
  std::vector<float> values(static_cast<std::size_t>(source.shape(kDenoiser, name).count()));
  source.read_f32(kDenoiser, name, values);
  return values;
}

TEST(Flux1Keys, SharesOfATensorAreItsRowsInOrder) {
  for (const std::string kind : {".weight", ".bias"}) {
    std::vector<float> joined;
    for (const char* part : {"attn.to_q", "attn.to_k", "attn.to_v", "proj_mlp"}) {
      const auto own = read_values(std::string("single_transformer_blocks.0.") + part + kind);
      joined.insert(joined.end(), own.begin(), own.end());
    }
    EXPECT_EQ(joined, stored_values(("single_blocks.0.linear1" + kind).c_str())) << kind;
  }
}

TEST(Flux1Keys, TheExitsHalvesAreExchanged) {
  for (const std::string kind : {".weight", ".bias"}) {
    std::vector<float> own = read_values("norm_out.linear" + kind);
    std::rotate(own.begin(), own.begin() + std::ssize(own) / 2, own.end());
    EXPECT_EQ(own, stored_values(("final_layer.adaLN_modulation.1" + kind).c_str())) << kind;
  }
}

// diffusers' _convert_kohya_flux_lora_to_diffusers.
TEST(Flux1Keys, ModulesOfAdapters) {
  const WeightSource source = WeightSource::open(golden_model("flux1_base.safetensors"));
  expect_modules(
      *source.model_names(),
      {"denoiser.transformer_blocks.1.attn.to_q", "denoiser.transformer_blocks.0.attn.to_add_out",
       "denoiser.single_transformer_blocks.0.proj_out",
       "denoiser.transformer_blocks.1.norm1.linear",
       "denoiser.single_transformer_blocks.0.norm.linear"},
      {{"transformer.transformer_blocks.1.attn.to_q", 0},
       {"transformer_blocks.1.attn.to_q", 0},
       {"base_model.model.transformer.transformer_blocks.1.attn.to_q", 0},
       {"transformer.transformer_blocks.0.attn.to_add_out", 1},
       {"diffusion_model.double_blocks.0.txt_attn.proj", 1},
       {"lora_unet_double_blocks_0_txt_attn_proj", 1},
       {"diffusion_model.single_blocks.0.linear2", 2},
       {"lora_unet_single_blocks_0_linear2", 2},
       {"lora_unet_double_blocks_1_img_mod_lin", 3},
       {"lora_unet_single_blocks_0_modulation_lin", 4}});
}

TEST(Flux1Binding, AdapterTargets) {
  const auto count = [](const char* set) {
    return adapted_modules<Flux1Transformer>(set, kFlux1, Flux1Config{});
  };
  EXPECT_EQ(count("attention"), 19U * 8 + 38 * 3);
  EXPECT_EQ(count("attention+mlp"), 19U * 12 + 38 * 5);
}

TEST(Flux1Config, IsDetectedWithoutOne) {
  const WeightSource source = WeightSource::open(golden_model("flux1_bare.safetensors"));
  Flux1Config want;
  want.heads = 2;
  want.head_dim = 8;
  want.double_blocks = 1;
  want.single_blocks = 1;
  want.context_channels = 28;
  want.pooled_channels = 20;
  want.axes_dims = {2, 4, 2};
  EXPECT_EQ(flux1_config(source), want);
}

TEST(Flux1Config, OfAnotherModelIsNoticed) {
  const std::pair<const char*, nlohmann::json> others[] = {
      {"in_channels", 32},        {"num_layers", 7},          {"num_single_layers", 7},
      {"num_attention_heads", 7}, {"joint_attention_dim", 7}, {"pooled_projection_dim", 7},
      {"guidance_embeds", false}};
  for (const auto& [field, other] : others) {
    expect_refused("flux1", "transformer", field, other, {"config.json", field, other.dump()},
                   flux1_config);
  }
}

/// A copy of a golden file with other tensors.
fs::path rewritten(const fs::path& path, const char* model,
                   const std::function<void(TensorToWrite&)>& edit) {
  const SafetensorsFile file = SafetensorsFile::open(golden_model(model));
  std::vector<TensorToWrite> tensors;
  for (const TensorInfo& t : file.tensors()) {
    tensors.push_back({t.name, t.type.value(), t.shape(), t.data, {}});
    edit(tensors.back());
  }
  write_safetensors(path, tensors);
  return path;
}

// FLUX.1 Fill reads 384 channels.
TEST(Flux1Config, AModelThatReadsAnImageIsRefused) {
  const test::TempFolder folder;
  const std::vector<std::byte> zeros(1U << 16U);
  const fs::path path =
      rewritten(folder / "fill.safetensors", "flux1_bare.safetensors", [&](TensorToWrite& t) {
        if (t.name == "x_embedder.weight") {
          t.shape[1] = 384;
          t.data = zeros.data();
        }
      });
  test::expect_error_with([&] { flux1_config(WeightSource::open(path)); },
                          {"384 channels", "predicts 64", "Fill, Depth, Canny"});
}

// ComfyUI's files of all parts, such as flux1-dev-fp8.safetensors.
TEST(Flux1Names, OneFileHoldsAllParts) {
  expect_all_parts_in_one_file(
      "flux1", kFlux1,
      {"model.diffusion_model.single_blocks.1.linear1.weight",
       "text_encoders.clip_l.transformer.text_model.encoder.layers.0.mlp.fc1.weight",
       "text_encoders.t5xxl.transformer.shared.weight", "vae.decoder.conv_in.weight"});
}

TEST(Flux1Names, OfTextEncoders) {
  const auto names = WeightSource::open(golden_model("flux1")).model_names();
  const auto meaning = [&](Part folder, const char* name) {
    return names->canonical(folder, TensorInfo{.name = name, .dtype = "F32", .type = DType::f32});
  };
  EXPECT_EQ(meaning(kTe1, "text_projection.weight")->transform, NameTransform::dropped);
  EXPECT_EQ(meaning(kTe1, "text_model.final_layer_norm.weight")->part, kTe1);
  EXPECT_EQ(meaning(kTe2, "encoder.embed_tokens.weight")->transform, NameTransform::dropped)
      << "a copy of the table";
  EXPECT_EQ(meaning(kTe2, "encoder.final_layer_norm.weight")->part, kTe2);
  EXPECT_FALSE(meaning(kTe1, "encoder.block.0.layer.0.layer_norm.weight"));
}

TEST(Flux1Variants, SchnellIsDistilled) {
  const ModelSummary schnell = inspect(golden_model("flux1_base.safetensors"));
  EXPECT_EQ(schnell.variant, "schnell");
  EXPECT_TRUE(schnell.distilled);
  EXPECT_NE(schnell.variant_evidence.text().find("guidance_embedder"), std::string::npos);
  const ModelSummary dev = inspect(golden_model("flux1_bare.safetensors"));
  EXPECT_EQ(dev.variant, "dev");
  EXPECT_FALSE(dev.distilled);
}

TEST(Flux1Variants, ByTheName) {
  const test::TempFolder folder;
  const std::tuple<const char*, const char*, const char*, bool> files[] = {
      {"flux1-krea-dev", "flux1_bare.safetensors", "Krea dev", false},
      {"flux1-dev-kontext_fp8_scaled", "flux1_bare.safetensors", "Kontext dev", false},
      {"OpenFLUX.1", "flux1_base.safetensors", "de-distilled", false},
      {"flux-dev-de-distill", "flux1_base.safetensors", "de-distilled", false},
      {"flux1-dedistilled-v2", "flux1_base.safetensors", "de-distilled", false},
      {"flux1-schnell-distilled-4step", "flux1_base.safetensors", "schnell", true},
      {"flux1-schnell-fp8", "flux1_base.safetensors", "schnell", true}};
  for (const auto& [name, model, variant, distilled] : files) {
    const fs::path path = folder / (std::string(name) + ".safetensors");
    fs::copy(golden_model(model), path);
    EXPECT_EQ(inspect(path).variant, variant) << name;
    EXPECT_EQ(inspect(path).distilled, distilled) << name;
  }
}

}  // namespace
}  // namespace mantissa
