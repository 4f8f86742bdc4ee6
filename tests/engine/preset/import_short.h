#pragma once
// Configurations of other programs around the few keys that a test is about.

#include "tests/engine/preset/import_samples.h"

namespace mantissa::testing_support {

inline ImportResult kohya_with(const std::string& keys,
                               const std::string& module = "networks.lora") {
  return import_preset_text(
      "sdxl = true\nlearning_rate = 1e-4\nnetwork_module = \"" + module + "\"\n" + keys, "x.toml");
}
inline ImportResult lycoris_with(const std::string& args) {
  return kohya_with("network_dim = 16\nnetwork_alpha = 8\nnetwork_args = [" + args + "]\n",
                    "lycoris.kohya");
}
/// `train`: keys of AI Toolkit's section of that name; `train_row` finds one's row.
inline ImportResult ai_toolkit_with(const std::string& train) {
  return import_preset_text(
      "job: extension\nconfig:\n  process:\n    - model: {arch: sdxl}\n      network: {type: lora, "
      "linear: 8}\n      train: {" +
          train + "}\n",
      "x.yaml");
}
inline const ImportRow& train_row(const ImportResult& result, const std::string& key) {
  return row(result, "config.process[0].train." + key);
}
inline ImportResult onetrainer_with(const std::string& keys) {
  return import_preset_text(
      R"({"training_method": "LORA", "model_type": "STABLE_DIFFUSION_XL_10_BASE", )" + keys + "}",
      "x.json");
}

}  // namespace mantissa::testing_support
