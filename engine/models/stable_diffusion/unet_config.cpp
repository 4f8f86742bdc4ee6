// UNets: configs from and to JSON.
#include "engine/models/stable_diffusion/unet_config.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "engine/io/config_fields.h"

namespace mantissa {

using nlohmann::json;

namespace {

constexpr const char* kPlainDown = "DownBlock2D";
constexpr const char* kCrossDown = "CrossAttnDownBlock2D";
constexpr const char* kPlainUp = "UpBlock2D";
constexpr const char* kCrossUp = "CrossAttnUpBlock2D";
constexpr const char* kCrossMid = "UNetMidBlock2DCrossAttn";
constexpr const char* kPlainMid = "UNetMidBlock2D";

/// Fields of a UNet's config without effect here: hints for pipelines, memory and training, and
/// fields of other block types. A base model has no dropout, as in evaluation; attention scores are
/// always FP32.
constexpr std::array<std::string_view, 5> kUnetHarmless{
    "dropout", "upcast_attention", "addition_embed_type_num_heads",
    "mid_block_only_cross_attention", "projection_class_embeddings_input_dim"};

/// Throws Error for fields that select another architecture of the same class.
void refuse_other_unets(const ConfigFields& f) {
  f.only("_class_name", "UNet2DConditionModel");
  f.only("time_embedding_type", "positional");
  f.only("flip_sin_to_cos", true);
  f.only("freq_shift", 0);
  f.only("center_input_sample", false);
  f.only("dual_cross_attention", false);
  f.only("resnet_time_scale_shift", "default");
  f.only("resnet_out_scale_factor", 1);
  f.only("conv_in_kernel", 3);
  f.only("conv_out_kernel", 3);
  f.only("downsample_padding", 1);
  f.only("mid_block_scale_factor", 1);
  f.only("resnet_skip_time_act", false);
  f.only("attention_type", "default");
  f.only("class_embeddings_concat", false);
  for (const char* key : {"class_embed_type", "num_class_embeds", "encoder_hid_dim",
                          "encoder_hid_dim_type", "time_embedding_act_fn", "timestep_post_act",
                          "time_cond_proj_dim", "cross_attention_norm"}) {
    f.absent(key);
  }
  for (const char* key : {"norm_num_groups", "downsample_padding"}) {
    if (f.is_null(key)) {  // means no norm at all, and no padding
      f.fail(key, message<"is null; only models with it are supported">());
    }
  }
  if (const json* only = f.find("only_cross_attention"); only != nullptr) {
    const bool none = only->is_array()
                          ? std::all_of(only->begin(), only->end(),
                                        [](const json& level) { return level == false; })
                          : *only == false;
    if (!none) {
      f.fail("only_cross_attention",
             message<"is {found}; only {choices} is supported (a plain model of its family)">(
                 ConfigFields::start_of(*only), "false"));
    }
  }
}

void read_levels(const ConfigFields& f, UnetConfig& c) {
  c.block_out_channels = f.integers("block_out_channels", {320, 640, 1280, 1280});
  const std::size_t levels = c.block_out_channels.size();
  const auto down = f.texts("down_block_types", {kCrossDown, kCrossDown, kCrossDown, kPlainDown});
  const auto up = f.texts("up_block_types", {kPlainUp, kCrossUp, kCrossUp, kCrossUp});
  if (down.size() != levels || up.size() != levels) {
    f.fail(down.size() != levels ? "down_block_types" : "up_block_types",
           message<"must have one entry for each of the {levels} levels of block_out_channels">(
               levels));
  }
  for (std::size_t level = 0; level < levels; ++level) {
    if (down[level] != kPlainDown && down[level] != kCrossDown) {
      f.fail("down_block_types",
             message<"holds '{found}'; DownBlock2D and CrossAttnDownBlock2D are supported">(
                 down[level]));
    }
    const bool attention = down[level] == kCrossDown;
    if (up[levels - 1 - level] != (attention ? kCrossUp : kPlainUp)) {
      f.fail("up_block_types",
             message<"must mirror down_block_types (level {level} has '{found}')">(
                 level, up[levels - 1 - level]));
    }
    c.has_attention.push_back(attention);
  }
  c.layers_per_block = f.per_level("layers_per_block", levels, 2);
}

MidBlock mid_block(const ConfigFields& f) {
  if (f.is_null("mid_block_type")) {
    return MidBlock::none;
  }
  const std::string type = f.text("mid_block_type", kCrossMid);
  if (type != kCrossMid && type != kPlainMid) {
    f.fail("mid_block_type", message<"is '{found}'; {cross}, {plain} and null are supported">(
                                 type, kCrossMid, kPlainMid));
  }
  return type == kCrossMid ? MidBlock::attention : MidBlock::residual;
}

/// One level's entry of transformer_layers_per_block: a number for all its transformers, or a list
/// with one each.
std::vector<int> depths_of(const ConfigFields& f, const char* key, const json& entry, int count) {
  const json list = entry.is_array() ? entry : json(std::vector<json>(std::max(count, 1), entry));
  if (count > 0 && list.size() != static_cast<std::size_t>(count)) {
    f.fail(
        key,
        message<
            "must have one number for each of the {count} transformers of a level, it has {found}">(
            count, ConfigFields::start_of(entry)));
  }
  std::vector<int> depths;
  for (const json& depth : list) {
    depths.push_back(f.checked(key, depth, 0));
  }
  return depths;
}

/// A field as a list with one entry per level, or one number for all.
json entries_of(const ConfigFields& f, const char* key, std::size_t levels) {
  const json* value = f.find(key);
  if (value == nullptr || value->is_number()) {
    return json(std::vector<int>(levels, value == nullptr ? 1 : f.checked(key, *value, 0)));
  }
  if (!value->is_array() || value->size() != levels) {
    f.fail(key,
           message<"must have one entry for each of the {levels} levels of "
                   "block_out_channels, it is {found}">(levels, ConfigFields::start_of(*value)));
  }
  return *value;
}

/// Inner blocks of every transformer. An asymmetric up half has a separate field, deepest level
/// first.
void read_depths(const ConfigFields& f, UnetConfig& c) {
  constexpr const char* kDown = "transformer_layers_per_block";
  constexpr const char* kUp = "reverse_transformer_layers_per_block";
  const std::size_t levels = c.block_out_channels.size();
  const json down = entries_of(f, kDown, levels);
  const bool reversed = f.find(kUp) != nullptr;
  json up = reversed ? entries_of(f, kUp, levels) : down;
  if (!reversed) {
    std::reverse(up.begin(), up.end());
  }
  if (!reversed &&
      std::any_of(down.begin(), down.end(), [](const json& entry) { return entry.is_array(); })) {
    f.fail(kUp, message<"is missing; where transformer_layers_per_block holds lists it must say "
                        "what the way up has">());
  }
  for (std::size_t level = 0; level < levels; ++level) {
    const int layers = c.has_attention[level] ? c.layers_per_block[level] : 0;
    auto depths = depths_of(f, kDown, down[level], layers);
    auto up_depths = depths_of(f, reversed ? kUp : kDown, up[levels - 1 - level],
                               c.has_attention[level] ? layers + 1 : 0);
    if (level + 1 == levels && c.mid_block == MidBlock::attention) {
      c.mid_transformer_layers = depths.empty() ? 0 : depths.front();
    }
    c.transformer_layers.push_back(c.has_attention[level] ? depths : std::vector<int>{});
    c.up_transformer_layers.push_back(c.has_attention[level] ? up_depths : std::vector<int>{});
  }
}

/// One width for all levels, or a list; every level that reads the text must agree, as there is one
/// text.
int text_width(const ConfigFields& f, const UnetConfig& c) {
  constexpr const char* kKey = "cross_attention_dim";
  const std::vector<int> widths = f.per_level(kKey, c.block_out_channels.size(), 1280);
  std::vector<int> used;
  for (std::size_t level = 0; level < widths.size(); ++level) {
    if (c.has_attention[level]) {
      used.push_back(widths[level]);
    }
  }
  if (c.mid_block == MidBlock::attention) {
    used.push_back(widths.back());
  }
  if (used.empty()) {
    f.fail("down_block_types", message<"holds no CrossAttnDownBlock2D and the middle block no "
                                       "attention: captions would have no effect">());
  }
  if (std::any_of(used.begin(), used.end(), [&](int width) { return width != used.front(); })) {
    f.fail(kKey, message<"is {found}; the levels that read the text must all have the same width">(
                     json(widths).dump()));
  }
  return used.front();
}

}  // namespace

void UnetConfig::set_transformer_layers(const std::vector<int>& per_level) {
  transformer_layers.clear();
  up_transformer_layers.clear();
  for (std::size_t level = 0; level < per_level.size(); ++level) {
    const auto count = static_cast<std::size_t>(layers_per_block[level]);
    const bool attention = has_attention[level];
    transformer_layers.emplace_back(attention ? count : 0, per_level[level]);
    up_transformer_layers.emplace_back(attention ? count + 1 : 0, per_level[level]);
  }
}

UnetConfig unet_config_from_json(const json& object, const std::string& label) {
  const ConfigFields f(object, label);
  refuse_other_unets(f);
  f.one_of("act_fn", "silu", {"silu", "swish"});
  UnetConfig c;
  c.in_channels = f.integer("in_channels", 4);
  c.out_channels = f.integer("out_channels", 4);
  read_levels(f, c);
  c.mid_block = mid_block(f);
  read_depths(f, c);
  // Historic naming: attention_head_dim is the number of heads unless num_attention_heads is given.
  const char* heads =
      f.find("num_attention_heads") != nullptr ? "num_attention_heads" : "attention_head_dim";
  f.find("attention_head_dim");
  c.num_attention_heads = f.per_level(heads, c.block_out_channels.size(), 8);
  c.mid_attention_heads = c.num_attention_heads.back();
  c.cross_attention_dim = text_width(f, c);
  if (f.find("addition_embed_type") != nullptr) {
    f.only("addition_embed_type", "text_time");
    c.addition_time_embed_dim = f.integer("addition_time_embed_dim", std::nullopt);
    c.projection_class_embeddings_input_dim =
        f.integer("projection_class_embeddings_input_dim", std::nullopt);
    if (c.pooled_dim() < 1) {
      f.fail("projection_class_embeddings_input_dim",
             message<"leaves no room for the pooled text vector beside six embeddings of {width}">(
                 c.addition_time_embed_dim));
    }
  }
  f.find("addition_time_embed_dim");  // means nothing without addition_embed_type
  c.time_embed_dim = f.integer("time_embedding_dim", 4 * c.block_out_channels[0]);
  c.norm_num_groups = f.integer("norm_num_groups", 32);
  c.norm_eps = f.number("norm_eps", 1e-5);
  c.use_linear_projection = f.boolean("use_linear_projection", false);
  c.sample_size = f.side("sample_size", c.addition_time_embed_dim != 0 ? 128 : 64);
  f.refuse_others(kUnetHarmless);
  f.divisible("norm_num_groups", c.block_out_channels, {c.norm_num_groups}, message<"groups">());
  f.divisible(heads, c.block_out_channels, c.num_attention_heads, message<"heads">());
  if (c.block_out_channels[0] % 2 != 0) {
    f.fail("block_out_channels",
           message<"must start with an even number (sine and cosine halves)">());
  }
  return c;
}

namespace {

/// transformer_layers_per_block and, if asymmetric, the field for the up half.
void write_depths(const UnetConfig& c, json& object) {
  const std::size_t levels = c.block_out_channels.size();
  json down = json::array(), up = json::array();
  bool regular = true;
  for (std::size_t i = 0; i < levels; ++i) {
    const std::vector<int>& d = c.transformer_layers[i];
    const std::vector<int>& u = c.up_transformer_layers[i];
    // The last level's first entry also applies to the middle block, with or without attention in
    // the level.
    const int first = !d.empty() ? d.front() : i + 1 == levels ? c.mid_transformer_layers : 1;
    regular = regular && std::count(d.begin(), d.end(), first) == std::ssize(d) &&
              std::count(u.begin(), u.end(), first) == std::ssize(u);
    down.push_back(first);
  }
  if (!regular) {
    for (std::size_t i = 0; i < levels; ++i) {
      if (c.has_attention[i]) {
        down[i] = c.transformer_layers[i];
      }
      const std::size_t mirrored = levels - 1 - i;
      up.push_back(c.has_attention[mirrored] ? json(c.up_transformer_layers[mirrored]) : json(1));
    }
    object["reverse_transformer_layers_per_block"] = up;
  }
  object["transformer_layers_per_block"] = down;
}

}  // namespace

json to_json(const UnetConfig& c) {
  json down = json::array(), up = json::array();
  for (std::size_t i = 0; i < c.block_out_channels.size(); ++i) {
    const std::size_t mirrored = c.block_out_channels.size() - 1 - i;
    down.push_back(c.has_attention[i] ? kCrossDown : kPlainDown);
    up.push_back(c.has_attention[mirrored] ? kCrossUp : kPlainUp);
  }
  json object{{"_class_name", "UNet2DConditionModel"},
              {"act_fn", "silu"},
              {"in_channels", c.in_channels},
              {"out_channels", c.out_channels},
              {"block_out_channels", c.block_out_channels},
              {"layers_per_block", c.layers_per_block},
              {"down_block_types", down},
              {"mid_block_type", c.mid_block == MidBlock::none        ? json()
                                 : c.mid_block == MidBlock::attention ? json(kCrossMid)
                                                                      : json(kPlainMid)},
              {"up_block_types", up},
              {"attention_head_dim", c.num_attention_heads},
              {"cross_attention_dim", c.cross_attention_dim},
              {"norm_num_groups", c.norm_num_groups},
              {"norm_eps", c.norm_eps},
              {"use_linear_projection", c.use_linear_projection},
              {"flip_sin_to_cos", true},
              {"freq_shift", 0},
              {"sample_size", c.sample_size}};
  write_depths(c, object);
  if (c.time_embed_dim != 4 * c.block_out_channels[0]) {
    object["time_embedding_dim"] = c.time_embed_dim;
  }
  if (c.addition_time_embed_dim != 0) {
    object["addition_embed_type"] = "text_time";
    object["addition_time_embed_dim"] = c.addition_time_embed_dim;
    object["projection_class_embeddings_input_dim"] = c.projection_class_embeddings_input_dim;
  }
  return object;
}

}  // namespace mantissa
