#include "engine/models/pixart/pixart_keys.h"

#include <array>

#include "engine/io/name_parts.h"

namespace mantissa {

namespace {

constexpr std::array<NamePair, 12> kPixartTop{{
    {"x_embedder.proj", "pos_embed.proj"},
    {"t_embedder.mlp.0", "adaln_single.emb.timestep_embedder.linear_1"},
    {"t_embedder.mlp.2", "adaln_single.emb.timestep_embedder.linear_2"},
    {"csize_embedder.mlp.0", "adaln_single.emb.resolution_embedder.linear_1"},
    {"csize_embedder.mlp.2", "adaln_single.emb.resolution_embedder.linear_2"},
    {"ar_embedder.mlp.0", "adaln_single.emb.aspect_ratio_embedder.linear_1"},
    {"ar_embedder.mlp.2", "adaln_single.emb.aspect_ratio_embedder.linear_2"},
    {"t_block.1", "adaln_single.linear"},
    {"y_embedder.y_proj.fc1", "caption_projection.linear_1"},
    {"y_embedder.y_proj.fc2", "caption_projection.linear_2"},
    {"final_layer.linear", "proj_out"},
    {"final_layer.scale_shift_table", "scale_shift_table"},
}};

constexpr std::array<NamePair, 6> kPixartBlock{{
    {"scale_shift_table", "scale_shift_table"},
    {"attn.proj", "attn1.to_out.0"},
    {"cross_attn.q_linear", "attn2.to_q"},
    {"cross_attn.proj", "attn2.to_out.0"},
    {"mlp.fc1", "ff.net.0.proj"},
    {"mlp.fc2", "ff.net.2"},
}};

// Projections that the original stores in one matrix, stacked by rows.
struct FusedRows {
  std::string_view original;
  std::array<std::string_view, 3> parts;
  std::size_t count;
};
constexpr std::array<FusedRows, 2> kPixartFused{{
    {"attn.qkv", {"attn1.to_q", "attn1.to_k", "attn1.to_v"}, 3},
    {"cross_attn.kv_linear", {"attn2.to_k", "attn2.to_v", {}}, 2},
}};

}  // namespace

bool is_original_pixart(std::string_view name) {
  return name == "t_block.1.weight";
}

std::optional<NameMapping> pixart_to_diffusers(std::string_view name) {
  const auto plain = [](std::string text) {
    return NameMapping{NameTransform::none, {std::move(text)}, kDenoiser};
  };
  // The position table is computed; the learned empty caption is not used.
  if (name == "pos_embed" || name == "y_embedder.y_embedding") {
    return NameMapping{NameTransform::dropped, {}, kDenoiser};
  }
  if (auto top = rename_head(name, kPixartTop, true)) {
    return plain(*top);
  }
  std::string_view rest = name;
  if (!take(rest, "blocks.")) {
    return std::nullopt;
  }
  const auto block = take_index(rest);
  if (!block) {
    return std::nullopt;
  }
  const std::string head = "transformer_blocks." + std::to_string(*block) + ".";
  for (const FusedRows& fused : kPixartFused) {
    std::string_view kind = rest;
    if (!take(kind, fused.original) || (kind != ".weight" && kind != ".bias")) {
      continue;
    }
    NameMapping mapping{NameTransform::split_rows, {}, kDenoiser};
    for (std::size_t i = 0; i < fused.count; ++i) {
      mapping.names.push_back(head + std::string(fused.parts[i]) + std::string(kind));
    }
    return mapping;
  }
  if (auto tail = rename_head(rest, kPixartBlock, true)) {
    return plain(head + *tail);
  }
  return std::nullopt;
}

}  // namespace mantissa
