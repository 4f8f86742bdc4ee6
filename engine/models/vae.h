#pragma once

#include <optional>
#include <vector>

#include "engine/graph/graph.h"
#include "engine/io/model_config.h"
#include "engine/nn/attention.h"
#include "engine/nn/conv2d.h"
#include "engine/nn/norms.h"
#include "engine/nn/resnet_block.h"
#include "engine/nn/scope.h"

namespace mantissa {

/// Autoencoder of SDXL and SD 1.5 at any widths (models.md b), diffusers names.
class Vae {
 public:
  Vae(const VaeConfig& config, const Scope& scope);

  /// image [b, h, w, 3] in [-1, 1], sides divisible by `factor()` -> moments [b, h/f, w/f,
  /// 2·latent] = [mean | log variance], not clamped, not scaled.
  Value encode(Graph& graph, Value image) const;
  /// latents [b, h, w, latent] as the encoder gives them (VaeConfig::latent_gain undone) -> image
  /// [b, h·f, w·f, 3].
  Value decode(Graph& graph, Value latents) const;

  /// Pixels a latent is wide: 8 for four levels.
  int factor() const { return 1 << (static_cast<int>(config_.block_out_channels.size()) - 1); }
  const VaeConfig& config() const { return config_; }

 private:
  struct Level {
    std::vector<ResnetBlock> resnets;
    std::optional<Conv2d> sampler;
  };
  struct Mid {
    ResnetBlock first, second;
    std::optional<GroupNorm> norm;
    std::optional<Attention> attention;
    Mid(const VaeConfig& config, const Scope& scope, int channels);
    Value operator()(Value x) const;
  };
  struct Half {
    Conv2d conv_in;
    std::vector<Level> levels;
    Mid mid;
    GroupNorm norm_out;
    Conv2d conv_out;
  };
  static Half make_encoder(const VaeConfig& config, const Scope& scope);
  static Half make_decoder(const VaeConfig& config, const Scope& scope);

  VaeConfig config_;
  DType activations_;
  Half encoder_, decoder_;
  std::optional<Conv2d> quant_conv_, post_quant_conv_;
};

}  // namespace mantissa
