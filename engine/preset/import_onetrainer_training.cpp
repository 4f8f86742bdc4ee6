#include <algorithm>
#include <cmath>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

#include "engine/preset/import_onetrainer_rules.h"
#include "engine/preset/import_optimizers.h"
#include "engine/preset/import_schedule.h"
#include "engine/preset/import_values.h"
#include "engine/preset/names.h"

namespace mantissa {
namespace {

using Json = nlohmann::json;
using enum ImportKind;

void caching(OneTrainer& o, ImportRow& row, const Json& value) {
  const bool text =
      row.key == "latent_caching" || o.flag("text_caching") || o.find("text_caching") == nullptr;
  o.take(row, "data.cache", is_off(value) ? "none" : text ? "all" : "latents");
}
void text_caching(OneTrainer& o, ImportRow& row, const Json& value) {
  if (o.find("image_caching") == nullptr || o.flag("image_caching")) {
    o.take(row, "data.cache", is_off(value) ? "latents" : "all");
  } else {
    o.ignore(row, message<"Captions are cached only together with images here.">());
  }
}

constexpr double kMostPixels = 1e6;  ///< no setting's range goes so far

std::vector<std::string> split_sizes(const std::string& text) {
  std::vector<std::string> sizes;
  std::istringstream in(text);
  for (std::string size; std::getline(in, size, ',');) {
    std::erase(size, ' ');
    sizes.push_back(size);
  }
  return sizes;
}

/// 1024, "1024x768", or several of them in a text with commas, of which each use of an image has
/// one at random.
void resolution(OneTrainer& o, ImportRow& row, const Json& value) {
  std::vector<int> sides;
  bool square = true;
  for (const std::string& size : split_sizes(short_value(value))) {
    const std::size_t cross = size.find('x');
    const auto width = as_number(Json(size.substr(0, cross)));
    const auto height =
        cross == std::string::npos ? width : as_number(Json(size.substr(cross + 1)));
    if (!width || !height || *width <= 0 || *height <= 0) {
      o.refuse(row, message<"Not taken: neither a side nor width x height.">());
      return;
    }
    const double side = std::min(std::round(std::sqrt(*width * *height)), kMostPixels);
    if (std::ranges::find(sides, static_cast<int>(side)) == sides.end()) {
      sides.push_back(static_cast<int>(side));
    }
    square = square && *width == *height;
  }
  if (sides.empty()) {
    o.refuse(row, message<"Not taken: neither a side nor width x height.">());
    return;
  }
  std::ranges::sort(sides, std::greater());
  const std::vector<int> further(sides.begin() + 1, sides.end());
  if (!o.take(row, "data.resolution", sides.front()) ||
      (!further.empty() && !o.take(row, "data.further_resolutions", further))) {
    return;
  }
  if (!further.empty()) {
    o.change(row, message<"Each image has one of them at random there; here it is trained at each, "
                          "and an epoch is {count} times as long.">(sides.size()));
  } else if (!square) {
    o.change(row, message<"The side of the square with the same area.">());
  }
}

void ema(OneTrainer& o, ImportRow& row, const Json& value) {
  if (value == "OFF") {
    o.take(row, "training.ema", 0);
  } else {
    o.take(row, "training.ema", o.number("ema_decay", 0.999));
    if (o.number("ema_update_step_interval", 5) != 1) {
      o.change(row, message<"Averaged at every step here, at every few steps there.">());
    }
  }
}

/// true, "ON", "CPU_OFFLOADED", or false.
void checkpointing(OneTrainer& o, ImportRow& row, const Json& value) {
  o.take(row, "training.gradient_checkpointing", !is_off(value));
  if (value == "CPU_OFFLOADED") {
    o.change(row, message<"Without moving activations to the host.">());
  }
}

void part_checkpointing(OneTrainer& o, ImportRow& row, const Json& value) {
  if (o.has_unet() == (row.key.find("unet") != std::string::npos)) {
    checkpointing(o, row, value);
  } else {
    o.ignore(row, message<"This part does not exist in that model.">());
  }
}

void optimizer(OneTrainer& o, ImportRow& row, const Json& value) {
  const std::string name = short_value(value);
  const auto has = [&](std::string_view part) { return name.find(part) != std::string::npos; };
  const auto take = [&](std::string_view type, const Message& change = {}) {
    o.take(row, "optimizer.type", type);
    if (!change.empty()) {
      o.change(row, change);
    }
  };
  std::string ours = lower_ascii(name);  // ADAMW_8BIT: adamw8bit
  std::erase(ours, '_');
  const Message momentum = message<"Plain momentum, from the first of optimizer.betas.">();
  if (take_averaging_optimizer(o, row, name)) {
    return;
  }
  if (enum_from_name<OptimizerType>(ours)) {
    take(ours, ours == "sgd" ? momentum : Message());
  } else if (name == "ADAM") {
    take("adamw");
  } else if (name == "ADAM_8BIT") {
    take("adamw8bit");
  } else if (name.rfind("LION", 0) == 0) {
    const bool plain = name == "LION" || name == "LION_8BIT";
    take("lion", plain ? Message() : message<"The usual form of this optimizer.">());
    if (has("_8BIT")) {
      o.take(row, "precision.optimizer_state", "8bit");
    }
  } else if (has("PRODIGY")) {
    take("prodigy", message<"Prodigy itself, without the extensions.">());
  } else if (has("DADAPT")) {
    take("prodigy", message<"D-Adaptation's successor: it also finds the rate by itself.">());
  } else if (name.rfind("CAME", 0) == 0) {
    take("came");
    o.take(row, "precision.optimizer_state", "8bit");
  } else if (name.rfind("SGD", 0) == 0) {
    take("sgd", momentum);
  } else {
    take("adamw", message<"This optimizer is not offered here: adamw instead.">());
  }
}

void beta(OneTrainer& o, ImportRow& row, const Json& value) {
  const auto now = o.preset().optimizer.betas;
  const auto number = as_number(value);
  if (!number) {
    o.refuse(row, message<"Not taken: not a number.">());
    return;
  }
  const bool first = row.key.back() == '1';
  o.take(row, "optimizer.betas",
         first ? Json::array({*number, now[1]}) : Json::array({now[0], *number}));
}

void momentum(OneTrainer& o, ImportRow& row, const Json& value) {
  const OptimizerType type = o.chosen().optimizer.type;
  if (type == OptimizerType::sgd || type == OptimizerType::muon) {
    o.take(row, "optimizer.betas", Json::array({value, o.chosen().optimizer.betas[1]}));
  } else {
    o.ignore(row, is_off(value) ? message<"Not used there.">()
                                : message<"This optimizer option is not offered here.">());
  }
}

/// Layers skipped from the end, beyond what the family leaves out itself (SDXL the last one); CLIP
/// skip counts those too. FLUX.1 takes only the pooled vector of its first encoder, which no
/// skipped layer changes, and models with language models as encoders don't read the key.
void layer_skip(OneTrainer& o, ImportRow& row, const Json& value) {
  const bool second = row.key == "text_encoder_2_layer_skip";
  const double first_layers = o.number("text_encoder_layer_skip", 0);
  const bool counts =
      second ? o.is_model("STABLE_DIFFUSION_XL") || o.is_model("FLUX_DEV_1")
             : o.is_model("STABLE_DIFFUSION") || o.is_model("PIXART") || o.is_model("CHROMA");
  if (is_off(value) || !counts) {
    o.ignore(row, message<"Not used there.">());
  } else if (o.is_model("STABLE_DIFFUSION_15")) {
    o.take(row, "training.clip_skip", first_layers + 1);
  } else if (o.is_model("STABLE_DIFFUSION_XL") &&
             first_layers == o.number("text_encoder_2_layer_skip", 0)) {
    o.take(row, "training.clip_skip", first_layers + 2);
  } else {
    o.ignore(row, message<"Not offered here: {what}.">(
                      message<"skipped layers of this text encoder alone">()));
  }
}

/// Its restarts are gradual, unless they are hard.
void schedule(OneTrainer& o, ImportRow& row, const Json& value) {
  if (o.is_schedule_free() && value != "CONSTANT") {
    o.take_changed(row, "schedule.type", "constant",
                   message<"A schedule-free optimizer has a constant rate there.">());
    return;
  }
  static constexpr std::pair<std::string_view, std::string_view> kSame[] = {
      {"CONSTANT", "constant"},
      {"LINEAR", "linear"},
      {"COSINE", "cosine"},
      {"COSINE_WITH_RESTARTS", "cosine_waves"},
      {"COSINE_WITH_HARD_RESTARTS", "cosine_restarts"},
      {"REX", "rex"}};
  const auto* same = std::find_if(std::begin(kSame), std::end(kSame), [&](const auto& pair) {
    return value == std::string(pair.first);
  });
  if (same == std::end(kSame)) {
    o.take_changed(
        row, "schedule.type", "constant",
        message<"This schedule is not offered here: constant instead. Module names are never "
                "loaded from a configuration.">());
    return;
  }
  o.take(row, "schedule.type", std::string(same->second));
  if (same->second == "rex") {
    o.take(row, "schedule.rex_beta", kUsualRexBeta);
  }
}

/// After the schedule.
void cycles(OneTrainer& o, ImportRow& row, const Json& value) {
  const ScheduleType type = o.chosen().schedule.type;
  if (type == ScheduleType::cosine_restarts || type == ScheduleType::cosine_waves) {
    o.take(row, "schedule.cycles", value);
  } else {
    o.ignore(row, message<"Not used there.">());
  }
}

void warmup(OneTrainer& o, ImportRow& row, const Json& value) {
  const auto number = as_number(value);
  if (o.is_schedule_free()) {
    // Its own, which counts updates and reads no share.
    o.take(row, "schedule.warmup_steps", number ? Json(std::floor(*number)) : value);
  } else if (number && *number > 0 && *number <= 1) {
    o.ignore(
        row,
        message<"A share of the run, whose length came from epochs. Set schedule.warmup_steps.">());
  } else {
    const double whole = std::floor(number.value_or(0) / o.batches()) * o.batches();
    take_steps(o, row, "schedule.warmup_steps", number ? Json(whole) : value, o.batches());
  }
}

/// What a number of samples, saves and so on counts.
std::string unit_there(const OneTrainer& o, const std::string& key) {
  const std::string unit = o.text(key + "_unit");
  return !unit.empty()                                    ? unit
         : key == "sample_after" || key == "backup_after" ? "MINUTE"
         : key == "validate_after"                        ? "EPOCH"
                                                          : "NEVER";
}

/// Saving, sampling and validation, by steps or epochs. `by_epoch`: null where only steps count.
void every(OneTrainer& o, ImportRow& row, const Json& value, const char* target,
           const char* by_epoch) {
  const std::string unit = unit_there(o, row.key);
  if (unit == "NEVER") {
    o.take(row, target, 0);
  } else if (unit == "STEP") {
    take_steps(o, row, target, value, o.batches());
  } else if (unit == "EPOCH" && by_epoch != nullptr) {
    o.take(row, by_epoch, value);
  } else {
    o.ignore(row, message<"Counted in steps here, in {unit}s there. Set {setting}.">(
                      lower_ascii(unit), target));
  }
}
/// Whether it was given as a time.
bool by_time(OneTrainer& o, ImportRow& row, const Json& value, const char* target) {
  static constexpr std::pair<std::string_view, double> kMinutes[] = {
      {"SECOND", 1.0 / 60}, {"MINUTE", 1}, {"HOUR", 60}};
  const std::string unit = unit_there(o, row.key);
  for (const auto& [name, minutes] : kMinutes) {
    if (const auto number = as_number(value); number && unit == name) {
      o.take(row, target, *number * minutes);
      return true;
    }
  }
  return false;
}
void save_every(OneTrainer& o, ImportRow& row, const Json& value) {
  if (!by_time(o, row, value, "output.save_minutes")) {
    every(o, row, value, "output.save_every", "output.save_epochs");
  }
}
void sample_every(OneTrainer& o, ImportRow& row, const Json& value) {
  if (!by_time(o, row, value, "samples.every_minutes")) {
    every(o, row, value, "samples.every", "samples.every_epochs");
  }
}
void backup_every(OneTrainer& o, ImportRow& row, const Json& value) {
  const bool saves = o.text("save_every_unit") == "STEP" || o.text("save_after_unit") == "STEP";
  if (saves) {
    o.ignore(row, message<"Saving and backing up are one here; save_every counts.">());
  } else {
    save_every(o, row, value);
  }
}

void validate_after(OneTrainer& o, ImportRow& row, const Json& value) {
  if (!o.flag("validation") || unit_there(o, row.key) == "NEVER") {
    o.ignore(row, message<"Not used there.">());
  } else {
    every(o, row, value, "training.validate_every", nullptr);
  }
}

void buckets(OneTrainer& o, ImportRow& row, const Json& value) {
  if (o.take(row, "data.buckets", value) && !is_off(value)) {
    o.take(row, "data.bucket_rule", "onetrainer");
  }
}

void masked(OneTrainer& o, ImportRow& row, const Json& value) {
  o.take(row, "data.masks", is_off(value) ? "off" : "files");
}

void unmasked_weight(OneTrainer& o, ImportRow& row, const Json& value) {
  if (o.flag("masked_training")) {
    o.take(row, "data.unmasked_weight", value);
  } else {
    o.ignore(row, message<"Counts only with masks there.">());
  }
}

void unit(OneTrainer& o, ImportRow& row, const Json&) {
  o.ignore(row, message<"Counts together with its number.">());
}

void rolling(OneTrainer& o, ImportRow& row, const Json& value) {
  if (!o.flag("rolling_backup")) {
    o.ignore(row, message<"Not used there; see output.keep.">());
  } else {
    o.take(row, "output.keep", std::max(2.0, as_number(value).value_or(2)));
  }
}

void sample_list(OneTrainer& o, ImportRow& row, const Json& value) {
  if (!value.is_array()) {
    o.refuse(row, message<"Not taken: not a list of samples.">());
    return;
  }
  Json list = Json::array();
  bool dropped = false;
  for (const Json& sample : value) {
    if (!sample.is_object() || (sample.contains("enabled") && is_off(sample["enabled"]))) {
      dropped = true;
      continue;
    }
    Json item = Json::object();
    static constexpr std::pair<const char*, const char*> kKeys[] = {
        {"prompt", "prompt"},     {"negative_prompt", "negative"},
        {"width", "width"},       {"height", "height"},
        {"seed", "seed"},         {"diffusion_steps", "steps"},
        {"cfg_scale", "guidance"}};
    for (const auto& [theirs, ours] : kKeys) {
      if (sample.contains(theirs) && !is_unset(sample[theirs])) {
        item[ours] = sample[theirs];
      }
    }
    item.emplace("prompt", "");
    list.push_back(std::move(item));
  }
  if (o.take(row, "samples.prompts", list) && dropped) {
    o.change(row, message<"Without the samples that are switched off.">());
  }
}

void noted(OneTrainer& o, ImportRow& row, const Json& value) {
  o.ignore(row, is_off(value) ? message<"Not used there.">()
                              : message<"Counts together with other keys.">());
}

/// A key of the denoiser, under the name of a UNet or of a transformer.
void denoiser_key(OneTrainer& o, ImportRow& row, const Json& value) {
  if (o.has_unet() == (row.key.find("unet") != std::string::npos)) {
    noted(o, row, value);
  } else {
    o.ignore(row, message<"This part does not exist in that model.">());
  }
}

constexpr OneTrainerRule kOneTrainerTrainingRules[] = {
    {"resolution", special, {}, resolution},
    {"aspect_ratio_bucketing", special, {}, buckets},
    {"batch_size", take, "data.batch_size"},
    {"epochs", take, "training.epochs"},
    {"latent_caching", special, {}, caching},
    {"image_caching", special, {}, caching},
    {"text_caching", special, {}, text_caching},
    {"text_encoder.dropout_probability", take, "data.caption_dropout"},
    {"text_encoder_layer_skip", special, {}, layer_skip},
    {"text_encoder_2_layer_skip", special, {}, layer_skip},
    {"concepts", special, {}, take_onetrainer_concepts},
    {"concept_file_name", special, {}, note_concept_file},
    {"masked_training", special, {}, masked},
    {"unmasked_weight", special, {}, unmasked_weight},
    {"validate_after", special, {}, validate_after},
    {"gradient_accumulation_steps", take, "training.gradient_accumulation"},
    {"gradient_checkpointing", special, {}, checkpointing},
    {"unet.gradient_checkpointing", special, {}, part_checkpointing},
    {"transformer.gradient_checkpointing", special, {}, part_checkpointing},
    {"clip_grad_norm", take, "training.max_grad_norm"},
    {"ema", special, {}, ema},
    {"ema_decay", special, {}, noted},
    {"ema_update_step_interval", special, {}, noted},
    {"loss_weight_strength", special, {}, noted},
    {"offset_noise_weight", take, "training.noise_offset"},
    {"optimizer", special, {}, optimizer},
    {"optimizer.optimizer", special, {}, optimizer},
    {"optimizer.beta1", special, {}, beta},
    {"optimizer.beta2", special, {}, beta},
    {"optimizer.momentum", special, {}, momentum},
    {"optimizer.eps", take, "optimizer.eps"},
    {"optimizer.weight_decay", take, "optimizer.weight_decay"},
    {"weight_decay", take, "optimizer.weight_decay"},
    {"optimizer.fused_back_pass", take, "optimizer.fused_back_pass"},
    {"learning_rate", special, {}, noted},
    {"unet.learning_rate", special, {}, denoiser_key},
    {"unet_learning_rate", special, {}, noted},
    {"transformer.learning_rate", special, {}, denoiser_key},
    {"text_encoder.learning_rate", special, {}, noted},
    {"text_encoder_learning_rate", special, {}, noted},
    {"text_encoder_2.learning_rate", special, {}, noted},
    {"text_encoder_2_learning_rate", special, {}, noted},
    {"unet.train", special, {}, denoiser_key},
    {"transformer.train", special, {}, denoiser_key},
    {"train_unet", special, {}, noted},
    {"text_encoder.train", special, {}, noted},
    {"train_text_encoder", special, {}, noted},
    {"text_encoder_2.train", special, {}, noted},
    {"train_text_encoder_2", special, {}, noted},
    {"learning_rate_scheduler", special, {}, schedule},
    {"learning_rate_cycles", special, {}, cycles},
    {"learning_rate_warmup_steps", special, {}, warmup},
    {"learning_rate_min_factor", take, "schedule.min_factor"},
    {"tensorboard", take, "output.tensorboard"},
    {"save_every", special, {}, save_every},
    {"save_after", special, {}, save_every},
    {"backup_after", special, {}, backup_every},
    {"rolling_backup_count", special, {}, rolling},
    {"sample_after", special, {}, sample_every},
    {"samples", special, {}, sample_list},
    {"rolling_backup", special, {}, noted},
    {"sample_after_unit", special, {}, unit},
    {"save_every_unit", special, {}, unit},
    {"save_after_unit", special, {}, unit},
    {"backup_after_unit", special, {}, unit},
};

}  // namespace

std::span<const OneTrainerRule> onetrainer_training_rules() {
  return kOneTrainerTrainingRules;
}

}  // namespace mantissa
