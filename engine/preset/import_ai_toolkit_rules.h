#pragma once
// Private to the importer of AI Toolkit's files.

#include <span>

#include "engine/preset/import_rules.h"

namespace mantissa {

struct AiToolkit : ImportContext {
  using ImportContext::ImportContext;
  bool conv = false;
};

/// lokr_full_rank as a rank: the largest that adapter.rank takes. alpha is the same.
inline constexpr int kFullLokrRank = 1024;

using AiToolkitRule = ImportRule<AiToolkit>;

/// Keys that become settings, in the order of application: model, adapter and precision; then data,
/// training, optimizer, schedule, output and samples. Keys are relative to the process.
std::span<const AiToolkitRule> ai_toolkit_model_rules();
std::span<const AiToolkitRule> ai_toolkit_training_rules();
/// Keys that are paths, unsupported, or without effect on the result.
std::span<const AiToolkitRule> ai_toolkit_unused_rules();
std::span<const AiToolkitRule> ai_toolkit_schedule_rules();
/// The schedule with all that it is given; after the rules.
void finish_ai_toolkit_schedule(AiToolkit& a, const Message& not_given);
/// Rows without a rule whose whole group has one answer.
void answer_ai_toolkit_groups(AiToolkit& a);

}  // namespace mantissa
