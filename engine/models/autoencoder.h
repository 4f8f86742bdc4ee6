#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "engine/graph/graph.h"

namespace mantissa {

class Scope;

/// Converts images to latents and back; any architecture.
class Autoencoder {
 public:
  virtual ~Autoencoder() = default;

  /// image [b, h, w, 3] in [-1, 1], sides divisible by LatentSpace::factor -> moments [b, h/f, w/f,
  /// 2·channels] = [mean | log variance], not clamped, not scaled.
  virtual Value encode(Graph& graph, Value image) const = 0;
  /// latents [b, h, w, channels] in the encoder's scale -> image [b, h·f, w·f, 3].
  virtual Value decode(Graph& graph, Value latents) const = 0;
};

/// The denoiser's latents: gain·(z − shift) of the encoder's output, by channel.
struct LatentSpace {
  int channels = 4;
  int factor = 8;  ///< pixels per latent side
  std::vector<double> gain, shift;
};

/// A model's autoencoder and what it makes.
struct ModelVae {
  LatentSpace latents;
  /// Builds its network; unused if the model has none.
  std::function<std::unique_ptr<Autoencoder>(const Scope& scope)> make;
};

}  // namespace mantissa
