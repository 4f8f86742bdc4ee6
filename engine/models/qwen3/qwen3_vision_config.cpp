#include "engine/models/qwen3/qwen3_vision_config.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "engine/io/config_table.h"
#include "engine/io/transformers_fields.h"

namespace mantissa {

using namespace config_detect;
using nlohmann::json;

namespace {

constexpr const char* kPatches = "visual.patch_embed.proj.weight";

constexpr ConfigField<Qwen3VisionConfig> kVisionFields[] = {
    {"depth", &Qwen3VisionConfig::layers, 27, count_of("visual.blocks.", ".norm1.weight")},
    {"hidden_size", &Qwen3VisionConfig::hidden, 1152, extent_of("visual.pos_embed.weight", 1)},
    {"intermediate_size", &Qwen3VisionConfig::intermediate, 4304,
     extent_of("visual.blocks.0.mlp.linear_fc1.weight", 0)},
    {"num_heads", &Qwen3VisionConfig::heads, 16},
    {"patch_size", &Qwen3VisionConfig::patch, 16, extent_of(kPatches, 4)},
    {"temporal_patch_size", &Qwen3VisionConfig::frames, 2, extent_of(kPatches, 2)},
    {"spatial_merge_size", &Qwen3VisionConfig::merge, 2, kDerivedField},
    {"out_hidden_size", &Qwen3VisionConfig::out, 3584,
     extent_of("visual.merger.linear_fc2.weight", 0)},
};

constexpr std::array<std::string_view, 2> kVisionHarmless{"model_type", "initializer_range"};

/// The whole root of `square`; 0 if it has none.
int root_of(int square) {
  const int root = static_cast<int>(std::lround(std::sqrt(static_cast<double>(square))));
  return root * root == square ? root : 0;
}

/// Blocks whose results go to the text, of a file without a config: those of the released models.
std::vector<int> released_deep(int layers) {
  return layers == 24 ? std::vector{5, 11, 17} : std::vector{8, 16, 24};
}

/// The square of learned positions, whose side no field has.
int positions_side(const WeightSource& weights, Part part) {
  const int count = dim(weights, part, "visual.pos_embed.weight", 0);
  if (root_of(count) == 0) {
    refuse_other(weights, part, "num_position_embeddings", std::string("a square"),
                 std::to_string(count));
  }
  return root_of(count);
}

Qwen3VisionConfig detect_vision(const WeightSource& weights, Part part) {
  Qwen3VisionConfig c;
  detect_table(weights, part, kVisionFields, c);
  const int merged = dim(weights, part, "visual.merger.linear_fc1.weight", 1);
  c.merge = root_of(merged / c.hidden);
  c.deep = released_deep(c.layers);
  return c;
}

/// The axes of the language model's positions.
std::array<int, 3> read_sections(const json& object, const std::string& label) {
  constexpr std::array<int, 3> kReleased{24, 20, 20};
  const json text = object.value("text_config", json::object());
  for (const char* key : {"rope_scaling", "rope_parameters"}) {
    if (text.is_object() && text.contains(key) && text[key].is_object()) {
      const ConfigFields rope(text[key], label + ", text_config, " + key);
      rope.only("mrope_interleaved", true);
      return rope.exactly("mrope_section", kReleased);
    }
  }
  return kReleased;
}

double read_vision_rope(const ConfigFields& f, const std::string& label) {
  const json* object = f.find("rope_parameters");
  if (object == nullptr) {
    return Qwen3VisionConfig().rope_theta;
  }
  const ConfigFields rope(*object, label + ", rope_parameters");
  rope.one_of("rope_type", "axial", {"axial"});
  return rope.number("rope_theta", Qwen3VisionConfig().rope_theta);
}

}  // namespace

Qwen3VisionConfig qwen3_vision_config_from_json(const json& object, const std::string& label) {
  const ConfigFields whole(object, label);
  const json* vision = whole.find("vision_config");
  if (vision == nullptr) {
    whole.fail("vision_config", message<"is missing">());
  }
  const std::string inside = label + ", vision_config";
  const ConfigFields f(*vision, inside);
  Qwen3VisionConfig c;
  read_table(f, kVisionFields, c);
  f.only("in_channels", 3);
  c.erf = f.one_of("hidden_act", "gelu_pytorch_tanh", {"gelu_pytorch_tanh", "gelu"}) == "gelu";
  const int positions = f.integer("num_position_embeddings", 2304);
  c.side = root_of(positions);
  if (c.side == 0) {
    f.fail("num_position_embeddings", message<"is {found}; a square is expected">(positions));
  }
  c.deep = f.integers("deepstack_visual_indexes", {8, 16, 24}, 0);
  c.rope_theta = read_vision_rope(f, inside);
  c.sections = read_sections(object, label);
  if (c.hidden % (4 * c.heads) != 0) {
    f.fail("num_heads", message<"is {count}, which doesn't divide a width of {width} into heads of "
                                "a multiple of four channels">(c.heads, c.hidden));
  }
  refuse_other_fields(f, kVisionHarmless);
  return c;
}

Qwen3VisionConfig qwen3_vision_config(const WeightSource& weights, Part part) {
  require_part(weights, part);
  const Qwen3VisionConfig found = detect_vision(weights, part);
  Qwen3VisionConfig config =
      config_by_table(weights, part, kVisionFields, found, qwen3_vision_config_from_json);
  const int side = positions_side(weights, part);
  if (weights.config(part)) {
    same(weights, part, "num_position_embeddings", config.side * config.side, side * side);
  }
  config.side = side;
  const int mergers = count_names(weights, part, "visual.deepstack_merger_list.", ".norm.weight");
  same(weights, part, "deepstack_visual_indexes", std::ssize(config.deep), mergers);
  return config;
}

}  // namespace mantissa
