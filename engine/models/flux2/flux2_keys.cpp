#include "engine/models/flux2/flux2_keys.h"

#include "engine/models/block_names.h"

namespace mantissa {

namespace {

constexpr std::array<NamePair, 10> kFlux2Top{{
    {"img_in", "x_embedder"},
    {"txt_in", "context_embedder"},
    {"time_in.in_layer", "time_guidance_embed.timestep_embedder.linear_1"},
    {"time_in.out_layer", "time_guidance_embed.timestep_embedder.linear_2"},
    {"guidance_in.in_layer", "time_guidance_embed.guidance_embedder.linear_1"},
    {"guidance_in.out_layer", "time_guidance_embed.guidance_embedder.linear_2"},
    {"double_stream_modulation_img.lin", "double_stream_modulation_img.linear"},
    {"double_stream_modulation_txt.lin", "double_stream_modulation_txt.linear"},
    {"single_stream_modulation.lin", "single_stream_modulation.linear"},
    {"final_layer.linear", "proj_out"},
}};

constexpr std::array<NamePair, 10> kFlux2Double{{
    {"img_attn.proj", "attn.to_out.0"},
    {"img_attn.norm.query_norm.scale", "attn.norm_q.weight"},
    {"img_attn.norm.key_norm.scale", "attn.norm_k.weight"},
    {"img_mlp.0", "ff.linear_in"},
    {"img_mlp.2", "ff.linear_out"},
    {"txt_attn.proj", "attn.to_add_out"},
    {"txt_attn.norm.query_norm.scale", "attn.norm_added_q.weight"},
    {"txt_attn.norm.key_norm.scale", "attn.norm_added_k.weight"},
    {"txt_mlp.0", "ff_context.linear_in"},
    {"txt_mlp.2", "ff_context.linear_out"},
}};

constexpr std::array<NamePair, 4> kFlux2Single{{
    {"linear1", "attn.to_qkv_mlp_proj"},
    {"linear2", "attn.to_out"},
    {"norm.query_norm.scale", "attn.norm_q.weight"},
    {"norm.key_norm.scale", "attn.norm_k.weight"},
}};

constexpr std::array kFlux2Fused{
    FusedRow{"img_attn.qkv.weight", {"attn.to_q.weight", "attn.to_k.weight", "attn.to_v.weight"}},
    FusedRow{"txt_attn.qkv.weight",
             {"attn.add_q_proj.weight", "attn.add_k_proj.weight", "attn.add_v_proj.weight"}},
};

constexpr std::array kFlux2DoubleStack{NamePair{"double_blocks.", "transformer_blocks."}};
constexpr std::array kFlux2SingleStack{NamePair{"single_blocks.", "single_transformer_blocks."}};
constexpr NamePair kExitModulation{"final_layer.adaLN_modulation.1.weight",
                                   "norm_out.linear.weight"};

/// A name, or a module's path, that isn't part of a fused tensor.
std::optional<std::string> flux2_renamed(std::string_view name, bool forward) {
  if (auto top = rename_head(name, kFlux2Top, forward)) {
    return top;
  }
  auto inside = rename_in_block(name, kFlux2DoubleStack, kFlux2Double, forward);
  return inside ? inside : rename_in_block(name, kFlux2SingleStack, kFlux2Single, forward);
}

}  // namespace

std::optional<NameMapping> flux2_to_diffusers(std::string_view name) {
  if (name == kExitModulation.first) {
    return NameMapping{
        NameTransform::swap_halves, {std::string(kExitModulation.second)}, kDenoiser};
  }
  if (auto fused = fused_to_diffusers(name, kFlux2DoubleStack, kFlux2Fused)) {
    return fused;
  }
  return renamed_weight(flux2_renamed(norm_factor_name(name), true));
}

std::optional<OriginalTensor> flux2_to_original(std::string_view name) {
  if (name == kExitModulation.second) {
    return OriginalTensor{std::string(kExitModulation.first), NameTransform::swap_halves};
  }
  if (auto fused = fused_to_original(name, kFlux2DoubleStack, kFlux2Fused)) {
    return fused;
  }
  return renamed_tensor(flux2_renamed(name, false));
}

std::optional<std::string> flux2_original_path(std::string_view path) {
  return flux2_renamed(path, false);
}

}  // namespace mantissa
