#include <algorithm>
#include <nlohmann/json.hpp>

#include "engine/io/config_fields.h"
#include "engine/io/model_config.h"

namespace mantissa {

using nlohmann::json;

namespace {

using Fields = ConfigFields;

constexpr const char* kPlainDown = "DownBlock2D";
constexpr const char* kCrossDown = "CrossAttnDownBlock2D";
constexpr const char* kPlainUp = "UpBlock2D";
constexpr const char* kCrossUp = "CrossAttnUpBlock2D";

void check_divisible(const Fields& fields, const char* key, const std::vector<int>& channels,
                     const std::vector<int>& divisors, const char* what) {
  for (std::size_t i = 0; i < channels.size(); ++i) {
    const int divisor = divisors[std::min(i, divisors.size() - 1)];
    if (channels[i] % divisor != 0) {
      fields.fail(key, "is " + std::to_string(divisor) + ", which does not divide the " +
                           std::to_string(channels[i]) + " channels of level " + std::to_string(i) +
                           " into " + what);
    }
  }
}

}  // namespace

UnetConfig unet_config_from_json(const json& object, const std::string& label) {
  const Fields f(object, label);
  f.only("_class_name", "UNet2DConditionModel");
  f.only("act_fn", "silu");
  f.only("mid_block_type", "UNetMidBlock2DCrossAttn");
  f.only("time_embedding_type", "positional");
  f.only("flip_sin_to_cos", true);
  f.only("freq_shift", 0);
  f.only("center_input_sample", false);
  f.only("only_cross_attention", false);
  f.only("dual_cross_attention", false);
  f.only("resnet_time_scale_shift", "default");
  f.only("conv_in_kernel", 3);
  f.only("conv_out_kernel", 3);
  f.only("downsample_padding", 1);
  f.only("mid_block_scale_factor", 1);
  f.only("resnet_skip_time_act", false);
  f.only("attention_type", "default");
  f.only("class_embeddings_concat", false);
  for (const char* key :
       {"class_embed_type", "num_class_embeds", "encoder_hid_dim", "encoder_hid_dim_type",
        "time_embedding_act_fn", "timestep_post_act", "time_cond_proj_dim",
        "reverse_transformer_layers_per_block", "cross_attention_norm"}) {
    f.absent(key);
  }

  UnetConfig c;
  c.in_channels = f.integer("in_channels", 4);
  c.out_channels = f.integer("out_channels", 4);
  c.block_out_channels = f.integers("block_out_channels", {320, 640, 1280, 1280});
  const std::size_t levels = c.block_out_channels.size();
  const auto down = f.texts("down_block_types", {kCrossDown, kCrossDown, kCrossDown, kPlainDown});
  const auto up = f.texts("up_block_types", {kPlainUp, kCrossUp, kCrossUp, kCrossUp});
  if (down.size() != levels || up.size() != levels) {
    f.fail(down.size() != levels ? "down_block_types" : "up_block_types",
           "must have one entry for each of the " + std::to_string(levels) +
               " levels of block_out_channels");
  }
  for (std::size_t level = 0; level < levels; ++level) {
    if (down[level] != kPlainDown && down[level] != kCrossDown) {
      f.fail("down_block_types", "holds '" + down[level] +
                                     "'; DownBlock2D and "
                                     "CrossAttnDownBlock2D are supported");
    }
    const bool attention = down[level] == kCrossDown;
    if (up[levels - 1 - level] != (attention ? kCrossUp : kPlainUp)) {
      f.fail("up_block_types", "must mirror down_block_types (level " + std::to_string(level) +
                                   " has '" + up[levels - 1 - level] + "')");
    }
    c.has_attention.push_back(attention);
  }
  c.layers_per_block = f.per_level("layers_per_block", levels, 2);
  const auto depth = f.per_level("transformer_layers_per_block", levels, 1);
  // Historic naming: attention_head_dim holds the number of heads unless num_attention_heads does.
  c.num_attention_heads = f.per_level(
      f.find("num_attention_heads") != nullptr ? "num_attention_heads" : "attention_head_dim",
      levels, 8);
  for (std::size_t level = 0; level < levels; ++level) {
    c.transformer_layers.push_back(c.has_attention[level] ? depth[level] : 0);
  }
  c.mid_transformer_layers = depth.back();
  c.mid_attention_heads = c.num_attention_heads.back();
  c.cross_attention_dim = f.integer("cross_attention_dim", 1280);
  if (f.find("addition_embed_type") != nullptr) {
    f.only("addition_embed_type", "text_time");
    c.addition_time_embed_dim = f.integer("addition_time_embed_dim", std::nullopt);
    c.projection_class_embeddings_input_dim =
        f.integer("projection_class_embeddings_input_dim", std::nullopt);
    if (c.pooled_dim() < 1) {
      f.fail("projection_class_embeddings_input_dim",
             "leaves no room for the pooled text vector beside six embeddings of " +
                 std::to_string(c.addition_time_embed_dim));
    }
  }
  c.time_embed_dim = f.integer("time_embedding_dim", 4 * c.block_out_channels[0]);
  c.norm_num_groups = f.integer("norm_num_groups", 32);
  c.norm_eps = f.number("norm_eps", 1e-5);
  c.use_linear_projection = f.boolean("use_linear_projection", false);
  c.sample_size = f.integer("sample_size", c.addition_time_embed_dim != 0 ? 128 : 64);
  check_divisible(f, "norm_num_groups", c.block_out_channels, {c.norm_num_groups}, "groups");
  check_divisible(f, "attention_head_dim", c.block_out_channels, c.num_attention_heads, "heads");
  if (c.block_out_channels[0] % 2 != 0) {
    f.fail("block_out_channels", "must start with an even number (sine and cosine halves)");
  }
  return c;
}

ClipConfig clip_config_from_json(const json& object, ModelPart part, const std::string& label) {
  const Fields f(object, label);
  ClipConfig c;
  c.hidden = f.integer("hidden_size", 512);
  c.layers = f.integer("num_hidden_layers", 12);
  c.heads = f.integer("num_attention_heads", 8);
  c.intermediate = f.integer("intermediate_size", 2048);
  c.vocab = f.integer("vocab_size", 49408, 4);
  c.positions = f.integer("max_position_embeddings", 77, 2);
  const std::string act = f.text("hidden_act", "quick_gelu");
  if (act != "quick_gelu" && act != "gelu") {
    f.fail("hidden_act", "is '" + act + "'; quick_gelu and gelu are supported");
  }
  c.quick_gelu = act == "quick_gelu";
  c.projection_dim = part == ModelPart::te2 ? f.integer("projection_dim", 512) : 0;
  c.norm_eps = f.number("layer_norm_eps", 1e-5);
  // Published configs say eos 2, meaning "the greatest id", which is what the tokenizer uses.
  const int eos = f.integer("eos_token_id", 2, 0);
  c.eos_id = eos == 2 || eos >= c.vocab ? c.vocab - 1 : eos;
  c.bos_id = c.vocab - 2;
  c.pad_id = part == ModelPart::te2 ? 0 : c.eos_id;
  if (c.hidden % c.heads != 0) {
    f.fail("num_attention_heads", "is " + std::to_string(c.heads) + ", which does not divide the " +
                                      std::to_string(c.hidden) + " channels of hidden_size");
  }
  return c;
}

VaeConfig vae_config_from_json(const json& object, const std::string& label) {
  const Fields f(object, label);
  f.only("_class_name", "AutoencoderKL");
  f.only("act_fn", "silu");
  f.only("use_quant_conv", true);
  f.only("use_post_quant_conv", true);
  f.only("shift_factor", 0.0);
  f.absent("latents_mean");
  f.absent("latents_std");
  VaeConfig c;
  c.in_channels = f.integer("in_channels", 3);
  c.out_channels = f.integer("out_channels", 3);
  c.latent_channels = f.integer("latent_channels", 4);
  c.block_out_channels = f.integers("block_out_channels", {64});
  c.layers_per_block = f.integer("layers_per_block", 1);
  c.norm_num_groups = f.integer("norm_num_groups", 32);
  c.scaling_factor = f.number("scaling_factor", 0.18215);
  c.mid_attention = f.boolean("mid_block_add_attention", true);
  for (const auto& [key, type] : {std::pair{"down_block_types", "DownEncoderBlock2D"},
                                  std::pair{"up_block_types", "UpDecoderBlock2D"}}) {
    const std::size_t levels = c.block_out_channels.size();
    const auto types = f.texts(key, std::vector<std::string>(levels, type));
    if (types != std::vector<std::string>(levels, type)) {
      f.fail(key, std::string("must hold ") + type + " once a level (" + std::to_string(levels) +
                      " levels)");
    }
  }
  check_divisible(f, "norm_num_groups", c.block_out_channels, {c.norm_num_groups}, "groups");
  return c;
}

json to_json(const UnetConfig& c) {
  json down = json::array(), up = json::array(), depth = json::array();
  for (std::size_t i = 0; i < c.block_out_channels.size(); ++i) {
    const std::size_t mirrored = c.block_out_channels.size() - 1 - i;
    down.push_back(c.has_attention[i] ? kCrossDown : kPlainDown);
    up.push_back(c.has_attention[mirrored] ? kCrossUp : kPlainUp);
    // The last entry also rules the middle block.
    depth.push_back(i + 1 == c.block_out_channels.size() ? c.mid_transformer_layers
                                                         : std::max(1, c.transformer_layers[i]));
  }
  json object{{"_class_name", "UNet2DConditionModel"},
              {"act_fn", "silu"},
              {"in_channels", c.in_channels},
              {"out_channels", c.out_channels},
              {"block_out_channels", c.block_out_channels},
              {"layers_per_block", c.layers_per_block},
              {"down_block_types", down},
              {"mid_block_type", "UNetMidBlock2DCrossAttn"},
              {"up_block_types", up},
              {"transformer_layers_per_block", depth},
              {"attention_head_dim", c.num_attention_heads},
              {"cross_attention_dim", c.cross_attention_dim},
              {"norm_num_groups", c.norm_num_groups},
              {"norm_eps", c.norm_eps},
              {"use_linear_projection", c.use_linear_projection},
              {"flip_sin_to_cos", true},
              {"freq_shift", 0},
              {"sample_size", c.sample_size}};
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

json to_json(const ClipConfig& c) {
  return json{
      {"architectures", {c.projection_dim != 0 ? "CLIPTextModelWithProjection" : "CLIPTextModel"}},
      {"model_type", "clip_text_model"},
      {"hidden_size", c.hidden},
      {"num_hidden_layers", c.layers},
      {"num_attention_heads", c.heads},
      {"intermediate_size", c.intermediate},
      {"hidden_act", c.quick_gelu ? "quick_gelu" : "gelu"},
      {"vocab_size", c.vocab},
      {"max_position_embeddings", c.positions},
      {"projection_dim", c.projection_dim != 0 ? c.projection_dim : c.hidden},
      {"layer_norm_eps", c.norm_eps},
      {"bos_token_id", c.bos_id},
      {"eos_token_id", c.eos_id},
      {"pad_token_id", c.pad_id}};
}

json to_json(const VaeConfig& c) {
  const std::size_t levels = c.block_out_channels.size();
  return json{{"_class_name", "AutoencoderKL"},
              {"act_fn", "silu"},
              {"in_channels", c.in_channels},
              {"out_channels", c.out_channels},
              {"latent_channels", c.latent_channels},
              {"block_out_channels", c.block_out_channels},
              {"layers_per_block", c.layers_per_block},
              {"down_block_types", std::vector<std::string>(levels, "DownEncoderBlock2D")},
              {"up_block_types", std::vector<std::string>(levels, "UpDecoderBlock2D")},
              {"norm_num_groups", c.norm_num_groups},
              {"scaling_factor", c.scaling_factor},
              {"mid_block_add_attention", c.mid_attention}};
}

}  // namespace mantissa
