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

  /// Whether it trains a LoRA that isn't LyCORIS's.
  bool trains_plain_lora() const {
    return lower_ascii(text("model_type")) == "lora" && lower_ascii(text("lora_type")) != "lycoris";
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
/// Keys of FLUX.1, after those.
std::span<const SimpleTunerRule> simpletuner_flux1_rules();
/// Gives keys of older versions the names that they have now, unless those are there too.
void rename_older_keys(std::vector<SourceEntry>& entries);
/// The row of a flavour of FLUX.1, which some are trained in a way of their own.
void answer_flux1_flavour(SimpleTuner& s, ImportRow& row, std::string_view flavour);
/// Keys that are paths, unsupported, or without effect on the result.
std::span<const SimpleTunerRule> simpletuner_unused_rules();
/// The schedule with all that it is given; after the rules.
void finish_simpletuner_schedule(SimpleTuner& s, const Message& not_given);
/// Rows without a rule whose whole group has one answer.
void answer_simpletuner_groups(SimpleTuner& s);

}  // namespace mantissa
