#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "engine/io/weights.h"
#include "engine/nn/rotary.h"

namespace mantissa {

/// A Qwen3 decoder, a Qwen2.5 or a Ministral 3; the defaults are those of Qwen3-4B.
struct Qwen3Config {
  int vocab = 151936, hidden = 2560, layers = 36, intermediate = 9728;
  int heads = 32, key_heads = 8;  ///< of queries; of keys and values
  int head_dim = 128;             ///< not hidden / heads
  double norm_eps = 1e-6, rope_theta = 1e6;
  bool biases = false;  ///< Qwen2.5: of q, k and v, whose heads aren't normed
  bool plain = false;   ///< Ministral 3: neither biases nor norms of heads
  YarnScaling yarn{};   ///< Ministral 3: of the rotary frequencies
  bool operator==(const Qwen3Config&) const = default;
};

/// Base of the rotary frequencies of a file without a config, which doesn't contain it.
inline constexpr double kQwen3Theta = 1e6;
inline constexpr double kQwen3VlTheta = 5e6;

/// Reads a text encoder's config.json, else detects it from names and shapes, with `usual_theta`.
/// The result is always checked against the weights. Throws Error naming the field or tensor.
Qwen3Config qwen3_config(const WeightSource& weights, Part part, double usual_theta = kQwen3Theta);
/// Reads a Qwen2.5's config likewise; without one, heads have 128 channels, or keys a single head.
Qwen3Config qwen2_config(const WeightSource& weights, Part part);
/// Reads a Ministral 3's config likewise; without one, its frequencies are the released ones.
Qwen3Config ministral3_config(const WeightSource& weights, Part part);
/// A config from its JSON alone; `label` names the source in errors. The one of a Qwen3-VL model
/// has these fields one level down.
Qwen3Config qwen3_config_from_json(const nlohmann::json& json, const std::string& label);
/// A config of a Qwen2.5 or Qwen2.5-VL from its JSON, in older files with the vision tower's fields
/// beside its own.
Qwen3Config qwen2_config_from_json(const nlohmann::json& json, const std::string& label);
/// A config of a Ministral 3, or of the Mistral 3 model around one, from its JSON.
Qwen3Config ministral3_config_from_json(const nlohmann::json& json, const std::string& label);

}  // namespace mantissa
