#include "engine/models/z_image/z_image_config.h"

#include <nlohmann/json.hpp>

#include "engine/io/config_detect.h"
#include "engine/io/config_fields.h"
#include "engine/models/z_image/z_image_keys.h"

namespace mantissa {

using namespace config_detect;
using nlohmann::json;

namespace {

constexpr const char* kClass = "ZImageTransformer2DModel";

/// 32, 48 and 48 of 128 channels: a quarter to the caption's axis, the rest in halves.
std::array<int, 3> proportional_axes(int head_dim) {
  const int first = head_dim / 8 * 2, second = (head_dim - first) / 4 * 2;
  return {first, second, head_dim - first - second};
}

ZImageConfig detect_z_image(const WeightSource& weights) {
  const Part part;
  ZImageConfig c;
  const std::string entry(kZImageMark);
  c.width = dim(weights, part, entry, 0);
  c.in_channels = dim(weights, part, entry, 1) / (c.patch_size * c.patch_size);
  c.layers = count_names(weights, part, "layers.", ".attention.to_q.weight");
  c.refiner_layers = count_names(weights, part, "noise_refiner.", ".attention.to_q.weight");
  const std::string norm =
      first_name(weights, part, c.layers > 0 ? "attention.norm_q.weight" : "norm_q.weight");
  const int head_dim = head_width(weights, part, norm, c.width);
  c.heads = c.width / head_dim;
  c.caption_channels = dim(weights, part, "cap_embedder.1.weight", 1);
  c.axes_dims = proportional_axes(head_dim);
  return c;
}

int single(const ConfigFields& f, const char* key, int usual) {
  const std::vector<int> list = f.integers(key, {usual});
  if (list.size() != 1) {
    f.fail(key,
           message<"has {count} entries; models with one patch size are supported">(list.size()));
  }
  return list[0];
}

void check_axes(const ConfigFields& f, const ZImageConfig& c) {
  int sum = 0;
  for (const int axis : c.axes_dims) {
    sum += axis;
    if (axis % 2 != 0) {
      f.fail("axes_dims", message<"holds {found}; channels turn in pairs">(axis));
    }
  }
  if (c.most_text_tokens() < 1) {
    f.fail("axes_lens", message<"begins with {found}, which leaves no room for a caption's 32 "
                                "tokens">(c.axes_lens[0]));
  }
  if (c.width % c.heads != 0 || sum != c.head_dim()) {
    f.fail("axes_dims", message<"adds up to {sum}; it must be the head's width, dim / n_heads = "
                                "{width} / {heads}">(sum, c.width, c.heads));
  }
}

}  // namespace

ZImageConfig z_image_config_from_json(const json& object, const std::string& label) {
  const ConfigFields f(object, label);
  f.only("_class_name", kClass);
  f.only("qk_norm", true);
  f.absent("siglip_feat_dim");
  ZImageConfig c;
  c.patch_size = single(f, "all_patch_size", 2);
  if (single(f, "all_f_patch_size", 1) != 1) {
    f.fail("all_f_patch_size", message<"must be 1: an image is one frame">());
  }
  c.in_channels = f.integer("in_channels", 16);
  c.width = f.integer("dim", 3840);
  c.layers = f.integer("n_layers", 30);
  c.refiner_layers = f.integer("n_refiner_layers", 2, 0);
  c.heads = f.integer("n_heads", 30);
  f.integer("n_kv_heads", c.heads);  // without effect in diffusers: k and v have as many heads as q
  c.caption_channels = f.integer("cap_feat_dim", 2560);
  c.norm_eps = f.number("norm_eps", 1e-5);
  c.rope_theta = f.number("rope_theta", 256);
  c.t_scale = f.number("t_scale", 1000);
  c.axes_dims = f.exactly<3>("axes_dims", {32, 48, 48});
  c.axes_lens = f.exactly<3>("axes_lens", {1024, 512, 512});
  f.refuse_others({});
  check_axes(f, c);
  return c;
}

ZImageConfig z_image_config(const WeightSource& weights) {
  const Part part;
  require_part(weights, part);
  const ZImageConfig found = detect_z_image(weights);
  const ZImageConfig c = declared_or(found, weights, part, z_image_config_from_json);
  same(weights, part, "in_channels", c.in_channels, found.in_channels);
  same(weights, part, "all_patch_size", c.patch_size, found.patch_size);
  same(weights, part, "dim", c.width, found.width);
  same(weights, part, "n_heads", c.heads, found.heads);
  same(weights, part, "n_layers", c.layers, found.layers);
  same(weights, part, "n_refiner_layers", c.refiner_layers, found.refiner_layers);
  same(weights, part, "cap_feat_dim", c.caption_channels, found.caption_channels);
  return c;
}

json to_json(const ZImageConfig& c) {
  return {{"_class_name", kClass},
          {"all_patch_size", {c.patch_size}},
          {"all_f_patch_size", {1}},
          {"in_channels", c.in_channels},
          {"dim", c.width},
          {"n_layers", c.layers},
          {"n_refiner_layers", c.refiner_layers},
          {"n_heads", c.heads},
          {"n_kv_heads", c.heads},
          {"norm_eps", c.norm_eps},
          {"qk_norm", true},
          {"cap_feat_dim", c.caption_channels},
          {"rope_theta", c.rope_theta},
          {"t_scale", c.t_scale},
          {"axes_dims", c.axes_dims},
          {"axes_lens", c.axes_lens}};
}

}  // namespace mantissa
