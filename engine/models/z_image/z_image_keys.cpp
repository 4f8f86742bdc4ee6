#include "engine/models/z_image/z_image_keys.h"

#include <algorithm>

#include "engine/io/name_parts.h"

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

constexpr std::array<std::string_view, 3> kZImageStacks{"layers.", "noise_refiner.",
                                                        "context_refiner."};
constexpr std::string_view kFused = "attention.qkv.weight";
constexpr std::array<std::string_view, 3> kProjections{"attention.to_q", "attention.to_k",
                                                       "attention.to_v"};

/// Takes "layers.7." off `rest` and returns it.
std::optional<std::string> take_block(std::string_view& rest) {
  for (const std::string_view stack : kZImageStacks) {
    std::string_view tail = rest;
    if (!take(tail, stack)) {
      continue;
    }
    const auto index = take_index(tail);
    if (!index || tail.empty()) {
      return std::nullopt;
    }
    rest = tail;
    return std::string(stack) + std::to_string(*index) + ".";
  }
  return std::nullopt;
}

/// A name, or a module's path, that isn't part of a fused tensor.
std::optional<std::string> renamed(std::string_view name, bool forward) {
  if (auto top = rename_head(name, kZImageTop, forward)) {
    return top;
  }
  const auto block = take_block(name);
  const auto tail = block ? rename_head(name, kZImageBlock, forward) : std::nullopt;
  return tail ? std::optional(*block + *tail) : std::nullopt;
}

}  // namespace

bool is_original_z_image(std::string_view name) {
  // Lumina 2, whose network this one descends from, has the other names, but no padding tokens.
  return name == "cap_pad_token";
}

std::optional<NameMapping> z_image_to_diffusers(std::string_view name) {
  if (name == "norm_final.weight") {  // never used
    return NameMapping{NameTransform::dropped, {}, kDenoiser};
  }
  std::string_view rest = name;
  if (const auto block = take_block(rest); block && rest == kFused) {
    NameMapping mapping{NameTransform::split_rows, {}, kDenoiser};
    for (const std::string_view projection : kProjections) {
      mapping.names.push_back(*block + std::string(projection) + ".weight");
    }
    return mapping;
  }
  const auto to = renamed(name, true);
  return to ? std::optional(NameMapping{NameTransform::none, {*to}, kDenoiser}) : std::nullopt;
}

std::optional<OriginalTensor> z_image_to_original(std::string_view name) {
  std::string_view rest = name;
  if (const auto block = take_block(rest)) {
    for (std::size_t i = 0; i < kProjections.size(); ++i) {
      if (rest == std::string(kProjections[i]) + ".weight") {
        return OriginalTensor{*block + std::string(kFused), NameTransform::split_rows,
                              static_cast<int>(i), static_cast<int>(kProjections.size())};
      }
    }
  }
  const auto to = renamed(name, false);
  return to ? std::optional(OriginalTensor{*to}) : std::nullopt;
}

std::optional<std::string> z_image_original_path(std::string_view path) {
  return renamed(path, false);
}

}  // namespace mantissa
