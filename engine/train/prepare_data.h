#pragma once

#include "engine/core/progress.h"
#include "engine/plan/planned_run.h"
#include "engine/train/run_home.h"
#include "engine/train/run_log.h"
#include "engine/train/sample_maker.h"

namespace mantissa {

/// Encodes what the steps of a planned run read and no cache holds, writes dataset.txt and
/// dataset.json to its folder and tells what its images came to. Returns the prompts of its
/// samples, without any where text or the VAE is trained. A model of its own is loaded for this and
/// gone afterwards.
SampleTexts prepare_data(PlannedRun& plan, Kernels& kernels, const RunHome& home, RunLog& log,
                         const Progress& progress);

}  // namespace mantissa
