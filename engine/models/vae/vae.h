#pragma once

#include <optional>
#include <vector>

#include "engine/graph/graph.h"
#include "engine/models/autoencoder.h"
#include "engine/models/vae/vae_config.h"
#include "engine/nn/attention.h"
#include "engine/nn/conv2d.h"
#include "engine/nn/norms.h"
#include "engine/nn/resnet_block.h"
#include "engine/nn/scope.h"

namespace mantissa {

/// The AutoencoderKL of SDXL, SD 1.5, PixArt and FLUX.1 at any widths, diffusers names.
class Vae final : public Autoencoder {
 public:
  Vae(const VaeConfig& config, const Scope& scope);

  Value encode(Graph& graph, Value image) const override;
  Value decode(Graph& graph, Value latents) const override;

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
