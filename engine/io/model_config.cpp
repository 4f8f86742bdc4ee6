#include "engine/io/model_config.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "engine/core/error.h"
#include "engine/io/config_detect.h"
#include "engine/io/tokenizer_folder.h"

namespace mantissa {

using namespace config_detect;
using nlohmann::json;

namespace {

// 32 groups, or the largest power of two that divides every width.
int detect_groups(const std::vector<int>& channels) {
  int groups = 32;
  while (std::any_of(channels.begin(), channels.end(), [&](int c) { return c % groups != 0; })) {
    groups /= 2;
  }
  return groups;
}

int heads_of(int channels) {
  return std::max(1, channels / 64);
}

// What names and shapes alone tell about a UNet.
UnetConfig detect_unet(const WeightSource& weights) {
  const Part part;
  const UnetLayout& layout = weights.unet_layout();
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
    c.num_attention_heads.push_back(c.use_linear_projection ? heads_of(channels) : 8);
  }
  c.mid_attention_heads = c.num_attention_heads.back();
  c.norm_num_groups = detect_groups(c.block_out_channels);
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

/// What to do about a UNet that takes more channels than it gives.
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
  const Part part;
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

ClipConfig detect_clip(const WeightSource& weights, Part part) {
  ClipConfig c;
  c.vocab = dim(weights, part, "text_model.embeddings.token_embedding.weight", 0);
  c.hidden = dim(weights, part, "text_model.embeddings.token_embedding.weight", 1);
  c.positions = dim(weights, part, "text_model.embeddings.position_embedding.weight", 0);
  c.layers = count_names(weights, part, "text_model.encoder.layers.", ".layer_norm1.weight");
  if (c.layers == 0) {
    throw Error(message<"'{path}': {part} has no layer text_model.encoder.layers.0; it is no CLIP "
                        "text encoder">(path_to_utf8(weights.path()), part_name(part)));
  }
  c.intermediate = dim(weights, part, "text_model.encoder.layers.0.mlp.fc1.weight", 0);
  c.heads = heads_of(c.hidden);
  // CLIP ViT-L has it; what SD 2.x took over from OpenCLIP, 1024 wide, hasn't.
  constexpr int kOpenClipWidth = 1024;
  c.quick_gelu = part == kTe1 && c.hidden < kOpenClipWidth;
  c.use_usual_ids(part);
  c.pad_id = c.quick_gelu ? c.eos_id : 0;
  c.projection_dim = part == kTe2 && weights.contains(part, "text_projection.weight")
                         ? dim(weights, part, "text_projection.weight", 0)
                         : 0;
  return c;
}

/// What the model's tokenizer folder says: transformers pads with EOS where it names no other
/// token.
void read_tokenizer(const WeightSource& weights, Part part, ClipConfig& c) {
  const auto folder = weights.tokenizer_folder(part);
  if (!folder) {
    return;
  }
  const BpeFiles files = read_bpe_folder(*folder);
  const std::string pad = files.notes.pad_token.value_or("<|endoftext|>");
  const auto added = std::find_if(files.notes.added.begin(), files.notes.added.end(),
                                  [&](const AddedToken& token) { return token.content == pad; });
  const auto at = files.vocab.find(pad);
  if (added == files.notes.added.end() && at == files.vocab.end()) {
    throw Error(message<"{file}: pad_token '{token}' is not in the vocabulary">(files.label, pad));
  }
  c.pad_id = added != files.notes.added.end() ? added->id : at->get<int>();
  c.tokens = std::min(c.tokens, files.notes.max_length.value_or(c.tokens));
}

VaeConfig detect_vae(const WeightSource& weights) {
  const Part part = kVae;
  VaeConfig c;
  c.in_channels = dim(weights, part, "encoder.conv_in.weight", 1);
  c.out_channels = dim(weights, part, "decoder.conv_out.weight", 0);
  c.latent_channels = dim(weights, part, "decoder.conv_in.weight", 1);
  c.quant_conv = weights.contains(part, "quant_conv.weight");
  c.post_quant_conv = weights.contains(part, "post_quant_conv.weight");
  const int levels = count_names(weights, part, "encoder.down_blocks.", ".resnets.0.conv1.weight");
  for (int level = 0; level < levels; ++level) {
    c.block_out_channels.push_back(
        dim(weights, part,
            "encoder.down_blocks." + std::to_string(level) + ".resnets.0.conv1.weight", 0));
  }
  if (levels == 0) {
    throw Error(message<"'{path}': vae has no encoder.down_blocks.0; the VAE is incomplete">(
        path_to_utf8(weights.path())));
  }
  c.layers_per_block =
      count_names(weights, part, "encoder.down_blocks.0.resnets.", ".conv1.weight");
  c.norm_num_groups = detect_groups(c.block_out_channels);
  c.mid_attention = weights.contains(part, "encoder.mid_block.attentions.0.to_q.weight");
  const bool sdxl = weights.contains(kDenoiser, "add_embedding.linear_1.weight");
  c.scaling_factor = sdxl ? 0.13025 : 0.18215;
  return c;
}

}  // namespace

UnetConfig unet_config(const WeightSource& weights) {
  require_part(weights, kDenoiser);
  const UnetConfig found = detect_unet(weights);
  const UnetConfig c = declared_or(found, weights, kDenoiser, unet_config_from_json);
  check_unet(weights, c, found);
  return c;
}

ClipConfig clip_config(const WeightSource& weights, Part part) {
  require_part(weights, part);
  const ClipConfig found = detect_clip(weights, part);
  ClipConfig c = declared_or(found, weights, part, [part](const auto& json, const auto& label) {
    return clip_config_from_json(json, part, label);
  });
  same(weights, part, "hidden_size", c.hidden, found.hidden);
  same(weights, part, "num_hidden_layers", c.layers, found.layers);
  same(weights, part, "intermediate_size", c.intermediate, found.intermediate);
  same(weights, part, "vocab_size", c.vocab, found.vocab);
  same(weights, part, "max_position_embeddings", c.positions, found.positions);
  if (found.projection_dim != 0) {
    same(weights, part, "projection_dim", c.projection_dim, found.projection_dim);
  }
  c.projection_dim = found.projection_dim;
  c.tokens = c.positions;
  read_tokenizer(weights, part, c);
  return c;
}

VaeConfig vae_config(const WeightSource& weights) {
  const Part part = kVae;
  require_part(weights, part);
  const VaeConfig found = detect_vae(weights);
  const VaeConfig c = declared_or(found, weights, part, vae_config_from_json);
  same(weights, part, "in_channels", c.in_channels, found.in_channels);
  same(weights, part, "out_channels", c.out_channels, found.out_channels);
  same(weights, part, "latent_channels", c.latent_channels, found.latent_channels);
  same(weights, part, "block_out_channels", c.block_out_channels, found.block_out_channels);
  same(weights, part, "layers_per_block", c.layers_per_block, found.layers_per_block);
  same(weights, part, "mid_block_add_attention", c.mid_attention, found.mid_attention);
  same(weights, part, "use_quant_conv", c.quant_conv, found.quant_conv);
  same(weights, part, "use_post_quant_conv", c.post_quant_conv, found.post_quant_conv);
  if (!c.latents_mean.empty() && weights.has_part(kDenoiser) &&
      !weights.family().latent_statistics) {
    throw Error(
        message<"{file}: field 'latents_mean' is set, which the pipelines of this family pass "
                "over, so that nobody can tell what the model was trained with; only SDXL's apply "
                "it. Remove latents_mean and latents_std">(source_label(weights, part)));
  }
  return c;
}

}  // namespace mantissa
