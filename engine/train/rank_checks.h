#pragma once
// What the processes of one run must have in common. All of them call these together.

#include "engine/plan/planned_run.h"
#include "engine/ranks/ranks.h"
#include "engine/run/run_log.h"
#include "engine/run/run_parts.h"
#include "engine/run/training_state.h"
#include "engine/train/run_start.h"

namespace mantissa {

/// Before anything is written: throws Error if several processes can't train `job`, or have
/// different jobs.
void require_shareable(Ranks& ranks, const JobSpec& job);
/// The device of this process. Throws Error, in all, if two of them would use one card, or there
/// are too few.
std::string device_of_rank(Ranks& ranks, const JobSpec& job);
/// Throws Error unless all cards are of one model: others sum in another order.
void require_same_cards(Ranks& ranks, const Kernels& kernels);
/// Logs how the processes share a step.
void tell_sharing(const Ranks& ranks, const Preset& preset, RunLog& log);
/// Before the first step: throws Error unless files, images and plan are the same.
void require_same_inputs(Ranks& ranks, const PlannedRun& plan, RunStart& start);
/// Throws Error unless weights, optimizer states and averages are the same.
void require_same_state(const RunParts& parts, TrainingState& state);

}  // namespace mantissa
