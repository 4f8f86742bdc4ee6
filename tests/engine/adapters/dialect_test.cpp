#include "engine/adapters/dialect.h"

#include <filesystem>
#include <gtest/gtest.h>
#include <set>
#include <stdexcept>

#include "engine/models/stable_diffusion/sd_family.h"
#include "engine/models/stable_diffusion/sd_names.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {

using test::key_table;

std::shared_ptr<const ModelNames> names_for(const Family& family) {
  return sd_names(family, {{2, 2, 2}, {false, true, true}}, 4);
}

std::string kohya(std::string_view path, const Family& family = kSdxl) {
  return module_name(path, kKohyaDialect, *names_for(family)).value_or("");
}

const Dialect& dialect_called(std::string_view name) {
  for (const Dialect* dialect : dialects()) {
    if (dialect->name == name) {
      return *dialect;
    }
  }
  throw std::runtime_error("there is no dialect " + std::string(name));
}

TEST(Dialects, KohyaNamesOfAll788UnetModules) {
  const auto rows = key_table("sdxl_lora_modules.tsv");
  ASSERT_EQ(rows.size(), 788u);
  std::vector<std::string> paths;
  for (const auto& row : rows) {
    EXPECT_EQ(kohya(row[1]), row[0]);
    paths.push_back(row[1]);
  }
  const ModuleTable table(paths, *names_for(kSdxl));
  for (const auto& row : rows) {
    ASSERT_NE(table.find(row[0]), nullptr) << row[0];
    EXPECT_EQ(table.find(row[0])->path, row[1]);
    EXPECT_EQ(table.find(row[0])->dialect, &kKohyaDialect);
  }
}

TEST(Dialects, KohyaNamesOfAll264TextModules) {
  const auto rows = key_table("sdxl_lora_te_modules.tsv");
  ASSERT_EQ(rows.size(), 264u);
  for (const auto& row : rows) {
    EXPECT_EQ(kohya(row[1]), row[0]);
  }
}

TEST(Dialects, Sd15StyleKeepsDiffusersPaths) {
  EXPECT_EQ(kohya("denoiser.down_blocks.0.attentions.0.proj_in", kSd15),
            "lora_unet_down_blocks_0_attentions_0_proj_in");
  EXPECT_EQ(kohya("te1.text_model.encoder.layers.0.mlp.fc1", kSd15),
            "lora_te_text_model_encoder_layers_0_mlp_fc1");
}

TEST(Dialects, WhatHasNoNameGetsNone) {
  EXPECT_EQ(kohya("denoiser.nowhere.0"), "");
  EXPECT_EQ(kohya("vae.conv_in"), "");
  EXPECT_EQ(kohya("conv_in"), "");
  const std::string text = "te1.text_model.encoder.layers.0.mlp.fc1";
  for (const char* name : {"lycoris", "bare"}) {
    EXPECT_FALSE(module_name(text, dialect_called(name), *names_for(kSdxl))) << name;
  }
}

// Each dialect's own name leads back to the module; those of one file are all different.
TEST(Dialects, EveryNameIsReadBack) {
  std::vector<std::string> paths;
  for (const char* file : {"sdxl_lora_modules.tsv", "sdxl_lora_te_modules.tsv"}) {
    for (const auto& row : key_table(file)) {
      paths.push_back(row[1]);
    }
  }
  const ModuleTable table(paths, *names_for(kSdxl));
  const auto base = names_for(kSdxl);
  std::set<std::string_view> names;
  for (const Dialect* dialect : dialects()) {
    EXPECT_TRUE(names.insert(dialect->name).second);
    int named = 0;
    for (const std::string& path : paths) {
      const auto name = module_name(path, *dialect, *base);
      if (!name) {
        continue;
      }
      ++named;
      const std::string folder = path.substr(0, path.find('.'));
      const NamedModule* found = table.find(*name, folder);
      ASSERT_NE(found, nullptr) << *name;
      EXPECT_EQ(found->path, path) << *name;
    }
    EXPECT_GE(named, 560) << dialect->name;
  }
}

TEST(Dialects, EveryFileIsListed) {
  std::size_t files = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(MANTISSA_SOURCE_DIR "/engine/adapters")) {
    const std::string stem = entry.path().stem().string();
    if (stem.starts_with("dialect_") && entry.path().extension() == ".cpp") {
      ++files;
      EXPECT_NO_THROW(dialect_called(stem.substr(std::string("dialect_").size())))
          << stem << " is not in dialects.cpp, or has another name there";
    }
  }
  EXPECT_EQ(files, dialects().size());
}

TEST(Dialects, EveryFormatHasOne) {
  for (const OutputFormat format :
       {OutputFormat::kohya, OutputFormat::comfyui, OutputFormat::a1111, OutputFormat::plain_lora,
        OutputFormat::onetrainer, OutputFormat::diffusers, OutputFormat::peft}) {
    EXPECT_FALSE(file_form(format, {}).plain);
    EXPECT_NE(file_form(format, {}).dialect, nullptr);
  }
  EXPECT_TRUE(file_form(OutputFormat::plain_lora, DoraAxis::input).plain);
  EXPECT_FALSE(file_form(OutputFormat::comfyui, DoraAxis::input).plain);
  EXPECT_TRUE(file_form(OutputFormat::a1111, DoraAxis::output).plain);
  EXPECT_FALSE(file_form(OutputFormat::kohya, DoraAxis::output).plain);
}

}  // namespace
}  // namespace mantissa
