#pragma once
// Device memory of the parts of a run, from planning alone.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "engine/adapters/trained_set.h"
#include "engine/data/encoded_dataset.h"
#include "engine/graph/scratch_needs.h"
#include "engine/models/diffusion_model.h"
#include "engine/plan/plan_report.h"
#include "engine/precision/plan.h"
#include "engine/programs/step_inputs.h"

namespace mantissa {

/// Every side of a bucket is a multiple of this many pixels: the downsampling of VAE and UNet, and
/// 64 for models of SDXL's depth.
int bucket_quantum(const DiffusionModel& model);

/// A batch at the preset's largest resolution, the bucket that needs the most memory.
StepShape square_shape(const Preset& preset, const DiffusionModel& model);

/// The candidates for the largest memory use: all within a tenth of the largest area.
std::vector<StepShape> largest_shapes(std::vector<StepShape> shapes);

/// A weight that could stay in host memory.
struct WeightSize {
  std::string path;
  std::size_t bytes = 0;
  bool streamed = false;  ///< it does
};

/// Frozen matrices and kernels of the bound parts, the largest first.
std::vector<WeightSize> frozen_matrices(const WeightStore& weights);

/// Memory of the phases around the training steps, from planning alone.
struct PhaseNeeds {
  std::size_t encode_bytes = 0;  ///< the maximum for caching latents, then texts
  std::size_t sample_arena = 0;  ///< largest of denoising and decoding a sample; 0 without samples
  std::size_t vae_bytes = 0;     ///< VAE weights on the device, which stay for samples
  ScratchNeeds scratch;          ///< of all of them
  std::vector<WeightSize> weights;  ///< frozen matrices of the encoders and of the samples' VAE
};
/// `streamed`: weights that stay in host memory, by path.
PhaseNeeds phase_needs(const Kernels& kernels, const WeightSource& source,
                       const PrecisionPlan& precision, const TextOptions& text,
                       const EncodeWork& work, const std::set<std::string>& streamed);

/// Memory of a run's largest step apart from its model.
struct StepNeeds {
  std::size_t arena = 0;
  ScratchNeeds scratch;
  std::size_t turned = 0;  ///< see turned_bytes
  /// Includes another step that shares the arena.
  void cover(const Graph& graph, const Plan& plan, const Kernels& kernels) {
    arena = std::max(arena, plan.arena_bytes);
    scratch.cover(planned_scratch(graph, plan, kernels.has_attention_engine()));
    turned = std::max(turned, turned_bytes(graph, plan));
  }
};

/// How the gradients of a step's micro-steps are added.
struct GradientCopies {
  /// Each micro-step starts from zero, and is then added; else the backward pass adds in place.
  bool separate = false;
  int processes = 1;  ///< that share the micro-steps
  /// What that needs beside the gradients, of which there are `bytes`: the sum so far; of several
  /// processes, what each receives, and its part of the sum.
  std::uint64_t bytes(std::uint64_t gradients) const {
    return !separate ? 0 : gradients + (processes > 1 ? gradients / processes : 0);
  }
};

/// The report of a run from its steps' needs and a model bound for training (planning models count
/// what they would load). A device with its own memory also stores packed frozen convolutions.
/// Findings come from `precision`.
PlanReport plan_report(const Kernels& kernels, const PrecisionPlan& precision,
                       DiffusionModel& model, const TrainedSet& adapters, const StepNeeds& steps,
                       const PhaseNeeds& phases, const GradientCopies& gradients,
                       std::uint64_t free_bytes);

/// Bytes free on the backend's device, excluding the process's own.
std::uint64_t free_memory(const Kernels& kernels);

}  // namespace mantissa
