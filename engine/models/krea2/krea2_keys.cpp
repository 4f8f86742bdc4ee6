#include "engine/models/krea2/krea2_keys.h"

#include "engine/models/block_names.h"

namespace mantissa {

namespace {

constexpr std::array<NamePair, 11> kKrea2Top{{
    {"first", "img_in"},
    {"tmlp.0", "time_embed.linear_1"},
    {"tmlp.2", "time_embed.linear_2"},
    {"tproj.1", "time_mod_proj"},
    {"txtmlp.0.scale", "txt_in.norm.weight"},
    {"txtmlp.1", "txt_in.linear_1"},
    {"txtmlp.3", "txt_in.linear_2"},
    {"txtfusion.projector", "text_fusion.projector"},
    {"last.linear", "final_layer.linear"},
    {"last.norm.scale", "final_layer.norm.weight"},
    {"last.modulation.lin", "final_layer.scale_shift_table"},
}};

constexpr std::array<NamePair, 13> kKrea2Block{{
    {"attn.wq", "attn.to_q"},
    {"attn.wk", "attn.to_k"},
    {"attn.wv", "attn.to_v"},
    {"attn.wo", "attn.to_out.0"},
    {"attn.gate", "attn.to_gate"},
    {"attn.qknorm.qnorm.scale", "attn.norm_q.weight"},
    {"attn.qknorm.knorm.scale", "attn.norm_k.weight"},
    {"mlp.gate", "ff.gate"},
    {"mlp.up", "ff.up"},
    {"mlp.down", "ff.down"},
    {"prenorm.scale", "norm1.weight"},
    {"postnorm.scale", "norm2.weight"},
    {"mod.lin", "scale_shift_table"},
}};

constexpr std::array<NamePair, 3> kKrea2Stacks{{
    {"blocks.", "transformer_blocks."},
    {"txtfusion.layerwise_blocks.", "text_fusion.layerwise_blocks."},
    {"txtfusion.refiner_blocks.", "text_fusion.refiner_blocks."},
}};

constexpr std::string_view kKrea2Table = ".scale_shift_table";

std::optional<std::string> krea2_renamed(std::string_view name, bool forward) {
  if (auto top = rename_head(name, kKrea2Top, forward)) {
    return top;
  }
  return rename_in_block(name, kKrea2Stacks, kKrea2Block, forward);
}

/// A block's six vectors are one in original files.
bool is_flat_table(std::string_view diffusers) {
  return diffusers.starts_with(kKrea2Stacks[0].second) && diffusers.ends_with(kKrea2Table);
}

}  // namespace

std::optional<NameMapping> krea2_to_diffusers(std::string_view name) {
  auto to = krea2_renamed(name, true);
  if (!to) {
    return std::nullopt;
  }
  const NameTransform transform =
      is_flat_table(*to) ? NameTransform::six_rows : NameTransform::none;
  return NameMapping{transform, {std::move(*to)}, kDenoiser};
}

std::optional<OriginalTensor> krea2_to_original(std::string_view name) {
  auto to = krea2_renamed(name, false);
  if (!to) {
    return std::nullopt;
  }
  return OriginalTensor{std::move(*to),
                        is_flat_table(name) ? NameTransform::six_rows : NameTransform::none};
}

std::optional<std::string> krea2_original_path(std::string_view path) {
  return krea2_renamed(path, false);
}

}  // namespace mantissa
