#pragma once

#include <algorithm>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "engine/graph/conv_scratch.h"
#include "engine/models/diffusion_model.h"
#include "engine/precision/plan.h"
#include "engine/train/draft_plan.h"
#include "engine/train/run.h"
#include "engine/train/step_program.h"

namespace mantissa {

/// Pixels that every side of a bucket is a multiple of: what the VAE and the UNet halve, and 64 for
/// models of SDXL's own depth.
int bucket_quantum(const DiffusionModel& model);

/// The shapes of which one may need the most memory: all within a tenth of the largest area.
std::vector<StepShape> largest_shapes(std::vector<StepShape> shapes);

/// What no cache holds yet and is encoded before the steps.
struct EncodeWork {
  /// Of the largest picture, in pixels; 0: every latent is there. With VAE training of the largest
  /// of all.
  int width = 0, height = 0;
  bool texts = false;  ///< captions, or prompts of samples
};

/// A weight that could stay in host memory.
struct WeightSize {
  std::string path;
  std::size_t bytes = 0;
  bool streamed = false;  ///< it does
};

/// Frozen matrices and kernels of what is bound, the largest first.
std::vector<WeightSize> frozen_matrices(const WeightStore& weights);

/// What the phases around the training steps need, from planning alone.
struct PhaseNeeds {
  std::size_t encode_bytes = 0;  ///< the most that caching latents, then texts, takes
  std::size_t sample_arena = 0;  ///< largest of denoising and decoding a sample; 0 without samples
  std::size_t vae_bytes = 0;     ///< VAE weights on the device, which stay for samples
  ConvScratch scratch;           ///< of all of them
  std::vector<WeightSize> weights;  ///< frozen matrices of the encoders and of the samples' VAE
};
/// `streamed`: weights that stay in host memory, by path.
PhaseNeeds phase_needs(const Kernels& kernels, const WeightSource& source,
                       const PrecisionPlan& precision, const EncodeWork& work,
                       const std::set<std::string>& streamed);

/// What a run's largest step needs beside its model.
struct StepNeeds {
  std::size_t arena = 0;
  ConvScratch scratch;
  /// With another of the steps that take turns in one arena.
  void cover(const Graph& graph, const Plan& plan) {
    arena = std::max(arena, plan.arena_bytes);
    scratch.cover(planned_scratch(graph, plan));
  }
};

/// The report of a run from its steps' needs and a model bound for training (planning models count
/// what they would load). A device of its own memory keeps frozen convolutions packed as well.
/// Findings come from `precision`.
PlanReport plan_report(const Kernels& kernels, const PrecisionPlan& precision,
                       DiffusionModel& model, const AdapterSet& adapters, const StepNeeds& steps,
                       const PhaseNeeds& phases, std::uint64_t free_bytes);

/// Bytes free on the backend's device, the process's own not counted.
std::uint64_t free_memory(const Kernels& kernels);

/// Throws Error(out_of_memory) with needed and free bytes where the plan doesn't fit, and the first
/// of `options()`, which does.
void require_memory(const PlanReport& report,
                    const std::function<std::vector<FitOption>()>& options);

}  // namespace mantissa
