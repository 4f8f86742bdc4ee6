#pragma once
// What a run does that its settings don't say, and what its settings can't do: told by a check and
// in the preflight as findings, by a training in its log.

#include <vector>

#include "engine/plan/planned_run.h"

namespace mantissa {

/// The square side that images are trained at, if the model's sizes don't allow data.resolution:
/// "resolution".
std::vector<Finding> resolution_findings(const PlannedRun& run);
/// Images with fewer pixels than their training size, of a run that isn't scanned of the first in
/// its folders: "enlarged".
std::vector<Finding> enlarged_findings(const PlannedRun& run);
/// Images without a caption, of a run that isn't scanned, among the first in its folders:
/// "captions". A scan lists all of them.
std::vector<Finding> caption_findings(const PlannedRun& run);
/// Layers that can't use all of their rank: "rank".
std::vector<Finding> rank_limit_findings(const PlannedRun& run);
/// Samples' prompts with the usual steps and guidance, of a model with values of its own:
/// "sampling".
std::vector<Finding> sampling_findings(const PlannedRun& run);
/// Prompts of samples that no run draws, because nothing says when: "samples".
std::vector<Finding> undrawn_findings(const PlannedRun& run);
/// Negative prompts of samples that nothing reads: "negative".
std::vector<Finding> negative_findings(const PlannedRun& run);
/// References for a model that didn't learn to read them, or none for one that edits: "references".
std::vector<Finding> reference_findings(const PlannedRun& run);
/// Settings that are set, and that models of the base model's family don't read: "family".
std::vector<Finding> family_findings(const PlannedRun& run);
/// A run that takes days on its device, of an estimated step: "time".
std::vector<Finding> time_findings(const PlannedRun& run, double step_seconds);

/// All but the last, where they apply.
std::vector<Finding> run_notices(const PlannedRun& run);

}  // namespace mantissa
