#pragma once
// A small model that reads references, with random weights: FLUX.3's network over the demo's VAE.

#include <cmath>
#include <cstring>
#include <filesystem>
#include <random>
#include <string>
#include <utility>

#include "engine/io/model_writer.h"
#include "engine/models/flux3/flux3.h"
#include "engine/nn/scope.h"
#include "engine/nn/weight_store.h"

namespace mantissa::testing_support {

inline Flux3Config mini_edit_config() {
  Flux3Config c;
  c.in_channels = c.reference_channels = 16;  // patches of the VAE's four
  c.mode_blocks = 1;
  c.single_blocks = 2;
  c.heads = 2;
  c.head_dim = 32;
  c.axes_dims = {2, 14, 14, 2};
  c.rope_theta = 2;  // four rows of tokens: no angle needs to be slow
  c.context_channels = 64;
  c.time_channels = 64;
  return c;
}

/// As torch draws linear layers; attention starts sharp enough to tell neighbouring tokens.
inline std::vector<float> first_values(const Shape& shape, std::mt19937& random) {
  constexpr float kSharp = 2;
  std::vector<float> values(static_cast<std::size_t>(shape.count()), kSharp);
  if (shape.rank() > 1) {
    const double bound = 1 / std::sqrt(static_cast<double>(shape[1]));
    for (float& value : values) {
      value = static_cast<float>(bound * (static_cast<double>(random()) / 2147483648.0 - 1));
    }
  }
  return values;
}

inline ModelTensor tensor_of(std::string name, const Shape& shape, std::vector<float> values) {
  return {std::move(name), DType::f32, shape,
          [values = std::move(values)](std::span<std::byte> out) {
            std::memcpy(out.data(), values.data(), out.size());
          }};
}

/// Writes the model: text encoder, tokenizer and schedule of tests/golden/models/flux3, the demo's
/// VAE as one whose latents are patches, and a transformer of weights drawn from a seed.
inline void write_mini_edit_model(const std::filesystem::path& folder) {
  namespace fs = std::filesystem;
  ModelContents model = model_contents(
      WeightSource::open(fs::path(MANTISSA_TEST_DATA) / "golden/models/flux3"), DType::f32);
  const ModelContents demo = model_contents(
      WeightSource::open(fs::path(MANTISSA_SOURCE_DIR) / "resources/demo/mini-z-image"),
      DType::f32);

  const Flux3Config config = mini_edit_config();
  WeightStore store = WeightStore::planning();
  Flux3Transformer(config, Scope(store, nullptr, kDenoiser), Flux3References::given);
  std::mt19937 random(7);
  model.configs[kDenoiser] = to_json(config);
  model.parts[kDenoiser].clear();
  for (const auto& [path, shape] : store.bound()) {
    model.parts[kDenoiser].push_back(
        tensor_of(std::string(split_path(path).below), shape, first_values(shape, random)));
  }

  nlohmann::json vae = demo.configs.at(kVae);
  constexpr double kVariance = 0.25;  // of drawn scenes, by the demo's scale
  const double scale = vae.at("scaling_factor");
  vae.erase("scaling_factor");
  vae["_class_name"] = "AutoencoderKLFlux2";
  vae["patch_size"] = {2, 2};
  model.configs[kVae] = vae;
  model.parts[kVae] = demo.parts.at(kVae);
  const auto channels = static_cast<std::size_t>(config.in_channels);
  for (const auto& [name, value] : {std::pair{"bn.running_mean", 0.0},
                                    std::pair{"bn.running_var", kVariance / (scale * scale)}}) {
    model.parts[kVae].push_back(tensor_of(name, {config.in_channels},
                                          std::vector<float>(channels, static_cast<float>(value))));
  }
  write_model_folder(folder, model);
}

}  // namespace mantissa::testing_support
