#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "engine/core/progress.h"
#include "engine/diffusion/samplers.h"
#include "engine/graph/device_values.h"
#include "engine/io/image.h"
#include "engine/models/diffusion_model.h"
#include "engine/programs/program.h"
#include "engine/programs/step_inputs.h"

namespace mantissa {

struct RenderOptions {
  SamplerKind sampler = SamplerKind::euler;
  int width = 1024, height = 1024;  ///< pixels, multiples of Renderer::quantum
  int steps = 20;
  /// Weight of a second, unconditional pass, left out at 1; or DiffusionModel::takes_guidance.
  double guidance = 6.0;
  std::int64_t seed = 42;
  /// Images to edit, with batch 1; only of a family that reads some (Family::reference_pixels).
  std::vector<ReferenceLatents> references{};
};

/// Records a step of sampling: "latents" [batch, height, width, channels], with the inputs of the
/// model's prediction, to "prediction" of the same shape.
void record_denoiser(Graph& graph, DiffusionModel& model, const StepShape& shape);

/// Generates an image with the current model. Reads weights and adapters, changes nothing: a run
/// continues bit-identically.
class Renderer {
 public:
  Renderer(Kernels& kernels, Arena& arena, DiffusionModel& model,
           std::shared_ptr<const Objective> objective);
  Image render(const TextEncoding& prompt, const TextEncoding& negative,
               const RenderOptions& options, const Progress& progress = {}) {
    return image(latents(prompt, negative, options, progress), options);
  }
  /// Its first half: latents [h, w, channels] (scaled).
  std::vector<float> latents(const TextEncoding& prompt, const TextEncoding& negative,
                             const RenderOptions& options, const Progress& progress = {});
  /// Its second half.
  Image image(const std::vector<float>& latents, const RenderOptions& options);
  /// Latents [h, w, channels] (scaled) from the given start noise instead of the seed's.
  std::vector<float> denoise(const TextEncoding& prompt, const TextEncoding& negative,
                             const RenderOptions& options, std::vector<float> start_noise,
                             const Progress& progress = {});
  /// Image [h, w, 3] in [-1, 1] from scaled latents.
  std::vector<float> decode(const std::vector<float>& latents, int width, int height);
  /// Records what has run so far, so that no later sample does: Executor::record_ahead.
  void record_ahead() {
    denoisers_.record_ahead();
    decoders_.record_ahead();
  }
  /// Sides must be multiples of this many pixels.
  int quantum() const;

 private:
  Program& denoiser_program(const StepShape& shape);
  Program& decoder_program(std::int64_t height, std::int64_t width);
  Kernels& kernels_;
  DiffusionModel& model_;
  std::shared_ptr<const Objective> objective_;
  ProgramsByShape<StepShape> denoisers_;
  ProgramsByShape<std::pair<std::int64_t, std::int64_t>> decoders_;
};

}  // namespace mantissa
