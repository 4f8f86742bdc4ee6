#include "engine/models/ernie_image/ernie_image_config.h"

#include <nlohmann/json.hpp>

#include "engine/io/config_detect.h"
#include "engine/io/config_fields.h"
#include "engine/io/config_table.h"
#include "engine/models/rotary_axes.h"

namespace mantissa {

using namespace config_detect;
using nlohmann::json;

namespace {

constexpr const char* kErnieImageClass = "ErnieImageTransformer2DModel";
constexpr const char* kErnieImageAxes = "rope_axes_dim";
constexpr const char* kErnieImageHead = "hidden_size / num_attention_heads";
constexpr const char* kErnieImageText = "text_proj.weight";

constexpr ConfigField<ErnieImageConfig> kErnieImageFields[] = {
    {"hidden_size", &ErnieImageConfig::width, 3072, extent_of("x_embedder.proj.weight", 0), 2},
    {"num_attention_heads", &ErnieImageConfig::heads, 24, kDerivedField},
    {"num_layers", &ErnieImageConfig::layers, 24,
     count_of("layers.", ".self_attention.to_q.weight")},
    {"ffn_hidden_size", &ErnieImageConfig::hidden, 8192,
     extent_of("layers.0.mlp.gate_proj.weight", 0)},
    {"in_channels", &ErnieImageConfig::in_channels, 128, extent_of("x_embedder.proj.weight", 1)},
    {"text_in_dim", &ErnieImageConfig::context_channels, 2560, kDerivedField},
    {"rope_theta", &ErnieImageConfig::rope_theta, 256},
    {"eps", &ErnieImageConfig::norm_eps, 1e-6},
};

/// A quarter of a head's pairs for the place in the sequence, halves of the others for row and
/// column, as in the released models.
std::array<int, 3> usual_ernie_image_axes(int head_dim) {
  const int pairs = head_dim / 2, place = pairs / 4, column = (pairs - place) / 2;
  return {2 * place, 2 * (pairs - place - column), 2 * column};
}

ErnieImageConfig detect_ernie_image(const WeightSource& weights) {
  ErnieImageConfig c;
  detect_table(weights, kDenoiser, kErnieImageFields, c);
  c.heads =
      c.width / head_width(weights, kDenoiser, "layers.0.self_attention.norm_q.weight", c.width);
  // Text as wide as the transformer isn't projected.
  c.context_channels = weights.contains(kDenoiser, kErnieImageText)
                           ? dim(weights, kDenoiser, kErnieImageText, 1)
                           : c.width;
  c.axes_dims = usual_ernie_image_axes(c.head_dim());
  return c;
}

}  // namespace

ErnieImageConfig ernie_image_config_from_json(const json& object, const std::string& label) {
  const ConfigFields f(object, label);
  f.only("_class_name", kErnieImageClass);
  f.only("patch_size", 1);
  f.only("qk_layernorm", true);
  ErnieImageConfig c;
  read_table(f, kErnieImageFields, c);
  f.only("out_channels", c.in_channels);
  c.axes_dims = f.exactly<3>(kErnieImageAxes, {32, 48, 48});
  f.refuse_others({});
  if (c.width % c.heads != 0) {
    f.fail("num_attention_heads", message<"is {count}, which does not divide {field}, {value}">(
                                      c.heads, "hidden_size", c.width));
  }
  check_rotary_axes(f, kErnieImageAxes, c.axes_dims, c.head_dim(), kErnieImageHead);
  return c;
}

ErnieImageConfig ernie_image_config(const WeightSource& weights) {
  require_part(weights, kDenoiser);
  return config_by_table(weights, kDenoiser, kErnieImageFields, detect_ernie_image(weights),
                         ernie_image_config_from_json);
}

json to_json(const ErnieImageConfig& c) {
  json object{{"_class_name", kErnieImageClass},
              {"patch_size", 1},
              {"qk_layernorm", true},
              {"out_channels", c.in_channels},
              {kErnieImageAxes, c.axes_dims}};
  write_table(object, kErnieImageFields, c);
  return object;
}

}  // namespace mantissa
