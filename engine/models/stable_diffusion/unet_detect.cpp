// UNets: configs from names and shapes, and the check of config.json against them.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "engine/core/error.h"
#include "engine/io/config_detect.h"
#include "engine/models/stable_diffusion/unet_config.h"
#include "engine/models/stable_diffusion/unet_keys.h"

namespace mantissa {

using namespace config_detect;

namespace {

// A UNet's config from names and shapes alone.
UnetConfig detect_unet(const WeightSource& weights) {
  const Part part = kDenoiser;
  const UnetLayout layout = unet_layout_from_diffusers(weights.names(part));
  UnetConfig c;
  c.layers_per_block = layout.layers;
  c.has_attention = layout.attention;
  c.in_channels = dim(weights, part, "conv_in.weight", 1);
  c.out_channels = dim(weights, part, "conv_out.weight", 0);
  c.time_embed_dim = dim(weights, part, "time_embedding.linear_1.weight", 0);
  const auto depths = [&](const std::string& block, std::size_t level, int count) {
    std::vector<int> list;
    for (int j = 0; j < count && layout.attention[level]; ++j) {
      list.push_back(count_names(weights, part,
                                 block + "attentions." + std::to_string(j) + ".transformer_blocks.",
                                 ".norm1.weight"));
    }
    return list;
  };
  const std::size_t levels = layout.layers.size();
  if (levels == 0) {
    throw Error(message<"'{path}': unet has no down_blocks.0; the UNet is incomplete">(
        path_to_utf8(weights.path())));
  }
  for (std::size_t level = 0; level < levels; ++level) {
    const std::string block = "down_blocks." + std::to_string(level) + ".";
    const std::string up = "up_blocks." + std::to_string(levels - 1 - level) + ".";
    c.block_out_channels.push_back(dim(weights, part, block + "resnets.0.conv1.weight", 0));
    c.transformer_layers.push_back(depths(block, level, layout.layers[level]));
    c.up_transformer_layers.push_back(depths(up, level, layout.layers[level] + 1));
  }
  c.mid_block = weights.contains(part, "mid_block.attentions.0.norm.weight") ? MidBlock::attention
                : weights.contains(part, "mid_block.resnets.0.conv1.weight") ? MidBlock::residual
                                                                             : MidBlock::none;
  c.mid_transformer_layers =
      count_names(weights, part, "mid_block.attentions.0.transformer_blocks.", ".norm1.weight");
  c.cross_attention_dim = dim(weights, part, first_name(weights, part, ".attn2.to_k.weight"), 1);
  c.use_linear_projection =
      weights.shape(part, first_name(weights, part, ".proj_in.weight")).rank() == 2;
  for (int channels : c.block_out_channels) {
    c.num_attention_heads.push_back(c.use_linear_projection ? usual_heads(channels) : 8);
  }
  c.mid_attention_heads = c.num_attention_heads.back();
  c.norm_num_groups = usual_groups(c.block_out_channels);
  c.sample_size = 64;
  if (weights.contains(part, "add_embedding.linear_1.weight")) {
    c.sample_size = 128;
    c.projection_class_embeddings_input_dim =
        dim(weights, part, "add_embedding.linear_1.weight", 1);
    c.addition_time_embed_dim = 256;
    if (weights.contains(kTe2, "text_projection.weight")) {
      const int pooled = dim(weights, kTe2, "text_projection.weight", 0);
      const int times = c.projection_class_embeddings_input_dim - pooled;
      if (times > 0 && times % 6 == 0) {
        c.addition_time_embed_dim = times / 6;
      }
    }
  }
  return c;
}

Message block_name(MidBlock block) {
  return block == MidBlock::none       ? message<"\"none\"">()
         : block == MidBlock::residual ? message<"\"a residual block\"">()
                                       : message<"\"residual blocks and attention\"">();
}

/// Advice for a UNet with more input than output channels.
Message channels_advice(int in_channels) {
  constexpr int kInpainting = 9, kInstructPix2pix = 8;
  return in_channels == kInpainting
             ? message<"This is an inpainting checkpoint; use the base model it was made from">()
         : in_channels == kInstructPix2pix
             ? message<
                   "This is an instruct-pix2pix checkpoint; use the base model it was made from">()
             : message<"Use a plain text-to-image checkpoint">();
}

void check_unet(const WeightSource& weights, const UnetConfig& c, const UnetConfig& found) {
  const std::string path = path_to_utf8(weights.path());
  if (c.in_channels != c.out_channels) {
    throw Error(message<"'{path}': unet conv_in takes {taken} channels and conv_out gives {given}; "
                        "equal numbers are expected. {advice}">(path, c.in_channels, c.out_channels,
                                                                channels_advice(c.in_channels)));
  }
  if (c.addition_time_embed_dim != 0 && c.pooled_dim() < 1) {
    throw Error(
        message<"'{path}': unet add_embedding.linear_1 takes {count} inputs, too few for six size "
                "embeddings and a pooled text vector; put the model's config objects into its "
                "mantissa.config metadata">(path, c.projection_class_embeddings_input_dim));
  }
  if (weights.has_part(kVae)) {
    const int latent = dim(weights, kVae, "decoder.conv_in.weight", 1);
    if (latent != c.in_channels) {
      throw Error(
          message<"'{path}': the unet takes {taken} channels, the vae makes latents of {made}; the "
                  "two parts belong to different models">(path, c.in_channels, latent));
    }
  }
  const Part part = kDenoiser;
  same(weights, part, "in_channels", c.in_channels, found.in_channels);
  same(weights, part, "out_channels", c.out_channels, found.out_channels);
  same(weights, part, "block_out_channels", c.block_out_channels, found.block_out_channels);
  same(weights, part, "layers_per_block", c.layers_per_block, found.layers_per_block);
  same(weights, part, message<"down_block_types (levels with attention)">(), c.has_attention,
       found.has_attention);
  same(weights, part, "transformer_layers_per_block", c.transformer_layers,
       found.transformer_layers);
  same(weights, part, "reverse_transformer_layers_per_block", c.up_transformer_layers,
       found.up_transformer_layers);
  if (c.mid_block != found.mid_block) {
    refuse_other(weights, part, "mid_block_type", block_name(c.mid_block),
                 block_name(found.mid_block));
  }
  same(weights, part, message<"transformer_layers_per_block (middle)">(), c.mid_transformer_layers,
       found.mid_transformer_layers);
  same(weights, part, "cross_attention_dim", c.cross_attention_dim, found.cross_attention_dim);
  same(weights, part, "time_embedding_dim", c.time_embed_dim, found.time_embed_dim);
  same(weights, part, "use_linear_projection", c.use_linear_projection,
       found.use_linear_projection);
  same(weights, part, "projection_class_embeddings_input_dim",
       c.projection_class_embeddings_input_dim, found.projection_class_embeddings_input_dim);
}

}  // namespace

UnetConfig unet_config(const WeightSource& weights) {
  require_part(weights, kDenoiser);
  const UnetConfig found = detect_unet(weights);
  const UnetConfig c = declared_or(found, weights, kDenoiser, unet_config_from_json);
  check_unet(weights, c, found);
  return c;
}

}  // namespace mantissa
