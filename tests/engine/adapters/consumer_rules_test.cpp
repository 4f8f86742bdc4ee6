// Full-size SDXL adapters as other programs look them up: each rule below derives a program's known
// keys from the model's tensor names. Every key we write must be known to it.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <gtest/gtest.h>
#include <map>
#include <regex>
#include <set>

#include "engine/adapters/export.h"
#include "engine/io/module_path.h"
#include "engine/io/safetensors.h"
#include "engine/models/stable_diffusion/sd_family.h"
#include "engine/models/stable_diffusion/sd_names.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {
namespace fs = std::filesystem;

std::string underscored(std::string name) {
  std::replace(name.begin(), name.end(), '.', '_');
  return name;
}

std::string without(const std::string& prefix, const std::string& name) {
  EXPECT_TRUE(name.starts_with(prefix)) << name;
  return name.substr(prefix.size());
}

Shape shape_of(const std::string& text) {
  Shape shape;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    shape.push_back(std::stoll(text.substr(at, end - at)));
    at = end + 1;
  }
  return shape;
}

/// The canonical paths of all 788 + 264 modules with the shapes of their weights.
std::map<std::string, Shape> modules() {
  std::map<std::string, Shape> result;
  for (const auto& row : test::key_table("sdxl_lora_modules.tsv")) {
    result[canonical_path(row[1])] = shape_of(row[3]);
  }
  for (const auto& row : test::key_table("sdxl_lora_te_modules.tsv")) {
    result[canonical_path(row[1])] = shape_of(row[2]);
  }
  return result;
}

std::shared_ptr<const ModelNames> full_size_names() {
  std::vector<std::string> names;
  for (const auto& row : test::key_table("sdxl_unet.tsv")) {
    names.push_back(without(std::string(kUnetPrefix), row[0]));
  }
  return sd_names(kSdxl, unet_layout_from_ldm(names), 4);
}

/// Rank 1 on every module, with DoRA magnitudes if `dora`.
std::vector<AdapterModule> adapters(bool dora) {
  std::vector<AdapterModule> list;
  for (const auto& [path, w] : modules()) {
    AdapterModule m;
    m.path = path;
    m.rank = 1;
    m.alpha = 1;
    m.down_shape = w;
    m.down_shape[0] = 1;
    m.up_shape = w.rank() == 4 ? Shape{w[0], 1, 1, 1} : Shape{w[0], 1};
    m.down.assign(static_cast<std::size_t>(m.down_shape.count()), 0.5F);
    m.up.assign(static_cast<std::size_t>(m.up_shape.count()), 0.25F);
    if (dora) {
      m.dora_axis = DoraAxis::output;
      m.magnitude.assign(static_cast<std::size_t>(w[0]), 1.0F);
    }
    list.push_back(std::move(m));
  }
  return list;
}

class ConsumerRules : public ::testing::Test {
 protected:
  ConsumerRules() {
    // tests/interop/full_keys.py checks these files with diffusers if this is set.
    const char* kept = std::getenv("MANTISSA_INTEROP");
    // A folder for this test: others run in parallel.
    const std::string test = ::testing::UnitTest::GetInstance()->current_test_info()->name();
    folder_ = kept != nullptr ? fs::path(kept)
                              : fs::temp_directory_path() / ("mantissa_consumer_rules-" + test);
    keep_ = kept != nullptr;
    fs::create_directories(folder_);
  }
  ~ConsumerRules() override {
    if (!keep_) {
      fs::remove_all(folder_);
    }
  }

  /// The names in a file of all modules.
  std::set<std::string> written(OutputFormat format, bool dora) {
    AdapterExport options;
    options.format = format;
    options.dtype = MasterType::bf16;
    options.base = full_size_names();
    const fs::path path =
        folder_ / (std::string("full_") + (format == OutputFormat::kohya ? "kohya" : "diffusers") +
                   (dora ? "_dora" : "") + ".safetensors");
    write_adapter_file(path, adapters(dora), options);
    const SafetensorsFile file = SafetensorsFile::open(path);
    std::set<std::string> names;
    for (const TensorInfo& t : file.tensors()) {
      names.insert(t.name);
    }
    return names;
  }

  /// All of `names` are <a known stem><one of the endings>, and every module is there.
  static void expect_known(const std::set<std::string>& names, const std::set<std::string>& stems,
                           const std::vector<std::string>& endings) {
    std::set<std::string> used;
    for (const std::string& name : names) {
      bool known = false;
      for (const std::string& ending : endings) {
        const std::string stem = name.substr(0, name.size() - std::min(name.size(), ending.size()));
        if (name.ends_with(ending) && stems.contains(stem)) {
          known = true;
          used.insert(stem);
        }
      }
      EXPECT_TRUE(known) << name << " means nothing to this program";
    }
    EXPECT_EQ(used.size(), 788U + 264U);
    EXPECT_EQ(names.size(), used.size() * endings.size());
  }

  fs::path folder_;
  bool keep_ = false;
};

/// LDM names of the UNet's weights, without prefix and ".weight"; transformers names of the text
/// encoders' matrices likewise.
std::vector<std::string> unet_weights() {
  std::vector<std::string> names;
  for (const auto& row : test::key_table("sdxl_unet.tsv")) {
    if (row[0].ends_with(".weight")) {
      const std::string name = without("model.diffusion_model.", row[0]);
      names.push_back(name.substr(0, name.size() - 7));
    }
  }
  return names;
}
std::vector<std::string> text_weights(int layers) {
  std::vector<std::string> names;
  for (int layer = 0; layer < layers; ++layer) {
    for (const char* inner : {"mlp.fc1", "mlp.fc2", "self_attn.k_proj", "self_attn.q_proj",
                              "self_attn.v_proj", "self_attn.out_proj"}) {
      names.push_back("text_model.encoder.layers." + std::to_string(layer) + "." + inner);
    }
  }
  return names;
}

/// ComfyUI: lora_unet_ + the UNet's own name, lora_te1_ / lora_te2_ + the text model's, all with
/// underscores; lora_up, lora_down, alpha, dora_scale.
std::set<std::string> comfyui() {
  std::set<std::string> stems;
  for (const std::string& name : unet_weights()) {
    stems.insert("lora_unet_" + underscored(name));
  }
  for (const auto& [prefix, layers] : {std::pair{"lora_te1_", 12}, std::pair{"lora_te2_", 32}}) {
    for (const std::string& name : text_weights(layers)) {
      stems.insert(prefix + underscored(name));
    }
  }
  return stems;
}

TEST_F(ConsumerRules, ComfyUiKnowsEveryKey) {
  expect_known(written(OutputFormat::kohya, false), comfyui(),
               {".lora_up.weight", ".lora_down.weight", ".alpha"});
  expect_known(written(OutputFormat::kohya, true), comfyui(),
               {".lora_up.weight", ".lora_down.weight", ".alpha", ".dora_scale"});
}

/// A1111: the name up to the first dot is rewritten to that of a module, where q, k and v of the
/// second text encoder are looked up at their fused module.
TEST_F(ConsumerRules, A1111FindsEveryModule) {
  std::set<std::string> known;
  for (const std::string& name : unet_weights()) {
    known.insert("diffusion_model_" + underscored(name));
  }
  for (const std::string& name : text_weights(12)) {
    known.insert("0_transformer_" + underscored(name));
  }
  for (int layer = 0; layer < 32; ++layer) {
    for (const char* inner : {"attn", "attn_out_proj", "mlp_c_fc", "mlp_c_proj"}) {
      known.insert("1_model_transformer_resblocks_" + std::to_string(layer) + "_" + inner);
    }
  }
  const std::regex second("lora_te2_text_model_encoder_layers_(\\d+)_(.+)");
  const std::set<std::string> parts{"lora_up.weight", "lora_down.weight", "alpha", "dora_scale"};
  std::set<std::string> found;
  for (const std::string& key : written(OutputFormat::kohya, true)) {
    const std::string stem = key.substr(0, key.find('.'));
    EXPECT_TRUE(parts.contains(key.substr(stem.size() + 1))) << key;
    std::string module = stem;
    std::smatch match;
    if (std::regex_match(stem, match, second)) {
      std::string inner = match[2];
      inner = inner == "mlp_fc1"   ? "mlp_c_fc"
              : inner == "mlp_fc2" ? "mlp_c_proj"
                                   : "attn" + without("self_attn", inner);
      module = "1_model_transformer_resblocks_" + match[1].str() + "_" + inner;
      module = std::regex_replace(module, std::regex("_[qkv]_proj$"), "");
    } else if (stem.starts_with("lora_unet")) {
      module = "diffusion_model" + stem.substr(9);
    } else {
      module = "0_transformer_text_model" + without("lora_te1_text_model", stem);
    }
    EXPECT_TRUE(known.contains(module)) << key << " -> " << module;
    found.insert(stem);
  }
  EXPECT_EQ(found.size(), 788U + 264U);
}

/// stable-diffusion.cpp: every weight of the model, its dots as underscores, is looked up with
/// lora_up, lora_down and alpha; the rest is reported as unused.
TEST_F(ConsumerRules, StableDiffusionCppUsesEveryTensor) {
  const std::map<std::string, std::string> prefixes{
      {"lora_unet_", "model_diffusion_model_"},
      {"lora_te1_", "cond_stage_model_transformer_"},
      {"lora_te2_", "cond_stage_model_1_transformer_"}};
  std::set<std::string> model;
  for (const std::string& name : unet_weights()) {
    model.insert("model_diffusion_model_" + underscored(name));
  }
  for (const auto& [prefix, layers] : {std::pair{"cond_stage_model_transformer_", 12},
                                       std::pair{"cond_stage_model_1_transformer_", 32}}) {
    for (const std::string& name : text_weights(layers)) {
      model.insert(prefix + underscored(name));
    }
  }
  std::set<std::string> renamed;
  for (const std::string& key : written(OutputFormat::kohya, false)) {
    const auto prefix = std::find_if(prefixes.begin(), prefixes.end(),
                                     [&](const auto& p) { return key.starts_with(p.first); });
    ASSERT_NE(prefix, prefixes.end()) << key;
    renamed.insert(prefix->second + key.substr(prefix->first.size()));
  }
  expect_known(renamed, model, {".lora_up.weight", ".lora_down.weight", ".alpha"});
}

/// diffusers and PEFT: the module's path, unet. and text_encoder(_2).; lora_A and lora_B.
TEST_F(ConsumerRules, DiffusersPathsAreModulePaths) {
  std::set<std::string> stems;
  for (const char* table : {"sdxl_lora_modules.tsv", "sdxl_lora_te_modules.tsv"}) {
    for (const auto& row : test::key_table(table)) {
      stems.insert(row[1]);
    }
  }
  ASSERT_EQ(stems.size(), 788U + 264U);
  expect_known(written(OutputFormat::diffusers, false), stems,
               {".lora_A.weight", ".lora_B.weight"});
  expect_known(written(OutputFormat::diffusers, true), stems,
               {".lora_A.weight", ".lora_B.weight", ".lora_magnitude_vector"});
}

}  // namespace
}  // namespace mantissa
