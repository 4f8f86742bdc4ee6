#pragma once
// Learning-rate schedules of other programs, with all that they are given.

#include <string>

#include "engine/preset/import_rules.h"

namespace mantissa {

/// A program's keys for what the schedules of diffusers and transformers are given; empty where it
/// has none. Each has that library's default.
struct ScheduleKeys {
  std::string name, cycles, power, timescale, min_ratio, decay_steps, warmup;
  std::string end_rate;  ///< of polynomial
  std::string rate;      ///< the learning rate to which end_rate is compared
  double usual_end = 1e-7, usual_rate = 2e-6;
  double usual_cycles = 1;
  double usual_power = 1;
  double steps = 0;       ///< of the run, for shares of it; 0: not known
  Message cycles_note{};  ///< why usual_cycles; empty: as for the other values
};

/// Takes the schedule that `keys.name` gives, and its cycles, power, lowest rate, decay and
/// timescale; their rows say so, or why not. After all rules.
void finish_schedule(ImportContext& context, const ScheduleKeys& keys, const Message& not_given);

/// Takes a value of a schedule from its key's row; where the source lacks the key, its program's
/// default, with `not_given` as the note.
void take_schedule_value(ImportContext& context, std::string_view key, std::string_view target,
                         double usual, const Message& not_given, double factor = 1);

/// schedule.min_factor for a lowest rate, given by itself.
void take_end_rate(ImportContext& context, std::string_view key, double usual, double rate,
                   const Message& not_given);

/// The other trainers' REX: (1-x)/(1-0.9x).
inline constexpr double kUsualRexBeta = 0.9;

}  // namespace mantissa
