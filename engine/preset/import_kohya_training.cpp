#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <set>
#include <span>

#include "engine/preset/import_kohya_rules.h"
#include "engine/preset/import_values.h"

namespace mantissa {
namespace {

using Json = nlohmann::json;
using enum ImportKind;

void resolution(Kohya& k, ImportRow& row, const Json& value) {
  // 1024, "1024", "1024,1024", [1024, 1024]
  const Json read = value.is_string() ? value_from_literal(value.get<std::string>()) : value;
  const bool pair = read.is_array() && read.size() == 2 && as_number(read[0]) && as_number(read[1]);
  const auto single = as_number(read.is_array() && read.size() == 1 ? read[0] : read);
  if (!pair && !single) {
    k.refuse(row, message<"Not taken: neither a side nor width,height.">());
    return;
  }
  const double width = pair ? *as_number(read[0]) : *single;
  const double height = pair ? *as_number(read[1]) : *single;
  take_area(k, row, width, height);
}

void buckets(Kohya& k, ImportRow& row, const Json& value) {
  if (k.take(row, "data.buckets", value) && !is_off(value) && !k.musubi) {
    k.take(row, "data.bucket_rule", "kohya");
  }
}

void bucket_steps(Kohya& k, ImportRow& row, const Json& value) {
  if (as_number(value) == 64.0) {
    k.ignore(row, message<"The steps of kohya's rule here too.">());
  } else {
    k.ignore(row, message<"Not offered here: other steps than 64.">());
  }
}

void keep_tokens(Kohya& k, ImportRow& row, const Json& value) {
  if (k.flag("shuffle_caption")) {
    k.take(row, "data.keep_tokens", value);
  } else {
    k.ignore(row, message<"Counts only with shuffle_caption there.">());
  }
}

void masked_loss(Kohya& k, ImportRow& row, const Json& value) {
  if (is_off(value)) {
    k.ignore(row, message<"Not used there.">());
  } else {
    k.take_changed(
        row, "data.masks", "files",
        message<"Masks stand beside the images here, as <name>-masklabel.png; in a folder of "
                "their own there.">());
  }
}

/// Masks, or else what a model is given beside the caption.
void conditioning(Kohya& k, ImportRow& row, const Json&) {
  k.ignore(row, k.flag("masked_loss") ? kPathNote.said()
                                      : message<"Not offered here: {what}.">(kConditioning.said()));
}

void alpha_mask(Kohya& k, ImportRow& row, const Json& value) {
  if (is_off(value)) {
    k.ignore(row, message<"Not used there.">());
  } else {
    k.take(row, "data.masks", "alpha");
  }
}

void held_out(Kohya& k, ImportRow& row, const Json& value) {
  if (is_off(value)) {
    k.take(row, "data.validation_share", value);
  } else {
    k.take_changed(row, "data.validation_share", value,
                   message<"Which images is decided by their content here, by a seed there.">());
  }
}

void validate_every(Kohya& k, ImportRow& row, const Json& value) {
  if (is_off(value)) {
    k.ignore(row, message<"Not set there.">());
  } else {
    k.take(row, "training.validate_every", value);
  }
}

/// No effect on its own: the key is one of several evaluated in finish().
void noted(Kohya& k, ImportRow& row, const Json& value) {
  k.ignore(row, is_off(value) ? message<"Not used there.">()
                              : message<"Counts together with other keys.">());
}

/// Whether a file lists the images or folders, rather than a folder of folders.
bool is_listed(const Kohya& k) {
  return k.find("in_json") != nullptr || k.find("metadata_file") != nullptr ||
         k.find("dataset_config") != nullptr || k.of_data_set() || k.musubi;
}

/// dataset_repeats is for images that a file lists; a data set has its own name for them.
void repeats(Kohya& k, ImportRow& row, const Json& value) {
  if (row.source.ends_with("dataset_repeats") && k.find("train_data_dir") != nullptr &&
      !is_listed(k)) {
    k.ignore(row, message<"Not used there: repeats come from the folders' names.">());
  } else {
    k.take(row, "data.repeats", value);
  }
}

/// The kind of noise that kohya_ss writes beside the keys of all kinds.
bool is_other_noise(Kohya& k, ImportRow& row, std::string_view kind) {
  const std::string type = lower_ascii(k.text("noise_offset_type"));
  if (type.empty() || type == kind) {
    return false;
  }
  k.ignore(row, message<"Not used there: noise_offset_type names another kind of noise.">());
  return true;
}

void noise_offset(Kohya& k, ImportRow& row, const Json& value) {
  if (!ignore_for_flow(k, row) && !is_other_noise(k, row, "original")) {
    k.take(row, "training.noise_offset", value);
  }
}

void pyramid_noise(Kohya& k, ImportRow& row, const Json& value) {
  if (is_off(value)) {
    k.ignore(row, message<"Not used there.">());
  } else if (!is_other_noise(k, row, "multires")) {
    k.ignore(row, message<"Not offered here: {what}.">(message<"pyramid noise">()));
  }
}

/// SGD has a momentum; the others have betas.
void momentum(Kohya& k, ImportRow& row, const Json& value) {
  if (k.chosen().optimizer.type == OptimizerType::sgd) {
    k.take(row, "optimizer.betas", Json::array({value, k.chosen().optimizer.betas[1]}));
  } else {
    k.ignore(row, message<"Not offered here: {what}.">(
                      message<"a momentum of its own; see optimizer.betas">()));
  }
}

/// sd-scripts reads repeats from names of folders, unless a file lists the images.
void image_folders(Kohya& k, ImportRow& row, const Json&) {
  if (is_listed(k)) {
    k.ignore(row, kPathNote.said());
  } else {
    k.take_changed(
        row, "data.folder_repeats", true,
        message<"Repeats come from the folders' names; the folder is chosen when a run starts.">());
  }
}

void dataset_file(Kohya& k, ImportRow& row, const Json&) {
  if (k.data_read) {
    k.ignore(row, message<"Read too: its keys follow.">());
  } else {
    k.change(row, kOtherFileNote.said());
  }
}

void caption_length(Kohya& k, ImportRow& row, const Json& value) {
  const auto tokens = as_number(value);
  if (tokens && *tokens > 0) {
    k.take(row, "data.caption_chunks", std::ceil(*tokens / 75));
  } else {
    k.refuse(row, message<"Not taken: not a number of tokens.">());
  }
}

/// kohya_ss writes 1 if nothing is skipped; for SDXL the scripts ignore it.
void clip_skip(Kohya& k, ImportRow& row, const Json& value) {
  const auto layer = as_number(value);
  if (k.sdxl || (layer && *layer <= 1)) {
    k.ignore(row, message<"The model family's own layer, there and here.">());
  } else {
    k.take(row, "training.clip_skip", value);
  }
}

void epochs(Kohya& k, ImportRow& row, const Json& value) {
  if (is_off(value)) {
    k.ignore(row, message<"Not used there.">());
  } else if (k.by_epochs() &&
             (row.key == "max_train_epochs" || k.number("max_train_epochs", 0) <= 0)) {
    k.take(row, "training.epochs", value);
  } else {
    k.ignore(row, message<"Not used there: other keys give the run's length.">());
  }
}

void steps(Kohya& k, ImportRow& row, const Json& value) {
  if (is_off(value)) {
    k.ignore(row, message<"Not set there: the length came from epochs.">());
  } else if (k.by_epochs()) {
    k.ignore(row, message<"Not used there: other keys give the run's length.">());
  } else {
    k.take(row, "training.steps", value);
  }
}

void seed(Kohya& k, ImportRow& row, const Json& value) {
  const auto number = as_number(value);
  if (number && (*number < 0 || (*number == 0 && k.of_gui()))) {
    k.ignore(row, message<"A random seed there; here every run has a fixed one.">());
  } else {
    k.take(row, "training.seed", value);
  }
}

void optimizer(Kohya& k, ImportRow& row, const Json& value) {
  const std::string given = short_value(value);
  take_optimizer(k, row, given.substr(given.rfind('.') + 1));
}

void old_optimizer_flag(Kohya& k, ImportRow& row, const Json& value) {
  if (is_off(value)) {
    k.ignore(row, message<"Not used there.">());
  } else {
    k.take(row, "optimizer.type", row.key.find("lion") != std::string::npos ? "lion" : "adamw8bit");
  }
}

void eps(Kohya& k, ImportRow& row, const Json& value) {
  if (value.is_array()) {
    k.ignore(row, message<"Not offered here: a pair of epsilons.">());
  } else {
    k.take(row, "optimizer.eps", value);
  }
}

/// Keys that its scripts for flow models do not read.
void of_diffusion(Kohya& k, ImportRow& row, const Json& value) {
  if (ignore_for_flow(k, row)) {
    return;
  }
  if (row.key == "v_parameterization") {
    k.take(row, "training.prediction", is_off(value) ? "epsilon" : "v");
  } else {
    k.take(row,
           row.key == "min_snr_gamma" ? "training.min_snr_gamma" : "training.zero_terminal_snr",
           value);
  }
}

void loss(Kohya& k, ImportRow& row, const Json& value) {
  take_loss(k, row, short_value(value));
}

void output_dtype(Kohya& k, ImportRow& row, const Json& value) {
  const std::string name = lower_ascii(short_value(value));
  if (name == "float" || name == "fp32") {
    k.take(row, "output.dtype", "fp32");
  } else {
    k.take(row, "output.dtype", name);
  }
}

void save_format(Kohya& k, ImportRow& row, const Json& value) {
  if (lower_ascii(short_value(value)) == "safetensors") {
    k.ignore(row, message<"Adapters are always .safetensors.">());
  } else {
    k.change(row,
             message<"Always .safetensors here: pickle files are neither read nor written.">());
  }
}

void output_name(Kohya& k, ImportRow& row, const Json& value) {
  if (k.take(row, "output.name", value)) {
    k.take(row, "name", value);
  }
}

void prompts(Kohya& k, ImportRow& row, const Json& value) {
  const std::string text = value.is_string() ? value.get<std::string>() : "";
  const std::string end = lower_ascii(text.size() > 5 ? text.substr(text.size() - 5) : text);
  const bool file = text.find('\n') == std::string::npos &&
                    (end.find(".txt") != std::string::npos || end == ".toml" || end == ".json");
  if (!value.is_string() || file) {
    k.ignore(row, kPathNote.said());
    return;
  }
  static constexpr PromptFlag kFlags[] = {{"w", "width"},   {"h", "height"},   {"d", "seed"},
                                          {"s", "steps"},   {"n", "negative"}, {"g", ""},
                                          {"l", "guidance"}};
  // A model that is given its guidance: --l asks for a second pass beside it.
  static constexpr PromptFlag kGiven[] = {{"w", "width"}, {"h", "height"},   {"d", "seed"},
                                          {"s", "steps"}, {"n", "negative"}, {"g", "guidance"}};
  static constexpr PromptFlag kMusubi[] = {{"w", "width"},   {"h", "height"},   {"d", "seed"},
                                           {"s", "steps"},   {"n", "negative"}, {"g", "guidance"},
                                           {"l", "guidance"}};
  std::span<const PromptFlag> flags = kFlags;
  if (k.of_flux1_scripts() && family_row(k.chosen().model.family).reads_guidance) {
    flags = kGiven;
  } else if (k.musubi) {
    flags = kMusubi;
  }
  std::set<std::string> unread;
  Json list = Json::array();
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t stop = std::min(text.find('\n', begin), text.size());
    const std::string line = text.substr(begin, stop - begin);
    if (line.find_first_not_of(" \t\r") != std::string::npos && line[0] != '#') {
      list.push_back(prompt_with_flags(line, flags, unread));
    }
    begin = stop + 1;
  }
  take_prompts(k, row, list, unread);
}

void take_title(Kohya& k, ImportRow& row, const Json& value) {
  k.take(row,
         row.key == "metadata_title"    ? "name"
         : row.key == "metadata_author" ? "author"
                                        : "description",
         value);
}

/// A third of the samples there, half of them with a hue turned by up to 8 of OpenCV's 180 steps,
/// the others with another gamma.
void color_aug(Kohya& k, ImportRow& row, const Json& value) {
  if (is_off(value)) {
    k.ignore(row, message<"Not used there.">());
    return;
  }
  take_versions(k, row, kDrawnVersions);
  k.take_changed(row, "data.hue", 8.0 / 180,
                 message<"Every step drew another hue or gamma there; here each of 8 versions of "
                         "an image has another hue. data.brightness is the nearest to gamma.">());
}

void random_crop(Kohya& k, ImportRow& row, const Json& value) {
  take_random_crop(k, row, value);
}

constexpr KohyaRule kKohyaTrainingRules[] = {
    // data
    {"resolution", special, {}, resolution},
    {"max_resolution", special, {}, resolution},
    {"enable_bucket", special, {}, buckets},
    {"min_bucket_reso", take, "data.bucket_min"},
    {"max_bucket_reso", take, "data.bucket_max"},
    {"bucket_reso_steps", special, {}, bucket_steps},
    {"train_batch_size", take, "data.batch_size"},
    {"dataset_repeats", special, {}, repeats},
    {"train_data_dir", special, {}, image_folders},
    {"dataset_config", special, {}, dataset_file},
    {"caption_dropout_rate", take, "data.caption_dropout"},
    {"shuffle_caption", take, "data.shuffle_captions"},
    {"keep_tokens", special, {}, keep_tokens},
    {"flip_aug", take, "data.flip"},
    {"color_aug", special, {}, color_aug},
    {"random_crop", special, {}, random_crop},
    {"masked_loss", special, {}, masked_loss},
    {"conditioning_data_dir", special, {}, conditioning},
    {"alpha_mask", special, {}, alpha_mask},
    {"validation_split", special, {}, held_out},
    {"max_token_length", special, {}, caption_length},
    {"weighted_captions", take, "data.weighted_captions"},
    {"clip_skip", special, {}, clip_skip},
    {"cache_latents", special, {}, noted},
    {"cache_text_encoder_outputs", special, {}, noted},
    {"sdxl_cache_text_encoder_outputs", special, {}, noted},
    {"flux1_cache_text_encoder_outputs", special, {}, noted},
    // training
    {"network_train_unet_only", special, {}, noted},
    {"network_train_text_encoder_only", special, {}, noted},
    {"train_text_encoder", special, {}, noted},
    {"token_string", special, {}, noted},
    {"init_word", special, {}, noted},
    {"num_vectors_per_token", special, {}, noted},
    {"max_train_steps", special, {}, steps},
    {"max_train_epochs", special, {}, epochs},
    {"epoch", special, {}, epochs},
    {"gradient_accumulation_steps", take, "training.gradient_accumulation"},
    {"gradient_checkpointing", take, "training.gradient_checkpointing"},
    {"max_grad_norm", take, "training.max_grad_norm"},
    {"seed", special, {}, seed},
    {"v_parameterization", special, {}, of_diffusion},
    {"min_snr_gamma", special, {}, of_diffusion},
    {"loss_type", special, {}, loss},
    {"huber_c", take, "training.huber_c"},
    {"huber_schedule", take, "training.huber_schedule"},
    {"noise_offset", special, {}, noise_offset},
    {"multires_noise_iterations", special, {}, pyramid_noise},
    {"prior_loss_weight", take, "training.prior_weight"},
    {"validate_every_n_steps", special, {}, validate_every},
    {"zero_terminal_snr", special, {}, of_diffusion},
    // optimizer
    {"optimizer", special, {}, optimizer},
    {"optimizer_type", special, {}, optimizer},
    {"use_8bit_adam", special, {}, old_optimizer_flag},
    {"use_lion_optimizer", special, {}, old_optimizer_flag},
    {"optimizer_args.weight_decay", take, "optimizer.weight_decay"},
    {"optimizer_args.betas", take, "optimizer.betas"},
    {"optimizer_args.eps", special, {}, eps},
    {"optimizer_args.momentum", special, {}, momentum},
    {"fused_backward_pass", take, "optimizer.fused_back_pass"},
    {"learning_rate", special, {}, noted},
    {"unet_lr", special, {}, noted},
    {"text_encoder_lr", special, {}, noted},
    {"learning_rate_te", special, {}, noted},
    {"learning_rate_te1", special, {}, noted},
    {"learning_rate_te2", special, {}, noted},
    // output and samples
    {"output_name", special, {}, output_name},
    {"save_precision", special, {}, output_dtype},
    {"save_every_n_steps", take, "output.save_every"},
    {"save_every_n_epochs", take, "output.save_epochs"},
    {"save_model_as", special, {}, save_format},
    {"log_with", special, {}, take_trackers<Kohya>},
    {"sample_every_n_steps", take, "samples.every"},
    {"sample_every_n_epochs", take, "samples.every_epochs"},
    {"sample_prompts", special, {}, prompts},
    {"metadata_title", special, {}, take_title},
    {"metadata_author", special, {}, take_title},
    {"metadata_description", special, {}, take_title},
    {"training_comment", special, {}, take_title},
};

}  // namespace

std::span<const KohyaRule> kohya_training_rules() {
  return kKohyaTrainingRules;
}

}  // namespace mantissa
