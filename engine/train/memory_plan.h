#pragma once
// defines: bucket_quantum, latent_factor, largest_shapes, plan_report, require_memory

#include <vector>

#include "engine/models/model.h"
#include "engine/precision/plan.h"
#include "engine/train/run.h"
#include "engine/train/step_program.h"

namespace mantissa {

/// Pixels that every side of a bucket is a multiple of: what the VAE and the UNet halve, and 64 for
/// models of SDXL's own depth.
int bucket_quantum(const SdxlModel& model);

/// Pixels a latent is wide.
int latent_factor(const SdxlModel& model);

/// The shapes of which one may need the most memory: all within a tenth of the largest area.
std::vector<StepShape> largest_shapes(std::vector<StepShape> shapes);

/// The report of a run that needs `arena_bytes` for its largest step, from a bound model (planning
/// models count what they would load). Findings come from `precision`.
PlanReport plan_report(const Preset& preset, const PrecisionPlan& precision, SdxlModel& model,
                       const AdapterSet& adapters, std::size_t arena_bytes);

/// Throws Error(out_of_memory) with needed and free bytes and what would make it fit.
void require_memory(const PlanReport& report, const Preset& preset);

}  // namespace mantissa
