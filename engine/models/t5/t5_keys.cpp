#include "engine/models/t5/t5_keys.h"

#include <array>
#include <string>

#include "engine/io/name_parts.h"

namespace mantissa {
namespace {

/// llama.cpp's names of a block's modules, as GGUF files have them.
constexpr std::array<NamePair, 10> kT5Llama{{
    {"attn_q", "layer.0.SelfAttention.q"},
    {"attn_k", "layer.0.SelfAttention.k"},
    {"attn_v", "layer.0.SelfAttention.v"},
    {"attn_o", "layer.0.SelfAttention.o"},
    {"attn_rel_b", "layer.0.SelfAttention.relative_attention_bias"},
    {"attn_norm", "layer.0.layer_norm"},
    {"ffn_gate", "layer.1.DenseReluDense.wi_0"},
    {"ffn_up", "layer.1.DenseReluDense.wi_1"},
    {"ffn_down", "layer.1.DenseReluDense.wo"},
    {"ffn_norm", "layer.1.layer_norm"},
}};

/// The canonical name of llama.cpp's `name`; nothing if it isn't an encoder's.
std::optional<std::string> t5_from_llama(std::string_view name) {
  if (name == "token_embd.weight") {
    return std::string(kT5Table);
  }
  if (name == "enc.output_norm.weight") {
    return "encoder.final_layer_norm.weight";
  }
  if (!take(name, "enc.blk.")) {
    return std::nullopt;
  }
  const auto block = take_index(name);
  return block
             ? joined("encoder.block." + std::to_string(*block), rename_head(name, kT5Llama, true))
             : std::nullopt;
}

}  // namespace

std::optional<NameMapping> t5_weight(Part part, std::string_view name, bool has_table) {
  if (name == kT5TiedTable) {
    return has_table ? NameMapping{NameTransform::dropped, {}, part}
                     : NameMapping{NameTransform::none, {std::string(kT5Table)}, part};
  }
  if (name == kT5Table || name.starts_with("encoder.block.") ||
      name == "encoder.final_layer_norm.weight") {
    return NameMapping{NameTransform::none, {std::string(name)}, part};
  }
  auto to = t5_from_llama(name);
  return to ? std::optional(NameMapping{NameTransform::none, {std::move(*to)}, part})
            : std::nullopt;
}

}  // namespace mantissa
