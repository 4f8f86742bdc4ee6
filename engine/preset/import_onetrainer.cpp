// Facts about OneTrainer behind this table: parts carry their own "train", rate and type (flat keys
// such as unet_learning_rate in old files); lora_alpha defaults to 1, warm-up to 200 steps, DoRA to
// the input axis, backups to every 30 minutes and samples to every 10; a LoRA covers every linear
// and convolution of the UNet unless a layer filter says otherwise; a missing method is
// fine-tuning, and text encoders train for 30 epochs.

#include "engine/preset/import_onetrainer.h"

#include <algorithm>
#include <cmath>

#include "engine/preset/import_onetrainer_rules.h"
#include "engine/preset/import_optimizers.h"
#include "engine/preset/import_ranks.h"
#include "engine/preset/import_values.h"

namespace mantissa {
namespace {

using Json = nlohmann::json;

/// First of the keys that is there; old files have flat names.
const char* first_key(const OneTrainer& o, std::initializer_list<const char*> keys) {
  for (const char* key : keys) {
    if (o.find(key) != nullptr) {
      return key;
    }
  }
  return nullptr;
}

/// The first files named the optimizer alone, and its settings beside it: "optimizer_weight_decay".
void rename_older_keys(std::vector<SourceEntry>& entries) {
  constexpr std::string_view kOlder = "optimizer_";
  const bool older = std::ranges::any_of(
      entries, [](const SourceEntry& e) { return e.key == "optimizer" && e.value.is_string(); });
  for (SourceEntry& entry : entries) {
    if (older && entry.key.starts_with(kOlder) && !entry.key.starts_with("optimizer_defaults")) {
      entry.key = "optimizer." + entry.key.substr(kOlder.size());
    }
  }
}

/// The window keeps settings for each optimizer. Where it has some for the chosen one, it loads
/// them over that optimizer's defaults, and reads no others; one without a value counts too. Runs
/// without the window read the optimizer's alone.
void name_kept_settings(std::vector<SourceEntry>& entries) {
  const auto find = [&](std::string_view key) {
    return std::ranges::find(entries, key, &SourceEntry::key);
  };
  std::string chosen = "ADAMW";
  for (const char* key : {"optimizer", "optimizer.optimizer"}) {
    if (const auto found = find(key); found != entries.end() && found->value.is_string()) {
      chosen = found->value.get<std::string>();
    }
  }
  const std::string kept = "optimizer_defaults." + chosen + ".", own = "optimizer.";
  const auto is_kept = [&](const SourceEntry& entry) { return entry.key.starts_with(kept); };
  if (std::ranges::none_of(entries, is_kept)) {
    return;
  }
  for (SourceEntry& entry : entries) {
    if (!entry.key.starts_with(own)) {
      continue;
    }
    const bool chooses = entry.key == own + "optimizer";
    const auto better = find(kept + entry.key.substr(own.size()));
    if (better != entries.end() && (chooses || better->value == entry.value)) {
      better->superseded_by = entry.path;
      continue;
    }
    if (chooses) {
      continue;
    }
    entry.passed_over =
        message<"OneTrainer's window loads the settings that it keeps for each optimizer.">();
    if (better != entries.end()) {
      entry.superseded_by = better->path;
    }
  }
  for (SourceEntry& entry : entries) {
    if (is_kept(entry) && entry.superseded_by.empty()) {
      entry.key = own + entry.key.substr(kept.size());
    }
  }
}

/// A part with the keys that the file has for it, older names among them; null without one.
struct PartKeys {
  const char *name, *train, *rate;
  bool is_text() const { return name[0] == 't'; }
  bool is_second() const { return std::string_view(name) == "te2"; }
};

std::array<PartKeys, 3> part_keys(const OneTrainer& o) {
  const bool transformer = !o.has_unet();
  return {
      {{"denoiser", first_key(o, {transformer ? "transformer.train" : "unet.train", "train_unet"}),
        first_key(o, {transformer ? "transformer.learning_rate" : "unet.learning_rate",
                      "unet_learning_rate"})},
       {"te1", first_key(o, {"text_encoder.train", "train_text_encoder"}),
        first_key(o, {"text_encoder.learning_rate", "text_encoder_learning_rate"})},
       {"te2", first_key(o, {"text_encoder_2.train", "train_text_encoder_2"}),
        first_key(o, {"text_encoder_2.learning_rate", "text_encoder_2_learning_rate"})}}};
}

/// Whether a part is trained here. Without a word of it, one that the model has is trained there;
/// rows tell of text encoders that stay frozen here.
bool is_trained(OneTrainer& o, const PartKeys& part) {
  const int encoders = o.trained_encoders();
  const bool exists = !part.is_text() || encoders > (part.is_second() ? 1 : 0);
  const bool there =
      part.train == nullptr ? exists : o.flag(part.train) && (!part.is_second() || encoders > 1);
  const bool frozen_here = there && part.is_text() && !o.has_unet() && encoders == 0;
  if (part.train != nullptr) {
    o.mark(part.train, {"training.parts"});
  }
  if (frozen_here) {
    o.change(*o.row(part.train), message<"Text encoders of this model family stay frozen here.">());
  }
  return there && !frozen_here;
}

/// Text encoders of the model of which the file says nothing.
std::vector<std::string> silent_encoders(const OneTrainer& o, std::span<const PartKeys> parts) {
  const int encoders = o.trained_encoders();
  std::vector<std::string> keys;
  for (const PartKeys& part : parts) {
    if (part.is_text() && part.train == nullptr && encoders > (part.is_second() ? 1 : 0)) {
      keys.emplace_back(part.is_second() ? "text_encoder_2.train" : "text_encoder.train");
    }
  }
  return keys;
}

void take_general_rate(OneTrainer& o, double general, double main) {
  ImportRow* row = o.find("learning_rate") != nullptr ? o.row("learning_rate") : nullptr;
  if (row != nullptr && main == general) {
    o.take(*row, "optimizer.learning_rate", general);
    return;
  }
  ImportRow scratch;
  o.take(scratch, "optimizer.learning_rate", main);
  if (row != nullptr) {
    o.ignore(*row, message<"The rates of the parts count instead.">());
  }
}

void finish_parts(OneTrainer& o) {
  const std::array<PartKeys, 3> parts = part_keys(o);
  const double general = offered_rate(o.number("learning_rate", 3e-6));
  Json list = Json::array(), groups = Json::array();
  std::optional<double> main;
  for (const PartKeys& part : parts) {
    const double rate = offered_rate(part.rate == nullptr ? general : o.number(part.rate, general));
    if (!is_trained(o, part)) {
      if (ImportRow* row = part.rate == nullptr ? nullptr : o.row(part.rate)) {
        o.ignore(*row, message<"This part is not trained there.">());
      }
      continue;
    }
    list.push_back(part.name);
    const bool differs = main && rate != *main;
    if (differs) {
      groups.push_back({{"part", part.name}, {"learning_rate", rate}});
    }
    main = main.value_or(rate);
    if (part.rate != nullptr) {
      o.mark(part.rate, {differs ? "optimizer.groups" : "optimizer.learning_rate"});
    }
  }
  if (list.empty()) {
    list.push_back("denoiser");
  }
  ImportRow scratch;
  o.take(scratch, "training.parts", list);
  for (const std::string& key : silent_encoders(o, parts)) {
    o.assume(key, "training.parts", list, message<"Not given: OneTrainer's default.">());
  }
  if (!groups.empty()) {
    o.take(scratch, "optimizer.groups", groups);
  }
  take_general_rate(o, general, main.value_or(general));
  for (const PartKeys& part : parts) {
    if (part.rate != nullptr && o.row(part.rate)->fate == ImportFate::mapped) {
      mark_rate(o, part.rate);
    }
  }
}

/// Text encoders end after 30 epochs there, unless they are given another end.
void tell_ends(OneTrainer& o) {
  constexpr double kUsualEnd = 30;
  const auto trains = [&](const Part& part) {
    const auto& parts = o.chosen().training.parts;
    return std::ranges::find(parts, part) != parts.end();
  };
  for (const auto& [part, name] :
       {std::pair{kTe1, "text_encoder"}, std::pair{kTe2, "text_encoder_2"}}) {
    const std::string end = std::string(name) + ".stop_training_after";
    const std::string unit = o.text(end + "_unit");
    const std::string flat = std::string("train_") + name + "_epochs";
    if (trains(part) && (unit.empty() || unit == "EPOCH") && o.find(flat) == nullptr &&
        o.number("epochs", 100) > kUsualEnd) {
      o.differ(end, kUsualEnd,
               message<"Not given: trained for the first 30 epochs there, for the "
                       "whole run here.">());
    }
  }
}

/// Those that train there by default, though frozen here.
void tell_frozen_encoder(OneTrainer& o) {
  if (o.is_model("PIXART") && o.find("train_text_encoder") == nullptr) {
    o.differ("text_encoder.train", true,
             message<"Text encoders of this model family stay frozen here.">());
  }
}

bool has_rate(const OneTrainer& o) {
  return first_key(o, {"unet.learning_rate", "transformer.learning_rate", "unet_learning_rate",
                       "text_encoder.learning_rate", "text_encoder_learning_rate"}) != nullptr;
}

/// What it gives optimizers that the file doesn't.
OptimizerDefaults onetrainer_optimizer(std::string_view name) {
  OptimizerDefaults usual = library_defaults(name);
  if (name == "SCHEDULE_FREE_ADAMW") {
    usual.weight_decay = 0.01;
  } else if (name == "MUON") {
    usual.weight_decay = 0;
  } else if (name == "LION_8BIT") {
    usual.beta2 = 0.999;
  }
  return usual;
}

/// Old files name the optimizer alone.
void finish_optimizer(OneTrainer& o, const Message& note) {
  const char* key = first_key(o, {"optimizer.optimizer", "optimizer"});
  if (key == nullptr) {
    return;  // AdamW, whose defaults are ours
  }
  const char* decay = first_key(o, {"optimizer.weight_decay", "weight_decay"});
  assume_optimizer(o, onetrainer_optimizer(short_value(*o.find(key))),
                   {.beta1 = "optimizer.beta1",
                    .beta2 = "optimizer.beta2",
                    .momentum = "optimizer.momentum",
                    .eps = "optimizer.eps",
                    .weight_decay = decay == nullptr ? "optimizer.weight_decay" : decay},
                   note);
  if (o.chosen().optimizer.type == OptimizerType::adafactor) {
    mark_adafactor(o, *o.row(key), o.flag("optimizer.relative_step"),
                   o.flag("optimizer.scale_parameter"));
  }
}

/// How often it acts where the file leaves the number out, in the unit that the file names.
struct UsualInterval {
  const char* key;
  double number;
  const char *minutes, *steps, *epochs;
};
constexpr UsualInterval kUsualBackup{"backup_after", 30, "output.save_minutes", "output.save_every",
                                     "output.save_epochs"};
constexpr UsualInterval kUsualSample{"sample_after", 10, "samples.every_minutes", "samples.every",
                                     "samples.every_epochs"};

void assume_interval(OneTrainer& o, const UsualInterval& usual, const Message& note) {
  const std::string unit = o.text(std::string(usual.key) + "_unit");
  if (unit == "STEP") {
    o.assume(usual.key, usual.steps, std::ceil(usual.number / o.batches()), note);
  } else if (unit == "EPOCH") {
    o.assume(usual.key, usual.epochs, usual.number, note);
  } else if (unit.empty() || unit == "MINUTE" || unit == "HOUR" || unit == "SECOND") {
    const double minutes = unit == "HOUR" ? 60 : unit == "SECOND" ? 1.0 / 60 : 1;
    o.assume(usual.key, usual.minutes, usual.number * minutes, note);
  }
}

/// Saving and backing up are one here: what is saved by steps or time takes the place of backups.
void finish_intervals(OneTrainer& o, const Message& note) {
  const char* saves = first_key(o, {"save_every_unit", "save_after_unit"});
  const std::string unit = saves == nullptr ? "" : o.text(saves);
  const bool by_itself = unit.empty() || unit == "NEVER" || unit == "EPOCH";
  if (by_itself || first_key(o, {"save_every", "save_after"}) == nullptr) {
    assume_interval(o, kUsualBackup, note);
  }
  if (!o.preset().samples.prompts.empty()) {
    assume_interval(o, kUsualSample, note);
  }
}

void finish_defaults(OneTrainer& o) {
  const Message note = message<"Not given: OneTrainer's default.">();
  if (o.lacks("learning_rate") && !has_rate(o)) {
    o.assume("learning_rate", "optimizer.learning_rate", 3e-6, note);
  }
  finish_optimizer(o, note);
  if (!o.own_resolution) {
    o.assume("resolution", "data.resolution", 512, note);
  }
  if (o.lacks("aspect_ratio_bucketing")) {
    o.assume("aspect_ratio_bucketing", "data.bucket_rule", "onetrainer", note);
  }
  if (has_flow(o.chosen()) && !o.flag("dynamic_timestep_shifting")) {
    o.assume("timestep_shift", "training.flow_shift", 1, note);
  }
  if (first_key(o, {"gradient_checkpointing", "unet.gradient_checkpointing",
                    "transformer.gradient_checkpointing"}) == nullptr) {
    o.assume("gradient_checkpointing", "training.gradient_checkpointing", true, note);
  }
  if (!o.is_whole_lokr()) {
    o.assume(o.is_lokr() ? "lokr_dim" : "lora_rank", "adapter.rank", 16, note);
    o.assume("lora_alpha", "adapter.alpha", alpha_here(o, 1, o.rank_there()), note);
  }
  o.assume("learning_rate_warmup_steps", "schedule.warmup_steps",
           o.is_schedule_free() ? 200 : std::floor(200 / o.batches()), note);
  o.assume("epochs", "training.epochs", 100, note);
  const ScheduleType schedule = o.chosen().schedule.type;
  if (schedule == ScheduleType::cosine_restarts || schedule == ScheduleType::cosine_waves) {
    o.assume("learning_rate_cycles", "schedule.cycles", 1, note);
  }
  o.assume("train_dtype", "precision.compute", o.compute_type("fp16"), note);
  if (o.flag("masked_training")) {
    o.assume("unmasked_weight", "data.unmasked_weight", 0.1, note);
  }
  if (o.lacks("layer_filter_preset") && o.lacks("lora_layer_preset")) {
    o.assume("layer_filter_preset", "adapter.targets", "linear+conv", note);
  }
  finish_intervals(o, note);
  if (o.preset().adapter.type == AdapterType::dora) {
    o.assume("lora_decompose_output_axis", "adapter.dora_axis", "input", note);
  }
}

}  // namespace

ImportResult import_onetrainer(const JsonNode& root, std::string_view source_name) {
  std::vector<SourceEntry> entries = flatten_tree(root);
  rename_older_keys(entries);
  name_kept_settings(entries);
  OneTrainer o(std::move(entries), ImportFormat::onetrainer, source_name);
  run_rules<OneTrainer>(o, onetrainer_model_rules());
  run_rules<OneTrainer>(o, onetrainer_lokr_rules());
  run_rules<OneTrainer>(o, onetrainer_training_rules());
  run_rules<OneTrainer>(o, onetrainer_noise_rules());
  run_rules<OneTrainer>(o, onetrainer_unused_rules());
  answer_onetrainer_groups(o);
  o.assume("training_method", "training.method", "full",
           message<"Not given: OneTrainer's default.">());
  finish_parts(o);
  finish_onetrainer_embeddings(o);
  tell_ends(o);
  tell_frozen_encoder(o);
  finish_defaults(o);
  return o.finish();
}

bool looks_like_onetrainer(const JsonNode& root) {
  const auto has = [&](std::string_view key) { return find_member(root, key) != nullptr; };
  return has("training_method") || has("base_model_name") ||
         (has("model_type") && has("learning_rate_scheduler"));
}

}  // namespace mantissa
