#include "engine/models/qwen_image21/qwen_image21_keys.h"

#include "engine/models/block_names.h"

namespace mantissa {

namespace {

/// Modules have the same name in both; what is in no table is unknown.
constexpr std::array<NamePair, 9> kQwenImage21Top{{
    {"img_in", "img_in"},
    {"txt_in.text_norm", "txt_in.text_norm"},
    {"txt_in.in_layer", "txt_in.in_layer"},
    {"txt_in.out_layer", "txt_in.out_layer"},
    {"time_text_embed.timestep_embedder.linear_1", "time_text_embed.timestep_embedder.linear_1"},
    {"time_text_embed.timestep_embedder.linear_2", "time_text_embed.timestep_embedder.linear_2"},
    {"modulation.1", "modulation.1"},
    {"norm_out.linear", "norm_out.linear"},
    {"proj_out", "proj_out"},
}};

constexpr std::array<NamePair, 7> kQwenImage21Block{{
    {"attn.to_q", "attn.to_q"},
    {"attn.to_k", "attn.to_k"},
    {"attn.to_v", "attn.to_v"},
    {"attn.to_out.0", "attn.to_out.0"},
    {"attn.norm_q", "attn.norm_q"},
    {"attn.norm_k", "attn.norm_k"},
    {"img_mlp.out", "img_mlp.out"},
}};

constexpr std::array kQwenImage21Stack{NamePair{"transformer_blocks.", "transformer_blocks."}};
constexpr std::string_view kQwenImage21Fused = "img_mlp.gate_up.weight";
/// The gate's rows come first.
constexpr std::array<std::string_view, 2> kQwenImage21Shares{"img_mlp.gate_layer.weight",
                                                             "img_mlp.proj.weight"};

/// A name, or a module's path, that isn't part of a fused tensor.
std::optional<std::string> qwen_image21_plain(std::string_view name) {
  auto top = rename_head(name, kQwenImage21Top, true);
  return top ? top : rename_in_block(name, kQwenImage21Stack, kQwenImage21Block, true);
}

}  // namespace

std::optional<NameMapping> qwen_image21_to_diffusers(std::string_view name) {
  if (auto plain = qwen_image21_plain(name)) {
    return NameMapping{NameTransform::none, {std::move(*plain)}, kDenoiser};
  }
  std::string_view inside = name;
  const auto block = take_block(inside, kQwenImage21Stack, true);
  if (!block) {
    return std::nullopt;
  }
  NameMapping mapping{NameTransform::split_rows, {}, kDenoiser};
  for (const std::string_view share : kQwenImage21Shares) {
    if (inside == share) {
      return NameMapping{NameTransform::none, {std::string(name)}, kDenoiser};
    }
    mapping.names.push_back(*block + std::string(share));
  }
  return inside == kQwenImage21Fused ? std::optional(std::move(mapping)) : std::nullopt;
}

std::optional<OriginalTensor> qwen_image21_to_original(std::string_view name) {
  if (auto plain = qwen_image21_plain(name)) {
    return OriginalTensor{std::move(*plain)};
  }
  std::string_view inside = name;
  const auto block = take_block(inside, kQwenImage21Stack, false);
  for (int i = 0; block && i < 2; ++i) {
    if (inside == kQwenImage21Shares[static_cast<std::size_t>(i)]) {
      return OriginalTensor{*block + std::string(kQwenImage21Fused), NameTransform::split_rows, i,
                            2};
    }
  }
  return std::nullopt;
}

std::optional<std::string> qwen_image21_original_path(std::string_view path) {
  return qwen_image21_plain(path);
}

}  // namespace mantissa
