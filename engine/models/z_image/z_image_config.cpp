#include "engine/models/z_image/z_image_config.h"

#include <nlohmann/json.hpp>

#include "engine/io/config_detect.h"
#include "engine/io/config_fields.h"
#include "engine/io/config_table.h"
#include "engine/models/z_image/z_image_keys.h"

namespace mantissa {

using namespace config_detect;
using nlohmann::json;

namespace {

constexpr const char* kClass = "ZImageTransformer2DModel";

constexpr ConfigField<ZImageConfig> kZImageFields[] = {
    {"dim", &ZImageConfig::width, 3840, extent_of(kZImageMark.data(), 0)},
    {"in_channels", &ZImageConfig::in_channels, 16, kDerivedField},
    {"n_layers", &ZImageConfig::layers, 30, count_of("layers.", ".attention.to_q.weight")},
    {"n_refiner_layers", &ZImageConfig::refiner_layers, 2,
     count_of("noise_refiner.", ".attention.to_q.weight"), 0},
    {"n_heads", &ZImageConfig::heads, 30, kDerivedField},
    {"cap_feat_dim", &ZImageConfig::caption_channels, 2560, extent_of("cap_embedder.1.weight", 1)},
    {"norm_eps", &ZImageConfig::norm_eps, 1e-5},
    {"rope_theta", &ZImageConfig::rope_theta, 256},
    {"t_scale", &ZImageConfig::t_scale, 1000},
};

/// 32, 48 and 48 of 128 channels: a quarter to the caption's axis, the rest in halves.
std::array<int, 3> proportional_axes(int head_dim) {
  const int first = head_dim / 8 * 2, second = (head_dim - first) / 4 * 2;
  return {first, second, head_dim - first - second};
}

ZImageConfig detect_z_image(const WeightSource& weights) {
  ZImageConfig c;
  detect_table(weights, kDenoiser, kZImageFields, c);
  c.in_channels =
      dim(weights, kDenoiser, std::string(kZImageMark), 1) / (c.patch_size * c.patch_size);
  const std::string norm =
      first_name(weights, kDenoiser, c.layers > 0 ? "attention.norm_q.weight" : "norm_q.weight");
  const int head_dim = head_width(weights, kDenoiser, norm, c.width);
  c.heads = c.width / head_dim;
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
  read_table(f, kZImageFields, c);
  f.integer("n_kv_heads", c.heads);  // without effect in diffusers: k and v have as many heads as q
  c.axes_dims = f.exactly<3>("axes_dims", {32, 48, 48});
  c.axes_lens = f.exactly<3>("axes_lens", {1024, 512, 512});
  f.refuse_others({});
  check_axes(f, c);
  return c;
}

ZImageConfig z_image_config(const WeightSource& weights) {
  require_part(weights, kDenoiser);
  const ZImageConfig found = detect_z_image(weights);
  const ZImageConfig c =
      config_by_table(weights, kDenoiser, kZImageFields, found, z_image_config_from_json);
  same(weights, kDenoiser, "all_patch_size", c.patch_size, found.patch_size);
  return c;
}

json to_json(const ZImageConfig& c) {
  json object{{"_class_name", kClass},   {"all_patch_size", {c.patch_size}},
              {"all_f_patch_size", {1}}, {"n_kv_heads", c.heads},
              {"qk_norm", true},         {"axes_dims", c.axes_dims},
              {"axes_lens", c.axes_lens}};
  write_table(object, kZImageFields, c);
  return object;
}

}  // namespace mantissa
