#pragma once

#include <array>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "engine/io/weights.h"

namespace mantissa {

/// Krea 2's transformer; the defaults are those of the released model.
struct Krea2Config {
  int in_channels = 64;  ///< of a patch of latents
  int layers = 28;
  int heads = 48, key_heads = 12;  ///< of queries; of keys and values
  int head_dim = 128;
  int hidden = 16384;       ///< inner width of a feed-forward
  int time_channels = 256;  ///< of the timestep's sinusoid
  // The fusion of the text encoder's states.
  int text_channels = 2560, text_layers = 12;
  int text_heads = 20, text_key_heads = 20, text_hidden = 6912;
  int layerwise_blocks = 2, refiner_blocks = 2;
  /// Channels of a head that turn with each axis: frame, row, column.
  std::array<int, 3> axes_dims{32, 48, 48};
  double rope_theta = 1000;
  double norm_eps = 1e-5;
  static constexpr int kPatch = 2;  ///< latents of a patch's side

  int width() const { return heads * head_dim; }
  bool operator==(const Krea2Config&) const = default;
};

/// Reads transformer/config.json, else detects it from names and shapes (heads from the norms of q,
/// axes in the released model's proportions). The result is always checked against the weights.
/// Throws Error naming the field or tensor.
Krea2Config krea2_config(const WeightSource& weights);
/// A config from its JSON alone; `label` names the source in errors.
Krea2Config krea2_config_from_json(const nlohmann::json& json, const std::string& label);
/// Settings of the pipeline in model_index.json.
inline constexpr const char* kKrea2States = "text_encoder_select_layers";
inline constexpr const char* kKrea2PatchSize = "patch_size";
/// The text encoder's hidden states that the transformer gets, in its order, numbered as in
/// transformers: as model_index.json says, else those of the released model.
std::vector<int> krea2_text_states(const WeightSource& weights);
/// Throws Error naming the field of model_index.json unless they are as many as the transformer
/// takes, of a text encoder of so many layers.
void check_krea2_states(const WeightSource& weights, const Krea2Config& config, int layers);
/// Diffusers' form, as written to config.json.
nlohmann::json to_json(const Krea2Config& config);

}  // namespace mantissa
