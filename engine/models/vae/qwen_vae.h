#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/graph/graph.h"
#include "engine/models/autoencoder.h"
#include "engine/models/vae/qwen_vae_config.h"
#include "engine/nn/conv2d.h"
#include "engine/nn/scope.h"

namespace mantissa {

/// The autoencoder of Qwen-Image, Anima and Krea 2, which is that of the video model Wan 2.1, for
/// single images; diffusers names. Its convolutions in time are causal, so that of each kernel the
/// last frame alone acts on a single image, and those in time alone don't act at all.
///
/// With QwenVaeConfig::residual that of Qwen-Image-2.1, after Wan 2.2's: around each level a
/// shortcut averages or repeats its input. It may have a channel for alpha: images are opaque here,
/// and the alpha of decoded ones is left out.
class QwenVae final : public Autoencoder {
 public:
  QwenVae(const QwenVaeConfig& config, const Scope& scope);

  Value encode(Graph& graph, Value image) const override;
  Value decode(Graph& graph, Value latents) const override;

  const QwenVaeConfig& config() const { return config_; }

 private:
  /// RMSNorm of each pixel's channels.
  struct Norm {
    std::string path;
    Tensor* gamma;
    Norm(const Scope& scope, int channels);
    Value operator()(Value x) const;
    Value with_silu(Value x) const;
  };
  struct Residual {
    Norm norm1;
    Conv2d conv1;
    Norm norm2;
    Conv2d conv2;
    std::optional<Conv2d> shortcut;
    Residual(const Scope& scope, int in, int out);
    Value operator()(Value x) const;
  };
  struct Mid {
    std::string path;
    Residual first;
    Norm norm;
    Conv2d qkv, proj;
    Residual second;
    Mid(const Scope& scope, int channels);
    Value attend(Value x) const;
    Value operator()(Value x) const;
  };
  struct Level {
    std::vector<Residual> blocks;
    std::optional<Conv2d> sampler;
    int width = 0;        ///< of its result
    bool frames = false;  ///< its sampler changes the number of frames too
  };
  struct Half {
    Conv2d conv_in;
    std::vector<Level> levels;
    Mid mid;
    Norm norm_out;
    Conv2d conv_out;
  };
  static Half make_encoder(const QwenVaeConfig& config, const Scope& scope);
  static Half make_decoder(const QwenVaeConfig& config, const Scope& scope);
  Value run_down(const Level& level, Value x) const;
  Value run_up(const Level& level, Value x) const;

  QwenVaeConfig config_;
  DType activations_;
  Half encoder_, decoder_;
  Conv2d quant_conv_, post_quant_conv_;
};

/// The autoencoder of a model, whose config `read` takes from it; `plain` its latents where there
/// is none. Throws Error as `read` does.
ModelVae qwen_model_vae(const WeightSource& source, QwenVaeConfig (*read)(const WeightSource&),
                        LatentSpace plain);

}  // namespace mantissa
