// Facts about diffusers' and transformers' schedules behind this file, which sd-scripts,
// musubi-tuner and SimpleTuner are built on: cosine_with_restarts has num_cycles equal cycles;
// cosine_with_min_lr and warmup_stable_decay go through as many half waves; polynomial ends at a
// rate of its own; inverse_sqrt has a timescale, by default the warm-up's length.

#include "engine/preset/import_schedule.h"

#include <algorithm>
#include <cmath>

#include "engine/preset/schema.h"

namespace mantissa {
namespace {

/// Reads one source's schedule.
class ScheduleReader {
 public:
  ScheduleReader(ImportContext& context, const ScheduleKeys& keys, const Message& not_given)
      : context_(context), keys_(keys), not_given_(not_given) {}

  void read() {
    const std::string name = lower_ascii(short_value(*context_.find(keys_.name)));
    if (name == "constant" || name == "constant_with_warmup") {
      type("constant");
    } else if (name == "linear" || name == "cosine") {
      type(name);
    } else if (name == "cosine_with_restarts") {
      type("cosine_restarts");
      cycles(1);
    } else if (name == "polynomial") {
      type("polynomial");
      value(keys_.power, "schedule.power", keys_.usual_power);
      take_end_rate(context_, keys_.end_rate, keys_.usual_end,
                    context_.number(keys_.rate, keys_.usual_rate), not_given_);
    } else if (name == "cosine_with_min_lr") {
      half_waves();
      value(keys_.min_ratio, "schedule.min_factor", 0);
    } else if (name == "warmup_stable_decay") {
      half_waves();
      value(keys_.min_ratio, "schedule.min_factor", 0);
      decay();
    } else if (name == "rex") {
      type("rex");
      context_.take(row(), "schedule.rex_beta", kUsualRexBeta);
      value(keys_.min_ratio, "schedule.min_factor", 0.01);
    } else if (name == "inverse_sqrt") {
      type("inverse_sqrt");
      const double given = context_.number(keys_.warmup, 0);
      const auto taken = static_cast<double>(context_.chosen().schedule.warmup_steps);
      const double warmup = given >= 1 ? given : taken;  // given as a share, or by another key
      value(keys_.timescale, "schedule.timescale", warmup >= 1 ? warmup : 10'000);
    } else if (name.starts_with("adafactor")) {
      type("constant");
      context_.change(row(),
                      message<"Adafactor takes a rate of its own here: constant instead.">());
    } else {
      type("constant");
      context_.change(row(), message<"This schedule is not offered here: constant instead.">());
    }
  }

 private:
  ImportRow& row() { return *context_.row(keys_.name); }
  void type(std::string_view name) { context_.take(row(), "schedule.type", name); }
  void value(const std::string& key, std::string_view target, double usual, double factor = 1) {
    take_schedule_value(context_, key, target, usual, not_given_, factor);
  }

  /// A cosine of `cycles` half waves: usually of one.
  void half_waves() {
    const bool several = context_.number(keys_.cycles, keys_.usual_cycles) != 1;
    type(several ? "cosine_waves" : "cosine");
    if (several) {
      cycles(0.5);
    }
  }
  void cycles(double factor) {
    take_schedule_value(context_, keys_.cycles, "schedule.cycles", keys_.usual_cycles,
                        keys_.cycles_note.empty() ? not_given_ : keys_.cycles_note, factor);
  }

  /// Steps, or below 1 a share of the run.
  void decay() {
    const double given = context_.number(keys_.decay_steps, 0);
    if (given >= 1 || given <= 0) {
      value(keys_.decay_steps, "schedule.decay_steps", 0);
    } else if (keys_.steps > 0) {
      context_.take(*context_.row(keys_.decay_steps), "schedule.decay_steps",
                    std::floor(keys_.steps * given));
    } else {
      context_.ignore(
          *context_.row(keys_.decay_steps),
          message<
              "A share of the run, whose length came from epochs. Set schedule.decay_steps.">());
    }
  }

  ImportContext& context_;
  const ScheduleKeys& keys_;
  const Message& not_given_;
};

}  // namespace

void finish_schedule(ImportContext& context, const ScheduleKeys& keys, const Message& not_given) {
  if (context.find(keys.name) != nullptr) {
    ScheduleReader(context, keys, not_given).read();
  }
}

void take_schedule_value(ImportContext& context, std::string_view key, std::string_view target,
                         double usual, const Message& not_given, double factor) {
  const nlohmann::json* given = context.find(key);
  if (given == nullptr) {
    if (get_setting(context.chosen(), target) != nlohmann::json(usual * factor)) {
      context.assume(key, target, usual * factor, not_given);
    }
    return;
  }
  ImportRow& row = *context.row(key);
  if (const auto number = as_number(*given)) {
    context.take(row, target, *number * factor);
  } else {
    context.refuse(row, message<"Not taken: not a number.">());
    context.assume(key, target, usual * factor, not_given);
  }
}

void take_end_rate(ImportContext& context, std::string_view key, double usual, double rate,
                   const Message& not_given) {
  const double end = context.number(key, usual);
  if (end <= 0 || rate <= 0) {
    return;
  }
  const double factor = std::min(1.0, end / rate);
  if (context.find(key) == nullptr) {
    context.assume(key, "schedule.min_factor", factor, not_given);
  } else {
    context.take(*context.row(key), "schedule.min_factor", factor);
  }
}

}  // namespace mantissa
