#pragma once

#include "engine/core/progress.h"
#include "engine/plan/job.h"
#include "engine/plan/plan_report.h"

namespace mantissa {

enum class PreflightDepth {
  draft,      ///< while a job is edited: looks for the folders of images, but scans none of them
  no_images,  ///< a preset and a base model alone: asks for no images
  whole       ///< scans them, and looks for changes that make the run fit into memory
};

/// All that a start would find, as one list: the plan, and in its findings, beside those of the
/// catalogue, the problems of the job by these ids:
///   base, parts (that the base model lacks), images, prior, validation, replay, continue-from,
///   device, output, resume, settings, memory, disk, and what it does otherwise than the settings
///   say (run_notices.h). Its notices are what a start would log about its files.
/// Refusals come first, then warnings, adjustments, and what just works. The fields of a job's
/// finding are the options of the command line ("--base"). Throws nothing for a bad job: what can't
/// be planned for a problem is left out (peak_bytes is then 0). `scans` is told of images that are
/// scanned; what it throws, unless a std::exception, cancels.
PlanReport preflight(const JobSpec& job, PreflightDepth depth, const Progress& scans = {});

/// A preflight that also finds what only reading before the first step tells: every weight of the
/// base model, the images that aren't cached, the rows that DoRA leaves plain, what the adapter to
/// continue from loses, and the inputs of a resumed run beside its checkpoint's. Holds one weight
/// and a few images at a time. `progress` may throw to cancel.
PlanReport dry_run(const JobSpec& job, PreflightDepth depth, const Progress& progress);

}  // namespace mantissa
