#pragma once
// FLUX.1 in the configurations of other trainers.

#include <string>
#include <vector>

#include "tests/engine/preset/import_samples.h"

namespace mantissa::testing_support {

inline ImportResult flux1_by_scripts(const std::string& more) {
  const ImportResult r = import_preset_text(
      "network_module = \"networks.lora_flux\"\nnetwork_dim = 16\nnetwork_alpha = 8\n"
      "learning_rate = 1e-4\n" +
          more,
      "x.toml");
  EXPECT_EQ(r.preset.model.family, ModelFamily("flux1"));
  expect_reported(r);
  expect_safe(r);
  return r;
}

inline ImportResult flux1_arguments(const std::string& arguments) {
  return flux1_by_scripts("network_args = [" + arguments + "]\n");
}

inline ImportResult flux1_by_kohya_ss(const std::string& more) {
  return import_preset_text(R"({"LoRA_type": "Flux1", "flux1_checkbox": true, "network_dim": 16,
                               "network_alpha": 8, "unet_lr": 1e-4, )" +
                                more + "}",
                            "x.json");
}

inline ImportResult flux1_by_simpletuner(const std::string& more) {
  const ImportResult r = import_preset_text(
      R"({"--model_family": "flux", "--model_type": "lora", "--lora_type": "standard", )" + more +
          "}",
      "config.json");
  EXPECT_EQ(r.count(ImportFate::unknown), 0u) << more;
  expect_reported(r);
  return r;
}

inline ImportResult flux1_by_ai_toolkit(const std::string& model) {
  return import_preset_text(
      "job: extension\nconfig:\n  process:\n    - type: sd_trainer\n      network: {type: lora, "
      "linear: 8}\n      model: {" +
          model + "}\n",
      "x.yaml");
}

inline ImportResult flux1_by_onetrainer(const std::string& base, const std::string& more = "") {
  return import_preset_text(
      R"({"training_method": "LORA", "model_type": "FLUX_DEV_1", "base_model_name": ")" + base +
          "\"" + more + "}",
      "x.json");
}

/// The row's note where the training differs; else the name of its fate.
inline std::string change_of(const ImportResult& r, const std::string& key) {
  const ImportRow& each = row(r, key);
  return each.fate == ImportFate::changed ? each.note.text()
                                          : std::string(import_fate_name(each.fate));
}

inline std::vector<std::string> ranks_of(const ImportResult& r) {
  std::vector<std::string> all;
  for (const LayerRank& each : r.preset.adapter.ranks) {
    all.push_back(each.layers + " " + std::to_string(each.rank) + " " +
                  std::to_string(static_cast<int>(each.alpha)));
  }
  return all;
}

/// What sd-scripts and AI Toolkit adapt.
inline const std::vector<std::string> kFlux1Blocks{"attention+mlp",
                                                   "denoiser.*transformer_blocks.*.norm*"};

}  // namespace mantissa::testing_support
