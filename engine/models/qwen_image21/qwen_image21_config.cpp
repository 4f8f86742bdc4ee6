#include "engine/models/qwen_image21/qwen_image21_config.h"

#include <nlohmann/json.hpp>

#include "engine/io/config_detect.h"
#include "engine/models/patched_config.h"

namespace mantissa {

using namespace config_detect;
using nlohmann::json;

namespace {

constexpr const char* kQwenImage21Class = "QwenImage21Transformer2DModel";

constexpr ConfigField<QwenImage21Config> kQwenImage21Fields[] = {
    {"in_channels", &QwenImage21Config::in_channels, 64, extent_of("img_in.weight", 1)},
    {"num_layers", &QwenImage21Config::layers, 32,
     count_of("transformer_blocks.", ".attn.to_q.weight")},
    {"attention_head_dim", &QwenImage21Config::head_dim, 128, kDerivedField, 2},
    {"num_attention_heads", &QwenImage21Config::heads, 32, kDerivedField},
    {"context_in_dim", &QwenImage21Config::context_channels, 4096,
     extent_of("txt_in.in_layer.weight", 1)},
    {"mlp_ratio", &QwenImage21Config::mlp_ratio, 3, kDerivedField},
    {"eps", &QwenImage21Config::norm_eps, 1e-6},
    {"causal_condition", &QwenImage21Config::still_text, true},
};

/// An eighth of a head for frames, the rest in two, each of whole pairs.
std::array<int, 3> qwen_image21_axes(int head_dim) {
  const int pairs = head_dim / 2, sides = pairs * 7 / 16;
  return {2 * (pairs - 2 * sides), 2 * sides, 2 * sides};
}

QwenImage21Config detect_qwen_image21(const WeightSource& weights) {
  const Part part = kDenoiser;
  QwenImage21Config c;
  detect_table(weights, part, kQwenImage21Fields, c);
  const int width = dim(weights, part, "img_in.weight", 0);
  detect_heads(weights, part, "transformer_blocks.0.attn.norm_q.weight", width, c);
  c.mlp_ratio = dim(weights, part, "transformer_blocks.0.img_mlp.out.weight", 1) / width;
  c.axes_dims = qwen_image21_axes(c.head_dim);
  return c;
}

}  // namespace

QwenImage21Config qwen_image21_config_from_json(const json& object, const std::string& label) {
  return read_patched(ConfigFields(object, label), kQwenImage21Class, kQwenImage21Fields,
                      std::array{16, 56, 56});
}

QwenImage21Config qwen_image21_config(const WeightSource& weights) {
  require_part(weights, kDenoiser);
  return config_by_table(weights, kDenoiser, kQwenImage21Fields, detect_qwen_image21(weights),
                         qwen_image21_config_from_json);
}

json to_json(const QwenImage21Config& c) {
  json object{{"_class_name", kQwenImage21Class},
              {"patch_size", 1},
              {"out_channels", c.in_channels},
              {kPatchedAxes, c.axes_dims}};
  write_table(object, kQwenImage21Fields, c);
  return object;
}

}  // namespace mantissa
