#pragma once
// defines: bucket_quantum, largest_shapes, PhaseNeeds, phase_needs,
// plan_report, require_memory

#include <functional>
#include <vector>

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

/// What the phases around the training steps need, from planning alone.
struct PhaseNeeds {
  std::size_t encode_bytes = 0;  ///< the most that caching latents, then texts, takes
  std::size_t sample_arena = 0;  ///< largest of denoising and decoding a sample; 0 without samples
  std::size_t vae_bytes = 0;     ///< VAE weights, which stay for samples
};
/// `width` and `height` of the largest bucket, in pixels; 0 where nothing is encoded (a replay).
/// `host_memory` as of the backend: one with its own keeps frozen convolutions packed as well.
PhaseNeeds phase_needs(const WeightSource& source, const PrecisionPlan& precision, int width,
                       int height, bool host_memory);

/// The report of a run whose largest step needs `step_arena` bytes, from a model bound for training
/// (planning models count what they would load). `host_memory` as for phase_needs. Findings come
/// from `precision`.
PlanReport plan_report(const PrecisionPlan& precision, DiffusionModel& model,
                       const AdapterSet& adapters, std::size_t step_arena, const PhaseNeeds& phases,
                       std::uint64_t free_bytes, bool host_memory);

/// Bytes free on the backend's device, the process's own not counted.
std::uint64_t free_memory(const Kernels& kernels);

/// Throws Error(out_of_memory) with needed and free bytes where the plan doesn't fit, and the first
/// of `options()`, which does.
void require_memory(const PlanReport& report,
                    const std::function<std::vector<FitOption>()>& options);

}  // namespace mantissa
