#pragma once

#include <vector>

#include "engine/io/family.h"
#include "engine/io/weights.h"
#include "engine/plan/plan_report.h"
#include "engine/precision/plan.h"
#include "engine/preset/preset.h"

namespace mantissa {

/// Sets a base model's facts that follow from its family.
void take_family(ModelFacts& facts, const Family& family);
/// A base model's facts for the precision plan, from its headers and configs alone.
ModelFacts model_facts(const WeightSource& source);

/// The precision plan of a preset on this model and device, pins checked against the model's
/// modules. `helped`: the job has training adapters.
PrecisionPlan job_precision(const Preset& preset, const WeightSource& source,
                            const DeviceFacts& device = {}, bool helped = false);

/// Findings in the form of a report.
std::vector<Finding> told_findings(const std::vector<PrecisionFinding>& findings);

/// Every module of the base model, by path.
std::vector<PlannedModule> planned_modules(const WeightSource& source, const PrecisionRules& rules);

/// Throws Error(precision) with id and fix of the first refusal.
void refuse_conflicts(const PrecisionPlan& plan);

}  // namespace mantissa
