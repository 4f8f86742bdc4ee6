#include "engine/preset/import_values.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>

#include "engine/core/ascii.h"
#include "engine/preset/import_optimizers.h"
#include "engine/preset/names.h"
#include "engine/preset/schema.h"
#include "engine/preset/value_io.h"

namespace mantissa {

void take_optimizer(ImportContext& context, ImportRow& row, std::string_view given) {
  const std::string name = lower_ascii(given);
  const auto has = [&](std::string_view part) { return name.find(part) != std::string::npos; };
  const auto take = [&](std::string_view type, const Message& change = {}) {
    context.take(row, "optimizer.type", type);
    if (!change.empty()) {
      context.change(row, change);
    }
  };
  const Message unpaged = message<"State is not paged to the host here.">();
  const Message momentum = message<"Plain momentum, from the first of optimizer.betas.">();
  const Message of_that_kind = message<"The usual form of this optimizer.">();
  const bool paged = name.starts_with("paged") || name.ends_with("-paged");
  std::string_view plain = std::string_view(name).substr(name.starts_with("paged") ? 5 : 0);
  plain.remove_suffix(plain.ends_with("-paged") ? 6 : plain.ends_with("32bit") ? 5 : 0);
  if (take_averaging_optimizer(context, row, name) || take_automagic(context, row, given)) {
    return;
  }
  if (enum_from_name<OptimizerType>(name)) {
    take(name, name == "sgd" ? momentum : Message());
  } else if (name == "adam") {
    take("adamw");
  } else if (plain == "adamw8bit" || plain == "adam8bit" || name == "adamw8" || name == "adam8") {
    take("adamw8bit", paged ? unpaged : Message());
  } else if (has("adamw8bit")) {
    take("adamw8bit", of_that_kind);
  } else if (plain == "adamw" || plain == "adam") {
    take("adamw", unpaged);
  } else if (has("dadapt")) {  // in front of those that it has forms of
    take("prodigy", message<"D-Adaptation's successor: it also finds the rate by itself.">());
  } else if (has("lion")) {
    take("lion", plain != "lion" && plain != "lion8bit" ? of_that_kind
                 : paged                                ? unpaged
                                                        : Message());
    if (has("8bit")) {
      context.take(row, "precision.optimizer_state", "8bit");
    }
  } else if (has("prodigy")) {
    take("prodigy", message<"Prodigy itself, without the extensions.">());
  } else if (has("adafactor")) {
    take("adafactor", of_that_kind);
  } else if (has("came")) {
    take("came", of_that_kind);
  } else if (has("sgd")) {
    take("sgd", momentum);
  } else {
    take("adamw",
         message<"This optimizer is not offered here: adamw instead. Module names are never "
                 "loaded from a configuration.">());
  }
}

double updates_of(double batches, double each) {
  return std::ceil(batches / each);
}

void take_steps(ImportContext& context, ImportRow& row, std::string_view target,
                const nlohmann::json& value, double batches) {
  const std::optional<double> steps = as_number(value);
  if (!steps || batches <= 1) {
    context.take(row, target, value);
  } else {
    context.take_changed(row, target, updates_of(*steps, batches),
                         message<"Counts batches there, of which gradient_accumulation_steps are "
                                 "one update, a step here.">());
  }
}

double offered_rate(double rate) {
  const Setting& setting = require_setting("optimizer.learning_rate");
  return std::clamp(rate, setting.min, setting.max);
}

void mark_rate(ImportContext& context, std::string_view key) {
  const nlohmann::json* given = context.find(key);
  if (given != nullptr && !given->is_array() && !as_number(*given)) {
    context.change(*context.row(key), message<"Not taken: not a number.">());
    return;
  }
  const double rate = context.number(key, 0);
  if (offered_rate(rate) != rate) {
    context.change(*context.row(key),
                   message<"Not offered here: {given}; the nearest is {value}.">(
                       short_value(value_io::number_to_json(rate)),
                       short_value(value_io::number_to_json(offered_rate(rate)))));
  }
}

bool ignore_for_flow(ImportContext& context, ImportRow& row) {
  if (!has_flow(context.chosen())) {
    return false;
  }
  context.ignore(row, message<"Counts for Stable Diffusion only there.">());
  return true;
}

void answer_guidance(ImportContext& context, ImportRow& row, const nlohmann::json& value) {
  if (family_row(context.chosen().model.family).reads_guidance && as_number(value) != 1.0) {
    context.change(row, kGuidanceNote.said());
  } else {
    context.ignore(row, kGuidanceNote.said());
  }
}

void answer_caption_mask(ImportContext& context, ImportRow& row, const nlohmann::json& value) {
  if (family_row(context.chosen().model.family).reads_padding && !is_off(value)) {
    context.change(row, message<"Not offered here: {what}.">(kT5Mask.said()));
  } else {
    context.ignore(row, message<"Captions have the mask of their model family.">());
  }
}

void take_loss(ImportContext& context, ImportRow& row, std::string_view given) {
  const std::string name = lower_ascii(given);
  if (name == "l2" || name == "mse") {
    context.take(row, "training.loss", "mse");
  } else if (name == "huber" || name == "smooth_l1") {
    context.take(row, "training.loss", name);
  } else {
    context.take_changed(
        row, "training.loss", "mse",
        message<"Not offered here: {name} as the loss; the squared error instead.">(
            short_value(nlohmann::json(std::string(given)))));
  }
}

namespace {

/// The value of a flag as a member of samples.prompts; null if it is none.
nlohmann::json flag_value(std::string_view key, std::string_view text) {
  if (key == "negative") {
    return text;
  }
  const auto number = as_number(nlohmann::json(text));
  if (!number) {
    return nullptr;
  }
  return key == "guidance" || std::abs(*number) > 9e15
             ? nlohmann::json(*number)
             : nlohmann::json(static_cast<std::int64_t>(*number));
}

}  // namespace

nlohmann::json prompt_with_flags(std::string_view line, std::span<const PromptFlag> flags,
                                 std::set<std::string>& unread) {
  nlohmann::json item = nlohmann::json::object();
  const std::size_t first = std::min(line.find(" --"), line.size());
  item["prompt"] = trimmed(line.substr(0, first));
  std::map<std::string, std::size_t> taken;  // the place in `flags` of what set a member
  for (std::size_t at = first; at < line.size();) {
    const std::size_t end = std::min(line.find(" --", at + 1), line.size());
    const std::string_view option = trimmed(line.substr(at + 3, end - at - 3));
    const std::size_t space = std::min(option.find(' '), option.size());
    const std::string name = lower_ascii(option.substr(0, space));
    const auto flag = std::ranges::find(flags, std::string_view(name), &PromptFlag::flag);
    const auto place = static_cast<std::size_t>(flag - flags.begin());
    nlohmann::json value;
    if (flag != flags.end() && !flag->key.empty()) {
      value = flag_value(flag->key, trimmed(option.substr(space)));
    }
    if (value.is_null()) {
      if (flag == flags.end() || !flag->key.empty()) {
        unread.insert("--" + name);
      }
    } else if (const std::string key(flag->key); !taken.contains(key) || taken[key] <= place) {
      item[key] = std::move(value);
      taken[key] = place;
    }
    at = end;
  }
  return item;
}

void take_prompts(ImportContext& context, ImportRow& row, const nlohmann::json& list,
                  const std::set<std::string>& unread) {
  if (context.take(row, "samples.prompts", list) && !unread.empty()) {
    std::string names;
    for (const std::string& name : unread) {
      names += (names.empty() ? "" : ", ") + short_value(nlohmann::json(name));
    }
    context.change(
        row, message<"The prompts without their {flags}, which samples don't have here.">(names));
  }
}

void take_mixed_precision(ImportContext& context, ImportRow& row, std::string_view given) {
  const std::string name = lower_ascii(given);
  const bool fp8 = name == "fp8";
  const std::string type = name == "no" ? "fp32" : fp8 ? "bf16" : name;
  if (!context.take(row, "precision.compute", fp8 ? "fp8" : type)) {
    return;
  }
  context.take(row, "precision.weights.denoiser", type);
  context.take(row, "precision.weights.text_encoders", type);
  context.take(row, "precision.weights.vae", type);
}

std::string_view torch_dtype(std::string_view given) {
  static constexpr std::pair<std::string_view, std::string_view> kTypes[] = {
      {"float32", "fp32"},    {"float", "fp32"},
      {"fp32", "fp32"},       {"float16", "fp16"},
      {"half", "fp16"},       {"fp16", "fp16"},
      {"bf16", "bf16"},       {"bfloat16", "bf16"},
      {"fp8", "fp8_e4m3"},    {"float8_e4m3fn", "fp8_e4m3"},
      {"float8", "fp8_e4m3"}, {"float8_e5m2", "fp8_e5m2"},
      {"int8", "int8"}};
  std::string name = lower_ascii(given);
  name = name.substr(name.rfind('.') + 1);
  for (const auto& [theirs, ours] : kTypes) {
    if (theirs == name) {
      return ours;
    }
  }
  return {};
}

void take_versions(ImportContext& context, ImportRow& row, int count) {
  const int most = static_cast<int>(require_setting("data.variants").max);
  context.take(row, "data.variants", std::clamp(count, context.chosen().data.variants, most));
}

void take_random_crop(ImportContext& context, ImportRow& row, const nlohmann::json& value) {
  if (is_off(value)) {
    context.ignore(row, message<"Not used there.">());
    return;
  }
  take_versions(context, row, kDrawnVersions);
  context.take_changed(row, "data.crop_jitter", kLeastJitter,
                       message<"Every step drew another crop there; here each of 8 versions of an "
                               "image has another crop, enlarged by up to 1% more.">());
}

void take_area(ImportContext& context, ImportRow& row, double width, double height) {
  const double side = width > 0 && height > 0 ? std::round(std::sqrt(width * height)) : 0;
  if (context.take(row, "data.resolution", side) && width != height &&
      row.fate != ImportFate::changed) {
    context.change(row, same_area_note(width, height));
  }
}

Message same_area_note(double width, double height) {
  return message<"The side of the square with the same area as {width} x {height}.">(
      fmt::format("{:g}", width), fmt::format("{:g}", height));
}

}  // namespace mantissa
