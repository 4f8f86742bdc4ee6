#pragma once

#include <nlohmann/json_fwd.hpp>

#include "engine/models/fresh_weights.h"
#include "engine/nn/weight_store.h"

namespace mantissa {

/// Family::fresh. Text encoders as transformers initialises CLIP: embeddings normal with deviation
/// 0.02 (or the config's `initializer_range`: small models learn to follow captions sooner with 1),
/// q, k, v and fc2 1/sqrt(2·layers·width), out_proj 1/sqrt(width), fc1 1/sqrt(2·width), text
/// projection 1/sqrt(width), biases 0.
FreshRule fresh_sd(WeightStore& store, Part part, const nlohmann::json& config);

}  // namespace mantissa
