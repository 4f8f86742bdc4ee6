#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "engine/graph/graph.h"
#include "engine/models/stable_diffusion/unet_config.h"
#include "engine/nn/conv2d.h"
#include "engine/nn/norms.h"
#include "engine/nn/resnet_block.h"
#include "engine/nn/scope.h"
#include "engine/nn/timestep_mlp.h"
#include "engine/nn/transformer.h"

namespace mantissa {

/// The UNet of SDXL and SD 1.5 at any widths, canonical diffusers names.
class Unet {
 public:
  Unet(const UnetConfig& config, const Scope& scope);

  /// Predicts noise (or v) [b, h, w, out] for latents [b, h, w, in] (NHWC) at
  /// timesteps [b] (fp32), given context [b, tokens, cross_attention_dim], and, for models with an
  /// added condition, pooled [b, pooled_dim] and time_ids [b, 6] (fp32: original height and width,
  /// crop top and left, target height and width, in pixels). Sizes not divisible by two often
  /// enough are handled by upsampling to the skip's size. Inputs are cast to the precision rules'
  /// activation dtype; the output has the latents' dtype.
  Value forward(Graph& graph, Value latents, Value timesteps, Value context, Value pooled,
                Value time_ids) const;

  const UnetConfig& config() const { return config_; }

 private:
  struct Level {
    std::vector<ResnetBlock> resnets;
    std::vector<SpatialTransformer> attentions;  ///< empty, or one per residual block
    std::optional<Conv2d> sampler;               ///< down- or upsampling convolution
  };
  Value time_embedding(Value latents, Value timesteps, Value pooled, Value time_ids) const;

  UnetConfig config_;
  std::string path_;
  DType activations_;
  Conv2d conv_in_;
  TimestepMlp time_embedding_;
  std::optional<TimestepMlp> add_embedding_;
  std::vector<Level> down_, up_;
  Level mid_;
  GroupNorm norm_out_;
  Conv2d conv_out_;
};

}  // namespace mantissa
