#pragma once
// Every optimizer, one row each: its name in presets, its state, its update rule, and its
// properties for the precision catalogue.

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

#include "kernels/update.h"

namespace mantissa {

enum class OptimizerType {
  adamw,
  adamw8bit,
  lion,
  adafactor,
  prodigy,
  came,
  sgd,
  adamw_schedule_free,
  prodigy_schedule_free,
  muon,
  automagic
};

/// The update loop.
enum class UpdateForm {
  elementwise,  ///< UpdateRule, elementwise
  factored,     ///< FactoredRule, per matrix
  prodigy,      ///< finds its learning rate from all gradients of a step
  muon,         ///< matrices by orthogonal directions, the rest by AdamW
};

/// The shape of one buffer of state, over all tensors of a part.
enum class StateShape {
  moment,   ///< one value per element, in precision.optimizer_state
  sum,      ///< the same, but never in 8 bits, which would swallow small increments
  rates,    ///< one value per element, fp32
  start,    ///< a copy of the parameters, in their dtype
  rows,     ///< one value per row of each matrix, fp32
  columns,  ///< and per column
  loose,    ///< one value per element of non-matrices, fp32
};
struct StateRow {
  std::string_view name;  ///< in checkpoints; empty: no buffer
  StateShape shape = StateShape::moment;
};

struct OptimizerRow {
  OptimizerType type;
  std::string_view name;  ///< in presets
  UpdateForm form = UpdateForm::elementwise;
  UpdateRule rule = UpdateRule::adamw;                   ///< if elementwise
  FactoredRule factored_rule = FactoredRule::adafactor;  ///< if factored
  std::array<StateRow, 6> state{};
  /// The optimizer with its state in precision.optimizer_state, if this one's is always 8-bit.
  OptimizerType wide = type;
  bool uses_betas = true;
  bool uses_eps = false;
  /// Trains y, and keeps in its state what it is from x, the average that is saved and sampled.
  bool schedule_free = false;
  bool scales_matrices = false;  ///< has optimizer.muon_scaling
  /// An update is about as large as the learning rate, regardless of the gradients.
  bool normalises = true;
  /// Learning rates from here on are intended for Prodigy.
  double too_high = 0.05;

  constexpr bool is_factored() const { return form == UpdateForm::factored; }
  constexpr bool finds_rate() const { return form == UpdateForm::prodigy; }
  constexpr bool always_eight_bit() const { return wide != type; }
  /// Has state that is never 8-bit, whatever precision.optimizer_state.
  constexpr bool has_sum() const {
    return std::ranges::count(state, StateShape::sum, &StateRow::shape) > 0;
  }
  /// Has state that is fp32 whatever precision.optimizer_state.
  constexpr bool has_fixed() const {
    return std::ranges::any_of(state, [](const StateRow& row) {
      return row.shape == StateShape::rates || row.shape == StateShape::rows ||
             row.shape == StateShape::columns || row.shape == StateShape::loose;
    });
  }
  /// Has a moment whose dtype can be chosen.
  constexpr bool has_moment() const { return state[0].shape == StateShape::moment; }
};

/// In the order of OptimizerType.
inline constexpr std::array kOptimizers{
    OptimizerRow{.type = OptimizerType::adamw,
                 .name = "adamw",
                 .state = {{{"exp_avg"}, {"exp_avg_sq"}}},
                 .uses_eps = true},
    OptimizerRow{.type = OptimizerType::adamw8bit,
                 .name = "adamw8bit",
                 .state = {{{"exp_avg"}, {"exp_avg_sq"}}},
                 .wide = OptimizerType::adamw,
                 .uses_eps = true},
    OptimizerRow{.type = OptimizerType::lion,
                 .name = "lion",
                 .rule = UpdateRule::lion,
                 .state = {{{"exp_avg"}}}},
    OptimizerRow{.type = OptimizerType::adafactor,
                 .name = "adafactor",
                 .form = UpdateForm::factored,
                 .state = {{{"row", StateShape::rows},
                            {"col", StateShape::columns},
                            {"square", StateShape::loose}}},
                 .uses_betas = false},
    OptimizerRow{.type = OptimizerType::prodigy,
                 .name = "prodigy",
                 .form = UpdateForm::prodigy,
                 .rule = UpdateRule::prodigy,
                 .state = {{{"exp_avg"},
                            {"exp_avg_sq"},
                            {"path", StateShape::sum},
                            {"start", StateShape::start}}},
                 .uses_eps = true},
    OptimizerRow{.type = OptimizerType::came,
                 .name = "came",
                 .form = UpdateForm::factored,
                 .factored_rule = FactoredRule::came,
                 .state = {{{"exp_avg"},
                            {"residual_row", StateShape::rows},
                            {"residual_col", StateShape::columns},
                            {"row", StateShape::rows},
                            {"col", StateShape::columns},
                            {"square", StateShape::loose}}}},
    OptimizerRow{.type = OptimizerType::sgd,
                 .name = "sgd",
                 .rule = UpdateRule::sgd,
                 .state = {{{"exp_avg"}}},
                 .normalises = false,
                 .too_high = 1},
    OptimizerRow{.type = OptimizerType::adamw_schedule_free,
                 .name = "adamwschedulefree",
                 .rule = UpdateRule::schedule_free,
                 .state = {{{"exp_avg_sq"}, {"offset", StateShape::sum}}},
                 .uses_eps = true,
                 .schedule_free = true},
    OptimizerRow{.type = OptimizerType::prodigy_schedule_free,
                 .name = "prodigyschedulefree",
                 .form = UpdateForm::prodigy,
                 .rule = UpdateRule::prodigy_schedule_free,
                 .state = {{{"exp_avg_sq"},
                            {"offset", StateShape::sum},
                            {"path", StateShape::sum},
                            {"start", StateShape::start}}},
                 .uses_eps = true,
                 .schedule_free = true},
    OptimizerRow{.type = OptimizerType::muon,
                 .name = "muon",
                 .form = UpdateForm::muon,
                 .state = {{{"exp_avg"}, {"square", StateShape::loose}}},
                 .uses_eps = false,
                 .scales_matrices = true},
    OptimizerRow{.type = OptimizerType::automagic,
                 .name = "automagic",
                 .form = UpdateForm::factored,
                 .factored_rule = FactoredRule::automagic,
                 .state = {{{"rate", StateShape::rates},
                            {"row", StateShape::rows},
                            {"col", StateShape::columns},
                            {"square", StateShape::loose}}}},
};

constexpr const OptimizerRow& optimizer_row(OptimizerType type) {
  return kOptimizers[static_cast<std::size_t>(type)];
}

/// As presets spell them.
inline constexpr auto kOptimizerNames = [] {
  std::array<std::string_view, kOptimizers.size()> names{};
  for (std::size_t i = 0; i < names.size(); ++i) {
    names[i] = kOptimizers[i].name;
  }
  return names;
}();

/// The names of those with a property, such as &OptimizerRow::uses_eps.
template <bool OptimizerRow::*kProperty>
inline constexpr auto kOptimizersWith = [] {
  constexpr auto kHas = [](const OptimizerRow& row) { return row.*kProperty; };
  std::array<std::string_view, std::ranges::count_if(kOptimizers, kHas)> names{};
  std::size_t count = 0;
  for (const OptimizerRow& row : kOptimizers) {
    if (kHas(row)) {
      names[count++] = row.name;
    }
  }
  return names;
}();

static_assert(
    [] {
      for (std::size_t i = 0; i < kOptimizers.size(); ++i) {
        if (static_cast<std::size_t>(kOptimizers[i].type) != i) {
          return false;
        }
      }
      return true;
    }(),
    "a row for each OptimizerType, in its order");
static_assert(std::ranges::all_of(kOptimizers,
                                  [](const OptimizerRow& row) {
                                    return std::ranges::count(kUpdateRules, row.rule) == 1;
                                  }),
              "kUpdateRules lists every rule");

}  // namespace mantissa
