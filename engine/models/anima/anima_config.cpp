#include "engine/models/anima/anima_config.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "engine/io/config_detect.h"
#include "engine/io/config_fields.h"

namespace mantissa {

using namespace config_detect;
using nlohmann::json;

namespace {

constexpr const char* kAnimaClass = "CosmosTransformer3DModel";
constexpr const char* kAnimaEntry = "patch_embed.proj.weight";
constexpr const char* kAnimaExit = "proj_out.weight";
constexpr const char* kAnimaFirstBlock = "transformer_blocks.0.";

/// Widths of projections that only other Cosmos models have.
constexpr std::array<std::string_view, 4> kAnimaHarmless{
    "crossattn_proj_in_channels", "encoder_hidden_states_channels", "img_context_num_tokens",
    "img_context_dim_out"};

AnimaConfig detect_anima(const WeightSource& weights) {
  const Part part;
  const std::string block = kAnimaFirstBlock;
  AnimaConfig c;
  const int width = dim(weights, part, kAnimaEntry, 0), exit = dim(weights, part, kAnimaExit, 0);
  // One channel more enters than leaves, if there is a mask: a patch of it.
  const int pixels = dim(weights, part, kAnimaEntry, 1) - exit;
  c.padding_mask = pixels > 0;
  if (c.padding_mask) {
    c.patch_size = std::max(1, static_cast<int>(std::lround(std::sqrt(pixels))));
  }
  c.in_channels = exit / (c.patch_size * c.patch_size);
  c.head_dim = head_width(weights, part, block + "attn1.norm_q.weight", width);
  c.heads = width / c.head_dim;
  c.layers = count_names(weights, part, "transformer_blocks.", ".attn1.to_q.weight");
  c.mlp_ratio = static_cast<double>(dim(weights, part, block + "ff.net.0.proj.weight", 0)) / width;
  c.text_channels = dim(weights, part, block + "attn2.to_k.weight", 1);
  c.modulation_rank = dim(weights, part, block + "norm1.linear_1.weight", 0);
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
  const Part part = kTe2;
  const std::string block = "blocks.0.";
  AnimaTextConfig c;
  c.vocab = dim(weights, part, "embed.weight", 0);
  c.target = dim(weights, part, "embed.weight", 1);
  c.width = dim(weights, part, "out_proj.weight", 1);
  c.source = dim(weights, part, block + "cross_attn.k_proj.weight", 1);
  c.layers = count_names(weights, part, "blocks.", ".cross_attn.q_proj.weight");
  c.heads = c.width / head_width(weights, part, block + "cross_attn.q_norm.weight", c.width);
  c.mlp_ratio = static_cast<double>(dim(weights, part, block + "mlp.0.weight", 0)) / c.width;
  return c;
}

}  // namespace

AnimaConfig anima_config_from_json(const json& object, const std::string& label) {
  const ConfigFields f(object, label);
  f.only("_class_name", kAnimaClass);
  AnimaConfig c;
  c.in_channels = f.integer("in_channels", 16);
  f.only("out_channels", c.in_channels);
  c.heads = f.integer("num_attention_heads", 32);
  c.head_dim = f.integer("attention_head_dim", 128, 6);
  c.layers = f.integer("num_layers", 28);
  c.mlp_ratio = f.number("mlp_ratio", 4);
  c.text_channels = f.integer("text_embed_dim", 1024);
  c.modulation_rank = f.integer("adaln_lora_dim", 256);
  c.patch_size = anima_patch(f);
  c.most_patches = anima_most_patches(f, c.patch_size);
  c.rope_scale = anima_rope_scale(f);
  c.padding_mask = f.boolean("concat_padding_mask", true);
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
  const Part part;
  require_part(weights, part);
  const AnimaConfig found = detect_anima(weights);
  const AnimaConfig c = declared_or(found, weights, part, anima_config_from_json);
  same(weights, part, "num_attention_heads", c.heads, found.heads);
  same(weights, part, "attention_head_dim", c.head_dim, found.head_dim);
  same(weights, part, "num_layers", c.layers, found.layers);
  same(weights, part, "text_embed_dim", c.text_channels, found.text_channels);
  same(weights, part, "adaln_lora_dim", c.modulation_rank, found.modulation_rank);
  if (c.hidden() != found.hidden()) {
    same(weights, part, "mlp_ratio", c.mlp_ratio, found.mlp_ratio);
  }
  same(weights, part, "concat_padding_mask", c.padding_mask, found.padding_mask);
  if (found.padding_mask) {
    same(weights, part, "patch_size", c.patch_size, found.patch_size);
  }
  same(weights, part, "in_channels", c.in_channels, found.in_channels);
  return c;
}

json to_json(const AnimaConfig& c) {
  return {{"_class_name", kAnimaClass},
          {"in_channels", c.in_channels},
          {"out_channels", c.in_channels},
          {"num_attention_heads", c.heads},
          {"attention_head_dim", c.head_dim},
          {"num_layers", c.layers},
          {"mlp_ratio", c.mlp_ratio},
          {"text_embed_dim", c.text_channels},
          {"adaln_lora_dim", c.modulation_rank},
          {"max_size",
           {std::min(c.most_patches, 128), c.most_patches * c.patch_size,
            c.most_patches * c.patch_size}},
          {"patch_size", {1, c.patch_size, c.patch_size}},
          {"rope_scale", c.rope_scale},
          {"concat_padding_mask", c.padding_mask},
          {"extra_pos_embed_type", nullptr}};
}

AnimaTextConfig anima_text_config_from_json(const json& object, const std::string& label) {
  const ConfigFields f(object, label);
  f.only("_class_name", "AnimaTextConditioner");
  AnimaTextConfig c;
  c.source = f.integer("source_dim", 1024);
  c.target = f.integer("target_dim", 1024);
  c.width = f.integer("model_dim", 1024);
  c.layers = f.integer("num_layers", 6);
  c.heads = f.integer("num_attention_heads", 16);
  c.mlp_ratio = f.number("mlp_ratio", 4);
  c.vocab = f.integer("target_vocab_size", 32128, 4);
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
  const AnimaTextConfig c = declared_or(found, weights, kTe2, anima_text_config_from_json);
  same(weights, kTe2, "source_dim", c.source, found.source);
  same(weights, kTe2, "target_dim", c.target, found.target);
  same(weights, kTe2, "model_dim", c.width, found.width);
  same(weights, kTe2, "num_layers", c.layers, found.layers);
  same(weights, kTe2, "num_attention_heads", c.heads, found.heads);
  same(weights, kTe2, "target_vocab_size", c.vocab, found.vocab);
  if (c.hidden() != found.hidden()) {
    same(weights, kTe2, "mlp_ratio", c.mlp_ratio, found.mlp_ratio);
  }
  return c;
}

json to_json(const AnimaTextConfig& c) {
  return {{"_class_name", "AnimaTextConditioner"},
          {"source_dim", c.source},
          {"target_dim", c.target},
          {"model_dim", c.width},
          {"num_layers", c.layers},
          {"num_attention_heads", c.heads},
          {"mlp_ratio", c.mlp_ratio},
          {"target_vocab_size", c.vocab},
          {"use_self_attention", true},
          {"use_layer_norm", false},
          {"min_sequence_length", kAnimaTokens}};
}

}  // namespace mantissa
