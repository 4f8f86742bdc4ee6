#pragma once
// Private to the importer of kohya's files.

#include <span>

#include "engine/preset/import_rules.h"

namespace mantissa {

struct Kohya : ImportContext {
  using ImportContext::ImportContext;
  bool sdxl = false, family_known = false;
  bool conv = false;

  /// kohya_ss only looks at conv_dim for the network types that have convolutions.
  bool conv_counts() const {
    const std::string type = text("LoRA_type");
    return type.empty() || type.find("LoCon") != std::string::npos ||
           type.find("LyCORIS") != std::string::npos;
  }
  double steps() const { return number("max_train_steps", 0); }
};

using KohyaRule = ImportRule<Kohya>;

/// What becomes a setting, in the order in which it is applied: general keys first, those that
/// override them after. Model, adapter and precision; then data, training, optimizer, schedule,
/// output and samples.
std::span<const KohyaRule> kohya_model_rules();
std::span<const KohyaRule> kohya_training_rules();
/// Which noise levels a flow model is trained on.
std::span<const KohyaRule> kohya_timestep_rules();
/// What is a place, isn't offered, or has no effect on what is learned.
std::span<const KohyaRule> kohya_unused_rules();

}  // namespace mantissa
