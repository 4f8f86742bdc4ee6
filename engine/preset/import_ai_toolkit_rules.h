#pragma once
// Private to the importer of AI Toolkit's files.

#include <algorithm>
#include <span>
#include <string_view>

#include "engine/preset/import_rules.h"
#include "engine/preset/import_values.h"

namespace mantissa {

struct AiToolkit : ImportContext {
  using ImportContext::ImportContext;
  bool conv = false;

  /// Whether the process trains a slider from two prompts.
  bool trains_slider() const { return text("type") == "concept_slider"; }
  /// Whether it trains one from pairs of images.
  bool trains_pair_slider() const { return text("type") == "image_reference_slider_trainer"; }

  double rank_there() const { return number("network.rank", number("network.linear", 4)); }
  bool trains_lokr() const { return lower_ascii(text("network.type")) == "lokr"; }
  /// Whether a LoKr's larger matrices are trained whole, with a scale of 1: all other ranks and
  /// alphas are replaced there.
  bool has_full_rank() const {
    return trains_lokr() && (lacks("network.lokr_full_rank") || flag("network.lokr_full_rank"));
  }
  /// Whether alpha counts there: adapters of transformers have PEFT's form, whose scale is 1, but
  /// for LoKrs of the old form.
  bool has_alpha() const {
    const FamilyRow& row = family_row(chosen().model.family);
    return row.has_unet || row.elsewhere.ai_toolkit_alpha ||
           (trains_lokr() && flag("network.old_lokr_format") &&
            !row.elsewhere.ai_toolkit_peft_lokr);
  }
  /// Batches of an update by the older key, which counts each as a step; 1 without it.
  double batches() const {
    return number("train.gradient_accumulation", 1) > 1
               ? 1
               : std::max(1.0, number("train.gradient_accumulation_steps", 1));
  }
  double updates(double steps) const { return updates_of(steps, batches()); }
};

/// Weight of a slider's anchor of strength 1 there, whose loss stands beside twice the target's.
inline constexpr double kSliderAnchorShare = 0.5;

using AiToolkitRule = ImportRule<AiToolkit>;

/// Keys that become settings, in the order of application: model, adapter and precision; then data,
/// training, optimizer, schedule, output and samples. Keys are relative to the process.
std::span<const AiToolkitRule> ai_toolkit_model_rules();
std::span<const AiToolkitRule> ai_toolkit_training_rules();
/// Keys that are paths, unsupported, or without effect on the result.
std::span<const AiToolkitRule> ai_toolkit_unused_rules();
std::span<const AiToolkitRule> ai_toolkit_schedule_rules();
/// Layers that an adapter covers there: of a UNet every linear layer and convolution of 1x1, and
/// the larger ones if asked for; of a transformer the linear layers of its blocks.
nlohmann::json ai_toolkit_layers(ModelFamily family, bool convolutions);
/// The schedule with all that it is given; after the rules.
void finish_ai_toolkit_schedule(AiToolkit& a, const Message& not_given);
/// The keys of a slider of pairs; after the rules.
void finish_ai_toolkit_pairs(AiToolkit& a);
/// Rows without a rule whose whole group has one answer.
void answer_ai_toolkit_groups(AiToolkit& a);

}  // namespace mantissa
