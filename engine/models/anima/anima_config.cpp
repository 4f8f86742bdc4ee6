#include "engine/models/anima/anima_config.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "engine/io/config_detect.h"
#include "engine/io/config_fields.h"
#include "engine/io/config_table.h"

namespace mantissa {

using namespace config_detect;
using nlohmann::json;

namespace {

constexpr const char* kAnimaClass = "CosmosTransformer3DModel";
constexpr const char* kAnimaEntry = "patch_embed.proj.weight";
constexpr const char* kAnimaExit = "proj_out.weight";
constexpr const char* kAnimaFirstBlock = "transformer_blocks.0.";

constexpr ConfigField<AnimaConfig> kAnimaFields[] = {
    {"in_channels", &AnimaConfig::in_channels, 16},
    {"num_attention_heads", &AnimaConfig::heads, 32, kDerivedField},
    {"attention_head_dim", &AnimaConfig::head_dim, 128, kDerivedField, 6},
    {"num_layers", &AnimaConfig::layers, 28, count_of("transformer_blocks.", ".attn1.to_q.weight")},
    {"mlp_ratio", &AnimaConfig::mlp_ratio, 4},
    {"text_embed_dim", &AnimaConfig::text_channels, 1024,
     extent_of("transformer_blocks.0.attn2.to_k.weight", 1)},
    {"adaln_lora_dim", &AnimaConfig::modulation_rank, 256,
     extent_of("transformer_blocks.0.norm1.linear_1.weight", 0)},
    {"concat_padding_mask", &AnimaConfig::padding_mask, true, kDerivedField},
};
constexpr ConfigField<AnimaTextConfig> kAnimaTextFields[] = {
    {"source_dim", &AnimaTextConfig::source, 1024,
     extent_of("blocks.0.cross_attn.k_proj.weight", 1)},
    {"target_dim", &AnimaTextConfig::target, 1024, extent_of("embed.weight", 1)},
    {"model_dim", &AnimaTextConfig::width, 1024, extent_of("out_proj.weight", 1)},
    {"num_layers", &AnimaTextConfig::layers, 6, count_of("blocks.", ".cross_attn.q_proj.weight")},
    {"num_attention_heads", &AnimaTextConfig::heads, 16, kDerivedField},
    {"mlp_ratio", &AnimaTextConfig::mlp_ratio, 4},
    {"target_vocab_size", &AnimaTextConfig::vocab, 32128, extent_of("embed.weight", 0), 4},
};

/// Widths of projections that only other Cosmos models have.
constexpr std::array<std::string_view, 4> kAnimaHarmless{
    "crossattn_proj_in_channels", "encoder_hidden_states_channels", "img_context_num_tokens",
    "img_context_dim_out"};

AnimaConfig detect_anima(const WeightSource& weights) {
  const std::string block = kAnimaFirstBlock;
  AnimaConfig c;
  detect_table(weights, kDenoiser, kAnimaFields, c);
  const int width = dim(weights, kDenoiser, kAnimaEntry, 0),
            exit = dim(weights, kDenoiser, kAnimaExit, 0);
  // One channel more enters than leaves, if there is a mask: a patch of it.
  const int pixels = dim(weights, kDenoiser, kAnimaEntry, 1) - exit;
  c.padding_mask = pixels > 0;
  if (c.padding_mask) {
    c.patch_size = std::max(1, static_cast<int>(std::lround(std::sqrt(pixels))));
  }
  c.in_channels = exit / (c.patch_size * c.patch_size);
  detect_heads(weights, kDenoiser, block + "attn1.norm_q.weight", width, c);
  c.mlp_ratio =
      static_cast<double>(dim(weights, kDenoiser, block + "ff.net.0.proj.weight", 0)) / width;
  return c;
}

/// The longest side of max_size, in patches.
int anima_most_patches(const ConfigFields& f, int patch) {
  const std::array<int, 3> sides = f.exactly<3>("max_size", {128, 240, 240});
  return std::max({sides[0], sides[1] / patch, sides[2] / patch});
}

std::array<double, 3> anima_rope_scale(const ConfigFields& f) {
  constexpr const char* kKey = "rope_scale";
  const std::vector<double> given = f.numbers(kKey, 3);
  std::array<double, 3> scale{2, 1, 1};
  if (!given.empty()) {
    std::copy(given.begin(), given.end(), scale.begin());
  }
  if (*std::min_element(scale.begin(), scale.end()) <= 0) {
    f.fail(kKey, message<"must hold positive numbers, it is {found}">(json(given).dump()));
  }
  return scale;
}

int anima_patch(const ConfigFields& f) {
  constexpr const char* kKey = "patch_size";
  const std::vector<int> sides = f.integers(kKey, {1, 2, 2});
  if (sides.size() != 3 || sides[0] != 1 || sides[1] != sides[2]) {
    f.fail(kKey, message<"is {found}; only {choices} is supported (a plain model of its family)">(
                     json(sides).dump(), "[1, n, n]"));
  }
  return sides[1];
}

AnimaTextConfig detect_anima_text(const WeightSource& weights) {
  const std::string block = "blocks.0.";
  AnimaTextConfig c;
  detect_table(weights, kTe2, kAnimaTextFields, c);
  c.heads = c.width / head_width(weights, kTe2, block + "cross_attn.q_norm.weight", c.width);
  c.mlp_ratio = static_cast<double>(dim(weights, kTe2, block + "mlp.0.weight", 0)) / c.width;
  return c;
}

}  // namespace

AnimaConfig anima_config_from_json(const json& object, const std::string& label) {
  const ConfigFields f(object, label);
  f.only("_class_name", kAnimaClass);
  AnimaConfig c;
  read_table(f, kAnimaFields, c);
  f.only("out_channels", c.in_channels);
  c.patch_size = anima_patch(f);
  c.most_patches = anima_most_patches(f, c.patch_size);
  c.rope_scale = anima_rope_scale(f);
  if (!object.contains("extra_pos_embed_type")) {
    f.fail("extra_pos_embed_type", message<"is missing; Anima's models have null there">());
  }
  f.absent("extra_pos_embed_type");
  f.only("use_crossattn_projection", false);
  f.absent("controlnet_block_every_n");
  f.absent("img_context_dim_in");
  f.refuse_others(kAnimaHarmless);
  if (c.head_dim % 2 != 0) {
    f.fail("attention_head_dim",
           message<"is {found}; rotary embeddings need an even number">(c.head_dim));
  }
  return c;
}

AnimaConfig anima_config(const WeightSource& weights) {
  require_part(weights, kDenoiser);
  const AnimaConfig found = detect_anima(weights);
  const AnimaConfig c =
      config_by_table(weights, kDenoiser, kAnimaFields, found, anima_config_from_json);
  if (c.hidden() != found.hidden()) {
    same(weights, kDenoiser, "mlp_ratio", c.mlp_ratio, found.mlp_ratio);
  }
  if (found.padding_mask) {
    same(weights, kDenoiser, "patch_size", c.patch_size, found.patch_size);
  }
  same(weights, kDenoiser, "in_channels", c.in_channels, found.in_channels);
  return c;
}

json to_json(const AnimaConfig& c) {
  const int pixels = c.most_patches * c.patch_size;
  json object{{"_class_name", kAnimaClass},
              {"out_channels", c.in_channels},
              {"max_size", {std::min(c.most_patches, 128), pixels, pixels}},
              {"patch_size", {1, c.patch_size, c.patch_size}},
              {"rope_scale", c.rope_scale},
              {"extra_pos_embed_type", nullptr}};
  write_table(object, kAnimaFields, c);
  return object;
}

AnimaTextConfig anima_text_config_from_json(const json& object, const std::string& label) {
  const ConfigFields f(object, label);
  f.only("_class_name", "AnimaTextConditioner");
  AnimaTextConfig c;
  read_table(f, kAnimaTextFields, c);
  f.only("use_self_attention", true);
  f.only("use_layer_norm", false);
  f.only("min_sequence_length", kAnimaTokens);
  f.refuse_others({});
  if (c.width % c.heads != 0 || c.head_dim() % 2 != 0) {
    f.fail("num_attention_heads",
           message<"is {heads}, which doesn't divide model_dim, {width}, into heads of even "
                   "width">(c.heads, c.width));
  }
  return c;
}

AnimaTextConfig anima_text_config(const WeightSource& weights) {
  require_part(weights, kTe2);
  const AnimaTextConfig found = detect_anima_text(weights);
  const AnimaTextConfig c =
      config_by_table(weights, kTe2, kAnimaTextFields, found, anima_text_config_from_json);
  if (c.hidden() != found.hidden()) {
    same(weights, kTe2, "mlp_ratio", c.mlp_ratio, found.mlp_ratio);
  }
  return c;
}

json to_json(const AnimaTextConfig& c) {
  json object{{"_class_name", "AnimaTextConditioner"},
              {"use_self_attention", true},
              {"use_layer_norm", false},
              {"min_sequence_length", kAnimaTokens}};
  write_table(object, kAnimaTextFields, c);
  return object;
}

}  // namespace mantissa
