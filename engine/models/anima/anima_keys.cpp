#include "engine/models/anima/anima_keys.h"

#include "engine/models/block_names.h"

namespace mantissa {

namespace {

constexpr std::array<NamePair, 6> kAnimaTop{{
    {"x_embedder.proj.1", "patch_embed.proj"},
    {"t_embedder.1", "time_embed.t_embedder"},
    {"t_embedding_norm", "time_embed.norm"},
    {"final_layer.adaln_modulation.1", "norm_out.linear_1"},
    {"final_layer.adaln_modulation.2", "norm_out.linear_2"},
    {"final_layer.linear", "proj_out"},
}};

constexpr std::array<NamePair, 20> kAnimaBlock{{
    {"adaln_modulation_self_attn.1", "norm1.linear_1"},
    {"adaln_modulation_self_attn.2", "norm1.linear_2"},
    {"adaln_modulation_cross_attn.1", "norm2.linear_1"},
    {"adaln_modulation_cross_attn.2", "norm2.linear_2"},
    {"adaln_modulation_mlp.1", "norm3.linear_1"},
    {"adaln_modulation_mlp.2", "norm3.linear_2"},
    {"self_attn.q_proj", "attn1.to_q"},
    {"self_attn.k_proj", "attn1.to_k"},
    {"self_attn.v_proj", "attn1.to_v"},
    {"self_attn.output_proj", "attn1.to_out.0"},
    {"self_attn.q_norm", "attn1.norm_q"},
    {"self_attn.k_norm", "attn1.norm_k"},
    {"cross_attn.q_proj", "attn2.to_q"},
    {"cross_attn.k_proj", "attn2.to_k"},
    {"cross_attn.v_proj", "attn2.to_v"},
    {"cross_attn.output_proj", "attn2.to_out.0"},
    {"cross_attn.q_norm", "attn2.norm_q"},
    {"cross_attn.k_norm", "attn2.norm_k"},
    {"mlp.layer1", "ff.net.0.proj"},
    {"mlp.layer2", "ff.net.2"},
}};

constexpr std::array kAnimaStacks{NamePair{"blocks.", "transformer_blocks."}};
constexpr std::string_view kAnimaText = "llm_adapter.";

/// Tables that are computed here, and leftovers of training.
bool no_anima_weight(std::string_view name) {
  return name.starts_with("pos_embedder.") || name.starts_with("accum_") ||
         name.ends_with("._extra_state") || name.ends_with("rotary_emb.inv_freq");
}

std::optional<std::string> anima_renamed(std::string_view name, bool forward) {
  if (auto top = rename_head(name, kAnimaTop, forward)) {
    return top;
  }
  return rename_in_block(name, kAnimaStacks, kAnimaBlock, forward);
}

}  // namespace

std::optional<NameMapping> anima_to_diffusers(std::string_view name) {
  if (no_anima_weight(name)) {
    return NameMapping{NameTransform::dropped, {}, kDenoiser};
  }
  if (take(name, kAnimaText)) {
    return anima_text_weight(name);
  }
  return renamed_weight(anima_renamed(name, true));
}

NameMapping anima_text_weight(std::string_view name) {
  return no_anima_weight(name) ? NameMapping{NameTransform::dropped, {}, kTe2}
                               : NameMapping{NameTransform::none, {std::string(name)}, kTe2};
}

std::optional<OriginalTensor> anima_to_original(std::string_view name) {
  return renamed_tensor(anima_renamed(name, false));
}

std::optional<std::string> anima_original_path(std::string_view path) {
  return anima_renamed(path, false);
}

}  // namespace mantissa
