#pragma once

#include <vector>

#include "engine/graph/graph.h"

namespace mantissa {

/// What turns images into latents and back, whatever its architecture.
class Autoencoder {
 public:
  virtual ~Autoencoder() = default;

  /// image [b, h, w, 3] in [-1, 1], sides divisible by LatentSpace::factor -> moments [b, h/f, w/f,
  /// 2·channels] = [mean | log variance], not clamped, not scaled.
  virtual Value encode(Graph& graph, Value image) const = 0;
  /// latents [b, h, w, channels] as the encoder gives them (the gain undone) -> image [b, h·f, w·f,
  /// 3].
  virtual Value decode(Graph& graph, Value latents) const = 0;
};

/// How a denoiser takes latents: gain·(z − shift) of what the encoder gives, by channel.
struct LatentSpace {
  int channels = 4;
  int factor = 8;  ///< pixels a latent is wide
  std::vector<double> gain, shift;
};

}  // namespace mantissa
