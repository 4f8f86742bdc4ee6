// defines: import_onetrainer, looks_like_onetrainer
//
// Facts about OneTrainer that this table rests on: parts carry their own "train", rate and type
// (flat keys such as unet_learning_rate in old files); lora_alpha defaults to 1, warm-up to 200
// steps, DoRA to the input axis; a LoRA covers every linear and convolution of the UNet unless a
// layer filter says otherwise.

#include "engine/preset/import_onetrainer.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "engine/preset/import_rules.h"

namespace mantissa {
namespace {

using Json = nlohmann::json;

struct OneTrainer : ImportContext {
  using ImportContext::ImportContext;
};

using Rule = ImportRule<OneTrainer>;
using enum Rule::Kind;

/// Their name of a number type as ours; empty for those we don't have.
std::string storage_name(std::string_view type) {
  static constexpr std::pair<std::string_view, std::string_view> kTypes[] = {
      {"FLOAT_32", "fp32"},
      {"BFLOAT_16", "bf16"},
      {"FLOAT_16", "fp16"},
      {"FLOAT_8", "fp8_e4m3"},
      {"FLOAT_W8A8", "fp8_e4m3"}};
  for (const auto& [theirs, ours] : kTypes) {
    if (theirs == type) {
      return std::string(ours);
    }
  }
  return {};
}

void method(OneTrainer& o, ImportRow& row, const Json& value) {
  if (value == "LORA" || value == "FINE_TUNE") {
    o.take(row, "training.method", value == "LORA" ? "adapter" : "full");
  } else {
    o.take_changed(
        row, "training.method", "adapter",
        fmt::format("{} is not offered here: an adapter is trained instead.", short_value(value)));
  }
}

void peft(OneTrainer& o, ImportRow& row, const Json& value) {
  if (value == "LORA") {
    o.take(row, "adapter.type", "lora");
  } else {
    o.take_changed(row, "adapter.type", "lora",
                   fmt::format("{} is not offered here: a LoRA instead.", short_value(value)));
  }
}

void model(OneTrainer& o, ImportRow& row, const Json& value) {
  const std::string name = short_value(value);
  const auto starts = [&](std::string_view with) { return name.rfind(with, 0) == 0; };
  if (starts("STABLE_DIFFUSION_XL_10_BASE")) {
    o.take(row, "model.family", "sdxl");
  } else if (name == "STABLE_DIFFUSION_15") {
    o.take(row, "model.family", "sd15");
  } else if (starts("PIXART")) {
    o.take(row, "model.family", "pixart");
  } else {
    o.ignore(row, "This model family is not offered here; auto tells by the file.");
  }
}

void decompose(OneTrainer& o, ImportRow& row, const Json& value) {
  o.take(row, "adapter.type", is_off(value) ? "lora" : "dora");
}

void output_axis(OneTrainer& o, ImportRow& row, const Json& value) {
  o.take(row, "adapter.dora_axis", is_off(value) ? "input" : "output");
}

void dropout(OneTrainer& o, ImportRow& row, const Json& value) {
  if (is_off(value)) {
    o.take(row, "adapter.dropout", value);
  } else {
    o.take_changed(row, "adapter.dropout", value,
                   "Zeroes inputs of the adapter here, its inner channels there.");
  }
}

void layers(OneTrainer& o, ImportRow& row, const Json& value) {
  const std::string name = lower_case(short_value(value));
  if (name == "full") {
    o.take_changed(row, "adapter.targets", "linear+conv",
                   "Without the time embeddings and the first and last convolution.");
  } else if (name == "attn-mlp" || name == "blocks" || name == "attentions") {
    o.take(row, "adapter.targets", "attention+mlp");
  } else if (name == "attn-only") {
    o.take(row, "adapter.targets", "attention");
  } else {
    o.ignore(row, "A filter of its own: see adapter.targets, which takes patterns.");
  }
}

/// A part's weight type, "NONE" standing for the general one.
void part_dtype(OneTrainer& o, ImportRow& row, const Json& value, std::string_view target) {
  std::string name = short_value(value);
  if (name == "NONE") {
    name = o.text("weight_dtype");
    if (name.empty() || name == "NONE") {
      o.ignore(row, "Not set there.");
      return;
    }
  }
  const std::string type = storage_name(name);
  if (!type.empty()) {
    o.take(row, target, type);
  } else if (name.find('8') != std::string::npos || name.find('4') != std::string::npos) {
    o.take_changed(row, target, "fp8_e4m3",
                   fmt::format("{} is not offered here: the smallest type that is.", name));
  } else {
    o.ignore(row, fmt::format("Not offered here: {}.", name));
  }
}

void unet_dtype(OneTrainer& o, ImportRow& row, const Json& value) {
  part_dtype(o, row, value, "precision.weights.unet");
}
void text_dtype(OneTrainer& o, ImportRow& row, const Json& value) {
  part_dtype(o, row, value, "precision.weights.text_encoders");
}
void vae_dtype(OneTrainer& o, ImportRow& row, const Json& value) {
  part_dtype(o, row, value, "precision.weights.vae");
}
void second_text_dtype(OneTrainer& o, ImportRow& row, const Json& value) {
  const Json* first = o.find("text_encoder.weight_dtype");
  if (first != nullptr && *first == value) {
    o.take(row, "precision.weights.text_encoders", storage_name(short_value(value)));
  } else {
    o.ignore(row, "Text encoders share one type here; the first one's counts.");
  }
}
void general_dtype(OneTrainer& o, ImportRow& row, const Json& value) {
  for (const char* target :
       {"precision.weights.unet", "precision.weights.text_encoders", "precision.weights.vae"}) {
    part_dtype(o, row, value, target);
  }
}

void train_dtype(OneTrainer& o, ImportRow& row, const Json& value) {
  const std::string name = short_value(value);
  if (name == "TFLOAT_32") {
    o.take(row, "precision.compute", "tf32");
  } else if (const std::string type = storage_name(name); !type.empty() && type[2] != '8') {
    o.take(row, "precision.compute", type);
  } else {
    o.ignore(row, fmt::format("Not offered here: {} as the compute type.", name));
  }
}

void master_dtype(OneTrainer& o, ImportRow& row, const Json& value, const char* target) {
  const std::string type = storage_name(short_value(value));
  if (type.empty()) {
    o.ignore(row, fmt::format("Not offered here: {}.", short_value(value)));
  } else {
    o.take(row, target, type);
  }
}
void adapter_dtype(OneTrainer& o, ImportRow& row, const Json& value) {
  master_dtype(o, row, value, "precision.adapter");
}
void output_dtype(OneTrainer& o, ImportRow& row, const Json& value) {
  master_dtype(o, row, value, "output.dtype");
}

void caching(OneTrainer& o, ImportRow& row, const Json& value) {
  const bool text =
      row.source == "latent_caching" || o.flag("text_caching") || o.find("text_caching") == nullptr;
  o.take(row, "data.cache", is_off(value) ? "none" : text ? "all" : "latents");
}
void text_caching(OneTrainer& o, ImportRow& row, const Json& value) {
  if (o.find("image_caching") == nullptr || o.flag("image_caching")) {
    o.take(row, "data.cache", is_off(value) ? "latents" : "all");
  } else {
    o.ignore(row, "Captions are cached only together with images here.");
  }
}

void resolution(OneTrainer& o, ImportRow& row, const Json& value) {
  const std::string text = short_value(value);
  const std::size_t comma = text.find(',');
  const std::string first = text.substr(0, comma);
  const std::size_t cross = first.find('x');
  const auto width = as_number(Json(first.substr(0, cross)));
  const auto height = cross == std::string::npos ? width : as_number(Json(first.substr(cross + 1)));
  if (!width || !height || *width <= 0 || *height <= 0) {
    o.ignore(row, "Not taken: neither a side nor width x height.");
    return;
  }
  if (!o.take(row, "data.resolution", std::round(std::sqrt(*width * *height)))) {
    return;
  }
  if (comma != std::string::npos) {
    o.change(row, "Only the first of several resolutions.");
  } else if (*width != *height) {
    o.change(row, "The side of the square with the same area.");
  }
}

void ema(OneTrainer& o, ImportRow& row, const Json& value) {
  if (value == "OFF") {
    o.take(row, "training.ema", 0);
  } else {
    o.take(row, "training.ema", o.number("ema_decay", 0.999));
    if (o.number("ema_update_step_interval", 5) != 1) {
      o.change(row, "Averaged at every step here, at every few steps there.");
    }
  }
}

void loss_weight(OneTrainer& o, ImportRow& row, const Json& value) {
  if (value == "MIN_SNR_GAMMA") {
    o.take(row, "training.min_snr_gamma", o.number("loss_weight_strength", 5));
  } else if (value == "CONSTANT") {
    o.take(row, "training.min_snr_gamma", 0);
  } else {
    o.ignore(row, fmt::format("Not offered here: {} weights of the loss.", short_value(value)));
  }
}

void force_prediction(OneTrainer& o, ImportRow& row, const Json& value) {
  if (is_off(value)) {
    o.ignore(row, "Not used there.");
  } else {
    o.take(row, "training.prediction", row.source == "force_v_prediction" ? "v" : "epsilon");
  }
}

/// true, "ON", "CPU_OFFLOADED", or false.
void checkpointing(OneTrainer& o, ImportRow& row, const Json& value) {
  o.take(row, "training.gradient_checkpointing", !is_off(value));
  if (value == "CPU_OFFLOADED") {
    o.change(row, "Without moving activations to the host.");
  }
}

void optimizer(OneTrainer& o, ImportRow& row, const Json& value) {
  const std::string name = short_value(value);
  const auto has = [&](std::string_view part) { return name.find(part) != std::string::npos; };
  const auto take = [&](const char* type, const char* change = nullptr) {
    o.take(row, "optimizer.type", type);
    if (change != nullptr) {
      o.change(row, change);
    }
  };
  const bool small = has("_8BIT");
  const bool schedule_free = has("SCHEDULE_FREE");
  if (schedule_free) {
    take("adamw", "Schedule-free optimizers are not offered here: adamw instead.");
  } else if (name == "ADAMW" || name == "ADAM") {
    take("adamw");
  } else if (name == "ADAMW_8BIT" || name == "ADAM_8BIT") {
    take("adamw8bit");
  } else if (name.rfind("LION", 0) == 0) {
    take("lion");
    if (small) {
      o.take(row, "precision.optimizer_state", "8bit");
    }
  } else if (name == "PRODIGY") {
    take("prodigy");
  } else if (has("PRODIGY")) {
    take("prodigy", "Prodigy itself, without the extensions.");
  } else if (has("DADAPT")) {
    take("prodigy", "D-Adaptation's successor: it also finds the rate by itself.");
  } else if (name == "ADAFACTOR") {
    take("adafactor");
  } else if (name == "CAME") {
    take("came");
  } else if (name.rfind("CAME", 0) == 0) {
    take("came");
    o.take(row, "precision.optimizer_state", "8bit");
  } else if (name.rfind("SGD", 0) == 0) {
    take("sgd", "Plain momentum, from the first of optimizer.betas.");
  } else {
    take("adamw", "This optimizer is not offered here: adamw instead.");
  }
}

void beta(OneTrainer& o, ImportRow& row, const Json& value) {
  const auto now = o.preset().optimizer.betas;
  const auto number = as_number(value);
  if (!number) {
    o.ignore(row, "Not taken: not a number.");
    return;
  }
  const bool first = row.source.back() == '1';
  o.take(row, "optimizer.betas",
         first ? Json::array({*number, now[1]}) : Json::array({now[0], *number}));
}

void schedule(OneTrainer& o, ImportRow& row, const Json& value) {
  static constexpr std::pair<std::string_view, std::string_view> kSame[] = {
      {"CONSTANT", "constant"},
      {"LINEAR", "linear"},
      {"COSINE", "cosine"},
      {"COSINE_WITH_RESTARTS", "cosine_restarts"},
      {"COSINE_WITH_HARD_RESTARTS", "cosine_restarts"},
      {"REX", "rex"}};
  for (const auto& [theirs, ours] : kSame) {
    if (value == std::string(theirs)) {
      o.take(row, "schedule.type", std::string(ours));
      return;
    }
  }
  o.take_changed(row, "schedule.type", "constant",
                 "This schedule is not offered here: constant instead. Module names are never "
                 "loaded from a configuration.");
}

void warmup(OneTrainer& o, ImportRow& row, const Json& value) {
  const auto number = as_number(value);
  if (number && *number > 0 && *number <= 1) {
    o.ignore(row, "A share of the run, whose length came from epochs. Set schedule.warmup_steps.");
  } else {
    o.take(row, "schedule.warmup_steps", value);
  }
}

/// Saving and sampling: only steps can be taken over.
void every(OneTrainer& o, ImportRow& row, const Json& value, const char* target) {
  std::string unit = o.text(row.source + "_unit");
  if (unit == "NEVER") {
    o.take(row, target, 0);
  } else if (unit == "STEP") {
    o.take(row, target, value);
  } else {
    std::string named = lower_case(unit);
    o.ignore(row, fmt::format("Counted in steps here, in {}s there. Set {}.",
                              named.empty() ? "unknown unit" : named, target));
  }
}
void save_every(OneTrainer& o, ImportRow& row, const Json& value) {
  every(o, row, value, "output.save_every");
}
void sample_every(OneTrainer& o, ImportRow& row, const Json& value) {
  every(o, row, value, "samples.every");
}
void backup_every(OneTrainer& o, ImportRow& row, const Json& value) {
  const bool saves = o.text("save_every_unit") == "STEP" || o.text("save_after_unit") == "STEP";
  if (saves) {
    o.ignore(row, "Saving and backing up are one here; save_every counts.");
  } else {
    every(o, row, value, "output.save_every");
  }
}

void unit(OneTrainer& o, ImportRow& row, const Json& value) {
  o.ignore(row, "Counts together with its number.");
}

void rolling(OneTrainer& o, ImportRow& row, const Json& value) {
  if (!o.flag("rolling_backup")) {
    o.ignore(row, "Not used there; see output.keep.");
  } else {
    o.take(row, "output.keep", std::max(2.0, as_number(value).value_or(2)));
  }
}

void sample_list(OneTrainer& o, ImportRow& row, const Json& value) {
  if (!value.is_array()) {
    o.ignore(row, "Not taken: not a list of samples.");
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
    o.change(row, "Without the samples that are switched off.");
  }
}

void noted(OneTrainer& o, ImportRow& row, const Json& value) {
  o.ignore(row, is_off(value) ? "Not used there." : "Counts together with other keys.");
}

constexpr std::string_view kSpeed = "Concerns speed or memory of that program, not the result.";
constexpr std::string_view kLogs = "Runs are logged in the studio and its database.";
constexpr std::string_view kConcepts =
    "Images and what is done with them are chosen for each run, not by a preset.";
constexpr std::string_view kEmbeddings = "embeddings";

// In the order in which they are applied.
constexpr Rule kRules[] = {
    {"training_method", special, {}, method},
    {"peft_type", special, {}, peft},
    {"model_type", special, {}, model},
    {"lora_rank", take, "adapter.rank"},
    {"lora_alpha", take, "adapter.alpha"},
    {"lora_decompose", special, {}, decompose},
    {"lora_decompose_output_axis", special, {}, output_axis},
    {"dropout_probability", special, {}, dropout},
    {"layer_filter_preset", special, {}, layers},
    {"lora_layer_preset", special, {}, layers},
    {"weight_dtype", special, {}, general_dtype},
    {"unet_weight_dtype", special, {}, unet_dtype},
    {"unet.weight_dtype", special, {}, unet_dtype},
    {"prior.weight_dtype", ignored, "This part does not exist in the models offered here."},
    {"transformer.weight_dtype",
     special,
     {},
     [](OneTrainer& o, ImportRow& row, const Json& value) {
       if (o.preset().model.family == ModelFamily::pixart) {
         unet_dtype(o, row, value);
       } else {
         o.ignore(row, "This part does not exist in that model.");
       }
     }},
    {"text_encoder_weight_dtype", special, {}, text_dtype},
    {"text_encoder.weight_dtype", special, {}, text_dtype},
    {"text_encoder_2.weight_dtype", special, {}, second_text_dtype},
    {"vae_weight_dtype", special, {}, vae_dtype},
    {"vae.weight_dtype", special, {}, vae_dtype},
    {"train_dtype", special, {}, train_dtype},
    {"lora_weight_dtype", special, {}, adapter_dtype},
    {"output_dtype", special, {}, output_dtype},
    {"optimizer.stochastic_rounding", take, "precision.stochastic_rounding"},
    {"resolution", special, {}, resolution},
    {"aspect_ratio_bucketing", take, "data.buckets"},
    {"batch_size", take, "data.batch_size"},
    {"latent_caching", special, {}, caching},
    {"image_caching", special, {}, caching},
    {"text_caching", special, {}, text_caching},
    {"text_encoder.dropout_probability", take, "data.caption_dropout"},
    {"gradient_accumulation_steps", take, "training.gradient_accumulation"},
    {"gradient_checkpointing", special, {}, checkpointing},
    {"unet.gradient_checkpointing", special, {}, checkpointing},
    {"clip_grad_norm", take, "training.max_grad_norm"},
    {"ema", special, {}, ema},
    {"ema_decay", special, {}, noted},
    {"ema_update_step_interval", special, {}, noted},
    {"loss_weight_fn", special, {}, loss_weight},
    {"loss_weight_strength", special, {}, noted},
    {"offset_noise_weight", take, "training.noise_offset"},
    {"rescale_noise_scheduler_to_zero_terminal_snr", take, "training.zero_terminal_snr"},
    {"force_v_prediction", special, {}, force_prediction},
    {"force_epsilon_prediction", special, {}, force_prediction},
    {"optimizer", special, {}, optimizer},
    {"optimizer.optimizer", special, {}, optimizer},
    {"optimizer.beta1", special, {}, beta},
    {"optimizer.beta2", special, {}, beta},
    {"optimizer.eps", take, "optimizer.eps"},
    {"optimizer.weight_decay", take, "optimizer.weight_decay"},
    {"weight_decay", take, "optimizer.weight_decay"},
    {"optimizer.fused_back_pass", take, "optimizer.fused_back_pass"},
    {"learning_rate", special, {}, noted},
    {"unet.learning_rate", special, {}, noted},
    {"unet_learning_rate", special, {}, noted},
    {"text_encoder.learning_rate", special, {}, noted},
    {"text_encoder_learning_rate", special, {}, noted},
    {"text_encoder_2.learning_rate", special, {}, noted},
    {"text_encoder_2_learning_rate", special, {}, noted},
    {"unet.train", special, {}, noted},
    {"train_unet", special, {}, noted},
    {"text_encoder.train", special, {}, noted},
    {"train_text_encoder", special, {}, noted},
    {"text_encoder_2.train", special, {}, noted},
    {"train_text_encoder_2", special, {}, noted},
    {"learning_rate_scheduler", special, {}, schedule},
    {"learning_rate_warmup_steps", special, {}, warmup},
    {"learning_rate_min_factor", take, "schedule.min_factor"},
    {"save_every", special, {}, save_every},
    {"save_after", special, {}, save_every},
    {"backup_after", special, {}, backup_every},
    {"rolling_backup_count", special, {}, rolling},
    {"sample_after", special, {}, sample_every},
    {"samples", special, {}, sample_list},

    // places
    {"base_model_name", path},
    {"extra_model_name", path},
    {"unet.model_name", path},
    {"prior.model_name", path},
    {"transformer.model_name", path},
    {"text_encoder.model_name", path},
    {"text_encoder_2.model_name", path},
    {"text_encoder_3.model_name", path},
    {"text_encoder_4.model_name", path},
    {"vae.model_name", path},
    {"lora_model_name", path},
    {"output_model_destination", path},
    {"workspace_dir", path},
    {"cache_dir", path},
    {"debug_dir", path},
    {"quantization.cache_dir", path},
    {"concept_file_name", path},
    {"sample_definition_file_name", path},

    // not offered
    {"layer_filter", unsupported, "a filter of layers by name; see adapter.targets"},
    {"layer_filter_regex", unsupported, "a filter of layers by name; see adapter.targets"},
    {"lora_layers", unsupported, "a filter of layers by name; see adapter.targets"},
    {"epochs", ignored,
     "The length of a run is training.steps here: epochs x images x repeats / batch size."},
    {"generalized_offset_noise", unsupported, "generalised noise offset"},
    {"perturbation_noise_weight", unsupported, "input perturbation"},
    {"min_noising_strength", unsupported, "a range of timesteps"},
    {"max_noising_strength", unsupported, "a range of timesteps", {}, "1.0"},
    {"timestep_distribution", unsupported, "another choice of timesteps", {}, "\"UNIFORM\""},
    {"noising_weight", ignored, "Counts only with other timestep distributions there."},
    {"noising_bias", ignored, "Counts only with other timestep distributions there."},
    {"timestep_shift", unsupported, "a shift of timesteps", {}, "1.0"},
    {"dynamic_timestep_shifting", unsupported, "a shift of timesteps"},
    {"mse_strength", unsupported, "another strength of the squared error", {}, "1.0"},
    {"mae_strength", unsupported, "the absolute error"},
    {"log_cosh_strength", unsupported, "the log-cosh error"},
    {"huber_strength", unsupported, "the Huber error"},
    {"huber_delta", ignored, "Counts only with the Huber error there."},
    {"vb_loss_strength", ignored, "Concerns models with learned variance only."},
    {"loss_scaler", unsupported, "scaling of the loss by batch size", {}, "\"NONE\""},
    {"learning_rate_scaler", unsupported, "scaling of the rate by batch size", {}, "\"NONE\""},
    {"learning_rate_cycles", ignored, "The restarts of cosine_restarts are fixed here."},
    {"custom_learning_rate_scheduler", ignored,
     "Module names are never loaded from a configuration."},
    {"scheduler_params", ignored, "Counts only with a schedule of its own there."},
    {"masked_training", unsupported, "masks"},
    {"unmasked_probability", ignored, "Counts only with masks there."},
    {"unmasked_weight", ignored, "Counts only with masks there."},
    {"normalize_masked_area_loss", ignored, "Counts only with masks there."},
    {"masked_prior_preservation_weight", ignored, "Counts only with masks there."},
    {"custom_conditioning_image", unsupported, "conditioning images"},
    {"circular_mask_generation", ignored, "Counts only with masks there."},
    {"random_rotate_and_crop", unsupported, "random rotation"},
    {"text_encoder_layer_skip", unsupported, "CLIP skip; SDXL fixes its layer"},
    {"text_encoder_2_layer_skip", unsupported, "CLIP skip; SDXL fixes its layer"},
    {"text_encoder_2.dropout_probability", ignored,
     "One caption dropout for all text encoders here; the first one's counts."},
    {"train_text_encoder_epochs", unsupported, "an early end for text encoders"},
    {"train_unet_epochs", unsupported, "an early end for the UNet"},
    {"token_count", ignored, "Concerns embeddings only."},
    {"initial_embedding_text", ignored, "Concerns embeddings only."},
    {"embedding_learning_rate", unsupported, kEmbeddings},
    {"preserve_embedding_norm", unsupported, kEmbeddings},
    {"additional_embeddings", unsupported, kEmbeddings},
    {"embedding_weight_dtype", ignored, "Concerns embeddings only."},
    {"bundle_additional_embeddings", ignored, "Concerns embeddings only."},
    {"validation", unsupported, "validation images"},
    {"validate_after", ignored, "Counts only with validation there."},
    {"validate_after_unit", ignored, "Counts only with validation there."},
    {"sample_skip_first", unsupported, "a delay before the first sample"},
    {"save_skip_first", unsupported, "a delay before the first save"},
    {"backup_before_save", ignored, "Every save holds all that a run needs to continue exactly."},
    {"rolling_backup", special, {}, noted},
    {"save_filename_prefix", ignored, "Files are named after output.name."},
    {"lora_decompose_norm_epsilon", ignored, "Rows of zero norm use plain LoRA here."},
    {"output_model_format", ignored,
     "Adapters are .safetensors with kohya's names; see "
     "output.format."},
    {"async_offloading", ignored, kSpeed},
    {"compile", ignored, kSpeed},
    {"layer_offload_fraction", ignored, kSpeed},
    {"enable_activation_offloading", ignored, kSpeed},
    {"enable_async_offloading", ignored, kSpeed},
    {"force_circular_padding", unsupported, "circular padding"},
    {"fallback_train_dtype", ignored, "Types are one plan here; nothing falls back silently."},
    {"enable_autocast_cache", ignored, kSpeed},
    {"only_cache", ignored, "A run, not a recipe."},
    {"attention_mechanism", ignored, kSpeed},
    {"train_device", ignored, "The device is chosen for each run."},
    {"temp_device", ignored, "The device is chosen for each run."},
    {"multi_gpu", unsupported, "several cards"},
    {"device_indexes", ignored, "The device is chosen for each run."},
    {"dataloader_threads", ignored, kSpeed},
    {"caching_threads", ignored, kSpeed},
    {"prefetch_next_batch", ignored, kSpeed},
    {"clear_cache_before_training", ignored, "The cache is always checked."},
    {"latent_caching_epochs", ignored, kConcepts},
    {"frames", ignored, "Concerns video only."},
    {"concepts", ignored, kConcepts},
    {"tensorboard", ignored, kLogs},
    {"tensorboard_expose", ignored, kLogs},
    {"tensorboard_always_on", ignored, kLogs},
    {"tensorboard_port", ignored, kLogs},
    {"samples_to_tensorboard", ignored, kLogs},
    {"debug_mode", ignored, "A run, not a recipe."},
    {"continue_last_backup", ignored, "A run, not a recipe."},
    {"prevent_overwrites", ignored, "Nothing is overwritten."},
    {"include_train_config", ignored, "The preset is always embedded in the adapter."},
    {"sample_image_format", ignored, "Samples are PNG."},
    {"sample_video_format", ignored, "Concerns video only."},
    {"sample_audio_format", ignored, "Concerns audio only."},
    {"non_ema_sampling", ignored, "Samples show what would be written."},
    {"sample_after_unit", special, {}, unit},
    {"save_every_unit", special, {}, unit},
    {"save_after_unit", special, {}, unit},
    {"backup_after_unit", special, {}, unit},
    {"optimizer_defaults", ignored, "Settings of optimizers that are not used."},
    {"__version", ignored, "The version of that program's format."},
};

/// Keys whose whole group has one answer.
struct Prefix {
  std::string_view prefix, note;
};
constexpr Prefix kPrefixes[] = {
    {"cloud.", "Nothing is trained elsewhere."},
    {"secrets.", "Secrets are never taken over."},
    {"optimizer_defaults.", "Settings of optimizers that are not used."},
    {"embedding.", "Not offered here: embeddings."},
    {"prior.", "This part does not exist in the models offered here."},
    {"transformer.", "The UNet's settings count here."},
    {"unconditional_transformer.", "This part does not exist in the models offered here."},
    {"text_encoder_3", "This part does not exist in the models offered here."},
    {"text_encoder_4", "This part does not exist in the models offered here."},
    {"effnet_encoder.", "This part does not exist in the models offered here."},
    {"decoder", "This part does not exist in the models offered here."},
    {"quantization.",
     "Frozen weights have one scale per output channel here; see "
     "precision.weights."},
    {"oft_", "Concerns OFT only."},
    {"dora_oft", "Concerns OFT only."},
    {"lokr_", "Concerns LoKr only."},
    {"optimizer.", "This optimizer option is not offered here."},
    {"unet.", "Not offered here for a single part."},
    {"text_encoder.", "Not offered here for a single part."},
    {"text_encoder_2.", "Not offered here for a single part."},
    {"text_encoder_", "Not offered here for a single part."},
    {"vae.", "The VAE is never trained here."},
};

void run_prefixes(OneTrainer& o) {
  for (std::size_t i = 0; i < o.entries().size(); ++i) {
    ImportRow& row = o.row_at(i);
    if (row.fate != ImportFate::unknown) {
      continue;
    }
    for (const Prefix& p : kPrefixes) {
      if (row.source.rfind(p.prefix, 0) == 0) {
        o.ignore(row, is_off(o.entries()[i].value) ? "Not used there." : std::string(p.note));
        break;
      }
    }
  }
}

/// First of the keys that is there; old files have flat names.
const char* first_key(const OneTrainer& o, std::initializer_list<const char*> keys) {
  for (const char* key : keys) {
    if (o.find(key) != nullptr) {
      return key;
    }
  }
  return nullptr;
}

void mark(OneTrainer& o, const char* key, const char* target) {
  if (ImportRow* row = key == nullptr ? nullptr : o.row(key)) {
    row->fate = ImportFate::mapped;
    row->note.clear();
    row->targets = {target};
  }
}

void finish_parts(OneTrainer& o) {
  struct PartKeys {
    const char *name, *train, *rate;
  };
  const bool sdxl = o.preset().model.family == ModelFamily::sdxl;
  const bool pixart = o.preset().model.family == ModelFamily::pixart;
  const PartKeys parts[] = {
      {"unet", first_key(o, {pixart ? "transformer.train" : "unet.train", "train_unet"}),
       first_key(
           o, {pixart ? "transformer.learning_rate" : "unet.learning_rate", "unet_learning_rate"})},
      {"te1", first_key(o, {"text_encoder.train", "train_text_encoder"}),
       first_key(o, {"text_encoder.learning_rate", "text_encoder_learning_rate"})},
      {"te2", first_key(o, {"text_encoder_2.train", "train_text_encoder_2"}),
       first_key(o, {"text_encoder_2.learning_rate", "text_encoder_2_learning_rate"})}};
  const double general = o.number("learning_rate", 3e-6);
  Json list = Json::array(), groups = Json::array();
  std::optional<double> main;
  for (const PartKeys& part : parts) {
    const bool is_unet = part.name[0] == 'u', is_te2 = part.name[2] == '2';
    // A part that the file does not mention is the UNet's company only where it says so.
    const bool trained = part.train == nullptr ? is_unet : o.flag(part.train) && (!is_te2 || sdxl);
    const double rate = part.rate == nullptr ? general : o.number(part.rate, general);
    if (part.train != nullptr) {
      mark(o, part.train, "training.parts");
    }
    if (!trained || (pixart && !is_unet)) {
      if (ImportRow* row = part.rate == nullptr ? nullptr : o.row(part.rate)) {
        o.ignore(*row, "This part is not trained there.");
      }
      continue;
    }
    list.push_back(part.name);
    if (!main) {
      main = rate;
      mark(o, part.rate, "optimizer.learning_rate");
    } else if (rate != *main) {
      groups.push_back({{"part", part.name}, {"learning_rate", rate}});
      mark(o, part.rate, "optimizer.groups");
    } else {
      mark(o, part.rate, "optimizer.learning_rate");
    }
  }
  if (list.empty()) {
    list.push_back("unet");
  }
  ImportRow scratch;
  o.take(scratch, "training.parts", list);
  if (!groups.empty()) {
    o.take(scratch, "optimizer.groups", groups);
  }
  ImportRow* row = o.find("learning_rate") != nullptr ? o.row("learning_rate") : nullptr;
  if (row != nullptr && main.value_or(general) == general) {
    o.take(*row, "optimizer.learning_rate", general);
  } else {
    o.take(scratch, "optimizer.learning_rate", main.value_or(general));
    if (row != nullptr) {
      o.ignore(*row, "The rates of the parts count instead.");
    }
  }
}

void finish_defaults(OneTrainer& o) {
  const char* note = "Not given: OneTrainer's default.";
  o.assume("lora_rank", "adapter.rank", 16, note);
  o.assume("lora_alpha", "adapter.alpha", 1, note);
  o.assume("learning_rate_warmup_steps", "schedule.warmup_steps", 200, note);
  if (o.find("weight_dtype") == nullptr) {
    o.assume("train_dtype", "precision.compute", "fp16", note);
  }
  if (o.find("layer_filter_preset") == nullptr && o.find("lora_layer_preset") == nullptr) {
    o.assume("layer_filter_preset", "adapter.targets", "linear+conv", note);
  }
  if (o.preset().adapter.type == AdapterType::dora) {
    o.assume("lora_decompose_output_axis", "adapter.dora_axis", "input", note);
  }
  if (o.preset().adapter.type == AdapterType::lora) {
    if (ImportRow* row = o.row("lora_decompose_output_axis")) {
      o.ignore(*row, "Counts only for DoRA there.");
      row->targets.clear();
      o.preset().adapter.dora_axis = Preset{}.adapter.dora_axis;
    }
  }
}

}  // namespace

ImportResult import_onetrainer(const JsonNode& root) {
  OneTrainer o(flatten_tree(root), ImportFormat::onetrainer);
  run_rules<OneTrainer>(o, kRules);
  run_prefixes(o);
  finish_parts(o);
  finish_defaults(o);
  return o.finish();
}

bool looks_like_onetrainer(const JsonNode& root) {
  const auto has = [&](std::string_view key) {
    return std::any_of(root.members.begin(), root.members.end(),
                       [&](const JsonNode::Member& m) { return m.key == key; });
  };
  return has("training_method") || has("base_model_name") ||
         (has("model_type") && has("learning_rate_scheduler"));
}

}  // namespace mantissa
