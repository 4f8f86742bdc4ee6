// defines: import_kohya, import_kohya_metadata, is_kohya_key
//
// Facts about sd-scripts and kohya_ss that this table rests on: sections of a configuration are
// dissolved; network_alpha defaults to 1; parts are trained unless switched off or given rate 0;
// networks.lora covers every linear layer of the transformers, and convolutions from conv_dim on.

#include "engine/preset/import_kohya.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "engine/preset/import_kohya_source.h"
#include "engine/preset/import_rules.h"

namespace mantissa {
namespace {

using Json = nlohmann::json;

struct Kohya : ImportContext {
  using ImportContext::ImportContext;
  bool sdxl = false, family_known = false;
  bool conv = false;

  /// kohya_ss only looks at conv_dim for the network types that have convolutions.
  bool conv_counts() const {
    const std::string type = text("LoRA_type");
    return type.empty() || type.find("LoCon") != std::string::npos ||
           type.find("LyCORIS") != std::string::npos;
  }
  double steps() const { return number("max_train_steps", 0); }
};

using Rule = ImportRule<Kohya>;
using enum Rule::Kind;

void family(Kohya& k, ImportRow& row, const Json& value) {
  const std::string text = value.is_string() ? lower_case(value.get<std::string>()) : "";
  const bool is_sdxl = row.source.find("base_model_version") != std::string::npos
                           ? text.rfind("sdxl", 0) == 0
                           : !is_off(value);
  const bool is_sd15 = text.rfind("sd_v1", 0) == 0 || (text.empty() && !is_sdxl);
  if (!is_sdxl &&
      (!is_sd15 || k.flag("v2") || k.flag("flux1_checkbox") || k.flag("sd3_checkbox"))) {
    k.ignore(row, "This model family is not offered here; auto tells by the file.");
    return;
  }
  k.take(row, "model.family", is_sdxl ? "sdxl" : "sd15");
  k.sdxl = is_sdxl;
  k.family_known = true;
}

void other_family(Kohya& k, ImportRow& row, const Json& value) {
  k.ignore(row, is_off(value) ? "Not used there."
                              : "Not offered here: this model family; the rest is taken over.");
}

void prediction(Kohya& k, ImportRow& row, const Json& value) {
  k.take(row, "training.prediction", is_off(value) ? "epsilon" : "v");
}

void network(Kohya& k, ImportRow& row, const Json& value) {
  const std::string name = lower_case(value.is_string() ? value.get<std::string>() : "");
  const auto has = [&](std::string_view part) { return name.find(part) != std::string::npos; };
  k.take(row, "adapter.type", "lora");
  k.take(row, "adapter.targets", "attention+mlp");
  const bool plain =
      name == "networks.lora" || name == "standard" || has("locon") || has("lycoris.kohya");
  if (!plain) {
    k.change(row, fmt::format("{} is not offered here: a LoRA of the same rank instead.",
                              short_value(value)));
  }
}

void algorithm(Kohya& k, ImportRow& row, const Json& value) {
  const std::string name = lower_case(short_value(value));
  if (name == "lora" || name == "locon") {
    k.take(row, "adapter.type", k.preset().adapter.type == AdapterType::dora ? "dora" : "lora");
  } else {
    k.take_changed(row, "adapter.type", "lora",
                   fmt::format("{} is not offered here: a LoRA of the same rank instead.",
                               short_value(value)));
  }
}

void targets(Kohya& k, ImportRow& row, const Json& value) {
  const std::string name = lower_case(short_value(value));
  if (k.find("LoRA_type") != nullptr && k.text("LoRA_type").find("LyCORIS") == std::string::npos) {
    k.ignore(row, "Counts only for LyCORIS networks there.");
  } else if (name == "full") {
    k.take(row, "adapter.targets", "linear+conv");
  } else if (name == "attn-mlp") {
    k.take(row, "adapter.targets", "attention+mlp");
  } else if (name == "attn-only") {
    k.take(row, "adapter.targets", "attention");
  } else if (name == "full-lin") {
    k.take_changed(row, "adapter.targets", "attention+mlp",
                   "Linear layers outside of the transformers are left out.");
  } else {
    k.ignore(row, "Not known here: a set of layers; see adapter.targets.");
  }
}

void conv_dim(Kohya& k, ImportRow& row, const Json& value) {
  if (is_off(value)) {
    k.ignore(row, "No convolutions there.");
  } else if (!k.conv_counts()) {
    k.ignore(row, "Counts only for network types with convolutions there.");
  } else if (k.take(row, "adapter.conv_rank", value)) {
    k.take(row, "adapter.targets", "linear+conv");
    k.conv = true;
  }
}

void conv_alpha(Kohya& k, ImportRow& row, const Json& value) {
  if (!k.conv) {
    k.ignore(row, "No convolutions there.");
  } else if (as_number(value) == std::optional(k.preset().adapter.alpha)) {
    k.take(row, "adapter.alpha", value);
  } else {
    k.ignore(row, fmt::format("Convolutions share adapter.alpha ({:g}) here.",
                              k.preset().adapter.alpha));
  }
}

void dropout(Kohya& k, ImportRow& row, const Json& value) {
  if (is_off(value)) {
    k.take(row, "adapter.dropout", value);
  } else {
    k.take_changed(row, "adapter.dropout", value,
                   "Zeroes inputs of the adapter here, its inner channels there.");
  }
}

void dora(Kohya& k, ImportRow& row, const Json& value) {
  if (is_off(value)) {
    k.ignore(row, "Not used there.");
  } else {
    k.take(row, "adapter.type", "dora");
  }
}

void dora_axis(Kohya& k, ImportRow& row, const Json& value) {
  k.take(row, "adapter.dora_axis", is_off(value) ? "input" : "output");
}

void rslora(Kohya& k, ImportRow& row, const Json& value) {
  k.take(row, "adapter.scaling", is_off(value) ? "standard" : "rslora");
}

void lora_plus(Kohya& k, ImportRow& row, const Json& value) {
  if (is_off(value)) {
    k.ignore(row, "Not used there.");
  } else if (row.source.find("unet") != std::string::npos) {
    k.take_changed(row, "adapter.lora_plus_ratio", value, "Holds for every trained part here.");
  } else {
    k.take(row, "adapter.lora_plus_ratio", value);
  }
}

void mixed_precision(Kohya& k, ImportRow& row, const Json& value) {
  const std::string name = lower_case(short_value(value));
  const bool fp8 = name == "fp8";
  const std::string type = name == "no" ? "fp32" : fp8 ? "bf16" : name;
  if (!k.take(row, "precision.compute", fp8 ? "fp8" : type)) {
    return;
  }
  k.take(row, "precision.weights.unet", type);
  k.take(row, "precision.weights.text_encoders", type);
  k.take(row, "precision.weights.vae", type);
}

void full_precision(Kohya& k, ImportRow& row, const Json& value) {
  if (is_off(value)) {
    k.ignore(row, "Not used there.");
    return;
  }
  const std::string type = row.source.find("fp16") != std::string::npos ? "fp16" : "bf16";
  k.take(row, "precision.adapter", type);
  k.take(row, "precision.gradients", type);
  if (type == "fp16") {
    k.change(row,
             "The preflight refuses adapters kept in fp16, because small updates vanish "
             "there, and offers fp32.");
  }
}

void fp8_base(Kohya& k, ImportRow& row, const Json& value) {
  if (is_off(value)) {
    k.ignore(row, "Not used there.");
    return;
  }
  k.take(row, "precision.weights.unet", "fp8_e4m3");
  if (row.source.find("unet") == std::string::npos) {
    k.take(row, "precision.weights.text_encoders", "fp8_e4m3");
  }
  k.change(row, "With one scale per output channel here, without any there.");
}

void float_vae(Kohya& k, ImportRow& row, const Json& value) {
  if (is_off(value)) {
    k.ignore(row, "Not used there.");
  } else if (row.source == "sdxl_no_half_vae" && !k.sdxl) {
    k.ignore(row, "Counts only for SDXL there.");
  } else {
    k.take(row, "precision.weights.vae", "fp32");
  }
}

void output_dtype(Kohya& k, ImportRow& row, const Json& value) {
  const std::string name = lower_case(short_value(value));
  if (name == "float" || name == "fp32") {
    k.take(row, "output.dtype", "fp32");
  } else {
    k.take(row, "output.dtype", name);
  }
}

void resolution(Kohya& k, ImportRow& row, const Json& value) {
  // 1024, "1024", "1024,1024", [1024, 1024]
  const Json read = value.is_string() ? value_from_literal(value.get<std::string>()) : value;
  const bool pair = read.is_array() && read.size() == 2 && as_number(read[0]) && as_number(read[1]);
  const auto single = as_number(read.is_array() && read.size() == 1 ? read[0] : read);
  if (!pair && !single) {
    k.ignore(row, "Not taken: neither a side nor width,height.");
    return;
  }
  const double width = pair ? *as_number(read[0]) : *single;
  const double height = pair ? *as_number(read[1]) : *single;
  const double side = width > 0 && height > 0 ? std::round(std::sqrt(width * height)) : 0;
  if (k.take(row, "data.resolution", side) && width != height) {
    k.change(row, fmt::format("The side of the square with the same area as {:g} x {:g}.", width,
                              height));
  }
}

/// Row without effect of its own: the key is one of several that decide something in finish().
void noted(Kohya& k, ImportRow& row, const Json& value) {
  k.ignore(row, is_off(value) ? "Not used there." : "Counts together with other keys.");
}

void repeats(Kohya& k, ImportRow& row, const Json& value) {
  k.take(row, "data.repeats", value);
}

void caption_length(Kohya& k, ImportRow& row, const Json& value) {
  const auto tokens = as_number(value);
  if (tokens && *tokens > 0) {
    k.take(row, "data.caption_chunks", std::ceil(*tokens / 75));
  } else {
    k.ignore(row, "Not taken: not a number of tokens.");
  }
}

/// kohya_ss writes 1 where nothing is skipped, which for SDXL the scripts do not even read.
void clip_skip(Kohya& k, ImportRow& row, const Json& value) {
  const auto layer = as_number(value);
  if (k.sdxl || (layer && *layer <= 1)) {
    k.ignore(row, "The model family's own layer, there and here.");
  } else {
    k.take(row, "training.clip_skip", value);
  }
}

void epochs(Kohya& k, ImportRow& row, const Json& value) {
  if (is_off(value)) {
    k.ignore(row, "Not used there.");
  } else {
    k.ignore(row,
             "The length of a run is training.steps here: epochs x images x repeats / batch "
             "size.");
  }
}

void steps(Kohya& k, ImportRow& row, const Json& value) {
  if (is_off(value)) {
    k.ignore(row, "Not set there: the length came from epochs. Set training.steps.");
  } else if (k.take(row, "training.steps", value) && !is_off(k.number("max_train_epochs", 0)) &&
             k.find("LoRA_type") == nullptr) {
    k.change(row, "There, the number of epochs counts instead; its steps depend on the images.");
  }
}

void seed(Kohya& k, ImportRow& row, const Json& value) {
  const auto number = as_number(value);
  if (number && (*number < 0 || (*number == 0 && k.find("LoRA_type") != nullptr))) {
    k.ignore(row, "A random seed there; here every run has a fixed one.");
  } else {
    k.take(row, "training.seed", value);
  }
}

void optimizer(Kohya& k, ImportRow& row, const Json& value) {
  const std::string given = short_value(value);
  std::string name = lower_case(given.substr(given.rfind('.') + 1));
  const auto has = [&](std::string_view part) { return name.find(part) != std::string::npos; };
  const auto take = [&](const char* type, const char* change = nullptr) {
    k.take(row, "optimizer.type", type);
    if (change != nullptr) {
      k.change(row, change);
    }
  };
  if (name == "adamw" || name == "adam") {
    take("adamw");
  } else if (has("adamw8bit")) {
    take("adamw8bit", has("paged") ? "State is not paged to the host here." : nullptr);
  } else if (name == "pagedadamw" || name == "pagedadamw32bit") {
    take("adamw", "State is not paged to the host here.");
  } else if (has("lion")) {
    take("lion", has("paged") ? "State is not paged to the host here." : nullptr);
    if (has("8bit")) {
      k.take(row, "precision.optimizer_state", "8bit");
    }
  } else if (has("prodigy")) {
    take("prodigy", name == "prodigy" ? nullptr : "Prodigy itself, without the extensions.");
  } else if (has("adapt")) {
    take("prodigy", "D-Adaptation's successor: it also finds the rate by itself.");
  } else if (has("adafactor")) {
    take("adafactor");
  } else if (has("came")) {
    take("came");
  } else if (has("sgd")) {
    take("sgd", "Plain momentum, from the first of optimizer.betas.");
  } else {
    take("adamw",
         "This optimizer is not offered here: adamw instead. Module names are never "
         "loaded from a configuration.");
  }
}

void old_optimizer_flag(Kohya& k, ImportRow& row, const Json& value) {
  if (is_off(value)) {
    k.ignore(row, "Not used there.");
  } else {
    k.take(row, "optimizer.type",
           row.source.find("lion") != std::string::npos ? "lion" : "adamw8bit");
  }
}

void eps(Kohya& k, ImportRow& row, const Json& value) {
  if (value.is_array()) {
    k.ignore(row, "Not offered here: a pair of epsilons.");
  } else {
    k.take(row, "optimizer.eps", value);
  }
}

void schedule(Kohya& k, ImportRow& row, const Json& value) {
  const std::string name = lower_case(short_value(value));
  const auto take = [&](const char* type, const char* change = nullptr) {
    k.take(row, "schedule.type", type);
    if (change != nullptr) {
      k.change(row, change);
    }
  };
  if (name == "constant" || name == "constant_with_warmup") {
    take("constant");
  } else if (name == "linear" || name == "cosine" || name == "rex") {
    take(name.c_str());
  } else if (name == "cosine_with_min_lr") {
    take("cosine");
  } else if (name == "cosine_with_restarts") {
    take("cosine_restarts");
  } else if (name == "polynomial") {
    take("linear", "Linear here: the polynomial of power 1.");
  } else if (name == "adafactor" || name.rfind("adafactor:", 0) == 0) {
    take("constant", "Adafactor takes a rate of its own here: constant instead.");
  } else {
    take("constant", "This schedule is not offered here: constant instead.");
  }
}

/// Steps, a share of the run (sd-scripts, below 1), or per cent of it (kohya_ss).
void warmup(Kohya& k, ImportRow& row, const Json& value) {
  const auto number = as_number(value);
  if (lower_case(k.text("lr_scheduler")) == "constant") {
    k.ignore(row, "The constant schedule does not warm up there.");
    return;
  }
  if (!number || *number == 0) {
    k.take(row, "schedule.warmup_steps", value);
    return;
  }
  const bool percent = row.source == "lr_warmup";
  if (!percent && *number >= 1) {
    k.take(row, "schedule.warmup_steps", value);
  } else if (k.steps() > 0) {
    k.take(row, "schedule.warmup_steps", std::round(k.steps() * *number / (percent ? 100.0 : 1.0)));
  } else {
    k.ignore(row, "A share of the run, whose length came from epochs. Set schedule.warmup_steps.");
  }
}

void save_format(Kohya& k, ImportRow& row, const Json& value) {
  if (lower_case(short_value(value)) == "safetensors") {
    k.ignore(row, "Adapters are always .safetensors.");
  } else {
    k.change(row, "Always .safetensors here: pickle files are neither read nor written.");
  }
}

void output_name(Kohya& k, ImportRow& row, const Json& value) {
  if (k.take(row, "output.name", value)) {
    k.take(row, "name", value);
  }
}

/// One line of kohya's prompts: "a cat --n blurry --w 1024 --h 768 --d 7 --l 6.5 --s 28".
Json prompt_of(std::string_view line) {
  Json item = Json::object();
  const std::size_t first = std::min(line.find(" --"), line.size());
  const auto trim = [](std::string_view text) {
    const std::size_t begin = text.find_first_not_of(" \t\r");
    return begin == std::string_view::npos
               ? std::string()
               : std::string(text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1));
  };
  item["prompt"] = trim(line.substr(0, first));
  for (std::size_t at = first; at < line.size();) {
    const std::size_t end = std::min(line.find(" --", at + 1), line.size());
    const std::string option = trim(line.substr(at + 3, end - at - 3));
    const std::string name = option.substr(0, option.find(' '));
    const std::string rest =
        option.find(' ') == std::string::npos ? "" : trim(option.substr(option.find(' ')));
    static constexpr std::pair<std::string_view, std::string_view> kOptions[] = {
        {"w", "width"}, {"h", "height"}, {"d", "seed"}, {"s", "steps"}, {"l", "guidance"}};
    if (name == "n") {
      item["negative"] = rest;
    }
    for (const auto& [letter, key] : kOptions) {
      const auto number = as_number(Json(rest));
      if (name == letter && number) {
        item[std::string(key)] = key == "guidance" || std::abs(*number) > 9e15
                                     ? Json(*number)
                                     : Json(static_cast<std::int64_t>(*number));
      }
    }
    at = end;
  }
  return item;
}

void prompts(Kohya& k, ImportRow& row, const Json& value) {
  const std::string text = value.is_string() ? value.get<std::string>() : "";
  const std::string end = lower_case(text.size() > 5 ? text.substr(text.size() - 5) : text);
  const bool file = text.find('\n') == std::string::npos &&
                    (end.find(".txt") != std::string::npos || end == ".toml" || end == ".json");
  if (!value.is_string() || file) {
    k.ignore(row, std::string(kPathNote));
    return;
  }
  Json list = Json::array();
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t stop = std::min(text.find('\n', begin), text.size());
    const std::string line = text.substr(begin, stop - begin);
    if (line.find_first_not_of(" \t\r") != std::string::npos && line[0] != '#') {
      list.push_back(prompt_of(line));
    }
    begin = stop + 1;
  }
  k.take(row, "samples.prompts", list);
}

void take_title(Kohya& k, ImportRow& row, const Json& value) {
  k.take(row,
         row.source == "metadata_title"    ? "name"
         : row.source == "metadata_author" ? "author"
                                           : "description",
         value);
}

constexpr std::string_view kSpeed = "Concerns speed or memory of that program, not the result.";
constexpr std::string_view kLogs = "Runs are logged in the studio and its database.";
constexpr std::string_view kOnline = "Nothing is sent anywhere.";
constexpr std::string_view kRunFact = "Describes a run, not a recipe.";
constexpr std::string_view kBuckets =
    "Buckets follow from data.resolution here; every image is fitted to the nearest.";

// In the order in which they are applied: general keys first, those that override them after.
constexpr Rule kRules[] = {
    // model
    {"sdxl", special, {}, family},
    {"base_model_version", special, {}, family},
    {"v2", special, {}, other_family},
    {"flux1_checkbox", special, {}, other_family},
    {"sd3_checkbox", special, {}, other_family},
    {"v_parameterization", special, {}, prediction},
    // adapter
    {"network_module", special, {}, network},
    {"LoRA_type", special, {}, network},
    {"network_dim", take, "adapter.rank"},
    {"network_alpha", take, "adapter.alpha"},
    {"network_dropout", special, {}, dropout},
    {"network_args.dropout", special, {}, dropout},
    {"network_args.dora_wd", special, {}, dora},
    {"dora_wd", special, {}, dora},
    {"network_args.wd_on_output", special, {}, dora_axis},
    {"network_args.wd_on_out", special, {}, dora_axis},
    {"network_args.algo", special, {}, algorithm},
    {"network_args.preset", special, {}, targets},
    {"LyCORIS_preset", special, {}, targets},
    {"network_args.conv_dim", special, {}, conv_dim},
    {"conv_dim", special, {}, conv_dim},
    {"network_args.conv_alpha", special, {}, conv_alpha},
    {"conv_alpha", special, {}, conv_alpha},
    {"network_args.rs_lora", special, {}, rslora},
    {"network_args.loraplus_lr_ratio", special, {}, lora_plus},
    {"network_args.loraplus_unet_lr_ratio", special, {}, lora_plus},
    {"loraplus_unet_lr_ratio", special, {}, lora_plus},
    {"loraplus_lr_ratio", special, {}, lora_plus},
    // precision
    {"mixed_precision", special, {}, mixed_precision},
    {"fp8_base", special, {}, fp8_base},
    {"fp8_base_unet", special, {}, fp8_base},
    {"no_half_vae", special, {}, float_vae},
    {"sdxl_no_half_vae", special, {}, float_vae},
    {"full_fp16", special, {}, full_precision},
    {"full_bf16", special, {}, full_precision},
    // data
    {"resolution", special, {}, resolution},
    {"max_resolution", special, {}, resolution},
    {"enable_bucket", take, "data.buckets"},
    {"train_batch_size", take, "data.batch_size"},
    {"dataset_repeats", special, {}, repeats},
    {"caption_dropout_rate", take, "data.caption_dropout"},
    {"flip_aug", take, "data.flip"},
    {"max_token_length", special, {}, caption_length},
    {"weighted_captions", take, "data.weighted_captions"},
    {"clip_skip", special, {}, clip_skip},
    {"cache_latents", special, {}, noted},
    {"cache_text_encoder_outputs", special, {}, noted},
    {"sdxl_cache_text_encoder_outputs", special, {}, noted},
    // training
    {"network_train_unet_only", special, {}, noted},
    {"network_train_text_encoder_only", special, {}, noted},
    {"train_text_encoder", special, {}, noted},
    {"max_train_steps", special, {}, steps},
    {"max_train_epochs", special, {}, epochs},
    {"epoch", special, {}, epochs},
    {"gradient_accumulation_steps", take, "training.gradient_accumulation"},
    {"gradient_checkpointing", take, "training.gradient_checkpointing"},
    {"max_grad_norm", take, "training.max_grad_norm"},
    {"seed", special, {}, seed},
    {"min_snr_gamma", take, "training.min_snr_gamma"},
    {"noise_offset", take, "training.noise_offset"},
    {"zero_terminal_snr", take, "training.zero_terminal_snr"},
    // optimizer
    {"optimizer", special, {}, optimizer},
    {"optimizer_type", special, {}, optimizer},
    {"use_8bit_adam", special, {}, old_optimizer_flag},
    {"use_lion_optimizer", special, {}, old_optimizer_flag},
    {"optimizer_args.weight_decay", take, "optimizer.weight_decay"},
    {"optimizer_args.betas", take, "optimizer.betas"},
    {"optimizer_args.eps", special, {}, eps},
    {"fused_backward_pass", take, "optimizer.fused_back_pass"},
    {"learning_rate", special, {}, noted},
    {"unet_lr", special, {}, noted},
    {"text_encoder_lr", special, {}, noted},
    {"learning_rate_te1", special, {}, noted},
    {"learning_rate_te2", special, {}, noted},
    // schedule
    {"lr_scheduler", special, {}, schedule},
    {"lr_warmup", special, {}, warmup},
    {"lr_warmup_steps", special, {}, warmup},
    {"lr_scheduler_min_lr_ratio", take, "schedule.min_factor"},
    // output and samples
    {"output_name", special, {}, output_name},
    {"save_precision", special, {}, output_dtype},
    {"save_every_n_steps", take, "output.save_every"},
    {"save_model_as", special, {}, save_format},
    {"sample_every_n_steps", take, "samples.every"},
    {"sample_prompts", special, {}, prompts},
    {"metadata_title", special, {}, take_title},
    {"metadata_author", special, {}, take_title},
    {"metadata_description", special, {}, take_title},
    {"training_comment", special, {}, take_title},

    // places
    {"pretrained_model_name_or_path", path},
    {"vae", path},
    {"ae", path},
    {"clip_l", path},
    {"clip_g", path},
    {"t5xxl", path},
    {"train_data_dir", path},
    {"reg_data_dir", path},
    {"image_dir", path},
    {"metadata_file", path},
    {"conditioning_data_dir", path},
    {"in_json", path},
    {"dataset_config", path},
    {"output_dir", path},
    {"output_config", path},
    {"config_file", path},
    {"logging_dir", path},
    {"log_tracker_config", path},
    {"network_weights", path},
    {"lora_network_weights", path},
    {"base_weights", path},
    {"resume", path},
    {"tokenizer_cache_dir", path},
    {"offload_optimizer_nvme_path", path},
    {"offload_param_nvme_path", path},
    {"metadata_thumbnail", path},
    {"vae_name", path},
    {"dataset_dirs", path},
    {"reg_dataset_dirs", path},

    // what another program may load by name, or run
    {"lr_scheduler_type", ignored, "Module names are never loaded from a configuration."},
    {"dataset_class", ignored, "Module names are never loaded from a configuration."},
    {"additional_parameters", ignored, "Command lines are never taken from a configuration."},
    {"extra_accelerate_launch_args", ignored,
     "Command lines are never taken from a configuration."},

    // not offered
    {"base_weights_multiplier", unsupported, "merging adapters before training"},
    {"dim_from_weights", unsupported, "taking the rank from another adapter"},
    {"scale_weight_norms", unsupported, "a limit on the norm of adapter weights"},
    {"network_args.rank_dropout", unsupported, "dropout of ranks"},
    {"rank_dropout", unsupported, "dropout of ranks"},
    {"rank_dropout_scale", unsupported, "dropout of ranks"},
    {"network_args.module_dropout", unsupported, "dropout of modules"},
    {"module_dropout", unsupported, "dropout of modules"},
    {"network_args.block_dims", unsupported, "a rank for each block; see adapter.targets"},
    {"network_args.block_alphas", unsupported, "an alpha for each block"},
    {"network_args.conv_block_dims", unsupported, "a rank for each block"},
    {"network_args.conv_block_alphas", unsupported, "an alpha for each block"},
    {"network_args.down_lr_weight", unsupported, "a learning rate for each block"},
    {"network_args.mid_lr_weight", unsupported, "a learning rate for each block"},
    {"network_args.up_lr_weight", unsupported, "a learning rate for each block"},
    {"network_args.block_lr_zero_threshold", unsupported, "a learning rate for each block"},
    {"network_args.loraplus_text_encoder_lr_ratio", unsupported, "LoRA+ for one part alone"},
    {"network_args.use_scalar", unsupported, "a learned scalar per module"},
    {"network_args.use_tucker", unsupported, "Tucker decomposition"},
    {"network_args.use_cp", unsupported, "Tucker decomposition"},
    {"network_args.decompose_both", unsupported, "LoKr"},
    {"network_args.factor", unsupported, "LoKr", {}, "-1"},
    {"network_args.train_norm", unsupported, "training of norm layers"},
    {"network_args.bypass_mode", unsupported, "LyCORIS' bypass mode"},
    {"network_args.rescaled", unsupported, "LyCORIS' rescaled OFT"},
    {"network_args.constraint", unsupported, "a limit on OFT"},
    {"block_dims", unsupported, "a rank for each block; see adapter.targets"},
    {"block_alphas", unsupported, "an alpha for each block"},
    {"conv_block_dims", unsupported, "a rank for each block"},
    {"conv_block_alphas", unsupported, "an alpha for each block"},
    {"down_lr_weight", unsupported, "a learning rate for each block"},
    {"mid_lr_weight", unsupported, "a learning rate for each block"},
    {"up_lr_weight", unsupported, "a learning rate for each block"},
    {"block_lr_zero_threshold", unsupported, "a learning rate for each block"},
    {"loraplus_text_encoder_lr_ratio", unsupported, "LoRA+ for one part alone"},
    {"use_scalar", unsupported, "a learned scalar per module"},
    {"use_tucker", unsupported, "Tucker decomposition"},
    {"use_cp", unsupported, "Tucker decomposition"},
    {"decompose_both", unsupported, "LoKr"},
    {"factor", unsupported, "LoKr", {}, "-1"},
    {"unit", unsupported, "DyLoRA", {}, "1"},
    {"train_norm", unsupported, "training of norm layers"},
    {"train_on_input", ignored, "Concerns (IA)3 only."},
    {"train_blocks", ignored, "Concerns FLUX only."},
    {"bypass_mode", unsupported, "LyCORIS' bypass mode"},
    {"rescaled", unsupported, "LyCORIS' rescaled OFT"},
    {"constrain", unsupported, "a limit on OFT"},
    {"split_mode", unsupported, "FLUX' split mode"},
    {"stop_text_encoder_training", unsupported, "an early end for text encoders"},
    {"stop_text_encoder_training_pct", unsupported, "an early end for text encoders"},
    {"shuffle_caption", unsupported, "shuffled captions"},
    {"keep_tokens", unsupported, "shuffled captions"},
    {"keep_tokens_separator", unsupported, "shuffled captions"},
    {"secondary_separator", unsupported, "caption separators"},
    {"caption_separator", unsupported, "caption separators", {}, "\",\""},
    {"enable_wildcard", unsupported, "wildcards in captions"},
    {"caption_prefix", unsupported, "a text before every caption"},
    {"caption_suffix", unsupported, "a text after every caption"},
    {"caption_dropout_every_n_epochs", unsupported, "caption dropout by epochs"},
    {"caption_tag_dropout_rate", unsupported, "dropout of single tags"},
    {"token_warmup_min", unsupported, "token warm-up", {}, "1"},
    {"token_warmup_step", unsupported, "token warm-up"},
    {"no_token_padding", unsupported, "captions without padding"},
    {"class_tokens", unsupported, "captions by class; use captions or the folder's name"},
    {"is_reg", unsupported, "regularisation images"},
    {"prior_loss_weight", unsupported, "regularisation images", {}, "1.0"},
    {"color_aug", unsupported, "colour augmentation"},
    {"random_crop", unsupported, "random crops"},
    {"face_crop_aug_range", unsupported, "crops around faces"},
    {"alpha_mask", unsupported, "masks"},
    {"masked_loss", unsupported, "masks"},
    {"multires_noise_iterations", unsupported, "pyramid noise"},
    {"multires_noise_discount", ignored, "Counts only with pyramid noise there."},
    {"noise_offset_random_strength", unsupported, "noise offset of random strength"},
    {"adaptive_noise_scale", unsupported, "adaptive noise offset"},
    {"ip_noise_gamma", unsupported, "input perturbation"},
    {"ip_noise_gamma_random_strength", unsupported, "input perturbation"},
    {"perlin_noise", unsupported, "Perlin noise"},
    {"min_timestep", unsupported, "a range of timesteps"},
    {"max_timestep", unsupported, "a range of timesteps", {}, "1000"},
    {"loss_type", unsupported, "another loss than the squared error", {}, "\"l2\""},
    {"huber_schedule", ignored, "Counts only with the Huber loss there."},
    {"huber_c", ignored, "Counts only with the Huber loss there."},
    {"huber_scale", ignored, "Counts only with the Huber loss there."},
    {"scale_v_pred_loss_like_noise_pred", unsupported, "another scale of the v-prediction loss"},
    {"v_pred_like_loss", unsupported, "a v-prediction term in the loss"},
    {"debiased_estimation_loss", unsupported, "debiased estimation; min-SNR is near to it"},
    {"lr_scheduler_num_cycles", ignored, "The restarts of cosine_restarts are fixed here."},
    {"lr_scheduler_power", ignored, "Concerns the polynomial schedule only."},
    {"lr_scheduler_timescale", ignored, "Concerns the inverse root schedule only."},
    {"lr_decay_steps", unsupported, "a decay of its own length"},
    {"lr_scheduler_args", unsupported, "arguments of the schedule"},
    {"optimizer_args", unsupported, "this argument of the optimizer"},
    {"network_args", unsupported, "this argument of the network"},
    {"optimizer_args.relative_step", unsupported, "Adafactor's own learning rate"},
    {"optimizer_args.scale_parameter", unsupported, "updates scaled by the weights"},
    {"optimizer_args.warmup_init", unsupported, "Adafactor's own warm-up"},
    {"optimizer_args.decouple", ignored, "Weight decay is always decoupled here."},
    {"optimizer_args.use_bias_correction", unsupported, "Prodigy's bias correction"},
    {"optimizer_args.safeguard_warmup", unsupported, "Prodigy's safeguard while warming up"},
    {"optimizer_args.d_coef", unsupported, "Prodigy's factor on the rate", {}, "1"},
    {"optimizer_args.d0", unsupported, "Prodigy's first estimate"},
    {"optimizer_args.momentum", unsupported, "a momentum of its own; see optimizer.betas"},
    {"optimizer_schedulefree_wrapper", unsupported, "schedule-free optimizers"},
    {"schedulefree_wrapper_args", unsupported, "schedule-free optimizers"},
    {"save_every_n_epochs", unsupported, "saving by epochs; set output.save_every in steps"},
    {"sample_every_n_epochs", unsupported, "samples by epochs; set samples.every in steps"},
    {"validation_split", unsupported, "validation images"},
    {"blocks_to_swap", unsupported, "moving blocks to the host"},
    {"network_multiplier", unsupported, "a strength for each data set", {}, "1.0"},

    // of no effect on what is learned
    {"lowram", ignored, kSpeed},
    {"lowvram", ignored, kSpeed},
    {"highvram", ignored, kSpeed},
    {"mem_eff_attn", ignored, kSpeed},
    {"xformers", ignored, kSpeed},
    {"sdpa", ignored, kSpeed},
    {"torch_compile", ignored, kSpeed},
    {"dynamo_backend", ignored, kSpeed},
    {"dynamo_mode", ignored, kSpeed},
    {"dynamo_use_dynamic", ignored, kSpeed},
    {"dynamo_use_fullgraph", ignored, kSpeed},
    {"cpu_offload_checkpointing", ignored, kSpeed},
    {"disable_mmap_load_safetensors", ignored, kSpeed},
    {"cache_latents_to_disk", ignored, "The cache always lives on the disk."},
    {"cache_text_encoder_outputs_to_disk", ignored, "The cache always lives on the disk."},
    {"skip_cache_check", ignored, "The cache is always checked."},
    {"cache_info", ignored, kSpeed},
    {"vae_batch_size", ignored, kSpeed},
    {"text_encoder_batch_size", ignored, kSpeed},
    {"max_data_loader_n_workers", ignored, kSpeed},
    {"persistent_data_loader_workers", ignored, kSpeed},
    {"num_cpu_threads_per_process", ignored, kSpeed},
    {"num_processes", ignored, kSpeed},
    {"num_machines", ignored, kSpeed},
    {"multi_gpu", ignored, kSpeed},
    {"gpu_ids", ignored, "The device is chosen for each run."},
    {"main_process_port", ignored, kSpeed},
    {"ddp_timeout", ignored, kSpeed},
    {"ddp_gradient_as_bucket_view", ignored, kSpeed},
    {"ddp_static_graph", ignored, kSpeed},
    {"deepspeed", ignored, kSpeed},
    {"min_bucket_reso", ignored, kBuckets},
    {"max_bucket_reso", ignored, kBuckets},
    {"bucket_reso_steps", ignored, kBuckets},
    {"bucket_no_upscale", ignored, kBuckets},
    {"resize_interpolation", ignored, "Images are always resized with Lanczos."},
    {"caption_extension", ignored, "Captions are .txt files, or metadata.jsonl."},
    {"caption_extention", ignored, "Captions are .txt files, or metadata.jsonl."},
    {"noise_offset_type", ignored, "Says which of the noise keys counts there."},
    {"sample_at_first", ignored, "Samples are always rendered before the first step."},
    {"sample_sampler", ignored, "Samples while training use one fixed sampler."},
    {"save_n_epoch_ratio", unsupported, "saving by epochs; set output.save_every in steps"},
    {"save_last_n_epochs", ignored, "See output.keep."},
    {"save_last_n_epochs_state", ignored, "See output.keep."},
    {"save_last_n_steps", ignored, "See output.keep."},
    {"save_last_n_steps_state", ignored, "See output.keep."},
    {"save_state", ignored, "Every checkpoint holds all that a run needs to continue exactly."},
    {"save_state_on_train_end", ignored,
     "Every checkpoint holds all that a run needs to continue exactly."},
    {"use_safetensors", ignored, "Adapters are always .safetensors."},
    {"save_as_bool", ignored, kSpeed},
    {"no_metadata", ignored, "What is written is stated in the README."},
    {"skip_until_initial_step", ignored, "Continuing is exact and needs no such key."},
    {"initial_epoch", ignored, "Continuing is exact and needs no such key."},
    {"initial_step", ignored, "Continuing is exact and needs no such key."},
    {"debug_dataset", ignored, kRunFact},
    {"model_list", ignored, "The base model is chosen for each run."},
    {"metadata_license", ignored, "A preset has no licence field."},
    {"metadata_tags", ignored, "Tags of the adapter, not of the recipe."},
    {"log_with", ignored, kLogs},
    {"log_prefix", ignored, kLogs},
    {"log_config", ignored, kLogs},
    {"log_tracker_name", ignored, kLogs},
    {"use_wandb", ignored, kOnline},
    {"wandb_run_name", ignored, kOnline},
    {"wandb_api_key", ignored, kOnline},
    {"async_upload", ignored, kOnline},
    {"huggingface_token", ignored, kOnline},
    {"huggingface_repo_id", ignored, kOnline},
    {"huggingface_repo_type", ignored, kOnline},
    {"huggingface_path_in_repo", ignored, kOnline},
    {"huggingface_repo_visibility", ignored, kOnline},
    {"save_state_to_huggingface", ignored, kOnline},
    {"resume_from_huggingface", ignored, kOnline},
    {"discrete_flow_shift", ignored, "Concerns FLUX and SD3 only."},
    {"guidance_scale", ignored, "Concerns FLUX only."},
    {"model_prediction_type", ignored, "Concerns FLUX only."},
    {"timestep_sampling", ignored, "Concerns FLUX and SD3 only."},
    {"t5xxl_max_token_length", ignored, "Concerns FLUX and SD3 only."},
    {"flux1_cache_text_encoder_outputs", ignored, "Concerns FLUX only."},
    {"flux1_cache_text_encoder_outputs_to_disk", ignored, "Concerns FLUX only."},

    // facts about a run, in the metadata of an adapter
    {"bucket_info", ignored, kRunFact},
    {"datasets", ignored, kRunFact},
    {"epoch_steps", ignored, kRunFact},
    {"new_sd_model_hash", ignored, kRunFact},
    {"new_vae_hash", ignored, kRunFact},
    {"num_batches_per_epoch", ignored, kRunFact},
    {"num_reg_images", ignored, kRunFact},
    {"num_train_images", ignored, kRunFact},
    {"num_validation_images", ignored, kRunFact},
    {"sd_model_hash", ignored, kRunFact},
    {"sd_scripts_commit_hash", ignored, kRunFact},
    {"session_id", ignored, kRunFact},
    {"steps", ignored, kRunFact},
    {"tag_frequency", ignored, kRunFact},
    {"total_batch_size", ignored, kRunFact},
    {"training_finished_at", ignored, kRunFact},
    {"training_started_at", ignored, kRunFact},
    {"vae_hash", ignored, kRunFact},
    {"max_validation_steps", ignored, kRunFact},
    {"validate_every_n_epochs", ignored, kRunFact},
    {"validate_every_n_steps", ignored, kRunFact},
    {"validation_seed", ignored, kRunFact},
};

/// Learning rates and trained parts, which several keys decide together.
struct Parts {
  std::optional<double> unet, te1, te2;  ///< rates; empty: not trained
};

Parts parts_of(const Kohya& k) {
  const double general = k.number("learning_rate", 2e-6);
  const bool has_te2 = k.sdxl || !k.family_known;
  Parts p;
  double unet = k.number("unet_lr", general), te1 = general, te2 = general;
  if (const Json* te = k.find("text_encoder_lr")) {
    if (te->is_array()) {
      te1 = as_number((*te)[0]).value_or(general);
      te2 = te->size() > 1 ? as_number((*te)[1]).value_or(te1) : te1;
    } else {
      te1 = te2 = as_number(*te).value_or(general);
    }
  }
  te1 = k.number("learning_rate_te1", te1);
  te2 = k.number("learning_rate_te2", te2);
  if (unet == 0 && te1 == 0 && te2 == 0) {
    unet = te1 = te2 = general;  // kohya_ss: neither is set, so the general rate holds
  }
  const bool unet_only = k.flag("network_train_unet_only");
  const bool te_only = k.flag("network_train_text_encoder_only");
  p.unet = te_only || unet == 0 ? std::nullopt : std::optional(unet);
  p.te1 = unet_only || te1 == 0 ? std::nullopt : std::optional(te1);
  p.te2 = unet_only || te2 == 0 || !has_te2 ? std::nullopt : std::optional(te2);
  return p;
}

void mark(Kohya& k, const char* key, std::initializer_list<const char*> targets) {
  ImportRow* row = k.row(key);
  if (row == nullptr || k.find(key) == nullptr) {
    return;
  }
  row->fate = ImportFate::mapped;
  row->note.clear();
  row->targets.assign(targets.begin(), targets.end());
}

void finish_parts(Kohya& k) {
  const bool speaks = k.find("learning_rate") != nullptr || k.find("unet_lr") != nullptr ||
                      k.find("text_encoder_lr") != nullptr || k.find("network_dim") != nullptr ||
                      k.find("network_module") != nullptr;
  if (!speaks) {
    return;  // a data-set file alone
  }
  const Parts parts = parts_of(k);
  ImportRow scratch;
  Json list = Json::array(), groups = Json::array();
  const double main = parts.unet  ? *parts.unet
                      : parts.te1 ? *parts.te1
                                  : parts.te2.value_or(k.number("learning_rate", 2e-6));
  const std::pair<const char*, std::optional<double>> all[] = {
      {"unet", parts.unet}, {"te1", parts.te1}, {"te2", parts.te2}};
  for (const auto& [part, rate] : all) {
    if (rate) {
      list.push_back(part);
      if (*rate != main) {
        groups.push_back({{"part", part}, {"learning_rate", *rate}});
      }
    }
  }
  if (list.empty()) {
    list.push_back("unet");
  }
  const bool given_rate = k.find("learning_rate") != nullptr || k.find("unet_lr") != nullptr;
  const bool took_parts = k.take(scratch, "training.parts", list);
  const bool took_rate = given_rate && k.take(scratch, "optimizer.learning_rate", main);
  const bool took_groups = !groups.empty() && k.take(scratch, "optimizer.groups", groups);
  if (!given_rate) {
    k.assume("learning_rate", "optimizer.learning_rate", 2e-6, "The default of sd-scripts.");
  } else if (!took_rate || !took_parts || (!groups.empty() && !took_groups)) {
    for (const char* key : {"learning_rate", "unet_lr", "text_encoder_lr"}) {
      if (ImportRow* row = k.row(key)) {
        k.ignore(*row, scratch.note);
      }
    }
    return;
  }
  const bool own_unet_rate = k.number("unet_lr", 0) != 0;
  if (own_unet_rate) {
    mark(k, "unet_lr", {"optimizer.learning_rate"});
    if (ImportRow* row = k.row("learning_rate")) {
      k.ignore(*row, "unet_lr counts instead.");
    }
  } else {
    mark(k, "learning_rate", {"optimizer.learning_rate"});
  }
  const bool trains_te = parts.te1 || parts.te2;
  for (const char* key : {"text_encoder_lr", "learning_rate_te1", "learning_rate_te2"}) {
    if (trains_te && !groups.empty()) {
      mark(k, key, {"training.parts", "optimizer.groups"});
    } else {
      mark(k, key, {"training.parts"});
    }
  }
  for (const char* key :
       {"network_train_unet_only", "network_train_text_encoder_only", "train_text_encoder"}) {
    mark(k, key, {"training.parts"});
  }
  if (trains_te && k.find("text_encoder_lr") == nullptr &&
      k.find("network_train_unet_only") == nullptr) {
    k.assume("network_train_unet_only", "training.parts", list,
             k.family_known ? "Not given: text encoders are trained too, as sd-scripts does."
                            : "Not given: text encoders are trained too, as sd-scripts does; take "
                              "te2 out for a model with one text encoder.");
  }
}

void finish_cache(Kohya& k) {
  const bool latents = k.flag("cache_latents");
  const char* text_key = k.find("cache_text_encoder_outputs") != nullptr
                             ? "cache_text_encoder_outputs"
                             : "sdxl_cache_text_encoder_outputs";
  if (k.find("cache_latents") == nullptr && k.find(text_key) == nullptr) {
    return;
  }
  const bool text = k.flag(text_key);
  ImportRow scratch;
  k.take(scratch, "data.cache", latents && text ? "all" : latents ? "latents" : "none");
  mark(k, "cache_latents", {"data.cache"});
  mark(k, text_key, {"data.cache"});
  if (text && !latents) {
    k.change(*k.row(text_key), "Captions are cached only together with images here.");
  }
}

void finish_defaults(Kohya& k) {
  if (k.find("network_dim") == nullptr && k.find("network_module") == nullptr) {
    return;  // a data-set file alone
  }
  const char* note = "Not given: the default of sd-scripts.";
  k.assume("network_dim", "adapter.rank", 4, note);
  k.assume("network_alpha", "adapter.alpha", 1, note);
  if (k.find("mixed_precision") == nullptr) {
    k.assume("mixed_precision", "precision.compute", "fp32", note);
  }
  if (k.find("epoch") == nullptr && k.find("max_train_epochs") == nullptr) {
    k.assume("max_train_steps", "training.steps", 1600, note);
  }
  if (k.find("resolution") != nullptr) {
    k.assume("enable_bucket", "data.buckets", false, note);
  }
}

/// The decay and betas that the chosen optimizer has where nobody says.
void finish_optimizer(Kohya& k) {
  const char* note = "Not given: the default of that optimizer.";
  switch (k.preset().optimizer.type) {
    case OptimizerType::adamw:
    case OptimizerType::adamw8bit:
      break;  // 0.01 there and here
    case OptimizerType::lion:
      k.assume("optimizer_args.betas", "optimizer.betas", Json::array({0.9, 0.99}), note);
      [[fallthrough]];
    default:
      k.assume("optimizer_args.weight_decay", "optimizer.weight_decay", 0, note);
  }
}

ImportResult run(Kohya& k) {
  run_rules<Kohya>(k, kRules);
  finish_parts(k);
  finish_cache(k);
  finish_defaults(k);
  finish_optimizer(k);
  return k.finish();
}

}  // namespace

ImportResult import_kohya(const JsonNode& root) {
  Kohya k(kohya_entries(root), ImportFormat::kohya);
  return run(k);
}

ImportResult import_kohya_metadata(const std::map<std::string, std::string>& metadata) {
  Kohya k(kohya_metadata_entries(metadata), ImportFormat::kohya_adapter);
  return run(k);
}

bool is_kohya_key(std::string_view key) {
  return std::any_of(std::begin(kRules), std::end(kRules),
                     [&](const Rule& rule) { return rule.key == key; });
}

}  // namespace mantissa
