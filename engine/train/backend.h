#pragma once

#include <memory>
#include <string>

#include "engine/io/weights.h"
#include "engine/precision/plan.h"
#include "engine/preset/preset.h"
#include "engine/train/run.h"
#include "kernels/kernels.h"

namespace mantissa {

/// The kernels of a device: "cpu", "cuda:0". Throws Error with the reason where a device can't be
/// used. `deterministic` holds a card to engines that give the same bits on every run; the CPU
/// always does.
std::unique_ptr<Kernels> make_backend(const std::string& device, bool deterministic = true);

/// What the family alone tells of a base model.
void take_family(ModelFacts& facts, const Family& family);
/// What the precision plan must know of a base model, from its headers and configs alone.
ModelFacts model_facts(const WeightSource& source);

/// What it must know of a device. Throws like make_backend.
DeviceFacts device_facts(const std::string& device);

/// The precision plan of a preset on this model and device, pins tried on the model's modules.
PrecisionPlan job_precision(const Preset& preset, const WeightSource& source,
                            const std::string& device);

/// Every module of the base model, by path.
std::vector<PlannedModule> planned_modules(const WeightSource& source, const PrecisionRules& rules);

/// Throws Error(precision) with id and fix of the first refusal.
void refuse_conflicts(const PrecisionPlan& plan);

}  // namespace mantissa
