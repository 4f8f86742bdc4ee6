#include "engine/models/qwen3/qwen3_keys.h"

#include <array>
#include <string>

#include "engine/io/model_writer.h"
#include "engine/io/name_parts.h"

namespace mantissa {
namespace {

/// llama.cpp's names of a layer's modules, as GGUF files have them.
constexpr std::array<NamePair, 11> kQwen3Llama{{
    {"attn_q", "self_attn.q_proj"},
    {"attn_k", "self_attn.k_proj"},
    {"attn_v", "self_attn.v_proj"},
    {"attn_output", "self_attn.o_proj"},
    {"attn_q_norm", "self_attn.q_norm"},
    {"attn_k_norm", "self_attn.k_norm"},
    {"attn_norm", "input_layernorm"},
    {"ffn_gate", "mlp.gate_proj"},
    {"ffn_up", "mlp.up_proj"},
    {"ffn_down", "mlp.down_proj"},
    {"ffn_norm", "post_attention_layernorm"},
}};

/// The canonical name of llama.cpp's `name`; nothing if it isn't one.
std::optional<std::string> qwen3_from_llama(std::string_view name) {
  if (name == "token_embd.weight") {
    return "model.embed_tokens.weight";
  }
  if (name == "output_norm.weight") {
    return "model.norm.weight";
  }
  if (!take(name, "blk.")) {
    return std::nullopt;
  }
  const auto layer = take_index(name);
  return layer ? joined("model.layers." + std::to_string(*layer),
                        rename_head(name, kQwen3Llama, true))
               : std::nullopt;
}

}  // namespace

std::optional<NameMapping> qwen3_weight(Part part, std::string_view name) {
  std::string_view rest = name;
  take(rest, "model.");
  if (rest == "lm_head.weight" || rest == "output.weight" || rest.starts_with("visual.")) {
    return NameMapping{NameTransform::dropped, {}, part};
  }
  take(rest, "language_model.");
  take(rest, "model.");  // language_model.model.: older versions of transformers
  if (rest == "embed_tokens.weight" || rest == "norm.weight" || rest.starts_with("layers.")) {
    return NameMapping{NameTransform::none, {"model." + std::string(rest)}, part};
  }
  auto to = qwen3_from_llama(name);
  return to ? std::optional(NameMapping{NameTransform::none, {std::move(*to)}, part})
            : std::nullopt;
}

std::optional<NameMapping> qwen3_vl_weight(Part part, std::string_view name) {
  std::string_view rest = name;
  take(rest, "model.");
  return rest.starts_with("visual.") ? NameMapping{NameTransform::none, {std::string(rest)}, part}
                                     : qwen3_weight(part, name);
}

std::optional<NameMapping> ministral3_weight(Part part, std::string_view name) {
  std::string_view rest = name;
  take(rest, "model.");
  if (rest.starts_with("vision_tower.") || rest.starts_with("multi_modal_projector.") ||
      name == "tekken_model") {
    return NameMapping{NameTransform::dropped, {}, part};
  }
  // llama.cpp keeps q and k of these models in another order of channels.
  return qwen3_from_llama(name) ? std::nullopt : qwen3_weight(part, name);
}

namespace {

/// Puts `language_model` before the names of te1 in place of "model.".
void to_vl_folder(ModelContents& model, std::string_view language_model) {
  const auto text = model.parts.find(kTe1);
  if (text == model.parts.end()) {
    return;
  }
  // The vision tower stands beside the language model.
  const std::string above(language_model.substr(0, language_model.find("language_model.")));
  for (ModelTensor& tensor : text->second) {
    std::string_view rest = tensor.name;
    if (take(rest, "model.")) {
      tensor.name = std::string(language_model) + std::string(rest);
    } else if (rest.starts_with("visual.")) {
      tensor.name = above + tensor.name;
    }
  }
}

}  // namespace

void to_vl_model_folder(ModelContents& model) {
  to_vl_folder(model, "language_model.");
}

void to_vl_generation_folder(ModelContents& model) {
  to_vl_folder(model, "model.language_model.");
}

}  // namespace mantissa
