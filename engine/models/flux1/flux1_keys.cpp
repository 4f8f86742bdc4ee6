#include "engine/models/flux1/flux1_keys.h"

#include <algorithm>

#include "engine/core/glob.h"
#include "engine/models/block_names.h"

namespace mantissa {

namespace {

constexpr std::array<NamePair, 9> kFlux1Top{{
    {"img_in", "x_embedder"},
    {"txt_in", "context_embedder"},
    {"time_in.in_layer", "time_text_embed.timestep_embedder.linear_1"},
    {"time_in.out_layer", "time_text_embed.timestep_embedder.linear_2"},
    {"vector_in.in_layer", "time_text_embed.text_embedder.linear_1"},
    {"vector_in.out_layer", "time_text_embed.text_embedder.linear_2"},
    {"guidance_in.in_layer", "time_text_embed.guidance_embedder.linear_1"},
    {"guidance_in.out_layer", "time_text_embed.guidance_embedder.linear_2"},
    {"final_layer.linear", "proj_out"},
}};

constexpr std::array<NamePair, 12> kFlux1Double{{
    {"img_attn.proj", "attn.to_out.0"},
    {"img_attn.norm.query_norm.scale", "attn.norm_q.weight"},
    {"img_attn.norm.key_norm.scale", "attn.norm_k.weight"},
    {"img_mlp.0", "ff.net.0.proj"},
    {"img_mlp.2", "ff.net.2"},
    {"img_mod.lin", "norm1.linear"},
    {"txt_attn.proj", "attn.to_add_out"},
    {"txt_attn.norm.query_norm.scale", "attn.norm_added_q.weight"},
    {"txt_attn.norm.key_norm.scale", "attn.norm_added_k.weight"},
    {"txt_mlp.0", "ff_context.net.0.proj"},
    {"txt_mlp.2", "ff_context.net.2"},
    {"txt_mod.lin", "norm1_context.linear"},
}};

constexpr std::array<NamePair, 4> kFlux1Single{{
    {"linear2", "proj_out"},
    {"norm.query_norm.scale", "attn.norm_q.weight"},
    {"norm.key_norm.scale", "attn.norm_k.weight"},
    {"modulation.lin", "norm.linear"},
}};

constexpr std::array kFlux1DoubleFused{
    FusedRow{"img_attn.qkv.weight", {"attn.to_q.weight", "attn.to_k.weight", "attn.to_v.weight"}},
    FusedRow{"img_attn.qkv.bias", {"attn.to_q.bias", "attn.to_k.bias", "attn.to_v.bias"}},
    FusedRow{"txt_attn.qkv.weight",
             {"attn.add_q_proj.weight", "attn.add_k_proj.weight", "attn.add_v_proj.weight"}},
    FusedRow{"txt_attn.qkv.bias",
             {"attn.add_q_proj.bias", "attn.add_k_proj.bias", "attn.add_v_proj.bias"}},
};
/// The feed-forward's entry is four times as wide as q, k and v in every released model.
constexpr std::array kFlux1SingleFused{
    FusedRow{"linear1.weight",
             {"attn.to_q.weight", "attn.to_k.weight", "attn.to_v.weight", "proj_mlp.weight"}},
    FusedRow{"linear1.bias",
             {"attn.to_q.bias", "attn.to_k.bias", "attn.to_v.bias", "proj_mlp.bias"}},
};

constexpr std::array kFlux1DoubleStack{NamePair{"double_blocks.", "transformer_blocks."}};
constexpr std::array kFlux1SingleStack{NamePair{"single_blocks.", "single_transformer_blocks."}};
constexpr std::array<NamePair, 1> kFlux1Exit{{
    {"final_layer.adaLN_modulation.1", "norm_out.linear"},
}};

/// A name, or a module's path, that isn't part of a fused tensor.
std::optional<std::string> flux1_renamed(std::string_view name, bool forward) {
  if (auto top = rename_head(name, kFlux1Top, forward)) {
    return top;
  }
  auto inside = rename_in_block(name, kFlux1DoubleStack, kFlux1Double, forward);
  return inside ? inside : rename_in_block(name, kFlux1SingleStack, kFlux1Single, forward);
}

}  // namespace

std::optional<NameMapping> flux1_to_diffusers(std::string_view name) {
  if (auto exit = rename_head(name, kFlux1Exit, true)) {
    return NameMapping{NameTransform::swap_halves, {std::move(*exit)}, kDenoiser};
  }
  if (auto fused = fused_to_diffusers(name, kFlux1DoubleStack, kFlux1DoubleFused)) {
    return fused;
  }
  if (auto fused = fused_to_diffusers(name, kFlux1SingleStack, kFlux1SingleFused)) {
    return fused;
  }
  return renamed_weight(flux1_renamed(norm_factor_name(name), true));
}

std::optional<OriginalTensor> flux1_to_original(std::string_view name) {
  if (auto exit = rename_head(name, kFlux1Exit, false)) {
    return OriginalTensor{std::move(*exit), NameTransform::swap_halves};
  }
  if (auto fused = fused_to_original(name, kFlux1DoubleStack, kFlux1DoubleFused)) {
    return fused;
  }
  if (auto fused = fused_to_original(name, kFlux1SingleStack, kFlux1SingleFused)) {
    return fused;
  }
  return renamed_tensor(flux1_renamed(name, false));
}

bool makes_flux1_modulations(std::string_view name) {
  static constexpr std::string_view kLayers[] = {"time_text_embed.*", "norm_out.*",
                                                 "*transformer_blocks.*.norm*.linear.*"};
  return std::ranges::any_of(kLayers,
                             [&](std::string_view layer) { return glob_match(layer, name); });
}

std::optional<std::string> flux1_original_path(std::string_view path) {
  return flux1_renamed(path, false);
}

}  // namespace mantissa
