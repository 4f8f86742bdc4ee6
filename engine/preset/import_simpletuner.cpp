// Facts about SimpleTuner behind this table: keys may have the dashes of its command line; alpha
// defaults to the rank, dropout to 0.1, the rate to 4e-7; a LoRA covers the projections of the
// attention; noise levels of flow models are a sigmoid of a normal, shifted by 3; one file holds
// the settings, another one the list of data backends, which can repeat an image n times more.

#include "engine/preset/import_simpletuner.h"

#include <algorithm>
#include <fmt/format.h>
#include <sstream>

#include "engine/preset/import_families.h"
#include "engine/preset/import_optimizers.h"
#include "engine/preset/import_sets.h"
#include "engine/preset/import_simpletuner_rules.h"
#include "engine/preset/import_values.h"

namespace mantissa {
namespace {

using Json = nlohmann::json;

constexpr std::string_view kOptimizerConfig = "optimizer_config";

bool is_backend(const JsonNode& node) {
  return find_member(node, "id") != nullptr &&
         (find_member(node, "type") != nullptr || find_member(node, "dataset_type") != nullptr);
}

/// Images, in contrast to caches and conditioning.
bool holds_images(const JsonNode& backend) {
  const JsonNode* type = find_member(backend, "dataset_type");
  return type == nullptr || type->scalar == "image";
}

Message reason_against(const JsonNode& backend) {
  return is_on(backend, "disabled") || is_on(backend, "disable") ? kDisabledSet.said()
         : is_on(backend, "is_regularisation_data") || is_on(backend, "is_regularization_data")
             ? kRegularisationSet.said()
             : Message();
}

bool has_rule(std::string_view name) {
  const auto tables = {simpletuner_model_rules(), simpletuner_training_rules(),
                       simpletuner_flux1_rules(), simpletuner_unused_rules()};
  return std::any_of(tables.begin(), tables.end(), [&](const auto& rules) {
    return std::any_of(rules.begin(), rules.end(),
                       [&](const SimpleTunerRule& rule) { return rule.key == name; });
  });
}

/// Sections are dissolved: their keys count by their own names. Values may be objects too.
void add_section(const JsonNode& section, const std::string& path, std::vector<SourceEntry>& out) {
  for (const JsonNode::Member& m : section.members) {
    const std::string name = plain_name(m.key);
    if (m.node.is_object && !m.node.members.empty() && !has_rule(name)) {
      add_section(m.node, path + m.key + ".", out);
    } else {
      out.push_back({path + m.key, name, m.node.value(), m.line});
    }
  }
}

/// Whether the tree has one of these keys, in sections too.
bool has_key(const JsonNode& section, std::initializer_list<std::string_view> names) {
  return std::any_of(
      section.members.begin(), section.members.end(), [&](const JsonNode::Member& m) {
        const std::string name = plain_name(m.key);
        return std::find(names.begin(), names.end(), name) != names.end() || has_key(m.node, names);
      });
}

std::vector<SourceEntry> simpletuner_entries(const JsonNode& root) {
  std::vector<SourceEntry> out;
  add_section(root, "", out);
  std::vector<JsonNode> sets;
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < root.items.size(); ++i) {
    if (holds_images(root.items[i])) {
      sets.push_back(root.items[i]);
      places.push_back(i);
    }
  }
  const std::size_t counting = sets.empty() ? 0 : places[counting_set(sets, reason_against)];
  for (std::size_t i = 0; i < root.items.size(); ++i) {
    const std::string path = fmt::format("[{}]", i);
    const bool images = holds_images(root.items[i]);
    for (SourceEntry& entry : flatten_tree(root.items[i])) {
      entry.path = path + "." + entry.path;
      if (images) {
        entry.key = "data." + entry.key;
        if (i != counting) {
          entry.superseded_by = fmt::format("[{}]", counting);
          entry.passed_over = reason_against(root.items[i]);
        }
      } else {
        entry.key = entry.path;  // which no rule knows
      }
      out.push_back(std::move(entry));
    }
  }
  return out;
}

/// Arguments of the optimizer, "eps=1e-6,weight_decay=0", as entries of their own. A piece without
/// a name belongs to the one before it: "betas=0.9,0.99".
std::vector<SourceEntry> with_optimizer_arguments(std::vector<SourceEntry> entries) {
  std::vector<SourceEntry> out;
  for (SourceEntry& entry : entries) {
    const bool text = entry.value.is_string() && !is_unset(entry.value);
    if (entry.key != kOptimizerConfig || !(text || entry.value.is_object())) {
      out.push_back(std::move(entry));
      continue;
    }
    const auto add = [&](const std::string& name, const Json& value) {
      const std::string full = name.empty() ? "" : "." + name;
      out.push_back({entry.path + full, entry.key + full, value, entry.line, entry.superseded_by});
    };
    if (!text) {
      for (const auto& [name, value] : entry.value.items()) {
        add(name, value);
      }
      continue;
    }
    std::string words = entry.value.get<std::string>();
    for (std::size_t i = 0; i < words.size(); ++i) {
      const std::size_t next = words.find_first_of(",=", i + 1);
      words[i] =
          words[i] == ',' && next != std::string::npos && words[next] == '=' ? ' ' : words[i];
    }
    for (const auto& [name, value] : split_arguments(words)) {
      add(name, value);
    }
  }
  return out;
}

void finish_parts(SimpleTuner& s) {
  const int encoders = s.is_sd2() ? 1 : family_row(s.preset().model.family).adapted_encoders();
  const double rate = offered_rate(s.number("learning_rate", 4e-7));
  const double text_rate = offered_rate(s.number("text_encoder_lr", rate));
  const bool asked = s.flag("train_text_encoder");
  const bool text = asked && encoders > 0;
  Json parts = {"denoiser"}, groups = Json::array();
  for (const char* part : {"te1", "te2"}) {
    if (text && (part[2] == '1' || encoders > 1)) {
      parts.push_back(part);
      if (text_rate != rate) {
        groups.push_back({{"part", part}, {"learning_rate", text_rate}});
      }
    }
  }
  ImportRow scratch;
  s.take(scratch, "training.parts", parts);
  s.mark("train_text_encoder", {"training.parts"});
  if (asked && !text) {
    s.change(*s.row("train_text_encoder"),
             message<"Text encoders of this model family stay frozen here.">());
  }
  if (!groups.empty() && s.take(scratch, "optimizer.groups", groups)) {
    s.mark("text_encoder_lr", {"optimizer.groups"});
  }
  mark_rate(s, "text_encoder_lr");
}

/// "1024x768", "1024", or several of them with commas: pairs of a width and a height. `all`:
/// whether each was one.
std::vector<std::pair<int, int>> validation_sizes(const SimpleTuner& s, bool& all) {
  std::vector<std::pair<int, int>> sizes;
  const Json* given = s.find("validation_resolution");
  std::istringstream in(given == nullptr ? "" : short_value(*given));
  for (std::string one; std::getline(in, one, ',');) {
    std::erase(one, ' ');
    const std::size_t cross = one.find('x');
    const auto width = as_number(Json(one.substr(0, cross)));
    const auto height = cross == std::string::npos ? width : as_number(Json(one.substr(cross + 1)));
    if (width && height && *width > 0 && *width < 1e6 && *height > 0 && *height < 1e6) {
      sizes.emplace_back(static_cast<int>(*width), static_cast<int>(*height));
    } else {
      all = false;
    }
  }
  return sizes;
}

/// One prompt, of several keys, in every size.
void finish_samples(SimpleTuner& s) {
  if (s.find("validation_prompt") == nullptr || s.flag("validation_disable")) {
    return;
  }
  Json item = {{"prompt", s.text("validation_prompt")}};
  const std::string negative = s.text("validation_negative_prompt");
  if (!negative.empty()) {
    item["negative"] = negative;
  }
  static constexpr std::pair<const char*, const char*> kNumbers[] = {
      {"validation_seed", "seed"},
      {"validation_num_inference_steps", "steps"},
      {"validation_guidance", "guidance"}};
  for (const auto& [theirs, ours] : kNumbers) {
    if (const Json* value = s.find(theirs); value != nullptr && value->is_number()) {
      item[ours] = *value;
    }
  }
  bool all_sizes = true;
  Json list = Json::array();
  for (const auto& [width, height] : validation_sizes(s, all_sizes)) {
    list.push_back(item);
    list.back()["width"] = width;
    list.back()["height"] = height;
  }
  if (list.empty()) {
    list.push_back(item);
  }
  if (!s.take(*s.row("validation_prompt"), "samples.prompts", list)) {
    return;
  }
  for (const char* key :
       {"validation_negative_prompt", "validation_seed", "validation_num_inference_steps",
        "validation_guidance", "validation_resolution"}) {
    s.mark(key, {"samples.prompts"});
  }
  if (!all_sizes) {
    s.change(*s.row("validation_resolution"),
             message<"Not taken: neither a side nor width x height.">());
  }
}

/// Each library's: optimi has other betas, bitsandbytes and torchao another epsilon.
OptimizerDefaults simpletuner_optimizer(std::string_view name) {
  OptimizerDefaults usual = library_defaults(name);
  const bool adamw = name.find("adamw") != std::string_view::npos;
  if (name.starts_with("optimi-") && !name.ends_with("sgd")) {
    usual = {.beta2 = 0.99, .eps = 1e-6, .weight_decay = name == "optimi-stableadamw" ? 0.01 : 0};
  } else if (name.starts_with("adamw_schedulefree+")) {
    usual = {.eps = 1e-6, .weight_decay = 1e-3};
  } else if (adamw && !name.starts_with("torch-") && name != "adamw_schedulefree") {
    usual.eps = 1e-6;
  } else if (name == "adamw_schedulefree") {
    usual.weight_decay = 0.01;
  } else if (name == "prodigy") {
    usual.beta2 = 0.99;
  }
  return usual;
}

void finish_optimizer(SimpleTuner& s, const Message& note) {
  const Json* type = s.find("optimizer");
  if (type == nullptr) {
    return;
  }
  const std::string name = lower_ascii(short_value(*type));
  const bool pair = s.find("optimizer_config.betas") != nullptr;
  const bool deepspeed = s.flag("deepspeed_config");
  // Those of DeepSpeed count with it alone.
  const auto key = [&](std::string_view config, std::string_view adam, std::string_view other) {
    return deepspeed ? adam : s.find(config) != nullptr ? config : other;
  };
  assume_optimizer(s, deepspeed ? OptimizerDefaults{} : simpletuner_optimizer(name),
                   {.betas = pair ? "optimizer_config.betas" : "",
                    .beta1 = key("optimizer_config.beta1", "adam_beta1", "optimizer_beta1"),
                    .beta2 = key("optimizer_config.beta2", "adam_beta2", "optimizer_beta2"),
                    .momentum = {},
                    .eps = key("optimizer_config.eps", "adam_epsilon", "optimizer_config.eps"),
                    .weight_decay = key("optimizer_config.weight_decay", "adam_weight_decay",
                                        "optimizer_config.weight_decay")},
                   note);
  if (s.chosen().optimizer.type == OptimizerType::adafactor) {
    mark_adafactor(s, *s.row("optimizer"), false, true);  // PyTorch's
  }
}

/// A plain LoRA's layers, by the ends of their paths, of families whose attention has others too.
void assume_layers(SimpleTuner& s, const Message& note) {
  const std::string_view layers = family_row(s.chosen().model.family).elsewhere.simpletuner_layers;
  if (!s.trains_plain_lora() || layers.empty()) {
    return;
  }
  s.assume("peft_lora_target_modules", "adapter.targets", Json(foreign_names(layers)), note);
}

void finish_defaults(SimpleTuner& s) {
  const Message note = message<"Not given: the default of SimpleTuner.">();
  finish_simpletuner_schedule(s, note);
  s.assume("model_type", "training.method", "full", note);
  s.assume("lora_rank", "adapter.rank", 16, note);
  s.assume("lora_alpha", "adapter.alpha", s.preset().adapter.rank, note);  // of the rank here
  s.assume("lora_dropout", "adapter.dropout", 0.1, note);
  assume_layers(s, note);
  s.assume("caption_dropout_probability", "data.caption_dropout", 0.1, note);
  if (s.flag("offset_noise") && !has_flow(s.chosen())) {
    s.assume("noise_offset", "training.noise_offset", 0.1,
             joined<" ">({note, message<"At every step here, at a share of them there.">()}));
  }
  s.assume("mixed_precision", "precision.compute", "bf16", note);
  if (s.lacks("mixed_precision") && s.lacks("base_model_precision")) {
    s.assume("base_model_precision", "precision.weights.denoiser", "bf16", note);
  }
  s.assume("learning_rate", "optimizer.learning_rate", 4e-7, note);
  s.assume("train_batch_size", "data.batch_size", 4, note);
  s.assume("gradient_checkpointing", "training.gradient_checkpointing", true, note);
  s.assume(
      "max_grad_norm", "training.max_grad_norm", s.limits_gradients() ? kPixartClipping : 2,
      s.text("grad_clip_method") == "norm"
          ? note
          : message<"{note} Limits the norm of all gradients here, each of them there.">(note));
  if (s.lacks("checkpointing_steps")) {
    s.assume("checkpoint_step_interval", "output.save_every", 500, note);
  }
  s.assume("checkpoints_total_limit", "output.keep", 5, note);
  if (s.lacks("validation_steps") && !s.preset().samples.prompts.empty()) {
    s.assume("validation_step_interval", "samples.every", 100, note);
  }
  finish_optimizer(s, note);
  finish_simpletuner_timesteps(s, note);
  finish_flavour(s);
}

}  // namespace

std::string plain_name(std::string_view key) {
  std::string name(key.substr(std::min(key.find_first_not_of('-'), key.size())));
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

ImportResult import_simpletuner(const JsonNode& root, std::string_view source_name) {
  return import_simpletuner_entries(simpletuner_entries(root), source_name, root.is_array);
}

ImportResult import_simpletuner_entries(std::vector<SourceEntry> entries,
                                        std::string_view source_name, bool data_alone) {
  rename_older_keys(entries);
  SimpleTuner s(with_optimizer_arguments(std::move(entries)), ImportFormat::simpletuner,
                source_name);
  run_rules<SimpleTuner>(s, simpletuner_model_rules());
  run_rules<SimpleTuner>(s, simpletuner_training_rules());
  run_rules<SimpleTuner>(s, simpletuner_flux1_rules());
  run_rules<SimpleTuner>(s, simpletuner_unused_rules());
  answer_simpletuner_groups(s);
  finish_sets(s, {.folder = "data.instance_data_dir",
                  .repeats = "data.repeats",
                  .prefix = {},
                  .weight = {},
                  .first_use = 1});
  if (!data_alone) {
    finish_parts(s);
    finish_samples(s);
    finish_defaults(s);
  }
  return s.finish();
}

bool looks_like_simpletuner(const JsonNode& root) {
  return std::any_of(root.items.begin(), root.items.end(), is_backend) ||
         has_key(root, {"model_family", "data_backend_config"});
}

}  // namespace mantissa
