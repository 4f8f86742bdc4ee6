#pragma once
// Private to the importer of AI Toolkit's files.

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <string_view>

#include "engine/preset/import_rules.h"

namespace mantissa {

struct AiToolkit : ImportContext {
  using ImportContext::ImportContext;
  bool conv = false;

  /// Whether the process trains a slider from two prompts.
  bool trains_slider() const { return text("type") == "concept_slider"; }
  /// Whether it trains one from pairs of images.
  bool trains_pair_slider() const { return text("type") == "image_reference_slider_trainer"; }

  double rank_there() const { return number("network.linear", number("network.rank", 4)); }
  /// Batches of an update by the older key, which counts each as a step; 1 without it.
  double batches() const {
    return number("train.gradient_accumulation", 1) > 1
               ? 1
               : std::max(1.0, number("train.gradient_accumulation_steps", 1));
  }
  /// A number of steps there as updates, as steps are counted here.
  double updates(double steps) const { return std::ceil(steps / batches()); }
  /// Takes a number of steps, and tells if it counts batches.
  void take_steps(ImportRow& row, std::string_view target, const nlohmann::json& value) {
    const std::optional<double> steps = as_number(value);
    if (!steps || batches() == 1) {
      take(row, target, value);
    } else {
      take_changed(row, target, updates(*steps),
                   message<"Counts batches there, of which gradient_accumulation_steps are one "
                           "update, a step here.">());
    }
  }
};

/// Of a slider's anchor there, whose loss stands beside twice the target's.
inline constexpr double kSliderAnchorShare = 0.5;

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
/// The keys of a slider of pairs; after the rules.
void finish_ai_toolkit_pairs(AiToolkit& a);
/// Rows without a rule whose whole group has one answer.
void answer_ai_toolkit_groups(AiToolkit& a);

}  // namespace mantissa
