#pragma once
// Private to the importer of OneTrainer's files.

#include <span>

#include "engine/preset/import_rules.h"

namespace mantissa {

struct OneTrainer : ImportContext {
  using ImportContext::ImportContext;
};

using OneTrainerRule = ImportRule<OneTrainer>;

/// What becomes a setting, in the order in which it is applied: model, adapter and precision; then
/// data, training, optimizer, schedule, output and samples.
std::span<const OneTrainerRule> onetrainer_model_rules();
std::span<const OneTrainerRule> onetrainer_training_rules();
/// What is a place, isn't offered, or has no effect on what is learned.
std::span<const OneTrainerRule> onetrainer_unused_rules();
/// Rows that no rule knows, but whose whole group has one answer.
void answer_onetrainer_groups(OneTrainer& o);

}  // namespace mantissa
