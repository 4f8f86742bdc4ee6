#include "engine/models/qwen3/qwen3_config.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <vector>

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
    {"attention_bias", &Qwen3Config::biases, false,
     presence_of("model.layers.0.self_attn.q_proj.bias")},
};

/// Of a Qwen2.5-VL, where the text's fields have no level of their own.
constexpr std::array<std::string_view, 6> kQwen2Vision{
    "vision_config",         "image_token_id",      "video_token_id",
    "vision_start_token_id", "vision_end_token_id", "vision_token_id",
};
/// Channels of a head in every released Qwen2.5 and Ministral 3 that a model was conditioned on.
constexpr int kUsualHead = 128;

constexpr const char* kMinistral3 = "Ministral 3";

constexpr ConfigField<Qwen3Config> kMinistral3Fields[] = {
    {"vocab_size", &Qwen3Config::vocab, 131072, extent_of("model.embed_tokens.weight", 0), 4},
    {"hidden_size", &Qwen3Config::hidden, 4096, extent_of("model.embed_tokens.weight", 1)},
    {"num_hidden_layers", &Qwen3Config::layers, 34,
     count_of("model.layers.", ".input_layernorm.weight")},
    {"intermediate_size", &Qwen3Config::intermediate, 14336,
     extent_of("model.layers.0.mlp.gate_proj.weight", 0)},
    {"head_dim", &Qwen3Config::head_dim, 128, kDerivedField, 2},
    {"num_attention_heads", &Qwen3Config::heads, 32, kDerivedField},
    {"num_key_value_heads", &Qwen3Config::key_heads, 8, kDerivedField},
    {"rms_norm_eps", &Qwen3Config::norm_eps, 1e-5},
};

/// What a file without a config doesn't tell, as released.
Qwen3Config released_ministral3() {
  Qwen3Config c;
  c.plain = true;
  c.norm_eps = 1e-5;
  c.yarn = {.factor = 16, .trained = 16384};
  return c;
}

/// The config of a model that reads images too has a text and a vision half.
const json& qwen3_text_part(const json& object, const char* both) {
  const bool whole = object.is_object() && object.value("model_type", json()) == both &&
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

/// A Ministral 3's rotary fields. Its factor on queries at positions beyond those first trained on,
/// llama_4_scaling_beta, is 1 for captions.
void read_ministral3_rope(const ConfigFields& f, const std::string& label, Qwen3Config& c) {
  const json* object = f.find("rope_parameters");
  if (object == nullptr) {
    return;
  }
  const ConfigFields rope(*object, label + ", rope_parameters");
  c.rope_theta = rope.number("rope_theta", c.rope_theta);
  std::string kind = rope.one_of("type", "yarn", {"default", "yarn"});
  kind = rope.one_of("rope_type", kind, {"default", "yarn"});
  if (kind == "default") {
    c.yarn = {};
  } else {
    c.yarn = {.factor = rope.number("factor", c.yarn.factor),
              .trained = rope.number("original_max_position_embeddings", c.yarn.trained),
              .fast = rope.number("beta_fast", c.yarn.fast),
              .slow = rope.number("beta_slow", c.yarn.slow)};
    // Equal ones leave cosines and sines as they are; without them YaRN scales both.
    for (const char* key : {"mscale", "mscale_all_dim"}) {
      if (rope.find(key) == nullptr) {
        rope.fail(key, message<"is missing">());
      }
    }
    rope.only("mscale", *rope.find("mscale_all_dim"));
    rope.only("truncate", true);
  }
  rope.refuse_others(std::array<std::string_view, 9>{
      "llama_4_scaling_beta", "max_position_embeddings", "mscale", "mscale_all_dim", "factor",
      "original_max_position_embeddings", "beta_fast", "beta_slow", "truncate"});
}

void refuse_windows(const ConfigFields& f, int layers) {
  f.only("use_sliding_window", false);
  const std::vector<std::string> full(static_cast<std::size_t>(layers), "full_attention");
  if (f.texts("layer_types", full) != full) {
    f.fail("layer_types", message<"must hold {type} once a layer ({layers} layers); sliding "
                                  "windows are not supported">("full_attention", layers));
  }
}

void require_qwen_weights(const WeightSource& weights, Part part, const char* model,
                          std::initializer_list<const char*> names) {
  for (const char* name : names) {
    if (!weights.contains(part, name)) {
      throw Error(message<"'{path}': {part} has no {weight}; it is no {model} text encoder">(
          path_to_utf8(weights.path()), part.name(), name, model));
    }
  }
}

Qwen3Config detect_qwen3(const WeightSource& weights, Part part, double usual_theta) {
  const std::string first = "model.layers.0.";
  require_qwen_weights(
      weights, part, "Qwen3",
      {"model.layers.0.self_attn.q_norm.weight", "model.layers.0.mlp.gate_proj.weight"});
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

/// Heads where nothing in the weights tells their width.
void set_unmarked_heads(const WeightSource& weights, Part part, Qwen3Config& c) {
  const int queries = dim(weights, part, "model.layers.0.self_attn.q_proj.weight", 0);
  const int keys = dim(weights, part, "model.layers.0.self_attn.k_proj.weight", 0);
  c.head_dim = queries % kUsualHead == 0 && keys % kUsualHead == 0 ? kUsualHead : keys;
  c.heads = queries / c.head_dim;
  c.key_heads = keys / c.head_dim;
}

Qwen3Config detect_qwen2(const WeightSource& weights, Part part) {
  require_qwen_weights(
      weights, part, "Qwen2.5",
      {"model.layers.0.self_attn.q_proj.bias", "model.layers.0.mlp.gate_proj.weight"});
  Qwen3Config c;
  detect_table(weights, part, kQwen3Fields, c);
  set_unmarked_heads(weights, part, c);
  return c;
}

/// As above.
Qwen3Config detect_ministral3(const WeightSource& weights, Part part) {
  require_qwen_weights(
      weights, part, kMinistral3,
      {"model.layers.0.self_attn.q_proj.weight", "model.layers.0.mlp.gate_proj.weight"});
  for (const char* other :
       {"model.layers.0.self_attn.q_norm.weight", "model.layers.0.self_attn.q_proj.bias"}) {
    if (weights.contains(part, other)) {
      throw Error(message<"'{path}': {part} has {weight}; it is no {model} text encoder">(
          path_to_utf8(weights.path()), part.name(), other, kMinistral3));
    }
  }
  Qwen3Config c = released_ministral3();
  detect_table(weights, part, kMinistral3Fields, c);
  set_unmarked_heads(weights, part, c);
  return c;
}

/// What both kinds have in common; `theta`: transformers' default.
Qwen3Config read_qwen(const ConfigFields& f, double theta, const std::string& label) {
  f.one_of("hidden_act", "silu", {"silu"});
  Qwen3Config c;
  read_table(f, kQwen3Fields, c);
  if (f.is_null("num_key_value_heads")) {
    c.key_heads = c.heads;
  }
  c.rope_theta = read_rope(f, theta, label);
  refuse_windows(f, c.layers);
  return c;
}

void check_qwen_heads(const ConfigFields& f, const Qwen3Config& c) {
  if (c.heads % c.key_heads != 0) {
    f.fail("num_key_value_heads",
           message<"is {count}, which does not divide the {heads} heads of num_attention_heads">(
               c.key_heads, c.heads));
  }
  if (c.head_dim % 2 != 0) {
    f.fail("head_dim", message<"is {found}; rotary embeddings need an even number">(c.head_dim));
  }
}

}  // namespace

Qwen3Config qwen3_config_from_json(const json& object, const std::string& label) {
  const ConfigFields f(qwen3_text_part(object, "qwen3_vl"), label);
  const bool vision = f.one_of("model_type", "qwen3", {"qwen3", "qwen3_vl_text"}) != "qwen3";
  f.only("attention_bias", false);
  const Qwen3Config c = read_qwen(f, vision ? 5e5 : 1e4, label);
  refuse_other_fields(f, kQwen3Harmless);
  check_qwen_heads(f, c);
  return c;
}

Qwen3Config qwen2_config_from_json(const json& object, const std::string& label) {
  const ConfigFields f(qwen3_text_part(object, "qwen2_5_vl"), label);
  f.one_of("model_type", "qwen2", {"qwen2", "qwen2_5_vl", "qwen2_5_vl_text"});
  Qwen3Config c = read_qwen(f, kQwen3Theta, label);
  c.biases = true;
  if (f.find("head_dim") == nullptr) {
    c.head_dim = c.hidden / c.heads;
  }
  std::vector<std::string_view> harmless(kQwen3Harmless.begin(), kQwen3Harmless.end());
  harmless.insert(harmless.end(), kQwen2Vision.begin(), kQwen2Vision.end());
  refuse_other_fields(f, harmless);
  check_qwen_heads(f, c);
  return c;
}

Qwen3Config ministral3_config_from_json(const json& object, const std::string& label) {
  const ConfigFields f(qwen3_text_part(object, "mistral3"), label);
  f.one_of("model_type", "ministral3", {"ministral3"});
  f.one_of("hidden_act", "silu", {"silu"});
  f.absent("sliding_window");
  Qwen3Config c = released_ministral3();
  read_table(f, kMinistral3Fields, c);
  read_ministral3_rope(f, label, c);
  refuse_windows(f, c.layers);
  refuse_other_fields(f, kQwen3Harmless);
  check_qwen_heads(f, c);
  return c;
}

Qwen3Config qwen3_config(const WeightSource& weights, Part part, double usual_theta) {
  require_part(weights, part);
  const Qwen3Config found = detect_qwen3(weights, part, usual_theta);
  return config_by_table(weights, part, kQwen3Fields, found, qwen3_config_from_json);
}

Qwen3Config qwen2_config(const WeightSource& weights, Part part) {
  require_part(weights, part);
  return config_by_table(weights, part, kQwen3Fields, detect_qwen2(weights, part),
                         qwen2_config_from_json);
}

Qwen3Config ministral3_config(const WeightSource& weights, Part part) {
  require_part(weights, part);
  return config_by_table(weights, part, kMinistral3Fields, detect_ministral3(weights, part),
                         ministral3_config_from_json);
}

}  // namespace mantissa
