#include "engine/models/qwen3/qwen3_config.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "engine/io/config_detect.h"
#include "engine/io/config_fields.h"
#include "engine/io/config_table.h"
#include "engine/io/transformers_fields.h"

namespace mantissa {

using namespace config_detect;
using nlohmann::json;

namespace {

/// Initialisation, dropout in training, and limits of text generation: not used here. The window
/// and its first layer only count with use_sliding_window, which is refused.
constexpr std::array<std::string_view, 8> kQwen3Harmless{
    "initializer_range", "attention_dropout", "max_position_embeddings",
    "sliding_window",    "max_window_layers", "bos_token_id",
    "eos_token_id",      "pad_token_id",
};

constexpr ConfigField<Qwen3Config> kQwen3Fields[] = {
    {"vocab_size", &Qwen3Config::vocab, 151936, extent_of("model.embed_tokens.weight", 0), 4},
    {"hidden_size", &Qwen3Config::hidden, 4096, extent_of("model.embed_tokens.weight", 1)},
    {"num_hidden_layers", &Qwen3Config::layers, 32,
     count_of("model.layers.", ".input_layernorm.weight")},
    {"intermediate_size", &Qwen3Config::intermediate, 22016,
     extent_of("model.layers.0.mlp.gate_proj.weight", 0)},
    {"head_dim", &Qwen3Config::head_dim, 128, kDerivedField, 2},
    {"num_attention_heads", &Qwen3Config::heads, 32, kDerivedField},
    {"num_key_value_heads", &Qwen3Config::key_heads, 32, kDerivedField},
    {"rms_norm_eps", &Qwen3Config::norm_eps, 1e-6},
};

/// A Qwen3-VL config has a text and a vision half.
const json& qwen3_text_part(const json& object) {
  const bool whole = object.is_object() && object.value("model_type", json()) == "qwen3_vl" &&
                     object.contains("text_config");
  return whole ? object["text_config"] : object;
}

/// The rotary base. Older files have it beside a null `rope_scaling`, newer ones inside
/// `rope_parameters`.
double read_rope(const ConfigFields& f, double fallback, const std::string& label) {
  double theta = f.number("rope_theta", fallback);
  for (const char* key : {"rope_scaling", "rope_parameters"}) {
    const json* object = f.find(key);
    if (object == nullptr) {
      continue;
    }
    const ConfigFields rope(*object, label + ", " + key);
    theta = rope.number("rope_theta", theta);
    for (const char* type : {"rope_type", "type"}) {
      // "mrope": three axes, which are equal in text.
      rope.one_of(type, "default", {"default", "mrope"});
    }
    rope.refuse_others(std::array<std::string_view, 2>{"mrope_section", "mrope_interleaved"});
  }
  return theta;
}

void refuse_windows(const ConfigFields& f, int layers) {
  f.only("use_sliding_window", false);
  const std::vector<std::string> full(static_cast<std::size_t>(layers), "full_attention");
  if (f.texts("layer_types", full) != full) {
    f.fail("layer_types", message<"must hold {type} once a layer ({layers} layers); sliding "
                                  "windows are not supported">("full_attention", layers));
  }
}

Qwen3Config detect_qwen3(const WeightSource& weights, Part part, double usual_theta) {
  const std::string first = "model.layers.0.";
  for (const char* name : {"self_attn.q_norm.weight", "mlp.gate_proj.weight"}) {
    if (!weights.contains(part, first + name)) {
      throw Error(message<"'{path}': {part} has no {weight}; it is no Qwen3 text encoder">(
          path_to_utf8(weights.path()), part.name(), first + name));
    }
  }
  if (weights.contains(part, first + "self_attn.q_proj.bias")) {
    throw Error(message<"'{path}': {part} has {weight}; attention with biases is not supported">(
        path_to_utf8(weights.path()), part.name(), first + "self_attn.q_proj.bias"));
  }
  Qwen3Config c;
  c.rope_theta = usual_theta;
  detect_table(weights, part, kQwen3Fields, c);
  c.head_dim = std::max(1, dim(weights, part, first + "self_attn.q_norm.weight", 0));
  c.heads = dim(weights, part, first + "self_attn.q_proj.weight", 0) / c.head_dim;
  c.key_heads = dim(weights, part, first + "self_attn.k_proj.weight", 0) / c.head_dim;
  return c;
}

}  // namespace

Qwen3Config qwen3_config_from_json(const json& object, const std::string& label) {
  const ConfigFields f(qwen3_text_part(object), label);
  const bool vision = f.one_of("model_type", "qwen3", {"qwen3", "qwen3_vl_text"}) != "qwen3";
  f.one_of("hidden_act", "silu", {"silu"});
  f.only("attention_bias", false);
  Qwen3Config c;
  read_table(f, kQwen3Fields, c);
  if (f.is_null("num_key_value_heads")) {
    c.key_heads = c.heads;
  }
  c.rope_theta = read_rope(f, vision ? 5e5 : 1e4, label);  // transformers' defaults
  refuse_windows(f, c.layers);
  refuse_other_fields(f, kQwen3Harmless);
  if (c.heads % c.key_heads != 0) {
    f.fail("num_key_value_heads",
           message<"is {count}, which does not divide the {heads} heads of num_attention_heads">(
               c.key_heads, c.heads));
  }
  if (c.head_dim % 2 != 0) {
    f.fail("head_dim", message<"is {found}; rotary embeddings need an even number">(c.head_dim));
  }
  return c;
}

Qwen3Config qwen3_config(const WeightSource& weights, Part part, double usual_theta) {
  require_part(weights, part);
  const Qwen3Config found = detect_qwen3(weights, part, usual_theta);
  return config_by_table(weights, part, kQwen3Fields, found, qwen3_config_from_json);
}

}  // namespace mantissa
