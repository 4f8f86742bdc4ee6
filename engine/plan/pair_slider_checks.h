#pragma once
// Settings and data of a slider that is trained from pairs of images (training.purpose
// pair_slider).

#include "engine/data/bucketed_images.h"
#include "engine/plan/job.h"

namespace mantissa {

/// Throws Error if the adapter has no opposite, if the job has what doesn't go with pairs, such as
/// the prompts of the other slider, or no negative images.
void check_pair_slider(const JobSpec& job);
/// Throws Error if an image of such a run, or a negative one, has no partner, or not one of its
/// size.
void require_pairs(const BucketedImages& images);

}  // namespace mantissa
