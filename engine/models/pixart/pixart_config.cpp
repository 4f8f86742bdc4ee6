#include "engine/models/pixart/pixart_config.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "engine/io/config_detect.h"
#include "engine/io/config_fields.h"

namespace mantissa {

using namespace config_detect;
using nlohmann::json;

namespace {

/// The first of `widths` that divides `total`, else the whole.
int pixart_head_width(int total, std::initializer_list<int> widths) {
  for (int width : widths) {
    if (total % width == 0) {
      return width;
    }
  }
  return total;
}

PixartConfig detect_pixart(const WeightSource& weights) {
  const Part part;
  PixartConfig c;
  const int width = dim(weights, part, "pos_embed.proj.weight", 0);
  c.in_channels = dim(weights, part, "pos_embed.proj.weight", 1);
  c.patch_size = dim(weights, part, "pos_embed.proj.weight", 2);
  c.out_channels = dim(weights, part, "proj_out.weight", 0) / (c.patch_size * c.patch_size);
  c.layers = count_names(weights, part, "transformer_blocks.", ".attn1.to_q.weight");
  c.head_dim = pixart_head_width(width, {72, 64, 32, 16, 8});
  c.heads = width / c.head_dim;
  c.caption_channels = dim(weights, part, "caption_projection.linear_1.weight", 1);
  c.additional_conditions =
      weights.contains(part, "adaln_single.emb.resolution_embedder.linear_1.weight");
  return c;
}

/// Fields of a transformer's config without effect here: for other block types, for training, and
/// for what is always FP32.
constexpr std::array<std::string_view, 5> kPixartHarmless{"dropout", "norm_num_groups",
                                                          "num_embeds_ada_norm", "upcast_attention",
                                                          "use_linear_projection"};

}  // namespace

PixartConfig pixart_config_from_json(const json& object, const std::string& label) {
  const ConfigFields f(object, label);
  // Older folders were written by the class that PixArt's class was split from.
  if (f.text("_class_name", "PixArtTransformer2DModel") != "Transformer2DModel") {
    f.only("_class_name", "PixArtTransformer2DModel");
  }
  f.only("activation_fn", "gelu-approximate");
  f.only("norm_type", "ada_norm_single");
  f.only("attention_bias", true);
  f.only("norm_elementwise_affine", false);
  f.only("attention_type", "default");
  f.only("only_cross_attention", false);
  f.only("double_self_attention", false);
  f.absent("num_vector_embeds");
  PixartConfig c;
  c.in_channels = f.integer("in_channels", 4);
  c.out_channels = f.integer("out_channels", 8);
  c.layers = f.integer("num_layers", 28);
  c.heads = f.integer("num_attention_heads", 16);
  c.head_dim = f.integer("attention_head_dim", 72);
  c.patch_size = f.integer("patch_size", 2);
  c.caption_channels = f.integer("caption_channels", std::nullopt);
  c.sample_size = f.integer("sample_size", 128);
  c.interpolation_scale = f.number("interpolation_scale", std::max(1, c.sample_size / 64));
  c.additional_conditions = f.boolean("use_additional_conditions", c.sample_size == 128);
  c.norm_eps = f.number("norm_eps", 1e-6);
  const int cross = f.integer("cross_attention_dim", c.width());
  f.refuse_others(kPixartHarmless);
  if (cross != c.width()) {
    f.fail("cross_attention_dim",
           message<"is {found}; it must be the width {width} (heads x attention_head_dim)">(
               cross, c.width()));
  }
  const int multiple = c.additional_conditions ? 12 : 4;
  if (c.width() % multiple != 0) {
    f.fail("attention_head_dim",
           message<"gives a width of {width}, which must be a multiple of {multiple} (position and "
                   "size embeddings share it)">(c.width(), multiple));
  }
  if (c.sample_size % c.patch_size != 0) {
    f.fail("sample_size", message<"is {found}, which is no multiple of patch_size {patch}">(
                              c.sample_size, c.patch_size));
  }
  return c;
}

PixartConfig pixart_config(const WeightSource& weights) {
  const Part part;
  require_part(weights, part);
  const PixartConfig found = detect_pixart(weights);
  const PixartConfig c = declared_or(found, weights, part, pixart_config_from_json);
  same(weights, part, "in_channels", c.in_channels, found.in_channels);
  same(weights, part, "out_channels", c.out_channels, found.out_channels);
  same(weights, part, "patch_size", c.patch_size, found.patch_size);
  same(weights, part, "num_layers", c.layers, found.layers);
  same(weights, part, "num_attention_heads x attention_head_dim", c.width(), found.width());
  same(weights, part, "caption_channels", c.caption_channels, found.caption_channels);
  same(weights, part, "use_additional_conditions", c.additional_conditions,
       found.additional_conditions);
  return c;
}

}  // namespace mantissa
