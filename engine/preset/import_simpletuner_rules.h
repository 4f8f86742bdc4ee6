#pragma once
// Private to the importer of SimpleTuner's files.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/preset/import_rules.h"

namespace mantissa {

struct SimpleTuner : ImportContext {
  using ImportContext::ImportContext;

  bool has_flow() const {
    const ModelFamily family = chosen().model.family;
    return family != ModelFamily::automatic && family_row(family).has_flow;
  }
};

using SimpleTunerRule = ImportRule<SimpleTuner>;

/// "--lora-rank" as "lora_rank".
std::string plain_name(std::string_view key);

/// From keys under their plain names; `data_alone`: of data backends without a training.
ImportResult import_simpletuner_entries(std::vector<SourceEntry> entries,
                                        std::string_view source_name, bool data_alone);

/// Keys that become settings, in the order of application: model, adapter and precision; then data,
/// training, optimizer, schedule, output and samples.
std::span<const SimpleTunerRule> simpletuner_model_rules();
std::span<const SimpleTunerRule> simpletuner_training_rules();
/// Keys that are paths, unsupported, or without effect on the result.
std::span<const SimpleTunerRule> simpletuner_unused_rules();
/// The schedule with all that it is given; after the rules.
void finish_simpletuner_schedule(SimpleTuner& s, const Message& not_given);
/// Rows without a rule whose whole group has one answer.
void answer_simpletuner_groups(SimpleTuner& s);

}  // namespace mantissa
