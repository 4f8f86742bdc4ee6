#pragma once

#include <vector>

#include "engine/core/progress.h"
#include "engine/data/own_image_source.h"
#include "engine/plan/planned_run.h"
#include "engine/render/sample_maker.h"
#include "engine/run/run_home.h"
#include "engine/run/run_log.h"

namespace mantissa {

/// What a run says about its images: their counts, and every skipped file with its reason.
std::vector<PlanNotice> dataset_notices(const BucketedImages& images);

/// Texts that are encoded before the steps.
struct PreparedTexts {
  SampleTexts samples;  ///< none if text or the VAE is trained
  OwnTexts own;         ///< of images that the base model makes; none without them
};

/// Encodes the uncached inputs of a planned run's steps, writes dataset.txt and dataset.json to its
/// folder and reports on its images. Loads its own model and releases it afterwards.
PreparedTexts prepare_data(PlannedRun& plan, Kernels& kernels, const RunHome& home, RunLog& log,
                           const Progress& progress);

/// Encodes again, in mid-run, what has disappeared from the cache. Throws EncodingGone if an image
/// can't be read any more and on a card, whose memory holds the run: resuming the run encodes it.
void restore_encodings(const PlannedRun& plan, Kernels& kernels, RunLog& log);

}  // namespace mantissa
