#pragma once

#include <functional>
#include <optional>
#include <utility>

#include "engine/core/host_tensor.h"
#include "engine/io/image.h"
#include "engine/models/diffusion_model.h"
#include "engine/programs/program.h"

namespace mantissa {

/// The Gaussian of an encoded image, unscaled: latent = gain·(mean + std·ε − shift).
struct LatentMoments {
  HostTensor mean, std;  ///< [h, w, channels]
};

/// Runs the VAE's encoder on one image at a time; one plan per size.
class LatentEncoder {
 public:
  LatentEncoder(Kernels& kernels, DiffusionModel& model)
      : model_(model), own_(std::in_place, kernels), programs_(kernels, *own_) {}
  /// Shares an arena with programs that run in turn.
  LatentEncoder(Kernels& kernels, DiffusionModel& model, Arena& arena)
      : model_(model), programs_(kernels, arena) {}
  LatentEncoder(const LatentEncoder&) = delete;
  LatentEncoder& operator=(const LatentEncoder&) = delete;
  /// Called between the ops of an image's encoding, which may take minutes on a CPU; it may throw
  /// to end that. Only of backends that run on the host: others are done within a moment.
  void set_between(std::function<void()> between) { between_ = std::move(between); }
  LatentMoments encode(const Image& image);

 private:
  DiffusionModel& model_;
  std::optional<Arena> own_;
  ProgramsByShape<std::pair<int, int>> programs_;  ///< by height, width
  std::function<void()> between_;
};

}  // namespace mantissa
