#pragma once

#include <array>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "engine/io/weights.h"

namespace mantissa {

/// What the vision towers of Qwen3-VL and Qwen2.5-VL have in common.
struct QwenVisionConfig {
  int hidden = 1024, layers = 24, heads = 16, intermediate = 4096;
  int patch = 16, frames = 2;  ///< pixels of a patch's side; images that it has behind each other
  int merge = 2;               ///< patches of a side that become one token
  int out = 2560;              ///< width of the language model
  double rope_theta = 1e4;
  /// Pairs of a head of the language model that turn with time, row and column.
  std::array<int, 3> sections{24, 20, 20};
  bool in_turns = true;  ///< they alternate, else each axis has its own behind the last one's

  int patch_values() const { return 3 * frames * patch * patch; }
  int head_dim() const { return hidden / heads; }
  bool operator==(const QwenVisionConfig&) const = default;
};

/// The vision tower of a Qwen3-VL; the defaults are those of Qwen3-VL-4B.
struct Qwen3VisionConfig : QwenVisionConfig {
  int side = 48;                     ///< of the square of learned positions
  bool erf = false;                  ///< the exact GELU in blocks, else its approximation by tanh
  std::vector<int> deep{5, 11, 17};  ///< blocks whose results reach the first layers of the text
  bool operator==(const Qwen3VisionConfig&) const = default;
};

/// Reads it from a Qwen3-VL's config.json, else from names and shapes of its weights "visual.…",
/// as released. The result is always checked against the weights. Throws Error naming the field or
/// tensor.
Qwen3VisionConfig qwen3_vision_config(const WeightSource& weights, Part part);
/// From its JSON alone; `label` names the source in errors.
Qwen3VisionConfig qwen3_vision_config_from_json(const nlohmann::json& json,
                                                const std::string& label);

}  // namespace mantissa
