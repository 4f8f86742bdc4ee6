// Krea 2's names: weights of the released transformer in both namings, modules of adapters.
#include "engine/adapters/dialect.h"
#include "engine/io/inspect.h"
#include "engine/io/model_writer.h"
#include "engine/models/krea2/krea2.h"
#include "engine/models/krea2/krea2_family.h"
#include "engine/models/krea2/krea2_keys.h"
#include "tests/engine/models/names_reference.h"

namespace mantissa {
namespace {

using namespace testing_support;

Weights krea2_weights() {
  return released_weights<Krea2Transformer>(Krea2Config{});
}

TEST(Krea2Binding, FullSizeNamesAndShapes) {
  expect_released(
      krea2_weights(), "krea2.tsv",
      {"transformer_blocks.", "text_fusion.layerwise_blocks.", "text_fusion.refiner_blocks."}, 430,
      12'820'073'036);
}

TEST(Krea2Keys, EveryNameComesBackFromTheOriginal) {
  const std::set<std::string> originals =
      original_names(krea2_weights(), krea2_to_original, krea2_to_diffusers);
  EXPECT_EQ(originals.size(), 430U);
  expect_names(
      originals, krea2_to_diffusers,
      {"first.weight", "tmlp.2.bias", "tproj.1.weight", "txtmlp.0.scale", "txtmlp.3.weight",
       "txtfusion.projector.weight", "txtfusion.layerwise_blocks.1.attn.qknorm.knorm.scale",
       "txtfusion.refiner_blocks.0.mlp.down.weight", "blocks.27.attn.wo.weight",
       "blocks.0.attn.gate.weight", "blocks.0.mod.lin", "blocks.3.postnorm.scale",
       "last.modulation.lin", "last.norm.scale", "last.linear.bias"},
      {"blocks.x.attn.wq.weight", "blocks.0", "txtfusion.other.0.attn.wq.weight",
       "blocks.0.self_attn.q_proj.weight"});
}

TEST(Krea2Keys, ABlocksTableIsOneVectorInTheOriginal) {
  const WeightSource source = WeightSource::open(golden_model("krea2_base.safetensors"));
  const SafetensorsFile file = SafetensorsFile::open(golden_model("krea2_base.safetensors"));
  EXPECT_EQ(file.find("model.diffusion_model.blocks.1.mod.lin")->dims,
            std::vector<std::int64_t>{240});
  EXPECT_EQ(source.shape(kDenoiser, "transformer_blocks.1.scale_shift_table"), (Shape{6, 40}));
  const test::TempFolder folder;
  write_model(folder / "copy.safetensors", model_contents(source));
  const SafetensorsFile copy = SafetensorsFile::open(folder / "copy.safetensors");
  for (const TensorInfo& tensor : file.tensors()) {
    const TensorInfo* found = copy.find(tensor.name);
    ASSERT_NE(found, nullptr) << tensor.name;
    EXPECT_EQ(found->dims, tensor.dims) << tensor.name;
    EXPECT_EQ(std::memcmp(found->data, tensor.data, tensor.bytes), 0) << tensor.name;
  }
}

TEST(Krea2Keys, AWrittenFolderHasTheNamesOfQwen3Vl) {
  const test::TempFolder folder;
  const WeightSource source = WeightSource::open(golden_model("krea2"));
  write_model(folder / "copy", model_contents(source));
  const SafetensorsFile copy =
      SafetensorsFile::open(folder / "copy/text_encoder/model.safetensors");
  EXPECT_NE(copy.find("language_model.layers.35.mlp.up_proj.weight"), nullptr);
  EXPECT_NE(copy.find("visual.pos_embed.weight"), nullptr);
  EXPECT_EQ(WeightSource::open(folder / "copy").names(kTe1), source.names(kTe1));
}

TEST(Krea2Keys, ModulesOfAdapters) {
  const WeightSource source = WeightSource::open(golden_model("krea2_base.safetensors"));
  const ModelNames& base = *source.model_names();
  const std::vector<std::string> paths{"denoiser.transformer_blocks.1.attn.to_q",
                                       "denoiser.transformer_blocks.0.attn.to_gate",
                                       "denoiser.transformer_blocks.2.ff.down"};
  const std::vector<ModuleNameCase> cases{
      {"transformer.transformer_blocks.1.attn.to_q", 0},
      {"diffusion_model.blocks.1.attn.wq", 0},
      {"base_model.model.transformer.transformer_blocks.1.attn.to_q", 0},
      {"lora_unet_blocks_1_attn_wq", 0},
      {"diffusion_model.blocks.0.attn.gate", 1},
      {"lora_unet_blocks_0_attn_gate", 1},
      {"diffusion_model.blocks.2.mlp.down", 2},
      {"lora_unet_blocks_2_mlp_down", 2}};
  expect_modules(base, paths, cases);
  EXPECT_EQ(module_name(paths[0], *file_form(OutputFormat::comfyui, {}, &kKrea2).dialect, base),
            cases[1].name);
  EXPECT_EQ(module_name(paths[2], *file_form(OutputFormat::kohya, {}, &kKrea2).dialect, base),
            cases[7].name);
}

TEST(Krea2Binding, AdapterTargets) {
  const auto count = [](const char* set) {
    return adapted_modules<Krea2Transformer>(set, kKrea2, Krea2Config{});
  };
  EXPECT_EQ(count("attention"), 28U * 5);
  EXPECT_EQ(count("attention+mlp"), 28U * 8);
}

TEST(Krea2Config, IsDetectedWithoutOne) {
  const WeightSource source = WeightSource::open(golden_model("krea2_bare.safetensors"));
  Krea2Config want;
  want.in_channels = 8;
  want.layers = 1;
  want.heads = want.key_heads = 2;
  want.head_dim = 32;
  want.hidden = 72;
  want.time_channels = 32;
  want.text_channels = 20;
  want.text_layers = 5;
  want.text_heads = want.text_key_heads = 1;
  want.text_hidden = 28;
  want.layerwise_blocks = 2;
  want.refiner_blocks = 1;
  want.axes_dims = {8, 12, 12};
  EXPECT_EQ(krea2_config(source), want);
}

TEST(Krea2Config, OfAnotherModelIsNoticed) {
  for (const char* field :
       {"in_channels", "num_layers", "num_attention_heads", "num_key_value_heads",
        "intermediate_size", "timestep_embed_dim", "text_hidden_dim", "num_text_layers",
        "text_intermediate_size", "num_layerwise_text_blocks", "num_refiner_text_blocks"}) {
    expect_refused("krea2", "transformer", field, 14, {"config.json", field, "14"}, krea2_config);
  }
}

TEST(Krea2Variants, AreToldByTheName) {
  const test::TempFolder folder;
  const struct {
    const char *title, *variant;
    bool distilled;
  } cases[] = {{"Krea-2-Raw", "Raw", false},
               {"krea2_turbo_fp8", "Turbo", true},
               {"krea-2-raw-de-turbo", "Raw", false},
               {"mine", "unknown", false}};
  for (const auto& [title, variant, distilled] : cases) {
    const std::filesystem::path file = folder / (title + std::string(".safetensors"));
    std::filesystem::copy(golden_model("krea2_bare.safetensors"), file);
    const ModelSummary told = inspect(file);
    EXPECT_EQ(told.family, "krea2") << title;
    EXPECT_EQ(told.variant, variant) << title;
    EXPECT_EQ(told.distilled, distilled) << title;
  }
}

}  // namespace
}  // namespace mantissa
