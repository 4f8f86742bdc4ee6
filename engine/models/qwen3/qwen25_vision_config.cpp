#include "engine/models/qwen3/qwen25_vision_config.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "engine/io/config_table.h"
#include "engine/io/transformers_fields.h"

namespace mantissa {

using namespace config_detect;
using nlohmann::json;

namespace {

constexpr const char* kQwen25Patches = "visual.patch_embed.proj.weight";

constexpr ConfigField<Qwen25VisionConfig> kQwen25VisionFields[] = {
    {"depth", &Qwen25VisionConfig::layers, 32, count_of("visual.blocks.", ".norm1.weight")},
    {"hidden_size", &Qwen25VisionConfig::hidden, 3584, extent_of(kQwen25Patches, 0)},
    {"intermediate_size", &Qwen25VisionConfig::intermediate, 3420,
     extent_of("visual.blocks.0.mlp.gate_proj.weight", 0)},
    {"num_heads", &Qwen25VisionConfig::heads, 16},
    {"patch_size", &Qwen25VisionConfig::patch, 14, extent_of(kQwen25Patches, 4)},
    {"temporal_patch_size", &Qwen25VisionConfig::frames, 2, extent_of(kQwen25Patches, 2)},
    {"spatial_merge_size", &Qwen25VisionConfig::merge, 2, kDerivedField},
    {"out_hidden_size", &Qwen25VisionConfig::out, 3584, extent_of("visual.merger.mlp.2.weight", 0)},
    {"window_size", &Qwen25VisionConfig::window, 112},
};

/// Of videos, of training, and other names of what is read.
constexpr std::array<std::string_view, 5> kQwen25VisionHarmless{
    "model_type", "initializer_range", "tokens_per_second", "in_chans", "spatial_patch_size"};

Qwen25VisionConfig detect_qwen25_vision(const WeightSource& weights, Part part) {
  Qwen25VisionConfig c = released_qwen25_vision();
  detect_table(weights, part, kQwen25VisionFields, c);
  const int merged = dim(weights, part, "visual.merger.mlp.0.weight", 1) / c.hidden;
  c.merge = static_cast<int>(std::lround(std::sqrt(static_cast<double>(merged))));
  return c;
}

/// The axes of the language model's positions, whose fields have no level of their own in older
/// files.
std::array<int, 3> read_qwen25_sections(const json& object, const std::string& label) {
  const std::array<int, 3> usual = released_qwen25_vision().sections;
  const json& text = object.contains("text_config") ? object["text_config"] : object;
  for (const char* key : {"rope_scaling", "rope_parameters"}) {
    if (text.is_object() && text.contains(key) && text[key].is_object()) {
      return ConfigFields(text[key], label + ", " + key).exactly("mrope_section", usual);
    }
  }
  return usual;
}

double read_qwen25_rope(const ConfigFields& f, const std::string& label) {
  const json* object = f.find("rope_parameters");
  if (object == nullptr) {
    return QwenVisionConfig().rope_theta;
  }
  const ConfigFields rope(*object, label + ", rope_parameters");
  rope.one_of("rope_type", "axial", {"axial"});
  return rope.number("rope_theta", QwenVisionConfig().rope_theta);
}

void check_qwen25_vision(const ConfigFields& f, const Qwen25VisionConfig& c) {
  if (c.hidden % (4 * c.heads) != 0) {
    f.fail("num_heads", message<"is {count}, which doesn't divide a width of {width} into heads of "
                                "a multiple of four channels">(c.heads, c.hidden));
  }
  if (c.window_tokens() < 1) {
    f.fail("window_size", message<"is {found}, less than the {side} pixels of a token's side">(
                              c.window, c.patch * c.merge));
  }
}

}  // namespace

Qwen25VisionConfig released_qwen25_vision() {
  Qwen25VisionConfig c;
  c.hidden = 1280;
  c.layers = 32;
  c.intermediate = 3420;
  c.patch = 14;
  c.out = 3584;
  c.sections = {16, 24, 24};
  c.in_turns = false;
  return c;
}

Qwen25VisionConfig qwen25_vision_config_from_json(const json& object, const std::string& label) {
  const ConfigFields everything(object, label);
  const json* vision = everything.find("vision_config");
  if (vision == nullptr) {
    everything.fail("vision_config", message<"is missing">());
  }
  const std::string inside = label + ", vision_config";
  const ConfigFields f(*vision, inside);
  Qwen25VisionConfig c = released_qwen25_vision();
  read_table(f, kQwen25VisionFields, c);
  f.only("in_channels", 3);
  f.one_of("hidden_act", "silu", {"silu"});
  c.whole = f.integers("fullatt_block_indexes", c.whole, 0);
  c.rope_theta = read_qwen25_rope(f, inside);
  c.sections = read_qwen25_sections(object, label);
  refuse_other_fields(f, kQwen25VisionHarmless);
  check_qwen25_vision(f, c);
  return c;
}

Qwen25VisionConfig qwen25_vision_config(const WeightSource& weights, Part part) {
  require_part(weights, part);
  return config_by_table(weights, part, kQwen25VisionFields, detect_qwen25_vision(weights, part),
                         qwen25_vision_config_from_json);
}

}  // namespace mantissa
