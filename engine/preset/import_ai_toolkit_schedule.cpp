// Facts about AI Toolkit's schedules behind this file: its cosine, restarts, linear and constant
// are torch's own, whose length is always the run's, whatever lr_scheduler_params has; linear rises
// from a third of the rate to all of it unless it is given other factors; only cosine and
// constant_with_warmup warm up, the latter over 1000 steps unless it is told; all others are
// diffusers'.

#include "engine/preset/import_ai_toolkit_rules.h"
#include "engine/preset/import_schedule.h"
#include "engine/preset/schema.h"

namespace mantissa {
namespace {

using enum ImportKind;

constexpr RuleText kOfOtherTorchSchedules = words<"Not used there.">;
constexpr RuleText kLengthNote = words<"Always the length of the run there, whatever is given.">;

// What a schedule uses of these is taken by finish_ai_toolkit_schedule.
constexpr AiToolkitRule kAiToolkitScheduleRules[] = {
    {"train.lr_scheduler", ignored, kTogetherNote},
    {"train.lr_scheduler_params.num_warmup_steps", ignored, kOfOtherTorchSchedules},
    {"train.lr_scheduler_params.num_cycles", ignored, kOfOtherTorchSchedules},
    {"train.lr_scheduler_params.power", ignored, kOfOtherTorchSchedules},
    {"train.lr_scheduler_params.lr_end", ignored, kOfOtherTorchSchedules},
    {"train.lr_scheduler_params.eta_min", ignored, kOfOtherTorchSchedules},
    {"train.lr_scheduler_params.total_iters", ignored, kLengthNote},
    {"train.lr_scheduler_params.T_max", ignored, kLengthNote},
    {"train.lr_scheduler_params.T_0", ignored, kLengthNote},
    {"train.lr_scheduler_params.T_mult", ignored, kOfOtherTorchSchedules},
    {"train.lr_scheduler_params.start_factor", ignored, kOfOtherTorchSchedules},
    {"train.lr_scheduler_params.end_factor", ignored, kOfOtherTorchSchedules},
    {"train.lr_scheduler_params.factor", ignored, kOfOtherTorchSchedules},
};

/// Reads a schedule of torch.
class TorchSchedule {
 public:
  TorchSchedule(AiToolkit& a, const Message& not_given) : a_(a), not_given_(not_given) {}

  void cosine() {
    type("cosine");
    warmup(0);
    end_rate();
    const double run = a_.number("train.steps", 1000);
    if (number("cosine_decay_steps", run) != run || number("num_warmup_steps", 0) > 0) {
      a_.change(row(), message<"Falls over all steps after the warm-up here.">());
    }
  }

  void restarts() {
    type("cosine_restarts");
    end_rate();
    a_.take(row(), "schedule.cycles", 1);  // whose length is the run's
  }

  void linear() {
    const double start = number("start_factor", 1.0 / 3), end = number("end_factor", 1);
    if (start == 1 && end >= 0 && end <= 1) {
      type("linear");
      taken("start_factor", "schedule.type");
      taken("end_factor", "schedule.type");
      a_.take(row(), "schedule.min_factor", end);
    } else {
      other(message<"It rises or falls between two shares of the rate there: constant instead.">());
    }
  }

  void constant() {
    type("constant");
    if (number("factor", 1) != 1) {
      a_.change(row(), message<"At the full rate from the first step on here.">());
    }
  }

  void constant_with_warmup() {
    type("constant");
    warmup(1000);
  }

  void other(const Message& note) {
    type("constant");
    a_.change(row(), note);
  }

 private:
  static std::string key(std::string_view name) {
    return "train.lr_scheduler_params." + std::string(name);
  }
  ImportRow& row() { return *a_.row("train.lr_scheduler"); }
  double number(std::string_view name, double usual) const { return a_.number(key(name), usual); }
  void type(std::string_view name) { a_.take(row(), "schedule.type", name); }
  /// Marks the row of a value that another one carries.
  void taken(std::string_view name, const char* target) {
    if (a_.find(key(name)) != nullptr) {
      a_.take(*a_.row(key(name)), target, get_setting(a_.chosen(), target));
    }
  }
  void warmup(double usual) {
    take_schedule_value(a_, key("num_warmup_steps"), "schedule.warmup_steps", usual, not_given_);
  }
  void end_rate() { take_end_rate(a_, key("eta_min"), 0, a_.number("train.lr", 1e-6), not_given_); }

  AiToolkit& a_;
  const Message& not_given_;
};

void take_ai_toolkit_schedule(AiToolkit& a, const Message& not_given) {
  const std::string name = lower_ascii(short_value(*a.find("train.lr_scheduler")));
  TorchSchedule torch(a, not_given);
  if (name == "cosine") {
    torch.cosine();
  } else if (name == "cosine_with_restarts") {
    torch.restarts();
  } else if (name == "linear") {
    torch.linear();
  } else if (name == "constant") {
    torch.constant();
  } else if (name == "constant_with_warmup") {
    torch.constant_with_warmup();
  } else if (name == "step") {
    torch.other(message<"This schedule is not offered here: constant instead.">());
  } else {
    finish_schedule(a,
                    {.name = "train.lr_scheduler",
                     .cycles = "train.lr_scheduler_params.num_cycles",
                     .power = "train.lr_scheduler_params.power",
                     .warmup = "train.lr_scheduler_params.num_warmup_steps",
                     .end_rate = "train.lr_scheduler_params.lr_end",
                     .rate = "train.lr",
                     .usual_rate = 1e-6},
                    not_given);
    take_schedule_value(a, "train.lr_scheduler_params.num_warmup_steps", "schedule.warmup_steps", 0,
                        not_given);
  }
}

}  // namespace

std::span<const AiToolkitRule> ai_toolkit_schedule_rules() {
  return kAiToolkitScheduleRules;
}

void finish_ai_toolkit_schedule(AiToolkit& a, const Message& not_given) {
  if (a.find("train.lr_scheduler") == nullptr) {
    return;  // constant, there and here
  }
  if (a.chosen().optimizer.type == OptimizerType::automagic) {
    a.ignore(*a.row("train.lr_scheduler"), message<"Automagic has no schedule there.">());
    return;
  }
  take_ai_toolkit_schedule(a, not_given);
  const double warmup = static_cast<double>(a.chosen().schedule.warmup_steps);
  ImportRow* row = a.row("train.lr_scheduler_params.num_warmup_steps");
  ImportRow scratch;
  if (warmup > 0 && a.batches() > 1) {
    take_steps(a, row == nullptr ? scratch : *row, "schedule.warmup_steps", warmup, a.batches());
  }
}

}  // namespace mantissa
