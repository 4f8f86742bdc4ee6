#pragma once

#include <utility>

#include "engine/io/image.h"
#include "engine/models/diffusion_model.h"
#include "engine/programs/program.h"

namespace mantissa {

/// Reconstructs images with the current VAE: the samples of a run that trains it.
class Reconstructor {
 public:
  Reconstructor(Kernels& kernels, Arena& arena, DiffusionModel& model)
      : model_(model), programs_(kernels, arena) {}
  /// The image, and next to it the decoding of its mean latents. One plan per size.
  Image beside(const Image& image);
  /// After the first of each size: Executor::record_ahead.
  void record_ahead() { programs_.record_ahead(); }
  /// Records "image" [1, height, width, 3] to "reconstruction" of the same shape.
  static void record(Graph& graph, Autoencoder& vae, int height, int width);

 private:
  DiffusionModel& model_;
  ProgramsByShape<std::pair<int, int>> programs_;  ///< by height, width
};

}  // namespace mantissa
