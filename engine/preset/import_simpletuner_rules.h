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
  /// SD 2.x, which is of no family here.
  bool is_sd2() const { return lower_ascii(text("model_family")) == "sd2x"; }
  bool is(std::string_view family) const { return chosen().model.family.name() == family; }
  /// PixArt, unless the user knows better: kPixartClipping.
  bool limits_gradients() const { return is("pixart") && !flag("i_know_what_i_am_doing"); }
  /// Chroma, whose noise levels are moved to both ends.
  bool moves_noise_levels() const { return is("chroma"); }
};

using SimpleTunerRule = ImportRule<SimpleTuner>;

/// The most that PixArt's gradients may have.
inline constexpr double kPixartClipping = 0.01;

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
/// The row of a flavour, which some are trained in a way of their own.
void answer_flavour(SimpleTuner& s, ImportRow& row, std::string_view flavour);
/// What a family does where no flavour is given.
void finish_flavour(SimpleTuner& s);
/// Keys that are paths, unsupported, or without effect on the result.
std::span<const SimpleTunerRule> simpletuner_unused_rules();
/// The schedule with all that it is given; after the rules.
void finish_simpletuner_schedule(SimpleTuner& s, const Message& not_given);
/// The noise levels of flow models, and what single families have of their own there.
void finish_simpletuner_timesteps(SimpleTuner& s, const Message& not_given);
/// Rows without a rule whose whole group has one answer.
void answer_simpletuner_groups(SimpleTuner& s);

}  // namespace mantissa
