#include "engine/models/pixart/pixart_config.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "engine/io/config_detect.h"
#include "engine/io/config_fields.h"
#include "engine/io/config_table.h"

namespace mantissa {

using namespace config_detect;
using nlohmann::json;

namespace {

constexpr ConfigField<PixartConfig> kPixartFields[] = {
    {"in_channels", &PixartConfig::in_channels, 4, extent_of("pos_embed.proj.weight", 1)},
    {"out_channels", &PixartConfig::out_channels, 8, kDerivedField},
    {"num_layers", &PixartConfig::layers, 28,
     count_of("transformer_blocks.", ".attn1.to_q.weight")},
    {"num_attention_heads", &PixartConfig::heads, 16},
    {"attention_head_dim", &PixartConfig::head_dim, 72},
    {"patch_size", &PixartConfig::patch_size, 2, extent_of("pos_embed.proj.weight", 2)},
    {"caption_channels", &PixartConfig::caption_channels, std::nullopt,
     extent_of("caption_projection.linear_1.weight", 1)},
    {"sample_size", &PixartConfig::sample_size, 128},
    {"norm_eps", &PixartConfig::norm_eps, 1e-6},
};

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
  PixartConfig c;
  detect_table(weights, kDenoiser, kPixartFields, c);
  const int width = dim(weights, kDenoiser, "pos_embed.proj.weight", 0);
  c.out_channels = dim(weights, kDenoiser, "proj_out.weight", 0) / (c.patch_size * c.patch_size);
  c.head_dim = pixart_head_width(width, {72, 64, 32, 16, 8});
  c.heads = width / c.head_dim;
  c.additional_conditions =
      weights.contains(kDenoiser, "adaln_single.emb.resolution_embedder.linear_1.weight");
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
  read_table(f, kPixartFields, c);
  c.interpolation_scale = f.number("interpolation_scale", std::max(1, c.sample_size / 64));
  c.additional_conditions = f.boolean("use_additional_conditions", c.sample_size == 128);
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
  require_part(weights, kDenoiser);
  const PixartConfig found = detect_pixart(weights);
  const PixartConfig c =
      config_by_table(weights, kDenoiser, kPixartFields, found, pixart_config_from_json);
  same(weights, kDenoiser, "num_attention_heads x attention_head_dim", c.width(), found.width());
  same(weights, kDenoiser, "use_additional_conditions", c.additional_conditions,
       found.additional_conditions);
  return c;
}

}  // namespace mantissa
