#include <algorithm>
#include <cmath>

#include "engine/preset/import_schedule.h"
#include "engine/preset/import_simpletuner_rules.h"
#include "engine/preset/import_values.h"

namespace mantissa {
namespace {

using Json = nlohmann::json;
using enum ImportKind;

void noted(SimpleTuner& s, ImportRow& row, const Json& value) {
  s.ignore(row, is_off(value) ? message<"Not used there.">()
                              : message<"Counts together with other keys.">());
}

/// Pixels of an edge, megapixels, or pixels of the square with the area.
void take_side(SimpleTuner& s, ImportRow& row, const Json& value, const char* type_key) {
  const auto number = as_number(value);
  if (!number || *number <= 0) {
    s.refuse(row, message<"Not taken: not a number.">());
    return;
  }
  const std::string type = lower_ascii(s.text(type_key));
  if (type == "area") {
    s.take_changed(row, "data.resolution", std::round(std::sqrt(*number) * 1024),
                   message<"The side of the square with the same area.">());
  } else if (s.take(row, "data.resolution", *number) && type == "pixel") {
    s.change(row, message<"The side of a square here, the shorter edge there.">());
  }
}
void resolution(SimpleTuner& s, ImportRow& row, const Json& value) {
  take_side(s, row, value, "resolution_type");
}
void data_resolution(SimpleTuner& s, ImportRow& row, const Json& value) {
  take_side(s, row, value, "data.resolution_type");
}

/// How often an image comes again.
void repeats(SimpleTuner& s, ImportRow& row, const Json& value) {
  const auto number = as_number(value);
  if (number && *number >= 0) {
    s.take_changed(row, "data.repeats", *number + 1,
                   message<"Counts the first use here too, only further ones there.">());
  } else {
    s.refuse(row, message<"Not taken: not a number.">());
  }
}

void steps(SimpleTuner& s, ImportRow& row, const Json& value) {
  if (is_off(value)) {
    s.ignore(row, message<"Not set there: the length came from epochs.">());
  } else {
    s.take(row, "training.steps", value);
  }
}

void epochs(SimpleTuner& s, ImportRow& row, const Json& value) {
  if (is_off(value)) {
    s.ignore(row, message<"Not used there.">());
  } else {
    s.take(row, "training.epochs", value);
  }
}

void seed(SimpleTuner& s, ImportRow& row, const Json& value) {
  if (const auto number = as_number(value); number && *number < 0) {
    s.ignore(row, message<"A random seed there; here every run has a fixed one.">());
  } else {
    s.take(row, "training.seed", value);
  }
}

void clipping(SimpleTuner& s, ImportRow& row, const Json& value) {
  const bool limited = s.limits_gradients() && as_number(value).value_or(0) > kPixartClipping;
  if (!s.take(row, "training.max_grad_norm", limited ? Json(kPixartClipping) : value)) {
    return;
  }
  std::vector<Message> notes;
  if (limited) {
    notes.push_back(message<"At most {value} there for this model family.">(
        short_value(Json(kPixartClipping))));
  }
  if (s.text("grad_clip_method") != "norm") {
    notes.push_back(message<"Limits the norm of all gradients here, each of them there.">());
  }
  if (!notes.empty()) {
    s.change(row, joined<" ">(std::move(notes)));
  }
}

void noise_offset(SimpleTuner& s, ImportRow& row, const Json& value) {
  if (!s.flag("offset_noise")) {
    s.ignore(row, message<"Not used there.">());
  } else if (!ignore_for_flow(s, row) && s.take(row, "training.noise_offset", value) &&
             s.number("noise_offset_probability", 0.25) != 1) {
    s.change(row, message<"At every step here, at a share of them there.">());
  }
}

void ema(SimpleTuner& s, ImportRow& row, const Json& value) {
  s.take(row, "training.ema", is_off(value) ? Json(0) : Json(s.number("ema_decay", 0.995)));
}

bool concerns_others(SimpleTuner& s, ImportRow& row) {
  if (!has_flow(s.chosen())) {
    s.ignore(row, message<"Counts only for flow models there.">());
    return true;
  }
  return false;
}

/// 0 turns to the shift by the image's size, or to none.
void flow_shift(SimpleTuner& s, ImportRow& row, const Json& value) {
  if (concerns_others(s, row)) {
    return;
  }
  if (const auto number = as_number(value); number && *number <= 0) {
    const bool by_size = s.flag("flow_schedule_auto_shift");
    s.take(row, "training.flow_shift", by_size ? Json("auto") : Json(1));
  } else {
    s.take(row, "training.flow_shift", value);
  }
}

void auto_shift(SimpleTuner& s, ImportRow& row, const Json& value) {
  if (concerns_others(s, row)) {
    return;
  }
  if (!is_off(value) && s.number("flow_schedule_shift", 3) > 0) {
    s.ignore(row, message<"flow_schedule_shift counts instead.">());
  } else {
    noted(s, row, value);
  }
}

void uniform(SimpleTuner& s, ImportRow& row, const Json& value) {
  if (!concerns_others(s, row)) {
    s.take(row, "training.timesteps", is_off(value) ? "shifted" : "uniform");
  }
}

void take_nearest_timesteps(SimpleTuner& s, ImportRow& row) {
  s.take_changed(row, "training.timesteps", "shifted",
                 message<"Not offered here: {what}.">(message<"another choice of timesteps">()));
}

void beta_schedule(SimpleTuner& s, ImportRow& row, const Json& value) {
  if (concerns_others(s, row)) {
    return;
  }
  if (is_off(value)) {
    s.ignore(row, message<"Not used there.">());
  } else {
    take_nearest_timesteps(s, row);
  }
}

/// Other schedules, whatever is drawn instead.
void other_timesteps(SimpleTuner& s, ImportRow& row, const Json& value) {
  if (!concerns_others(s, row)) {
    s.refuse_feature(row, replaced, kOtherTimesteps, is_off(value));
  }
}

void sigmoid_scale(SimpleTuner& s, ImportRow& row, const Json& value) {
  if (concerns_others(s, row)) {
    return;
  }
  if (s.flag("flow_use_uniform_schedule") || s.flag("flow_use_beta_schedule")) {
    s.ignore(row, message<"Not used there.">());
  } else if (as_number(value) == 1.0) {
    s.take(row, "training.timesteps", "shifted");
  } else {
    take_nearest_timesteps(s, row);
  }
}

/// The library's name stands in front: "bnb-adamw8bit".
void optimizer(SimpleTuner& s, ImportRow& row, const Json& value) {
  std::string name = lower_ascii(short_value(value));
  for (const std::string_view library : {"torch-", "bnb-", "ao-", "optimi-"}) {
    if (name.starts_with(library)) {
      name.erase(0, library.size());
    }
  }
  if (name == "adamw_bf16") {
    s.take_changed(row, "optimizer.type", "adamw",
                   message<"State in bfloat16 there; see precision.optimizer_state.">());
  } else {
    take_optimizer(s, row, name);
  }
}

void beta(SimpleTuner& s, ImportRow& row, const Json& value) {
  const auto now = s.preset().optimizer.betas;
  const auto number = as_number(value);
  if (!number) {
    s.refuse(row, message<"Not taken: not a number.">());
    return;
  }
  const bool first = row.key.back() == '1';
  s.take(row, "optimizer.betas",
         first ? Json::array({*number, now[1]}) : Json::array({now[0], *number}));
}

/// Keys of the optimizer that DeepSpeed has in place of the one that is named.
void of_deepspeed(SimpleTuner& s, ImportRow& row, const Json& value) {
  if (!s.flag("deepspeed_config")) {
    s.ignore(row, message<"Read only with DeepSpeed there; else optimizer_config counts.">());
  } else if (row.key == "adam_epsilon" || row.key == "adam_weight_decay") {
    s.take(row, row.key == "adam_epsilon" ? "optimizer.eps" : "optimizer.weight_decay", value);
  } else {
    beta(s, row, value);
  }
}

/// Keys that its flow models do not read.
void of_diffusion(SimpleTuner& s, ImportRow& row, const Json& value) {
  if (!ignore_for_flow(s, row)) {
    s.take(row, row.key == "snr_gamma" ? "training.min_snr_gamma" : "training.zero_terminal_snr",
           value);
  }
}

/// SD 2.x has no signal at the end of its schedule, whatever is given.
void finish_schedule_of_sd2(SimpleTuner& s) {
  constexpr std::string_view kKey = "rescale_betas_zero_snr";
  constexpr std::string_view kSetting = "training.zero_terminal_snr";
  const Message note = message<"Always on there for this model family.">();
  if (s.lacks(kKey)) {
    s.assume(kKey, kSetting, true, note);
  } else if (!s.flag(kKey)) {
    s.take_changed(*s.row(kKey), kSetting, true, note);
  }
}

/// Chroma's levels are moved once more, unless another schedule is chosen.
void tell_chroma_timesteps(SimpleTuner& s) {
  const Message note = message<"Noise levels are also moved towards 0 and 1 there, not here.">();
  if (s.lacks("flow_sigmoid_scale")) {
    ImportRow scratch;
    s.take(scratch, "training.timesteps", "shifted");
    s.differ("flow_sigmoid_scale", 1, note);
    return;
  }
  ImportRow& row = *s.row("flow_sigmoid_scale");
  s.change(row, row.fate == ImportFate::changed ? joined<" ">({row.note, note}) : note);
}

void loss(SimpleTuner& s, ImportRow& row, const Json& value) {
  take_loss(s, row, short_value(value));
}

/// Schedules whose period lr_warmup_steps gives, in place of a warm-up
/// (finish_simpletuner_schedule).
bool is_periodic(const SimpleTuner& s) {
  const std::string name = lower_ascii(s.text("lr_scheduler"));
  return name == "sine" || name == "cosine" || name == "cosine_with_restarts";
}

void warmup(SimpleTuner& s, ImportRow& row, const Json& value) {
  if (is_periodic(s)) {
    s.ignore(row, message<"Counts together with other keys.">());
  } else {
    s.take(row, "schedule.warmup_steps", value);
  }
}

void keep(SimpleTuner& s, ImportRow& row, const Json& value) {
  s.take(row, "output.keep", std::max(2.0, as_number(value).value_or(2)));
}

void sample_every(SimpleTuner& s, ImportRow& row, const Json& value) {
  if (s.flag("validation_disable") || s.find("validation_prompt") == nullptr) {
    s.ignore(row, message<"Counts together with other keys.">());
  } else {
    s.take(row, "samples.every", value);
  }
}

constexpr SimpleTunerRule kSimpleTunerTrainingRules[] = {
    // data
    {"resolution", special, {}, resolution},
    {"resolution_type", special, {}, noted},
    {"train_batch_size", take, "data.batch_size"},
    {"caption_dropout_probability", take, "data.caption_dropout"},
    {"data.resolution", special, {}, data_resolution},
    {"data.resolution_type", special, {}, noted},
    {"data.repeats", special, {}, repeats},
    {"data.train_batch_size", take, "data.batch_size"},
    {"data.caption_shuffle.enable", take, "data.shuffle_captions"},
    {"data.caption_shuffle.position_start", take, "data.keep_tokens"},
    // training
    {"max_train_steps", special, {}, steps},
    {"num_train_epochs", special, {}, epochs},
    {"gradient_accumulation_steps", take, "training.gradient_accumulation"},
    {"gradient_checkpointing", take, "training.gradient_checkpointing"},
    {"max_grad_norm", special, {}, clipping},
    {"grad_clip_method", special, {}, noted},
    {"seed", special, {}, seed},
    {"snr_gamma", special, {}, of_diffusion},
    {"loss_type", special, {}, loss},
    {"huber_c", take, "training.huber_c"},
    {"huber_schedule", take, "training.huber_schedule"},
    {"offset_noise", special, {}, noted},
    {"noise_offset", special, {}, noise_offset},
    {"noise_offset_probability", special, {}, noted},
    {"rescale_betas_zero_snr", special, {}, of_diffusion},
    {"use_ema", special, {}, ema},
    {"ema_decay", special, {}, noted},
    {"flow_schedule_shift", special, {}, flow_shift},
    {"flow_schedule_auto_shift", special, {}, auto_shift},
    {"flow_use_uniform_schedule", special, {}, uniform},
    {"flow_use_beta_schedule", special, {}, beta_schedule},
    {"flow_sigmoid_scale", special, {}, sigmoid_scale},
    {"flow_cubic_schedule_weights", special, {}, other_timesteps},
    {"flow_custom_timesteps", special, {}, other_timesteps},
    {"train_text_encoder", special, {}, noted},
    {"text_encoder_lr", special, {}, noted},
    // optimizer and schedule
    {"optimizer", special, {}, optimizer},
    {"learning_rate", take, "optimizer.learning_rate"},
    {"adam_beta1", special, {}, of_deepspeed},
    {"adam_beta2", special, {}, of_deepspeed},
    {"optimizer_beta1", special, {}, beta},
    {"optimizer_beta2", special, {}, beta},
    {"adam_epsilon", special, {}, of_deepspeed},
    {"adam_weight_decay", special, {}, of_deepspeed},
    {"optimizer_config.beta1", special, {}, beta},
    {"optimizer_config.beta2", special, {}, beta},
    {"optimizer_config.betas", take, "optimizer.betas"},
    {"optimizer_config.eps", take, "optimizer.eps"},
    {"optimizer_config.weight_decay", take, "optimizer.weight_decay"},
    {"optimizer_release_gradients", take, "optimizer.fused_back_pass"},
    {"lr_scheduler", ignored, kTogetherNote},  // and what it is given: finish_simpletuner_schedule
    {"lr_num_cycles", ignored, words<"Not used there.">},
    {"lr_power", ignored, words<"Not used there.">},
    {"lr_end", ignored, words<"Not used there.">},
    {"lr_warmup_steps", special, {}, warmup},
    // output and samples
    {"checkpoint_step_interval", take, "output.save_every"},
    {"report_to", special, {}, take_trackers<SimpleTuner>},
    {"checkpoint_epoch_interval", take, "output.save_epochs"},
    {"validation_epoch_interval", take, "samples.every_epochs"},
    {"checkpointing_steps", take, "output.save_every"},
    {"checkpoints_total_limit", special, {}, keep},
    {"validation_step_interval", special, {}, sample_every},
    {"validation_steps", special, {}, sample_every},
    {"validation_prompt", special, {}, noted},
    {"validation_negative_prompt", special, {}, noted},
    {"validation_seed", special, {}, noted},
    {"validation_num_inference_steps", special, {}, noted},
    {"validation_guidance", special, {}, noted},
    {"validation_resolution", special, {}, noted},
    {"validation_disable", special, {}, noted},
};

}  // namespace

void finish_simpletuner_schedule(SimpleTuner& s, const Message& not_given) {
  if (s.find("lr_scheduler") == nullptr) {
    s.assume("lr_scheduler", "schedule.type", "constant", not_given);
    return;
  }
  const double rate = s.number("learning_rate", 4e-7);
  if (!is_periodic(s)) {
    finish_schedule(s,
                    {.name = "lr_scheduler",
                     .cycles = "lr_num_cycles",
                     .power = "lr_power",
                     .warmup = "lr_warmup_steps",
                     .end_rate = "lr_end",
                     .rate = "learning_rate",
                     .usual_end = 4e-7,
                     .usual_rate = 4e-7,
                     .usual_power = 0.8},
                    not_given);
    return;
  }
  s.take_changed(*s.row("lr_scheduler"), "schedule.type", "cosine",
                 message<"Falls once over the run here, again and again within lr_warmup_steps "
                         "there.">());
  take_end_rate(s, "lr_end", 4e-7, rate, not_given);
}

void finish_simpletuner_timesteps(SimpleTuner& s, const Message& not_given) {
  if (s.is_sd2()) {
    finish_schedule_of_sd2(s);
  }
  if (!has_flow(s.chosen())) {
    return;
  }
  const bool usual = !s.flag("flow_use_uniform_schedule") && !s.flag("flow_use_beta_schedule");
  if (usual && s.moves_noise_levels() && !s.flag("flux_fast_schedule")) {
    tell_chroma_timesteps(s);
  } else if (usual) {
    s.assume("flow_sigmoid_scale", "training.timesteps", "shifted", not_given);
  }
  s.assume("flow_schedule_shift", "training.flow_shift", 3, not_given);
}

std::span<const SimpleTunerRule> simpletuner_training_rules() {
  return kSimpleTunerTrainingRules;
}

}  // namespace mantissa
