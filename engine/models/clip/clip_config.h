#pragma once

#include <algorithm>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "engine/io/weights.h"

namespace mantissa {

struct ClipConfig {
  int hidden = 768, layers = 12, heads = 12, intermediate = 3072;
  bool quick_gelu = true;  ///< x * sigmoid(1.702 x), else erf GELU
  int vocab = 49408, positions = 77;
  int tokens = 77;         ///< per text: the number of positions, or the tokenizer's limit
  int projection_dim = 0;  ///< rows of text_projection; 0 if there is none
  int bos_id = 49406;
  int eos_id = 49407;  ///< 2: old configs, which mean a text's greatest id
  int pad_id = 49407;  ///< te1: same as EOS; te2: 0
  double norm_eps = 1e-5;

  /// The ids of CLIP's own vocabulary, regardless of added tokens; in a smaller one, its last two.
  void use_usual_ids(Part part) {
    constexpr int kClipVocab = 49408;
    eos_id = std::min(vocab, kClipVocab) - 1;
    bos_id = eos_id - 1;
    pad_id = part == kTe2 ? 0 : eos_id;
  }
  bool operator==(const ClipConfig&) const = default;
};

/// Reads the part's config.json and tokenizer folder, else detects it from names and shapes (heads
/// = width / 64; quick_gelu for a te1 narrower than OpenCLIP's, GELU for others). The result is
/// always checked against the weights. Throws Error naming the field or tensor.
ClipConfig clip_config(const WeightSource& weights, Part part);
/// A config from its JSON alone; `label` names the source in errors.
ClipConfig clip_config_from_json(const nlohmann::json& json, Part part, const std::string& label);
/// Transformers' form, as written to config.json and `mantissa.config`.
nlohmann::json to_json(const ClipConfig& config);

}  // namespace mantissa
