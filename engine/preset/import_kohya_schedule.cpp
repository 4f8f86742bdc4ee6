// Facts about sd-scripts behind these rules: lr_scheduler_min_lr_ratio counts for three schedules
// only; lr_scheduler_args are arguments of the schedule's function; a class in lr_scheduler_type
// takes the place of lr_scheduler. A share of the run's steps is cut to whole steps. kohya_ss has a
// number of steps and a percentage for the warm-up: the steps count where they are above 0. It
// rounds the percentage itself where a file lists the images, and restarts once an epoch where no
// number of cycles is given.

#include <cmath>

#include "engine/preset/import_kohya_rules.h"
#include "engine/preset/import_schedule.h"

namespace mantissa {
namespace {

using Json = nlohmann::json;
using enum ImportKind;

/// The steps of a share of a run; kohya_ss gives it in per cent.
double warmup_steps(const Kohya& k, double length, double share, bool percent) {
  if (percent && k.find("dataset_config") != nullptr) {
    return std::nearbyint(share * length / 100);
  }
  return std::trunc(length * (percent ? share / 100 : share));
}

/// kohya_ss has two keys for it; true if the other one counts.
bool is_overruled(Kohya& k, ImportRow& row) {
  const bool steps_count = k.number("lr_warmup_steps", 0) > 0;
  const char* other = row.key == "lr_warmup" ? (steps_count ? "lr_warmup_steps" : "")
                      : k.number("lr_warmup", 0) > 0 && !steps_count ? "lr_warmup"
                                                                     : "";
  if (*other == '\0') {
    return false;
  }
  k.ignore(row, message<"{key} counts instead.">(k.row(other)->source));
  return true;
}

/// Steps, a share of the run (sd-scripts, below 1), or per cent of it (kohya_ss).
void warmup(Kohya& k, ImportRow& row, const Json& value) {
  if (is_overruled(k, row)) {
    return;
  }
  const auto number = as_number(value);
  if (lower_ascii(k.text("lr_scheduler")) == "constant") {
    k.ignore(row, message<"The constant schedule does not warm up there.">());
    return;
  }
  if (!number || *number <= 0) {
    k.take(row, "schedule.warmup_steps", value);
    return;
  }
  const bool percent = row.key == "lr_warmup";
  const bool none = k.find("max_train_steps") == nullptr && k.find("max_train_epochs") == nullptr &&
                    k.find("epoch") == nullptr;
  const double length = none && !k.of_adapter ? kUsualSteps : k.steps();
  if (!percent && *number >= 1) {
    k.take(row, "schedule.warmup_steps", value);
  } else if (length > 0) {
    k.take(row, "schedule.warmup_steps", warmup_steps(k, length, *number, percent));
  } else {
    k.ignore(
        row,
        message<"A share of the run, whose length came from epochs. Set schedule.warmup_steps.">());
  }
}

constexpr RuleText kOfOtherKohyaSchedules = words<"Not used there.">;
constexpr RuleText kKohyaArguments = words<"arguments of the schedule">;

// What a schedule uses of these is taken by finish_kohya_schedule.
constexpr KohyaRule kKohyaScheduleRules[] = {
    {"lr_scheduler", ignored, kTogetherNote},
    {"lr_warmup", special, {}, warmup},
    {"lr_warmup_steps", special, {}, warmup},
    {"lr_scheduler_num_cycles", ignored, kOfOtherKohyaSchedules},
    {"lr_scheduler_power", ignored, kOfOtherKohyaSchedules},
    {"lr_scheduler_timescale", ignored, kOfOtherKohyaSchedules},
    {"lr_scheduler_min_lr_ratio", ignored, kOfOtherKohyaSchedules},
    {"lr_decay_steps", ignored, kOfOtherKohyaSchedules},
    {"lr_scheduler_type", ignored, kModuleNote},
    {"lr_scheduler_args", unsupported, kKohyaArguments},
};

constexpr ImportGroup kKohyaScheduleArguments[] = {
    {"lr_scheduler_args.", kKohyaArguments, unsupported}};

/// A class of torch, which takes the place of lr_scheduler there. True if that is known here.
bool take_class(Kohya& k, const Message& not_given) {
  ImportRow& row = *k.row("lr_scheduler_type");
  const double length = k.number("lr_scheduler_args.T_max", 0);
  if (!k.text("lr_scheduler_type").ends_with("CosineAnnealingLR") || length <= 0 ||
      length != k.steps()) {
    return false;
  }
  k.take(row, "schedule.type", "cosine");
  k.take(*k.row("lr_scheduler_args.T_max"), "schedule.type", "cosine");
  if (ImportRow* other = k.row("lr_scheduler")) {
    k.ignore(*other, message<"lr_scheduler_type counts instead.">());
  }
  take_end_rate(k, "lr_scheduler_args.eta_min", 0, k.number("learning_rate", 2e-6), not_given);
  return true;
}

/// The shape of warmup_stable_decay's end: cosine unless named.
void take_decay_type(Kohya& k) {
  const std::string type = lower_ascii(k.text("lr_scheduler_args.decay_type"));
  ImportRow* row = k.row("lr_scheduler_args.decay_type");
  if (type == "linear" || type == "cosine") {
    k.take(*row, "schedule.type", type);
  } else if (!type.empty()) {
    k.take_changed(
        *row, "schedule.type", "linear",
        message<"{name} is not offered here: {other} instead.">(type, std::string_view("linear")));
  }
}

/// (1-x)/(α+β(1-x)), which is ours if α and β make 1.
void take_rex(Kohya& k) {
  const double beta = k.number("lr_scheduler_args.rex_beta", kUsualRexBeta);
  const double alpha = k.number("lr_scheduler_args.rex_alpha", 1 - kUsualRexBeta);
  const bool same = std::abs(alpha + beta - 1) < 1e-9;
  for (const char* key : {"lr_scheduler_args.rex_alpha", "lr_scheduler_args.rex_beta"}) {
    if (ImportRow* row = k.find(key) == nullptr ? nullptr : k.row(key)) {
      k.take(*row, "schedule.rex_beta", beta);
      if (!same) {
        k.change(*row, message<"α is 1-β here.">());
      }
    }
  }
}

}  // namespace

std::span<const KohyaRule> kohya_schedule_rules() {
  return kKohyaScheduleRules;
}

void finish_kohya_schedule(Kohya& k, const Message& not_given) {
  answer_groups(k, kKohyaScheduleArguments);
  const bool by_class = !k.text("lr_scheduler_type").empty();
  if (by_class && take_class(k, not_given)) {
    return;
  }
  const bool by_epoch =
      k.of_gui() && !k.of_finetuning_gui() && !k.of_adapter && k.number("epoch", 0) >= 1;
  const ScheduleKeys keys{
      .name = "lr_scheduler",
      .cycles = "lr_scheduler_num_cycles",
      .power = "lr_scheduler_power",
      .timescale = "lr_scheduler_timescale",
      .min_ratio = "lr_scheduler_min_lr_ratio",
      .decay_steps = "lr_decay_steps",
      .warmup = "lr_warmup_steps",
      .end_rate = "lr_scheduler_args.lr_end",
      .rate = "learning_rate",
      .usual_cycles = by_epoch ? k.number("epoch", 1) : 1,
      .steps = k.steps(),
      .cycles_note = by_epoch ? message<"Not given: kohya_ss passes its epochs.">() : Message()};
  finish_schedule(k, keys, not_given);
  const std::string name = lower_ascii(k.text("lr_scheduler"));
  if (name == "cosine_with_min_lr") {
    take_end_rate(k, "lr_scheduler_args.min_lr", 0, k.number("learning_rate", 2e-6), not_given);
  } else if (name == "warmup_stable_decay") {
    take_decay_type(k);
  } else if (name == "rex") {
    take_rex(k);
  }
  if (by_class) {
    k.change(*k.row(k.find("lr_scheduler") != nullptr ? "lr_scheduler" : "lr_scheduler_type"),
             message<"The schedule that lr_scheduler_type names counts there: module names are "
                     "never loaded from a configuration.">());
  }
}

}  // namespace mantissa
