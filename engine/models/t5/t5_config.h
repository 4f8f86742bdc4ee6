#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "engine/io/weights.h"

namespace mantissa {

/// T5-v1.1 encoder.
struct T5Config {
  int vocab = 32128, hidden = 4096, layers = 24, heads = 64, head_dim = 64, intermediate = 10240;
  int buckets = 32, max_distance = 128;  ///< of the relative position bias
  double norm_eps = 1e-6;
  int pad_id = 0, eos_id = 1;
  bool operator==(const T5Config&) const = default;
};

/// Reads a text encoder's config.json, else detects it from names and shapes. The result is always
/// checked against the weights. Throws Error naming the field or tensor.
T5Config t5_config(const WeightSource& weights, Part part);
/// A config from its JSON alone; `label` names the source in errors.
T5Config t5_config_from_json(const nlohmann::json& json, const std::string& label);

}  // namespace mantissa
