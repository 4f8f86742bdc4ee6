#include "engine/models/vae/qwen_vae.h"

#include <cmath>

#include "engine/graph/op_check.h"
#include "engine/graph/ops.h"
#include "engine/nn/tokens.h"

namespace mantissa {
namespace {

/// Pads right and bottom only.
constexpr ConvOptions kHalveQwen{2, 0, 0, 1, 1};
/// The reference bounds the norm of a pixel below, by 1e-12.
constexpr float kPixelNormEps = 1e-24F;
/// Alpha of images without one, in the range of colours.
constexpr float kOpaque = 1;
constexpr std::int64_t kQwenColors = 3;

/// The shortcut around a level of the encoder: squares of side·side pixels become channels, of
/// which each group of neighbours is averaged. With `frames`, frames are paired as well: that of a
/// single image comes behind one of zeros.
Value averaged_down(Value x, std::int64_t side, bool frames, std::int64_t out) {
  Graph& graph = x.graph();
  const std::int64_t channels = x.shape()[3], square = side * side;
  x = side > 1 ? to_patches(x, side) : x;
  const Shape s = x.shape();
  const std::int64_t pixels = s[0] * s[1] * s[2];
  const std::int64_t group = channels * square * (frames ? 2 : 1) / out;
  if (frames) {
    const Value before = constant(graph, x.dtype(), {pixels * channels, square}, 0.0F);
    x = concat_channels(before, reshape(x, {pixels * channels, square}));
  }
  if (group > 1) {
    const Value mean = constant(graph, x.dtype(), {group, 1}, 1.0F / static_cast<float>(group));
    x = matmul(reshape(x, {pixels * out, group}), mean, {});
  }
  return reshape(x, {s[0], s[1], s[2], out});
}

/// The shortcut around a level of the decoder: each channel several times, which are then pixels of
/// squares, and with `frames` also of two frames, the second being the image's.
Value repeated_up(Value x, bool frames, std::int64_t out) {
  Graph& graph = x.graph();
  const Shape s = x.shape();
  const std::int64_t pixels = s[0] * s[1] * s[2], square = 4, count = frames ? 2 : 1;
  const std::int64_t times = out * square * count / s[3];
  if (times > 1) {
    x = matmul(reshape(x, {pixels * s[3], 1}), constant(graph, x.dtype(), {1, times}, 1.0F), {});
  }
  if (frames) {
    x = slice_channels(reshape(x, {pixels * out, 2 * square}), square, square);
  }
  return from_patches(reshape(x, {s[0], s[1], s[2], out * square}), 2);
}

}  // namespace

QwenVae::Norm::Norm(const Scope& scope, int channels)
    : path(scope.path()), gamma(&scope.weight("gamma", {channels}, ModuleKind::norm)) {}

Value QwenVae::Norm::operator()(Value x) const {
  Graph& graph = x.graph();
  graph.set_path(path);
  const DType type = gamma->dtype == DType::f64 ? DType::f64 : DType::f32;
  return rms_norm(x, read_tensor(graph, *gamma, type), kPixelNormEps);
}

Value QwenVae::Norm::with_silu(Value x) const {
  return silu((*this)(x));
}

QwenVae::Residual::Residual(const Scope& scope, int in, int out)
    : norm1(scope / "norm1", in),
      conv1(Conv2d::same3x3(scope / "conv1", in, out)),
      norm2(scope / "norm2", out),
      conv2(Conv2d::same3x3(scope / "conv2", out, out)) {
  if (in != out) {
    shortcut.emplace(Conv2d::pointwise(scope / "conv_shortcut", in, out));
  }
}

Value QwenVae::Residual::operator()(Value x) const {
  const Segment segment(x.graph());
  const Value h = conv1(norm1.with_silu(x));
  return conv2(norm2.with_silu(h), shortcut ? (*shortcut)(x) : x);
}

QwenVae::Mid::Mid(const Scope& scope, int channels)
    : path((scope / "attentions.0").path()),
      first(scope / "resnets.0", channels, channels),
      norm(scope / "attentions.0.norm", channels),
      qkv(Conv2d::pointwise(scope / "attentions.0.to_qkv", channels, 3 * channels)),
      proj(Conv2d::pointwise(scope / "attentions.0.proj", channels, channels)),
      second(scope / "resnets.1", channels, channels) {}

Value QwenVae::Mid::attend(Value x) const {
  const Shape s = x.shape();
  const Value all = qkv(norm(x));
  x.graph().set_path(path);
  const std::vector<Value> parts = split_channels(reshape(all, {s[0], s[1] * s[2], 3 * s[3]}), 3);
  AttentionOptions options;
  options.scale = static_cast<float>(1.0 / std::sqrt(static_cast<double>(s[3])));
  return proj(reshape(attention(parts[0], parts[1], parts[2], options), s), x);
}

Value QwenVae::Mid::operator()(Value x) const {
  return second(attend(first(x)));
}

QwenVae::Half QwenVae::make_encoder(const QwenVaeConfig& config, const Scope& scope) {
  std::vector<Level> levels;
  int channels = config.base_width,
      at = 0;  // blocks and samplers are in one list, or level by level
  for (int l = 0; l < config.levels(); ++l) {
    const Scope own = scope / "down_blocks" / l;
    Level& level = levels.emplace_back();
    for (int j = 0; j < config.layers_per_block; ++j) {
      level.blocks.emplace_back(
          config.residual ? own / "resnets" / j : scope / "down_blocks" / at++, channels,
          config.width(l));
      channels = config.width(l);
    }
    level.width = channels;
    if (l + 1 < config.levels()) {
      const Scope sampler = config.residual ? own / "downsampler" : scope / "down_blocks" / at++;
      level.sampler.emplace(sampler / "resample.1", channels, channels, 3, kHalveQwen);
      level.frames = config.temporal[static_cast<std::size_t>(l)];
    }
  }
  return {Conv2d::same3x3(scope / "conv_in", config.in_channels, config.base_width),
          std::move(levels), Mid(scope / "mid_block", channels), Norm(scope / "norm_out", channels),
          Conv2d::same3x3(scope / "conv_out", channels, std::int64_t{2} * config.latent_channels)};
}

QwenVae::Half QwenVae::make_decoder(const QwenVaeConfig& config, const Scope& scope) {
  std::vector<Level> levels;
  const int last = config.levels() - 1, deepest = config.decoded_width(last);
  int channels = deepest;
  for (int l = 0; l <= last; ++l) {
    const Scope at = scope / "up_blocks" / l;
    const int width = config.decoded_width(last - l);
    Level& level = levels.emplace_back();
    for (int j = 0; j < config.layers_per_block + 1; ++j) {
      level.blocks.emplace_back(at / "resnets" / j, channels, width);
      channels = width;
    }
    level.width = width;
    if (l < last) {
      const int out = config.residual ? channels : channels / 2;
      const Scope sampler = at / (config.residual ? "upsampler" : "upsamplers.0");
      level.sampler.emplace(Conv2d::same3x3(sampler / "resample.1", channels, out));
      level.frames = config.temporal[static_cast<std::size_t>(last - 1 - l)];
      channels = out;
    }
  }
  return {Conv2d::same3x3(scope / "conv_in", config.latent_channels, deepest), std::move(levels),
          Mid(scope / "mid_block", deepest), Norm(scope / "norm_out", channels),
          Conv2d::same3x3(scope / "conv_out", channels, config.in_channels)};
}

QwenVae::QwenVae(const QwenVaeConfig& config, const Scope& scope)
    : config_(config),
      activations_(scope.activations()),
      encoder_(make_encoder(config, scope / "encoder")),
      decoder_(make_decoder(config, scope / "decoder")),
      quant_conv_(Conv2d::pointwise(scope / "quant_conv", std::int64_t{2} * config.latent_channels,
                                    std::int64_t{2} * config.latent_channels)),
      post_quant_conv_(Conv2d::pointwise(scope / "post_quant_conv", config.latent_channels,
                                         config.latent_channels)) {}

Value QwenVae::run_down(const Level& level, Value x) const {
  const Value before = x;
  for (const Residual& block : level.blocks) {
    x = block(x);
  }
  x = level.sampler ? (*level.sampler)(x) : x;
  return config_.residual
             ? add(x, averaged_down(before, level.sampler ? 2 : 1, level.frames, level.width))
             : x;
}

Value QwenVae::run_up(const Level& level, Value x) const {
  const Value before = x;
  for (const Residual& block : level.blocks) {
    x = block(x);
  }
  if (!level.sampler) {
    return x;
  }
  x = (*level.sampler)(upsample_nearest(x, 2 * x.shape()[1], 2 * x.shape()[2]));
  return config_.residual ? add(x, repeated_up(before, level.frames, level.width)) : x;
}

Value QwenVae::encode(Graph& graph, Value image) const {
  graph.set_path("vae.encoder");
  const Shape& s = image.shape();
  check_op(s.rank() == 4 && s[1] % config_.factor() == 0 && s[2] % config_.factor() == 0, "vae",
           image, [&] {
             return "image sides must be multiples of " + std::to_string(config_.factor()) +
                    "; got " + describe(image);
           });
  Value x = cast(image, activations_);
  if (config_.in_channels > s[3]) {
    x = concat_channels(x, constant(graph, activations_, {s[0], s[1], s[2], 1}, kOpaque));
  }
  x = encoder_.conv_in(x);
  for (const Level& level : encoder_.levels) {
    x = run_down(level, x);
  }
  x = encoder_.mid(x);
  return cast(quant_conv_(encoder_.conv_out(encoder_.norm_out.with_silu(x))), image.dtype());
}

Value QwenVae::decode(Graph& graph, Value latents) const {
  graph.set_path("vae.decoder");
  Value x = decoder_.mid(decoder_.conv_in(post_quant_conv_(cast(latents, activations_))));
  for (const Level& level : decoder_.levels) {
    x = run_up(level, x);
  }
  x = decoder_.conv_out(decoder_.norm_out.with_silu(x));
  if (config_.in_channels > kQwenColors) {
    x = slice_channels(x, 0, kQwenColors);
  }
  return cast(x, latents.dtype());
}

ModelVae qwen_model_vae(const WeightSource& source, QwenVaeConfig (*read)(const WeightSource&),
                        LatentSpace plain) {
  if (!source.has_part(kVae)) {
    return {std::move(plain), nullptr};
  }
  const QwenVaeConfig config = read(source);
  return {qwen_latents(config),
          [config](const Scope& scope) { return std::make_unique<QwenVae>(config, scope); }};
}

}  // namespace mantissa
