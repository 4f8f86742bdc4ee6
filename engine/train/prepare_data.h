#pragma once

#include "engine/core/progress.h"
#include "engine/plan/planned_run.h"
#include "engine/train/run_home.h"
#include "engine/train/run_log.h"
#include "engine/train/sample_maker.h"

namespace mantissa {

/// Encodes the uncached inputs of a planned run's steps, writes dataset.txt and dataset.json to its
/// folder and reports on its images. Returns its sample prompts, none if text or the VAE is
/// trained. Loads its own model and releases it afterwards.
SampleTexts prepare_data(PlannedRun& plan, Kernels& kernels, const RunHome& home, RunLog& log,
                         const Progress& progress);

}  // namespace mantissa
