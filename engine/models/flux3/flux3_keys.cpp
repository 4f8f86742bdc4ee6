#include "engine/models/flux3/flux3_keys.h"

#include "engine/models/block_names.h"

namespace mantissa {

namespace {

constexpr std::array<NamePair, 14> kFlux3Top{{
    {"emb_in.image", "x_embedders.image"},
    {"emb_in.image_cond", "x_embedders.image_cond"},
    {"txt_in", "context_embedder"},
    {"time_in.in_layer", "timestep_embedder.linear_1"},
    {"time_in.out_layer", "timestep_embedder.linear_2"},
    {"ref_time_in.in_layer", "target_timestep_embedder.linear_1"},
    {"ref_time_in.out_layer", "target_timestep_embedder.linear_2"},
    {"early_stream_modulations.image.lin", "early_stream_modulations.image.linear"},
    {"early_stream_modulations.image_cond.lin", "early_stream_modulations.image_cond.linear"},
    {"early_stream_modulations.txt.lin", "early_stream_modulations.txt.linear"},
    {"single_stream_modulations.image.lin", "single_stream_modulations.image.linear"},
    {"single_stream_modulations.image_cond.lin", "single_stream_modulations.image_cond.linear"},
    {"single_stream_modulations.txt.lin", "single_stream_modulations.txt.linear"},
    {"final_layer.image.linear", "proj_out"},
}};

/// Blocks of a mode and joint ones hold the same modules.
constexpr std::array<NamePair, 8> kFlux3Block{{
    {"q_proj", "attn.to_q"},
    {"k_proj", "attn.to_k"},
    {"v_proj", "attn.to_v"},
    {"attn_out", "attn.to_out.0"},
    {"norm.query_norm.scale", "attn.norm_q.weight"},
    {"norm.key_norm.scale", "attn.norm_k.weight"},
    {"mlp_in", "ff.linear_in"},
    {"mlp_out", "ff.linear_out"},
}};

constexpr std::array<NamePair, 4> kFlux3Stacks{{
    {"content_mode_blocks.image.", "mode_blocks.image."},
    {"content_mode_blocks.image_cond.", "mode_blocks.image_cond."},
    {"txt_mode_blocks.", "txt_mode_blocks."},
    {"single_blocks.", "single_transformer_blocks."},
}};

constexpr NamePair kFlux3Exit{"final_layer.image.adaLN_modulation.1.weight",
                              "norm_out.linear.weight"};
/// Heads of a loss of the authors' training; no part of the model.
constexpr std::string_view kFlux3Projectors = "repa_projectors.";

std::optional<std::string> flux3_renamed(std::string_view name, bool forward) {
  if (auto top = rename_head(name, kFlux3Top, forward)) {
    return top;
  }
  return rename_in_block(name, kFlux3Stacks, kFlux3Block, forward);
}

}  // namespace

std::optional<NameMapping> flux3_to_diffusers(std::string_view name) {
  if (name == kFlux3Exit.first) {
    return NameMapping{NameTransform::swap_halves, {std::string(kFlux3Exit.second)}, kDenoiser};
  }
  if (name.starts_with(kFlux3Projectors)) {
    return NameMapping{NameTransform::dropped, {}, kDenoiser};
  }
  return renamed_weight(flux3_renamed(norm_factor_name(name), true));
}

std::optional<OriginalTensor> flux3_to_original(std::string_view name) {
  if (name == kFlux3Exit.second) {
    return OriginalTensor{std::string(kFlux3Exit.first), NameTransform::swap_halves};
  }
  return renamed_tensor(flux3_renamed(name, false));
}

std::optional<std::string> flux3_original_path(std::string_view path) {
  return flux3_renamed(path, false);
}

}  // namespace mantissa
