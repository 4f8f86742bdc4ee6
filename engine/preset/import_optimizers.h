#pragma once
// Defaults of other programs' optimizers, where a configuration leaves them out.

#include <string_view>

#include "engine/preset/import_rules.h"

namespace mantissa {

/// What an optimizer has unless it is given something else.
struct OptimizerDefaults {
  double beta1 = 0.9, beta2 = 0.999, eps = 1e-8, weight_decay = 0.01;
  bool decays_gradients = false;  ///< its decay is added to the gradients, as in PyTorch's Adam
};

/// Defaults of the libraries' own classes, by a name in any case and with or without underscores:
/// "AdamW8bit", "LION_8BIT". SGD's momentum is beta1.
OptimizerDefaults library_defaults(std::string_view name);

/// A program's keys; empty where it has none. Betas are a pair, or two keys.
struct OptimizerKeys {
  std::string_view betas, beta1, beta2, momentum, eps, weight_decay;
};

/// Takes the defaults that differ from the chosen ones, where the source lacks their keys, and
/// marks a weight decay that has another meaning there.
void assume_optimizer(ImportContext& context, const OptimizerDefaults& usual,
                      const OptimizerKeys& keys, const Message& not_given);

/// Takes a schedule-free optimizer or Muon by any program's name for it, such as
/// "SCHEDULE_FREE_ADAMW" and "ProdigyPlusScheduleFree"; false for another one.
bool take_averaging_optimizer(ImportContext& context, ImportRow& row, std::string_view given);

/// Takes Automagic; its later forms, which have one rate for many values, are refused by name.
/// False for another optimizer.
bool take_automagic(ImportContext& context, ImportRow& row, std::string_view given);

/// Marks the row of an Adafactor whose steps there have a size of their own: from relative_step, or
/// from the size of the weights (scale_parameter).
void mark_adafactor(ImportContext& context, ImportRow& row, bool relative, bool scaled);

}  // namespace mantissa
