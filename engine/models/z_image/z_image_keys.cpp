#include "engine/models/z_image/z_image_keys.h"

#include "engine/models/block_names.h"

namespace mantissa {

namespace {

/// Modules of the same name in both are listed too: what is in no table is unknown.
constexpr std::array<NamePair, 8> kZImageTop{{
    {"x_embedder", "all_x_embedder.2-1"},
    {"final_layer", "all_final_layer.2-1"},
    {"t_embedder.mlp.0", "t_embedder.mlp.0"},
    {"t_embedder.mlp.2", "t_embedder.mlp.2"},
    {"cap_embedder.0", "cap_embedder.0"},
    {"cap_embedder.1", "cap_embedder.1"},
    {"x_pad_token", "x_pad_token"},
    {"cap_pad_token", "cap_pad_token"},
}};

constexpr std::array<NamePair, 11> kZImageBlock{{
    {"attention.out", "attention.to_out.0"},
    {"attention.q_norm", "attention.norm_q"},
    {"attention.k_norm", "attention.norm_k"},
    {"attention_norm1", "attention_norm1"},
    {"attention_norm2", "attention_norm2"},
    {"ffn_norm1", "ffn_norm1"},
    {"ffn_norm2", "ffn_norm2"},
    {"feed_forward.w1", "feed_forward.w1"},
    {"feed_forward.w2", "feed_forward.w2"},
    {"feed_forward.w3", "feed_forward.w3"},
    {"adaLN_modulation.0", "adaLN_modulation.0"},
}};

constexpr std::array<NamePair, 3> kZImageStacks{{
    {"layers.", "layers."},
    {"noise_refiner.", "noise_refiner."},
    {"context_refiner.", "context_refiner."},
}};
constexpr std::array kZImageFused{
    FusedRow{"attention.qkv.weight",
             {"attention.to_q.weight", "attention.to_k.weight", "attention.to_v.weight"}},
};

/// A name, or a module's path, that isn't part of a fused tensor.
std::optional<std::string> z_image_renamed(std::string_view name, bool forward) {
  auto top = rename_head(name, kZImageTop, forward);
  return top ? top : rename_in_block(name, kZImageStacks, kZImageBlock, forward);
}

}  // namespace

std::optional<NameMapping> z_image_to_diffusers(std::string_view name) {
  if (name == "norm_final.weight") {  // never used
    return NameMapping{NameTransform::dropped, {}, kDenoiser};
  }
  if (auto fused = fused_to_diffusers(name, kZImageStacks, kZImageFused)) {
    return fused;
  }
  return renamed_weight(z_image_renamed(name, true));
}

std::optional<OriginalTensor> z_image_to_original(std::string_view name) {
  if (auto fused = fused_to_original(name, kZImageStacks, kZImageFused)) {
    return fused;
  }
  return renamed_tensor(z_image_renamed(name, false));
}

std::optional<std::string> z_image_original_path(std::string_view path) {
  return z_image_renamed(path, false);
}

}  // namespace mantissa
