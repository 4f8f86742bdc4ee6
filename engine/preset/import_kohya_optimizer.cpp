// Facts about sd-scripts and musubi-tuner behind this file: Adafactor has relative_step unless it
// is switched off, which drops the learning rates and every schedule; warmup_init switches it on;
// SGDNesterov has a momentum of 0.9 unless it is given another one. Schedule-free optimizers have
// no scheduler, and a warm-up of their own.

#include "engine/preset/import_kohya_rules.h"
#include "engine/preset/import_optimizers.h"
#include "engine/preset/names.h"

namespace mantissa {
namespace {

using Json = nlohmann::json;
using enum ImportKind;

const char* type_key(const Kohya& k) {
  return k.find("optimizer_type") != nullptr ? "optimizer_type" : "optimizer";
}

/// The schedule that the file names has no effect there.
void mark_constant(Kohya& k, const Message& why) {
  ImportRow scratch;
  k.take(scratch, "schedule.type", "constant");
  k.take(scratch, "schedule.warmup_steps", 0);
  for (const char* key : {"lr_scheduler", "lr_warmup_steps", "lr_warmup"}) {
    if (ImportRow* row = k.find(key) == nullptr ? nullptr : k.row(key)) {
      row->targets.clear();
      k.change(*row, why);
    }
  }
}

/// With a rate of its own, what the file says of rates and schedules has no effect there.
void mark_relative_step(Kohya& k) {
  for (const char* key : {"learning_rate", "unet_lr", "text_encoder_lr"}) {
    if (ImportRow* row = k.find(key) == nullptr ? nullptr : k.row(key)) {
      k.change(*row, message<"Adafactor takes a rate of its own there (relative_step): here it is "
                             "the learning rate.">());
    }
  }
  mark_constant(k,
                message<"Adafactor's own schedule counts there (relative_step): here the rate is "
                        "constant.">());
}

void finish_adafactor(Kohya& k, ImportRow& row) {
  const Json* step = k.find("optimizer_args.relative_step");
  const Json* scale = k.find("optimizer_args.scale_parameter");
  const bool relative = step == nullptr || !is_off(*step) || k.flag("optimizer_args.warmup_init");
  mark_adafactor(k, row, relative, scale == nullptr || !is_off(*scale));
  if (relative) {
    mark_relative_step(k);
  }
}

}  // namespace

void finish_kohya_optimizer(Kohya& k) {
  const Preset::Optimizer& chosen = k.chosen().optimizer;
  const char* key = type_key(k);
  ImportRow* row = k.find(key) == nullptr ? nullptr : k.row(key);
  // An old switch, such as use_lion_optimizer, names none.
  const std::string given =
      row != nullptr ? short_value(*k.find(key)) : std::string(enum_name(chosen.type));
  assume_optimizer(k, library_defaults(given.substr(given.rfind('.') + 1)),
                   {.betas = "optimizer_args.betas",
                    .momentum = "optimizer_args.momentum",
                    .eps = "optimizer_args.eps",
                    .weight_decay = "optimizer_args.weight_decay"},
                   message<"Not given: the default of that optimizer.">());
  if (row != nullptr && chosen.type == OptimizerType::adafactor) {
    finish_adafactor(k, *row);
  }
  if (row != nullptr && optimizer_row(chosen.type).schedule_free) {
    mark_constant(k, message<"Schedule-free optimizers have no schedule there: here the rate is "
                             "constant.">());
    if (k.find("optimizer_args.warmup_steps") != nullptr) {
      k.take(*k.row("optimizer_args.warmup_steps"), "schedule.warmup_steps",
             k.number("optimizer_args.warmup_steps", 0));
    }
  }
}

}  // namespace mantissa
