// Every family of the registry is complete.
#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "engine/adapters/trained_set.h"
#include "engine/core/error.h"
#include "engine/core/glob.h"
#include "engine/io/family.h"
#include "engine/io/module_path.h"
#include "engine/io/part_names.h"
#include "engine/precision/rules.h"
#include "engine/preset/names.h"
#include "engine/preset/schema.h"
#include "tests/engine/models/support.h"
#include "tests/golden_families.h"

namespace mantissa {
namespace {

TEST(Families, EachIsRegisteredOnce) {
  std::set<ModelFamily> seen;
  for (const Family* family : families()) {
    EXPECT_TRUE(seen.insert(family->id()).second) << family->title();
    EXPECT_EQ(&family_of(family->id()), family);
  }
  EXPECT_EQ(seen.size() + 1, family_names().size()) << "every family but auto";
  EXPECT_FALSE(seen.contains(ModelFamily::automatic));
  EXPECT_THROW(family_of(ModelFamily::automatic), Error);
}

TEST(Families, EachIsComplete) {
  for (const Family* family : families()) {
    SCOPED_TRACE(family->title());
    for (const std::string_view text :
         {family->title(), family->pipeline, family->kohya_version, family->architecture,
          family->implementation, family->scheduler}) {
      EXPECT_FALSE(text.empty());
    }
    EXPECT_NE(family->recognise, nullptr);
    EXPECT_NE(family->naming, nullptr);
    EXPECT_NE(family->complete, nullptr);
    EXPECT_NE(family->make, nullptr);
    EXPECT_GT(family->latent_scale, 0);
    EXPECT_TRUE(nlohmann::json::parse(family->scheduler).contains("_class_name"));
    EXPECT_FALSE(family->kohya_original_paths && !family->has_kohya_names());
  }
}

TEST(Families, PresetsKnowWhichAreFlows) {
  for (const Family* family : families()) {
    const auto scheduler = nlohmann::json::parse(family->scheduler);
    const bool flow = scheduler.at("_class_name").get<std::string>().starts_with("FlowMatch");
    EXPECT_EQ(family_row(family->id()).has_flow, flow) << "Family::row of " << family->title();
  }
}

TEST(Families, PartsHaveFoldersAndClasses) {
  for (const Family* family : families()) {
    SCOPED_TRACE(family->title());
    ASSERT_GE(family->parts.size(), 2U);
    EXPECT_EQ(family->parts.front().part, kDenoiser);
    EXPECT_EQ(family->parts.back().part, kVae);
    std::set<std::string_view> folders;
    for (const PartFiles& files : family->parts) {
      SCOPED_TRACE(files.part.name());
      EXPECT_TRUE(folders.insert(files.folder).second);
      EXPECT_EQ(part_of_folder(files.folder), files.part);
      EXPECT_FALSE(files.model.library.empty());
      EXPECT_FALSE(files.model.name.empty());
      EXPECT_EQ(is_text(files.part), !files.tokenizer.empty());
      EXPECT_EQ(files.tokenizer.empty(), files.tokenizer_model.name.empty());
      // Written as one file, each part needs a unique prefix.
      EXPECT_TRUE(family->original_names == nullptr || !files.prefix.empty());
      if (is_text(files.part)) {
        EXPECT_EQ(family->has_kohya_names(), !files.kohya.empty());
      }
    }
  }
}

TEST(Families, EachTargetSetNamesModulesOfEachPart) {
  std::set<const Family*> seen;
  for (const std::string& name :
       test::together({"a.safetensors", "sd15.safetensors"}, test::transformer_models())) {
    const WeightSource source = WeightSource::open(testing_support::golden_model(name));
    const Family& family = source.family();
    seen.insert(&family);
    for (const PartFiles& files : family.parts) {
      if (files.part == kVae) {
        continue;
      }
      std::size_t narrower = 0;
      for (const std::string_view set : find_setting("adapter.targets")->choices) {
        TrainedSet adapters = TrainedSet::planning(
            testing_support::lora_preset({std::string(set)}, 4, 4, 4, {files.part}), family);
        const auto model = DiffusionModel::open_planning(source, &adapters);
        model->bind(std::vector{files.part});
        EXPECT_GE(adapters.adapters().size(), std::max<std::size_t>(1, narrower))
            << "targets of " << files.part.name() << " of " << family.title() << ": " << set;
        narrower = adapters.adapters().size();
      }
    }
  }
  EXPECT_EQ(seen.size(), families().size()) << "a golden model of each family";
}

/// Whether a path has a number, as those of repeated blocks have: "layers.3.attention.to_q".
bool is_in_block(std::string_view path) {
  for (std::size_t at = path.find('.'); at != std::string_view::npos; at = path.find('.', at + 1)) {
    if (at + 1 < path.size() && path[at + 1] >= '0' && path[at + 1] <= '9') {
      return true;
    }
  }
  return false;
}

TEST(Families, WhatEveryBlockDependsOnStaysWide) {
  for (const std::string& name :
       test::together({"a.safetensors", "sd15.safetensors"}, test::transformer_models())) {
    const WeightSource source = WeightSource::open(testing_support::golden_model(name));
    Preset preset;
    preset.precision.weights.denoiser = StorageType::fp8_e4m3;
    preset.precision.compute = ComputeType::bf16;
    const PrecisionRules rules(preset, source.family().id());
    int blocks = 0;
    for (const std::string& tensor : source.names(kDenoiser)) {
      if (!tensor.ends_with(".weight") || source.shape(kDenoiser, tensor).rank() < 2) {
        continue;
      }
      const std::string path = module_path(kDenoiser, tensor.substr(0, tensor.size() - 7));
      const DType stored = rules.of(path, ModuleKind::linear).storage;
      blocks += stored == DType::f8_e4m3 ? 1 : 0;
      EXPECT_TRUE(is_in_block(tensor) || stored == DType::bf16)
          << source.family().title() << " lacks a WideModule for " << tensor;
    }
    EXPECT_GT(blocks, 0) << name;
  }
}

TEST(Families, EachPatternOfWideModulesNamesSome) {
  std::map<const Family*, std::set<std::string>> paths;
  for (const std::string& name :
       test::together({"a.safetensors", "sd15.safetensors"}, test::transformer_models())) {
    const WeightSource source = WeightSource::open(testing_support::golden_model(name));
    for (const PartFiles& files : source.family().parts) {
      for (const std::string& tensor : source.names(files.part)) {
        paths[&source.family()].insert(std::string(files.part.name()) + "." + tensor);
      }
    }
  }
  for (const Family* family : families()) {
    for (const PartFiles& files : family->parts) {
      for (const WideModule& wide : files.wide) {
        const std::string pattern =
            std::string(files.part.name()) + "." + std::string(wide.pattern) + ".weight";
        const auto names_it = [&](const std::string& path) { return glob_match(pattern, path); };
        EXPECT_TRUE(std::ranges::any_of(paths[family], names_it) || family->row.has_unet)
            << family->title() << ": " << wide.pattern;
      }
    }
  }
}

TEST(Families, NothingIsRecognisedInWhatHasNoPart) {
  const TensorInfo tensor{.name = "bert.weight", .dtype = "F32", .type = DType::f32, .dims = {4}};
  const ModelFiles files{{{std::nullopt, {&tensor, 1}}}};
  EXPECT_EQ(recognise(files), nullptr);
  for (const Family* family : families()) {
    EXPECT_EQ(family->naming({&tensor, 1}), "") << family->title();
  }
}

TEST(Families, EachKnowsItsOwnMark) {
  const struct {
    const char* name;
    ModelFamily family;
  } marks[] = {
      {"t_block.1.weight", ModelFamily("pixart")},
      {"adaln_single.linear.weight", ModelFamily("pixart")},
      {"all_x_embedder.2-1.weight", ModelFamily("z_image")},
      {"model.diffusion_model.cap_pad_token", ModelFamily("z_image")},
      {"single_transformer_blocks.0.norm.linear.weight", ModelFamily("flux1")},
      {"model.diffusion_model.single_blocks.0.modulation.lin.weight", ModelFamily("flux1")},
      {"distilled_guidance_layer.layers.0.linear_1.weight", ModelFamily("chroma")},
      {"single_stream_modulation.linear.weight", ModelFamily("flux2")},
      {"model.diffusion_model.single_stream_modulation.lin.weight", ModelFamily("flux2")},
      {"early_stream_modulations.image.linear.weight", ModelFamily("flux3")},
      {"model.diffusion_model.early_stream_modulations.image.lin.weight", ModelFamily("flux3")},
      {"time_embed.t_embedder.linear_1.weight", ModelFamily("anima")},
      {"text_fusion.projector.weight", ModelFamily("krea2")},
      {"model.diffusion_model.txtfusion.projector.weight", ModelFamily("krea2")},
      {"transformer_blocks.0.img_mlp.gate_layer.weight", ModelFamily("qwen_image_21")},
      {"model.diffusion_model.txt_in.text_norm.weight", ModelFamily("qwen_image_21")},
      {"txt_in.text_norm.weight", ModelFamily("qwen_image_21")},
      {"transformer_blocks.0.img_mod.1.weight", ModelFamily("qwen_image")},
      {"model.diffusion_model.transformer_blocks.0.img_mod.1.weight", ModelFamily("qwen_image")},
      {"layers.0.adaLN_sa_ln.weight", ModelFamily("ernie_image")},
      {"model.diffusion_model.layers.0.adaLN_sa_ln.weight", ModelFamily("ernie_image")},
      {"model.diffusion_model.label_emb.0.0.weight", ModelFamily("sdxl")},
      {"model.diffusion_model.input_blocks.0.0.weight", ModelFamily("sd15")}};
  for (const auto& [name, family] : marks) {
    const TensorInfo tensor{.name = name, .dtype = "F32", .type = DType::f32, .dims = {4}};
    const auto names = recognise({{{std::nullopt, {&tensor, 1}}}});
    ASSERT_NE(names, nullptr) << name;
    EXPECT_EQ(names->family().id(), family) << name;
  }
}

}  // namespace
}  // namespace mantissa
