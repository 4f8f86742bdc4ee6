#include <algorithm>
#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <utility>

#include "engine/preset/import_ai_toolkit_rules.h"
#include "engine/preset/import_values.h"
#include "engine/preset/schema.h"

namespace mantissa {
namespace {

using Json = nlohmann::json;
using enum ImportKind;

void noted(AiToolkit& a, ImportRow& row, const Json& value) {
  a.ignore(row, is_off(value) ? message<"Not used there.">()
                              : message<"Counts together with other keys.">());
}

/// A side, or several, of which each image is used in every one.
void loss(AiToolkit& a, ImportRow& row, const Json& value) {
  take_loss(a, row, short_value(value));
}

void resolution(AiToolkit& a, ImportRow& row, const Json& value) {
  if (!value.is_array()) {
    a.take(row, "data.resolution", value);
    return;
  }
  std::vector<double> sides;
  for (const Json& side : value) {
    const double pixels = as_number(side).value_or(0);
    if (std::ranges::find(sides, pixels) == sides.end()) {
      sides.push_back(pixels);
    }
  }
  std::ranges::sort(sides, std::greater());
  if (!sides.empty() && a.take(row, "data.resolution", sides.front()) && sides.size() > 1) {
    sides.erase(sides.begin());
    a.take(row, "data.further_resolutions", sides);
  }
}

void alpha_mask(AiToolkit& a, ImportRow& row, const Json& value) {
  if (is_off(value)) {
    a.ignore(row, message<"Not used there.">());
  } else {
    a.take(row, "data.masks", "alpha");
  }
}

void mask_path(AiToolkit& a, ImportRow& row, const Json&) {
  a.take_changed(row, "data.masks", "files",
                 message<"Masks stand beside the images here, as <name>-masklabel.png; in a folder "
                         "of their own there.">());
}

void mask_minimum(AiToolkit& a, ImportRow& row, const Json& value) {
  if (a.preset().data.masks == MaskMode::off) {
    a.ignore(row, message<"Counts only with masks there.">());
  } else {
    a.take(row, "data.unmasked_weight", value);
  }
}

void keep_tokens(AiToolkit& a, ImportRow& row, const Json& value) {
  if (a.flag("datasets.shuffle_tokens")) {
    a.take(row, "data.keep_tokens", value);
  } else {
    a.ignore(row, message<"Not used there.">());
  }
}

/// gradient_accumulation; its older name counts the same batches as steps of their own.
void accumulation(AiToolkit& a, ImportRow& row, const Json& value) {
  if (a.number("train.gradient_accumulation", 1) <= 1) {
    a.take(row, "training.gradient_accumulation", value);
  } else {
    a.ignore(row, message<"Counts together with other keys.">());
  }
}

void ema_used(AiToolkit& a, ImportRow& row, const Json& value) {
  a.take(row, "training.ema",
         is_off(value) ? Json(0) : Json(a.number("train.ema_config.ema_decay", 0.999)));
}

bool without_flow(AiToolkit& a) {
  const std::string scheduler = a.text("train.noise_scheduler");
  return has_no_flow(a.preset()) || (!scheduler.empty() && scheduler != "flowmatch");
}

/// sigmoid draws unshifted; linear and weighted, whose weights are the loss's, draw uniformly.
void timestep_type(AiToolkit& a, ImportRow& row, const Json& value) {
  const std::string name = lower_ascii(short_value(value));
  const auto take = [&](const char* timesteps, const Json& shift) {
    a.take(row, "training.timesteps", timesteps);
    a.take(row, "training.flow_shift", shift);
  };
  if (without_flow(a)) {
    a.ignore(row, message<"Counts only for flow models there.">());
  } else if (a.flag("train.linear_timesteps") || a.flag("train.linear_timesteps2")) {
    a.ignore(row, message<"linear_timesteps counts instead.">());
  } else if (name == "sigmoid") {
    a.take(row, "training.timesteps", "sigmoid");
  } else if (name == "linear") {
    take("uniform", 1);
  } else if (name == "weighted") {
    take("uniform", 1);
    a.change(row, message<"Drawn alike, without its weights of the loss.">());
  } else if (name == "shift" || name == "flux_shift" || name == "lumina2_shift") {
    take("uniform", "auto");
    a.change(row, message<"With the base model's own shift.">());
  } else {
    a.change(row, message<"Not offered here: {what}.">(kOtherTimesteps.said()));
  }
}

void linear_timesteps(AiToolkit& a, ImportRow& row, const Json& value) {
  if (is_off(value)) {
    a.ignore(row, message<"Not used there.">());
  } else if (without_flow(a)) {
    a.ignore(row, message<"Counts only for flow models there.">());
  } else {
    a.take(row, "training.timesteps", "uniform");
    a.take(row, "training.flow_shift", 1);
    a.change(row, message<"Drawn alike, without its weights of the loss.">());
  }
}

void scheduler(AiToolkit& a, ImportRow& row, const Json& value) {
  if (has_no_flow(a.preset()) && value == "flowmatch") {
    a.ignore(row, message<"The base model tells what it predicts.">());
  } else {
    a.ignore(row, message<"The model family's own noise schedule is used here.">());
  }
}

void optimizer(AiToolkit& a, ImportRow& row, const Json& value) {
  take_optimizer(a, row, short_value(value));
}

/// Automagic's, which averages nothing else.
void second_beta(AiToolkit& a, ImportRow& row, const Json& value) {
  if (a.chosen().optimizer.type == OptimizerType::automagic) {
    a.take(row, "optimizer.betas", {a.chosen().optimizer.betas[0], value});
  } else {
    a.ignore(row, message<"Not used there.">());
  }
}

/// Of optimizers whose epsilon is a fixed one here, as it is by default there.
void epsilon(AiToolkit& a, ImportRow& row, const Json& value) {
  const Json& first = value.is_array() && !value.empty() ? value.front() : value;
  if (a.chosen().optimizer.type != OptimizerType::automagic) {
    a.take(row, "optimizer.eps", value);
  } else if (as_number(first) == 1e-30) {
    a.ignore(row, message<"The same here.">());
  } else {
    a.ignore(row, message<"Not offered here: {what}.">(message<"another epsilon of Automagic">()));
  }
}

constexpr double kLeastGamma = 1e-6;

/// Its weights are gamma over the signal-to-noise ratio, without a limit.
void snr(AiToolkit& a, ImportRow& row, const Json& value) {
  if (as_number(value).value_or(0) > kLeastGamma) {
    a.change(row,
             message<"Not offered here: {what}.">(
                 message<"weights of the loss that grow without a limit; training.min_snr_gamma "
                         "is near to them">()));
  } else {
    a.ignore(row, message<"Not used there.">());
  }
}

void min_snr(AiToolkit& a, ImportRow& row, const Json& value) {
  if (a.number("train.snr_gamma", 0) > kLeastGamma) {
    a.ignore(row, message<"snr_gamma counts instead.">());
  } else {
    a.take(row, "training.min_snr_gamma", value);
  }
}

void steps(AiToolkit& a, ImportRow& row, const Json& value) {
  take_steps(a, row, "training.steps", value, a.batches());
}

void save_every(AiToolkit& a, ImportRow& row, const Json& value) {
  take_steps(a, row, "output.save_every", value, a.batches());
}

void validation(AiToolkit& a, ImportRow& row, const Json& value) {
  a.take_changed(row, "training.validate_every", a.updates(as_number(value).value_or(0)),
                 message<"Which images is chosen here with data.validation_share.">());
}

void keep(AiToolkit& a, ImportRow& row, const Json& value) {
  a.take(row, "output.keep", std::max(2.0, as_number(value).value_or(2)));
}

void job_name(AiToolkit& a, ImportRow& row, const Json& value) {
  if (a.take(row, "output.name", value)) {
    a.take(row, "name", value);
  }
}

void sample_every(AiToolkit& a, ImportRow& row, const Json& value) {
  if (a.flag("train.disable_sampling")) {
    a.ignore(row, message<"Not used there.">());
  } else {
    take_steps(a, row, "samples.every", value, a.batches());
  }
}

void replace_all(std::string& text, std::string_view word, const std::string& by) {
  for (std::size_t at = 0; (at = text.find(word, at)) != std::string::npos; at += by.size()) {
    text.replace(at, word.size(), by);
  }
}

/// Names of the job and of its trigger word stand for them, if they are given.
std::string with_trigger(const AiToolkit& a, std::string prompt) {
  for (const auto& [word, key] :
       {std::pair{"[name]", "config.name"}, std::pair{"[trigger]", "trigger_word"}}) {
    if (const Json* given = a.find(key)) {
      replace_all(prompt, word, short_value(*given));
    }
  }
  return prompt;
}

/// A list of texts or of objects; what an item lacks comes from the section.
void prompts(AiToolkit& a, ImportRow& row, const Json& value) {
  if (!value.is_array()) {
    a.refuse(row, message<"Not taken: not a list of samples.">());
    return;
  }
  static constexpr std::pair<const char*, const char*> kKeys[] = {
      {"neg", "negative"}, {"width", "width"},        {"height", "height"},
      {"seed", "seed"},    {"sample_steps", "steps"}, {"guidance_scale", "guidance"}};
  static constexpr PromptFlag kFlags[] = {
      {"n", "negative"}, {"w", "width"}, {"h", "height"},     {"d", "seed"},     {"seed", "seed"},
      {"l", "guidance"}, {"s", "steps"}, {"cfg", "guidance"}, {"steps", "steps"}};
  std::set<std::string> unread;
  Json list = Json::array();
  for (const Json& sample : value) {
    const Json& text = sample.is_object() && sample.contains("prompt") ? sample["prompt"] : sample;
    Json item = prompt_with_flags(
        text.is_string() ? with_trigger(a, text.get<std::string>()) : std::string(), kFlags,
        unread);
    for (const auto& [theirs, ours] : kKeys) {
      const Json* general = a.find(std::string("sample.") + theirs);
      if (item.contains(ours)) {
        continue;  // a flag, which comes first
      }
      if (sample.is_object() && sample.contains(theirs) && !is_unset(sample[theirs])) {
        item[ours] = sample[theirs];
      } else if (std::string_view(ours) == "seed" && a.flag("sample.walk_seed")) {
        const double first = std::clamp(a.number("sample.seed", 0), -9e15, 9e15);
        item[ours] = static_cast<std::int64_t>(first) + static_cast<std::int64_t>(list.size());
      } else if (general != nullptr && !general->is_boolean()) {
        item[ours] = *general;
      }
    }
    list.push_back(std::move(item));
  }
  take_prompts(a, row, list, unread);
}

void old_prompts(AiToolkit& a, ImportRow& row, const Json& value) {
  if (a.find("sample.samples") != nullptr) {
    a.ignore(row, message<"Counts together with other keys.">());
  } else {
    prompts(a, row, value);
  }
}

/// A value for every prompt.
void of_samples(AiToolkit& a, ImportRow& row, const Json&) {
  if (a.preset().samples.prompts.empty()) {
    a.ignore(row, message<"Not used there.">());
  } else {
    a.take(row, "samples.prompts", get_setting(a.preset(), "samples.prompts"));
  }
}

bool preserves_class(const AiToolkit& a) {
  return a.flag("train.diff_output_preservation");
}
bool preserves_blank(const AiToolkit& a) {
  return !preserves_class(a) && a.flag("train.blank_prompt_preservation");
}

/// Takes a key that counts only with one kind of preservation.
void take_if(AiToolkit& a, ImportRow& row, bool used, std::string_view target, const Json& value) {
  if (used) {
    a.take(row, target, value);
  } else {
    a.ignore(row, message<"Not used there.">());
  }
}

void class_preservation(AiToolkit& a, ImportRow& row, const Json&) {
  take_if(a, row, preserves_class(a), "training.preservation", "class");
}
void class_weight(AiToolkit& a, ImportRow& row, const Json& value) {
  take_if(a, row, preserves_class(a), "training.preservation_weight", value);
}
void class_word(AiToolkit& a, ImportRow& row, const Json& value) {
  take_if(a, row, preserves_class(a), "training.class_word", value);
}
void blank_preservation(AiToolkit& a, ImportRow& row, const Json&) {
  take_if(a, row, preserves_blank(a), "training.preservation", "empty");
}
void blank_weight(AiToolkit& a, ImportRow& row, const Json& value) {
  take_if(a, row, preserves_blank(a), "training.preservation_weight", value);
}

void trigger_word(AiToolkit& a, ImportRow& row, const Json& value) {
  if (preserves_class(a)) {
    a.take_changed(row, "training.trigger_word", value,
                   message<"Put into captions there; here they must contain it.">());
  } else {
    a.ignore(row,
             message<"Not offered here: {what}.">(message<"a trigger word put into captions">()));
  }
}

/// "slider.target_class" and so on, of a process that trains a slider.
void slider_key(AiToolkit& a, ImportRow& row, const Json& value) {
  static constexpr std::pair<std::string_view, std::string_view> kTargets[] = {
      {"target_class", "slider.target"},
      {"positive_prompt", "slider.positive"},
      {"negative_prompt", "slider.negative"},
      {"anchor_class", "slider.anchor"},
      {"guidance_strength", "slider.guidance"}};
  for (const auto& [theirs, ours] : kTargets) {
    if (row.key.ends_with(theirs)) {
      take_if(a, row, a.trains_slider(), ours, value);
    }
  }
}

void slider_anchor(AiToolkit& a, ImportRow& row, const Json& value) {
  if (!a.trains_slider()) {
    a.ignore(row, message<"Not used there.">());
    return;
  }
  a.take_changed(row, "slider.anchor_weight", kSliderAnchorShare * as_number(value).value_or(1),
                 message<"Beside twice the loss on the target there, once here.">());
}

void process_type(AiToolkit& a, ImportRow& row, const Json&) {
  if (a.trains_slider()) {
    a.take(row, "training.purpose", "slider");
  } else if (a.trains_pair_slider()) {
    a.take(row, "training.purpose", "pair_slider");
  } else {
    a.ignore(row, kRunNote.said());
  }
}

/// The seed rises by one from prompt to prompt.
void walk_seed(AiToolkit& a, ImportRow& row, const Json& value) {
  if (is_off(value)) {
    a.ignore(row, message<"Not used there.">());
  } else {
    of_samples(a, row, value);
  }
}

void random_crop(AiToolkit& a, ImportRow& row, const Json& value) {
  take_random_crop(a, row, value);
}

constexpr AiToolkitRule kAiToolkitTrainingRules[] = {
    {"config.name", special, {}, job_name},
    // data
    {"datasets.resolution", special, {}, resolution},
    {"datasets.buckets", take, "data.buckets"},
    {"train.batch_size", take, "data.batch_size"},
    {"datasets.batch_size", take, "data.batch_size"},
    {"datasets.num_repeats", take, "data.repeats"},
    {"datasets.caption_dropout_rate", take, "data.caption_dropout"},
    {"datasets.shuffle_tokens", take, "data.shuffle_captions"},
    {"datasets.keep_tokens", special, {}, keep_tokens},
    {"datasets.flip_x", take, "data.flip"},
    {"datasets.random_crop", special, {}, random_crop},
    {"datasets.alpha_mask", special, {}, alpha_mask},
    {"datasets.mask_path", special, {}, mask_path},
    {"datasets.mask_min_value", special, {}, mask_minimum},
    {"datasets.cache_latents", special, {}, noted},
    {"datasets.cache_latents_to_disk", special, {}, noted},
    {"datasets.cache_text_embeddings", special, {}, noted},
    {"train.cache_text_embeddings", special, {}, noted},
    // training
    {"type", special, {}, process_type},
    {"slider.target_class", special, {}, slider_key},
    {"slider.positive_prompt", special, {}, slider_key},
    {"slider.negative_prompt", special, {}, slider_key},
    {"slider.anchor_class", special, {}, slider_key},
    {"slider.guidance_strength", special, {}, slider_key},
    {"slider.anchor_strength", special, {}, slider_anchor},
    {"train.steps", special, {}, steps},
    {"train.gradient_accumulation", take, "training.gradient_accumulation"},
    {"train.gradient_accumulation_steps", special, {}, accumulation},
    {"train.gradient_checkpointing", take, "training.gradient_checkpointing"},
    {"train.max_grad_norm", take, "training.max_grad_norm"},
    {"train.min_snr_gamma", special, {}, min_snr},
    {"train.snr_gamma", special, {}, snr},
    {"train.loss_type", special, {}, loss},
    {"train.noise_offset", take, "training.noise_offset"},
    {"train.reg_weight", take, "training.prior_weight"},
    {"trigger_word", special, {}, trigger_word},
    {"train.diff_output_preservation", special, {}, class_preservation},
    {"train.diff_output_preservation_multiplier", special, {}, class_weight},
    {"train.diff_output_preservation_class", special, {}, class_word},
    {"train.blank_prompt_preservation", special, {}, blank_preservation},
    {"train.blank_prompt_preservation_multiplier", special, {}, blank_weight},
    {"train.ema_config.use_ema", special, {}, ema_used},
    {"train.ema_config.ema_decay", special, {}, noted},
    {"train.noise_scheduler", special, {}, scheduler},
    {"train.timestep_type", special, {}, timestep_type},
    {"train.linear_timesteps", special, {}, linear_timesteps},
    {"train.linear_timesteps2", special, {}, linear_timesteps},
    {"train.validation_config.validate_every_n_steps", special, {}, validation},
    {"train.train_unet", special, {}, noted},
    {"train.train_text_encoder", special, {}, noted},
    {"training_seed", take, "training.seed"},
    // optimizer and schedule
    {"train.optimizer", special, {}, optimizer},
    {"train.optimizer_params.weight_decay", take, "optimizer.weight_decay"},
    {"train.optimizer_params.betas", take, "optimizer.betas"},
    {"train.optimizer_params.beta2", special, {}, second_beta},
    {"train.optimizer_params.eps", special, {}, epsilon},
    {"train.lr", special, {}, noted},
    {"train.unet_lr", special, {}, noted},
    {"train.text_encoder_lr", special, {}, noted},
    // output and samples
    {"save.save_every", special, {}, save_every},
    {"save.max_step_saves_to_keep", special, {}, keep},
    {"sample.sample_every", special, {}, sample_every},
    {"sample.samples", special, {}, prompts},
    {"sample.prompts", special, {}, old_prompts},
    {"sample.neg", special, {}, of_samples},
    {"sample.width", special, {}, of_samples},
    {"sample.height", special, {}, of_samples},
    {"sample.seed", special, {}, of_samples},
    {"sample.sample_steps", special, {}, of_samples},
    {"sample.guidance_scale", special, {}, of_samples},
    {"sample.walk_seed", special, {}, walk_seed},
};

}  // namespace

std::span<const AiToolkitRule> ai_toolkit_training_rules() {
  return kAiToolkitTrainingRules;
}

}  // namespace mantissa
