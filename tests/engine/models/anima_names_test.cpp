// Anima's names: weights of the released model in both namings, modules of adapters, its configs.
#include "engine/models/anima/anima_names.h"

#include "engine/adapters/dialect.h"
#include "engine/io/inspect.h"
#include "engine/io/module_path.h"
#include "engine/io/name_parts.h"
#include "engine/models/anima/anima.h"
#include "engine/models/anima/anima_family.h"
#include "engine/models/anima/anima_keys.h"
#include "engine/models/anima/anima_model.h"
#include "engine/models/anima/anima_text.h"
#include "engine/models/vae/qwen_vae.h"
#include "tests/engine/models/names_reference.h"

namespace mantissa {
namespace {

using namespace testing_support;
namespace fs = std::filesystem;

/// "part.name<TAB>a,b" rows of tests/golden/keys/anima.tsv, with shapes of single images: the last
/// frame of each kernel.
Weights anima_rows() {
  Weights rows;
  for (const std::vector<std::string>& row : test::key_table("anima.tsv")) {
    const std::string& name = row.at(0);
    if (name.find(".time_conv.") != std::string::npos) {
      continue;
    }
    std::vector<std::int64_t> dims;
    std::istringstream list(row.at(1));
    for (std::string dim; std::getline(list, dim, ',');) {
      dims.push_back(std::stoll(dim));
    }
    Shape shape;
    for (std::size_t i = 0; i < (name.ends_with("gamma") ? 1 : dims.size()); ++i) {
      if (dims.size() != 5 || i != 2) {
        shape.push_back(dims[i]);
      }
    }
    rows[canonical_path(name)] = shape;
  }
  return rows;
}

/// Every weight that the networks of the released model bind, by path.
Weights anima_weights() {
  WeightStore store = WeightStore::planning();
  const AnimaTransformer transformer(AnimaConfig{}, Scope(store, nullptr, kDenoiser));
  const AnimaTextConditioner conditioner(AnimaTextConfig{}, Scope(store, nullptr, kTe2));
  const QwenVae vae(QwenVaeConfig{}, Scope(store, nullptr, kVae));
  const auto bound = store.bound();
  return {bound.begin(), bound.end()};
}

TEST(AnimaBinding, FullSizeNamesAndShapes) {
  Weights first;
  std::map<std::string, std::int64_t> parameters, tensors;
  for (const auto& [path, shape] : anima_weights()) {
    const std::string part = path.substr(0, path.find('.'));
    parameters[part] += shape.count();
    ++tensors[part];
    if (!in_later_block(path, {"denoiser.transformer_blocks.", "te2.blocks."})) {
      first[path] = shape;
    }
  }
  EXPECT_EQ(first, anima_rows());
  EXPECT_EQ(tensors["denoiser"], 567);
  EXPECT_EQ(parameters["denoiser"], 1'956'405'248);
  EXPECT_EQ(tensors["te2"], 118);
  EXPECT_EQ(parameters["te2"], 134'663'680);
  EXPECT_EQ(tensors["vae"], 194 - 2 * 4) << "all but the convolutions in time";
}

TEST(AnimaKeys, EveryNameComesBackFromTheOriginal) {
  const std::set<std::string> originals = original_names(
      released_weights<AnimaTransformer>(AnimaConfig{}), anima_to_original, anima_to_diffusers);
  EXPECT_EQ(originals.size(), 567U);
  expect_names(
      originals, anima_to_diffusers,
      {"x_embedder.proj.1.weight", "t_embedder.1.linear_2.weight", "t_embedding_norm.weight",
       "blocks.27.self_attn.q_norm.weight", "blocks.0.cross_attn.output_proj.weight",
       "blocks.3.adaln_modulation_mlp.2.weight", "blocks.9.mlp.layer1.weight",
       "final_layer.adaln_modulation.1.weight", "final_layer.linear.weight"},
      {"blocks.x.mlp.layer1.weight", "blocks.0", "y_embedder.weight", "blocks.0.attn.wq.weight"});
}

TEST(AnimaKeys, TheTextConditionerIsAPartOfItsOwn) {
  const auto mapping = anima_to_diffusers("llm_adapter.blocks.5.mlp.2.bias");
  ASSERT_TRUE(mapping);
  EXPECT_EQ(mapping->part, kTe2);
  EXPECT_EQ(mapping->names, std::vector<std::string>{"blocks.5.mlp.2.bias"});
  for (const char* left : {"llm_adapter.rotary_emb.inv_freq", "pos_embedder.dim_spatial_range",
                           "accum_iteration", "blocks.0.self_attn._extra_state"}) {
    const auto dropped = anima_to_diffusers(left);
    ASSERT_TRUE(dropped) << left;
    EXPECT_TRUE(dropped->names.empty()) << left;
  }
}

TEST(AnimaKeys, PrefixesOfAnySingleFile) {
  for (const char* prefix : {"", "net.", "model.diffusion_model.", "model.diffusion_model.net."}) {
    EXPECT_EQ(
        inside_transformer(kAnima, kAnimaNaming, prefix + std::string("final_layer.linear.weight")),
        "final_layer.linear.weight");
  }
}

TEST(AnimaKeys, CosmosWithoutTextConditionerIsNoAnima) {
  const TensorInfo block{.name = "net.blocks.0.adaln_modulation_cross_attn.1.weight",
                         .dtype = "F32",
                         .type = DType::f32,
                         .dims = {4}};
  EXPECT_EQ(recognise({{{std::nullopt, {&block, 1}}}}), nullptr);
  std::vector<TensorInfo> both{block, block};
  both[1].name = "net.llm_adapter.out_proj.weight";
  const auto names = recognise({{{std::nullopt, both}}});
  ASSERT_NE(names, nullptr);
  EXPECT_EQ(names->family().id(), ModelFamily("anima"));
}

/// The tensors of a file behind `prefix`, without it.
void write_below(const SafetensorsFile& file, const std::string& prefix, const fs::path& to) {
  std::vector<TensorToWrite> list;
  for (const TensorInfo& tensor : file.tensors()) {
    if (tensor.name.starts_with(prefix)) {
      list.push_back(
          {tensor.name.substr(prefix.size()), *tensor.type, tensor.shape(), tensor.data, {}});
    }
  }
  fs::create_directories(to.parent_path());
  write_safetensors(to, list, {});
}

TEST(AnimaKeys, ComfyuisFilesOfEachPartMakeAFolder) {
  const test::TempFolder folder;
  const auto file = SafetensorsFile::open(golden_model("anima_base.safetensors"));
  write_below(file, "net.", folder / "m/transformer/anima.safetensors");
  write_below(file, "first_stage_model.", folder / "m/vae/qwen_image_vae.safetensors");
  fs::copy(golden_model("anima") / "text_encoder/model.safetensors",
           (fs::create_directories(folder / "m/text_encoder"),
            folder / "m/text_encoder/qwen_3_06b_base.safetensors"));
  const WeightSource source = WeightSource::open(folder / "m");
  EXPECT_EQ(source.family().id(), ModelFamily("anima"));
  EXPECT_TRUE(source.unknown().empty()) << source.unknown().front();
  const WeightSource whole = WeightSource::open(golden_model("anima_base.safetensors"));
  for (const Part part : {kDenoiser, kTe2, kVae}) {
    EXPECT_EQ(source.names(part), whole.names(part)) << part.name();
  }
  EXPECT_EQ(anima_text_config(source).layers, 1);
  EXPECT_EQ(qwen3_config(source, kTe1).layers, 3);
}

TEST(AnimaKeys, InspectTellsItsParts) {
  const ModelSummary file = inspect(golden_model("anima_base.safetensors"));
  EXPECT_EQ(file.family, "anima");
  EXPECT_EQ(file.layout, "ldm");
  const WeightSource source = WeightSource::open(golden_model("anima_base.safetensors"));
  EXPECT_EQ(file.parts.at("te2"), static_cast<std::int64_t>(source.names(kTe2).size()));
  EXPECT_EQ(file.parts.at("vae"), static_cast<std::int64_t>(source.names(kVae).size()));
  EXPECT_EQ(file.parts.at("unet"), static_cast<std::int64_t>(source.names(kDenoiser).size()) + 1);
  const ModelSummary whole = inspect(golden_model("anima"));
  EXPECT_EQ(whole.family, "anima");
  EXPECT_EQ(whole.layout, "diffusers");
  EXPECT_GT(whole.parts.at("te2"), 0);
}

TEST(AnimaKeys, ModulesOfAdapters) {
  const WeightSource source = WeightSource::open(golden_model("anima"));
  const ModelNames& base = *source.model_names();
  const std::vector<std::string> paths{
      "denoiser.transformer_blocks.1.attn1.to_q", "denoiser.transformer_blocks.0.ff.net.2",
      "te1.model.layers.0.self_attn.q_proj", "te2.blocks.0.cross_attn.o_proj"};
  const std::vector<ModuleNameCase> cases{
      {"transformer.transformer_blocks.1.attn1.to_q", 0},
      {"diffusion_model.blocks.1.self_attn.q_proj", 0},
      {"lora_unet_blocks_1_self_attn_q_proj", 0},
      {"net.blocks.1.self_attn.q_proj", 0},
      {"diffusion_model.blocks.0.mlp.layer2", 1},
      {"lora_unet_blocks_0_mlp_layer2", 1},
      {"lora_te_layers_0_self_attn_q_proj", 2},
      {"text_encoders.qwen3_06b.transformer.model.layers.0.self_attn.q_proj", 2},
      {"text_conditioner.blocks.0.cross_attn.o_proj", 3},
      {"diffusion_model.llm_adapter.blocks.0.cross_attn.o_proj", 3},
      {"lora_unet_llm_adapter_blocks_0_cross_attn_o_proj", 3},
      {"transformer.core.transformer_blocks.1.attn1.to_q", 0},  // SimpleTuner's
      {"lycoris_core_transformer_blocks_0_ff_net_2", 1},
      {"transformer.llm_adapter.blocks.0.cross_attn.o_proj", 3},
      {"lycoris_llm_adapter_blocks_0_cross_attn_o_proj", 3},
  };
  expect_modules(base, paths, cases);
  const FileForm kohya = file_form(OutputFormat::kohya, {}, &kAnima);
  const FileForm comfyui = file_form(OutputFormat::comfyui, {}, &kAnima);
  const FileForm diffusers = file_form(OutputFormat::diffusers, {}, &kAnima);
  EXPECT_EQ(module_name(paths[0], *kohya.dialect, base), cases[2].name);
  EXPECT_EQ(module_name(paths[2], *kohya.dialect, base), cases[6].name);
  EXPECT_EQ(module_name(paths[3], *kohya.dialect, base), cases[10].name);
  EXPECT_EQ(module_name(paths[0], *comfyui.dialect, base), cases[1].name);
  EXPECT_EQ(module_name(paths[2], *comfyui.dialect, base), cases[7].name);
  EXPECT_EQ(module_name(paths[3], *comfyui.dialect, base), cases[9].name);
  EXPECT_EQ(module_name(paths[3], *diffusers.dialect, base), cases[8].name);
}

TEST(AnimaBinding, AdapterTargets) {
  const auto count = [](const char* set, Part part) {
    return part == kDenoiser
               ? adapted_modules<AnimaTransformer>(set, kAnima, AnimaConfig{})
               : adapted_modules<AnimaTextConditioner>(set, kAnima, AnimaTextConfig{}, part);
  };
  EXPECT_EQ(count("attention", kDenoiser), 28U * 8);
  EXPECT_EQ(count("attention+mlp", kDenoiser), 28U * 10);
  EXPECT_EQ(count("attention", kTe2), 6U * 8);
  EXPECT_EQ(count("attention+mlp", kTe2), 6U * 10);
}

TEST(AnimaConfigs, AreDetectedWithoutOne) {
  AnimaConfig want;
  want.in_channels = 8;
  want.heads = 2;
  want.head_dim = 20;
  want.layers = 1;
  want.mlp_ratio = 2;
  want.text_channels = 28;
  want.modulation_rank = 8;
  want.padding_mask = false;
  EXPECT_EQ(anima_config(WeightSource::open(golden_model("anima_bare.safetensors"))), want);
  const test::TempFolder folder;
  fs::copy(golden_model("anima"), folder / "m", fs::copy_options::recursive);
  const WeightSource before = WeightSource::open(folder / "m");
  const auto declared = std::pair(anima_config(before), anima_text_config(before));
  fs::remove(folder / "m/transformer/config.json");
  fs::remove(folder / "m/text_conditioner/config.json");
  const WeightSource after = WeightSource::open(folder / "m");
  EXPECT_EQ(anima_config(after), declared.first);
  EXPECT_EQ(anima_text_config(after), declared.second);
}

TEST(AnimaConfigs, OfAnotherModelAreNoticed) {
  const auto expect_named = [](const char* part, const char* field, const char* told, auto&& read) {
    expect_refused("anima", part, field, 14, {std::string(part) + "/config.json", told, "14"},
                   read);
  };
  expect_named("transformer", "in_channels", "out_channels", anima_config);
  for (const char* field : {"num_attention_heads", "attention_head_dim", "num_layers", "mlp_ratio",
                            "text_embed_dim", "adaln_lora_dim"}) {
    expect_named("transformer", field, field, anima_config);
  }
  for (const char* field :
       {"source_dim", "target_dim", "num_layers", "mlp_ratio", "target_vocab_size"}) {
    expect_named("text_conditioner", field, field, anima_text_config);
  }
}

TEST(AnimaConfigs, PartsOfTwoModelsAreAnError) {
  const test::TempFolder folder;
  fs::copy(golden_model("anima"), folder / "m", fs::copy_options::recursive);
  fs::remove_all(folder / "m/text_encoder");
  fs::copy(golden_model("flux2") / "text_encoder", folder / "m/text_encoder",
           fs::copy_options::recursive);
  test::expect_error_with([&] { AnimaModel(nullptr, WeightSource::open(folder / "m")); },
                          {"gives 8 values", "takes 40"});
  fs::remove_all(folder / "m/text_conditioner");
  const WeightSource source = WeightSource::open(folder / "m");
  AnimaModel model(nullptr, source);
  test::expect_error_with([&] { model.te2(); }, {"holds no text_conditioner"});
}

}  // namespace
}  // namespace mantissa
