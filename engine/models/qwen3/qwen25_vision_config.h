#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "engine/io/weights.h"
#include "engine/models/qwen3/qwen3_vision_config.h"

namespace mantissa {

/// The vision tower of a Qwen2.5-VL.
struct Qwen25VisionConfig : QwenVisionConfig {
  int window = 112;                       ///< pixels of a window's side
  std::vector<int> whole{7, 15, 23, 31};  ///< blocks without windows

  /// Tokens of a window's side.
  int window_tokens() const { return window / merge / patch; }
  bool operator==(const Qwen25VisionConfig&) const = default;
};

/// The config of Qwen2.5-VL-7B's vision tower.
Qwen25VisionConfig released_qwen25_vision();

/// Reads it from a Qwen2.5-VL's config.json, else from names and shapes of its weights "visual.…",
/// as released. The result is always checked against the weights. Throws Error naming the field or
/// tensor.
Qwen25VisionConfig qwen25_vision_config(const WeightSource& weights, Part part);
/// From its JSON alone; `label` names the source in errors.
Qwen25VisionConfig qwen25_vision_config_from_json(const nlohmann::json& json,
                                                  const std::string& label);

}  // namespace mantissa
