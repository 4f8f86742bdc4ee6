#include "engine/models/stable_diffusion/unet.h"

#include "engine/core/error.h"
#include "engine/graph/op_check.h"
#include "engine/graph/ops.h"

namespace mantissa {
namespace {

constexpr ConvOptions kHalveUnet{2, 1, 1, 1, 1};

}  // namespace

Unet::Unet(const UnetConfig& config, const Scope& scope)
    : config_(config),
      path_(scope.path()),
      activations_(scope.activations()),
      conv_in_(
          Conv2d::same3x3(scope / "conv_in", config.in_channels, config.block_out_channels.at(0))),
      time_embedding_(scope / "time_embedding", config.block_out_channels.at(0),
                      config.time_embed_dim),
      norm_out_(scope / "conv_norm_out", config.block_out_channels.at(0), config.norm_num_groups,
                config.norm_eps),
      conv_out_(Conv2d::same3x3(scope / "conv_out", config.block_out_channels.at(0),
                                config.out_channels)) {
  if (config.addition_time_embed_dim > 0) {
    add_embedding_.emplace(scope / "add_embedding", config.projection_class_embeddings_input_dim,
                           config.time_embed_dim);
  }
  const auto resnet = [&](const Scope& at, std::int64_t in, std::int64_t out) {
    return ResnetBlock(at,
                       {in, out, config.time_embed_dim, config.norm_num_groups, config.norm_eps});
  };
  const auto transformer = [&](const Scope& at, int channels, int heads, int blocks) {
    return SpatialTransformer(
        at, {channels, config.cross_attention_dim, heads, blocks, config.norm_num_groups,
             config.use_linear_projection ? LinearWeight::matrix : LinearWeight::conv1x1});
  };
  const auto width = [&](int level) {
    return config.block_out_channels[static_cast<std::size_t>(level)];
  };
  const int levels = config.levels();
  std::vector<int> skips{width(0)};  // channels of the skip connections
  int channels = width(0);
  for (int b = 0; b < levels; ++b) {
    const auto i = static_cast<std::size_t>(b);
    const Scope at = scope / "down_blocks" / b;
    Level& level = down_.emplace_back();
    for (int j = 0; j < config.layers_per_block[i]; ++j) {
      level.resnets.push_back(resnet(at / "resnets" / j, channels, width(b)));
      channels = width(b);
      if (config.has_attention[i]) {
        level.attentions.push_back(
            transformer(at / "attentions" / j, channels, config.num_attention_heads[i],
                        config.transformer_layers[i][static_cast<std::size_t>(j)]));
      }
      skips.push_back(channels);
    }
    if (b + 1 < levels) {
      level.sampler.emplace(at / "downsamplers.0.conv", channels, channels, 3, kHalveUnet);
      skips.push_back(channels);
    }
  }
  const Scope mid = scope / "mid_block";
  if (config.mid_block != MidBlock::none) {
    mid_.resnets.push_back(resnet(mid / "resnets.0", channels, channels));
  }
  if (config.mid_block == MidBlock::attention) {
    mid_.attentions.push_back(transformer(
        mid / "attentions.0", channels, config.mid_attention_heads, config.mid_transformer_layers));
    mid_.resnets.push_back(resnet(mid / "resnets.1", channels, channels));
  }
  for (int b = 0; b < levels; ++b) {
    const int from = levels - 1 - b;  // the down level of the same size
    const auto i = static_cast<std::size_t>(from);
    const Scope at = scope / "up_blocks" / b;
    Level& level = up_.emplace_back();
    for (int j = 0; j < config.layers_per_block[i] + 1; ++j) {
      level.resnets.push_back(resnet(at / "resnets" / j, channels + skips.back(), width(from)));
      skips.pop_back();
      channels = width(from);
      if (config.has_attention[i]) {
        level.attentions.push_back(
            transformer(at / "attentions" / j, channels, config.num_attention_heads[i],
                        config.up_transformer_layers[i][static_cast<std::size_t>(j)]));
      }
    }
    if (b + 1 < levels) {
      level.sampler.emplace(Conv2d::same3x3(at / "upsamplers.0.conv", channels, channels));
    }
  }
}

Value Unet::time_embedding(Value latents, Value timesteps, Value pooled, Value time_ids) const {
  const DType dtype = latents.dtype();
  Value embedded = time_embedding_(
      timestep_embedding(timesteps, config_.block_out_channels[0], dtype));  // [b, time width]
  if (add_embedding_) {
    const std::int64_t batch = latents.shape()[0];
    check_op(pooled && time_ids && pooled.shape() == Shape{batch, config_.pooled_dim()} &&
                 time_ids.shape() == Shape{batch, 6},
             "unet", latents, [&] {
               return "expected a pooled text vector " + Shape{batch, config_.pooled_dim()}.str() +
                      " and six size numbers a sample " + Shape{batch, 6}.str();
             });
    const Value sizes =
        timestep_embedding(reshape(time_ids, {batch * 6}), config_.addition_time_embed_dim, dtype);
    const Value vector = concat_channels(
        pooled, reshape(sizes, {batch, 6 * config_.addition_time_embed_dim}));  // [b, 2816]
    embedded = add(embedded, (*add_embedding_)(vector));
  }
  // Every residual block applies SiLU to it first: computed once.
  return silu(embedded);
}

Value Unet::forward(Graph& graph, Value latents, Value timesteps, Value context, Value pooled,
                    Value time_ids) const {
  graph.set_path(path_);
  check_op(context.shape().rank() == 3 && context.shape()[2] == config_.cross_attention_dim, "unet",
           context, [&] {
             return "text context must be [batch, tokens, " +
                    std::to_string(config_.cross_attention_dim) + "]; got " + describe(context);
           });
  const DType border = latents.dtype();
  latents = cast(latents, activations_);
  context = cast(context, activations_);
  pooled = pooled ? cast(pooled, activations_) : pooled;
  const Value time = time_embedding(latents, timesteps, pooled, time_ids);
  Value x = conv_in_(latents);  // [b, h, w, channels of level 0]
  std::vector<Value> skips{x};
  for (const Level& level : down_) {
    for (std::size_t j = 0; j < level.resnets.size(); ++j) {
      x = level.resnets[j](x, time);
      if (!level.attentions.empty()) {
        x = level.attentions[j](x, context);
      }
      skips.push_back(x);
    }
    if (level.sampler) {
      x = (*level.sampler)(x);
      skips.push_back(x);
    }
  }
  for (std::size_t j = 0; j < mid_.resnets.size(); ++j) {
    x = mid_.resnets[j](x, time);
    if (j < mid_.attentions.size()) {
      x = mid_.attentions[j](x, context);
    }
  }
  for (const Level& level : up_) {
    for (std::size_t j = 0; j < level.resnets.size(); ++j) {
      graph.set_path(path_ + ".up_blocks");
      x = level.resnets[j](concat_channels(x, skips.back()), time);
      skips.pop_back();
      if (!level.attentions.empty()) {
        x = level.attentions[j](x, context);
      }
    }
    if (level.sampler) {
      // The next skip's size, which is not twice this one if an odd size was halved.
      const Shape size = skips.back().shape();
      x = (*level.sampler)(upsample_nearest(x, size[1], size[2]));
    }
  }
  return cast(conv_out_(norm_out_.with_silu(x)), border);
}

}  // namespace mantissa
