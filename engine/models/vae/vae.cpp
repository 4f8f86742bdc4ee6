#include "engine/models/vae/vae.h"

#include "engine/graph/op_check.h"
#include "engine/graph/ops.h"

namespace mantissa {
namespace {

// Pads right and bottom only, as the LDM encoder does.
constexpr ConvOptions kHalveVae{2, 0, 0, 1, 1};

ResnetBlock resnet(const VaeConfig& config, const Scope& scope, int in, int out) {
  return {scope, {in, out, 0, config.norm_num_groups, config.norm_eps}};
}

}  // namespace

Vae::Mid::Mid(const VaeConfig& config, const Scope& scope, int channels)
    : first(resnet(config, scope / "resnets.0", channels, channels)),
      second(resnet(config, scope / "resnets.1", channels, channels)) {
  if (config.mid_attention) {
    const Scope at = scope / "attentions.0";
    norm.emplace(at / "group_norm", channels, config.norm_num_groups, config.norm_eps);
    attention.emplace(at, AttentionShape{channels, channels, 1, /*qkv_bias=*/true});
  }
}

Value Vae::Mid::operator()(Value x) const {
  x = first(x);
  if (attention) {
    const Shape image = x.shape();
    const Shape tokens{image[0], image[1] * image[2], image[3]};
    const Value normed = reshape((*norm)(x), tokens);
    x = reshape((*attention)(normed, normed, reshape(x, tokens)), image);
  }
  return second(x);
}

Vae::Half Vae::make_encoder(const VaeConfig& config, const Scope& scope) {
  const std::vector<int>& widths = config.block_out_channels;
  std::vector<Level> levels;
  int channels = widths.at(0);
  for (std::size_t b = 0; b < widths.size(); ++b) {
    const Scope at = scope / "down_blocks" / static_cast<int>(b);
    Level& level = levels.emplace_back();
    for (int j = 0; j < config.layers_per_block; ++j) {
      level.resnets.push_back(resnet(config, at / "resnets" / j, channels, widths[b]));
      channels = widths[b];
    }
    if (b + 1 < widths.size()) {
      level.sampler.emplace(at / "downsamplers.0.conv", channels, channels, 3, kHalveVae);
    }
  }
  return {Conv2d::same3x3(scope / "conv_in", config.in_channels, widths[0]),
          std::move(levels),
          Mid(config, scope / "mid_block", channels),
          {scope / "conv_norm_out", channels, config.norm_num_groups, config.norm_eps},
          Conv2d::same3x3(scope / "conv_out", channels, 2 * config.latent_channels)};
}

Vae::Half Vae::make_decoder(const VaeConfig& config, const Scope& scope) {
  const std::vector<int>& widths = config.block_out_channels;
  std::vector<Level> levels;
  const int deepest = widths.back();
  int channels = deepest;
  for (std::size_t b = 0; b < widths.size(); ++b) {
    const Scope at = scope / "up_blocks" / static_cast<int>(b);
    const int width = widths[widths.size() - 1 - b];
    Level& level = levels.emplace_back();
    for (int j = 0; j < config.layers_per_block + 1; ++j) {
      level.resnets.push_back(resnet(config, at / "resnets" / j, channels, width));
      channels = width;
    }
    if (b + 1 < widths.size()) {
      level.sampler.emplace(Conv2d::same3x3(at / "upsamplers.0.conv", channels, channels));
    }
  }
  return {Conv2d::same3x3(scope / "conv_in", config.latent_channels, deepest),
          std::move(levels),
          Mid(config, scope / "mid_block", deepest),
          {scope / "conv_norm_out", channels, config.norm_num_groups, config.norm_eps},
          Conv2d::same3x3(scope / "conv_out", channels, config.out_channels)};
}

Vae::Vae(const VaeConfig& config, const Scope& scope)
    : config_(config),
      activations_(scope.activations()),
      encoder_(make_encoder(config, scope / "encoder")),
      decoder_(make_decoder(config, scope / "decoder")) {
  if (config.quant_conv) {
    quant_conv_ = Conv2d::pointwise(scope / "quant_conv", 2 * config.latent_channels,
                                    2 * config.latent_channels);
  }
  if (config.post_quant_conv) {
    post_quant_conv_ = Conv2d::pointwise(scope / "post_quant_conv", config.latent_channels,
                                         config.latent_channels);
  }
}

Value Vae::encode(Graph& graph, Value image) const {
  graph.set_path("vae.encoder");
  const Shape& shape = image.shape();
  check_op(
      shape.rank() == 4 && shape[1] % config_.factor() == 0 && shape[2] % config_.factor() == 0,
      "vae", image, [&] {
        return "image sides must be multiples of " + std::to_string(config_.factor()) + "; got " +
               describe(image);
      });
  Value x = encoder_.conv_in(cast(image, activations_));
  for (const Level& level : encoder_.levels) {
    for (const ResnetBlock& block : level.resnets) {
      x = block(x);
    }
    if (level.sampler) {
      x = (*level.sampler)(x);
    }
  }
  x = encoder_.mid(x);
  x = encoder_.conv_out(encoder_.norm_out.with_silu(x));
  return cast(quant_conv_ ? (*quant_conv_)(x) : x, image.dtype());
}

Value Vae::decode(Graph& graph, Value latents) const {
  graph.set_path("vae.decoder");
  Value x = cast(latents, activations_);
  x = decoder_.mid(decoder_.conv_in(post_quant_conv_ ? (*post_quant_conv_)(x) : x));
  for (const Level& level : decoder_.levels) {
    for (const ResnetBlock& block : level.resnets) {
      x = block(x);
    }
    if (level.sampler) {
      x = (*level.sampler)(upsample_nearest(x, 2 * x.shape()[1], 2 * x.shape()[2]));
    }
  }
  return cast(decoder_.conv_out(decoder_.norm_out.with_silu(x)), latents.dtype());
}

}  // namespace mantissa
