#include <algorithm>
#include <cmath>

#include "engine/preset/import_families.h"
#include "engine/preset/import_onetrainer_rules.h"
#include "engine/preset/import_ranks.h"
#include "engine/preset/names.h"

namespace mantissa {
namespace {

using Json = nlohmann::json;
using enum ImportKind;

/// Converts their dtype name to ours; empty for unsupported ones. Compressed ones hold the same.
std::string storage_name(std::string_view type) {
  if (constexpr std::string_view kCompressed = "_COMPRESSED"; type.ends_with(kCompressed)) {
    type.remove_suffix(kCompressed.size());
  }
  static constexpr std::pair<std::string_view, std::string_view> kTypes[] = {
      {"FLOAT_32", "fp32"},    {"BFLOAT_16", "bf16"},      {"FLOAT_16", "fp16"},
      {"FLOAT_8", "fp8_e4m3"}, {"FLOAT_W8A8", "fp8_e4m3"}, {"INT_8", "int8"},
      {"INT_W8A8", "int8"},    {"NFLOAT_4", "nf4"},        {"GGUF", "gguf"},
      {"GGUF_A8_INT", "gguf"}, {"GGUF_A8_FLOAT", "gguf"}};
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
  } else if (value == "EMBEDDING") {
    o.take(row, "training.method", "adapter");
  } else if (value == "FINE_TUNE_VAE") {
    refuse_job(o, row, message<"training of the VAE with that program's loss">());
  } else {
    refuse_job(o, row, message<"the training method {name}">(short_value(value)));
  }
}

void peft(OneTrainer& o, ImportRow& row, const Json& value) {
  if (value == "LORA" || value == "LOHA" || value == "LOKR") {
    o.take(row, "adapter.type", lower_ascii(value.get<std::string>()));
  } else {
    o.take_changed(row, "adapter.type", "lora",
                   message<"{name} is not offered here: a LoRA instead.">(short_value(value)));
  }
}

void model(OneTrainer& o, ImportRow& row, const Json& value) {
  take_family(o, row, &ForeignNames::onetrainer, short_value(value));
  refuse_namesake(o, row, &NamesakeModel::onetrainer, o.text("base_model_name"));
  for (const char* key : {"base_model_name", "transformer.model_name"}) {
    if (o.find(key) != nullptr) {
      refuse_other_model(o, *o.row(key), o.text(key));
    }
  }
}

void decompose(OneTrainer& o, ImportRow& row, const Json& value) {
  if (is_product(o.preset().adapter.type)) {
    o.ignore(row, is_off(value) ? message<"Not used there.">()
                                : message<"Counts only for LoRA there.">());
  } else {
    o.take(row, "adapter.type", is_off(value) ? "lora" : "dora");
  }
}

void alpha(OneTrainer& o, ImportRow& row, const Json& value) {
  if (o.is_whole_lokr()) {
    o.ignore(row, message<"A matrix that is trained whole has no alpha.">());
  } else {
    take_alpha(o, row, value, o.rank_there(), ZeroAlpha::zero);
  }
}

/// LoKr has a rank of its own.
void rank(OneTrainer& o, ImportRow& row, const Json& value) {
  if (o.is_lokr()) {
    o.ignore(row, message<"lokr_dim counts instead.">());
  } else {
    o.take(row, "adapter.rank", value);
  }
}

/// After lora_decompose.
void output_axis(OneTrainer& o, ImportRow& row, const Json& value) {
  if (o.chosen().adapter.type == AdapterType::dora) {
    o.take(row, "adapter.dora_axis", is_off(value) ? "input" : "output");
  } else {
    o.ignore(row, message<"Counts only for DoRA there.">());
  }
}

void dropout(OneTrainer& o, ImportRow& row, const Json& value) {
  if (is_off(value)) {
    o.take(row, "adapter.dropout", value);
  } else {
    const AdapterType type = o.chosen().adapter.type;
    const bool dora = type == AdapterType::dora || (o.is_lokr() && o.flag("lokr_weight_decompose"));
    o.take_changed(
        row, "adapter.dropout", value,
        dora ? message<"Zeroes inputs of the adapter here, of the whole layer there.">()
        : is_product(type)
            ? message<"Zeroes inputs of the adapter here, elements of its matrices there.">()
            : message<"Zeroes inputs of the adapter here, its inner channels there.">());
  }
}

void layers(OneTrainer& o, ImportRow& row, const Json& value) {
  const std::string name = lower_ascii(short_value(value));
  const ModelFamily family = o.preset().model.family;
  if (name == "full" && !o.has_unet()) {
    o.take_changed(row, "adapter.targets", "linear+conv",
                   message<"Without layers outside of the transformer's blocks.">());
  } else if (name == "full") {
    o.take_changed(row, "adapter.targets", "linear+conv",
                   message<"Without the time embeddings and the first and last convolution.">());
  } else if (name == "blocks") {
    o.take(row, "adapter.targets", block_targets(family, BlockLayers::with_modulation));
  } else if (name == "attn-mlp" || name == "attentions") {
    o.take(row, "adapter.targets",
           foreign_targets(family, &ForeignTraining::onetrainer_mlp, BlockLayers::with_mlp));
  } else if (name == "attn-only") {
    o.take(row, "adapter.targets",
           foreign_targets(family, &ForeignTraining::onetrainer_attention, BlockLayers::attention));
  } else {
    o.change(row, message<"A filter of its own: see adapter.targets, which takes patterns.">());
  }
}

/// What the preset of layers stands for, unless that is its own.
void layer_filter(OneTrainer& o, ImportRow& row, const Json& value) {
  const std::string preset = lower_ascii(o.text("layer_filter_preset"));
  if (is_off(value)) {
    o.ignore(row, message<"Not used there.">());
  } else if (!preset.empty() && preset != "custom") {
    o.ignore(row, message<"Counts together with other keys.">());
  } else {
    o.change(row, message<"A filter of its own: see adapter.targets, which takes patterns.">());
  }
}

/// Whether a type of weights rounds the other factor of its matmuls to 8 bits too.
bool multiplies_codes(std::string_view type) {
  return type.find("A8") != std::string_view::npos;
}

/// A part's weight type, "NONE" meaning the general one.
void part_dtype(OneTrainer& o, ImportRow& row, const Json& value, std::string_view target) {
  constexpr std::string_view kDenoiser = "precision.weights.denoiser";
  std::string name = short_value(value);
  if (name == "NONE") {
    name = o.text("weight_dtype");
    if (name.empty() || name == "NONE") {
      o.ignore(row, message<"Not set there.">());
      return;
    }
  }
  const std::string type = storage_name(name);
  if (!type.empty()) {
    o.take(row, target, type);
    if (target == kDenoiser && !o.code_type().empty()) {
      o.take(row, "precision.compute", o.code_type());
    } else if (multiplies_codes(name)) {
      o.change(row, message<"Its matmuls multiply 8-bit codes there, not here.">());
    }
  } else if (name.find('8') != std::string::npos || name.find('4') != std::string::npos) {
    o.take_changed(row, target, "fp8_e4m3",
                   message<"{name} is not offered here: the smallest type that is.">(name));
  } else {
    o.ignore(row, message<"Not offered here: {what}.">(name));
  }
}

void denoiser_dtype(OneTrainer& o, ImportRow& row, const Json& value) {
  if (o.has_unet() == (row.key.find("unet") != std::string::npos)) {
    part_dtype(o, row, value, "precision.weights.denoiser");
  } else {
    o.ignore(row, message<"This part does not exist in that model.">());
  }
}
void text_dtype(OneTrainer& o, ImportRow& row, const Json& value) {
  part_dtype(o, row, value, "precision.weights.text_encoders");
}
void vae_dtype(OneTrainer& o, ImportRow& row, const Json& value) {
  part_dtype(o, row, value, "precision.weights.vae");
}
void second_text_dtype(OneTrainer& o, ImportRow& row, const Json& value) {
  const Json* first = o.find("text_encoder.weight_dtype");
  if (o.preset().model.family != ModelFamily::automatic &&
      family_row(o.preset().model.family).adapted_encoders() < 2) {
    o.ignore(row, message<"This part does not exist in that model.">());
  } else if (first != nullptr && *first == value) {
    text_dtype(o, row, value);
  } else {
    o.ignore(row, message<"Text encoders share one type here; the first one's counts.">());
  }
}
void general_dtype(OneTrainer& o, ImportRow& row, const Json& value) {
  for (const char* target :
       {"precision.weights.denoiser", "precision.weights.text_encoders", "precision.weights.vae"}) {
    part_dtype(o, row, value, target);
  }
}

void train_dtype(OneTrainer& o, ImportRow& row, const Json& value) {
  const std::string name = short_value(value);
  const std::string type = name == "TFLOAT_32" ? "tf32" : storage_name(name);
  if (type == "fp32" || type == "tf32" || type == "bf16" || type == "fp16") {
    o.take(row, "precision.compute", o.compute_type(type));
    const bool same = type == "bf16" || (type == "fp16" && o.code_type() == "int8");
    if (!o.code_type().empty() && !same) {
      o.change(row, message<"Values between the 8-bit matmuls are BF16 here.">());
    }
  } else {
    o.ignore(row, message<"Not offered here: {name} as the compute type.">(name));
  }
}

void master_dtype(OneTrainer& o, ImportRow& row, const Json& value, const char* target) {
  const std::string type = storage_name(short_value(value));
  if (type.empty()) {
    o.ignore(row, message<"Not offered here: {what}.">(short_value(value)));
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

constexpr OneTrainerRule kOneTrainerModelRules[] = {
    {"training_method", special, {}, method},
    {"peft_type", special, {}, peft},
    {"model_type", special, {}, model},
    {"lora_rank", special, {}, rank},
    {"lora_alpha", special, {}, alpha},
    {"lora_decompose", special, {}, decompose},
    {"lora_decompose_output_axis", special, {}, output_axis},
    {"dropout_probability", special, {}, dropout},
    {"layer_filter_preset", special, {}, layers},
    {"lora_layer_preset", special, {}, layers},
    {"weight_dtype", special, {}, general_dtype},
    {"layer_filter", special, {}, layer_filter},
    {"layer_filter_regex", special, {}, layer_filter},
    {"unet_weight_dtype", special, {}, denoiser_dtype},
    {"unet.weight_dtype", special, {}, denoiser_dtype},
    {"prior.weight_dtype", ignored, words<"This part does not exist in the models offered here.">},
    {"transformer.weight_dtype", special, {}, denoiser_dtype},
    {"text_encoder_weight_dtype", special, {}, text_dtype},
    {"text_encoder.weight_dtype", special, {}, text_dtype},
    {"text_encoder_2.weight_dtype", special, {}, second_text_dtype},
    {"vae_weight_dtype", special, {}, vae_dtype},
    {"vae.weight_dtype", special, {}, vae_dtype},
    {"train_dtype", special, {}, train_dtype},
    {"lora_weight_dtype", special, {}, adapter_dtype},
    {"output_dtype", special, {}, output_dtype},
    {"optimizer.stochastic_rounding", take, "precision.stochastic_rounding"},
};

}  // namespace

std::string_view OneTrainer::code_type() const {
  if (text("training_method") != "LORA" && text("training_method") != "EMBEDDING") {
    return {};  // weights that are trained have no codes there
  }
  std::string type;
  for (const char* key : {has_unet() ? "unet.weight_dtype" : "transformer.weight_dtype",
                          has_unet() ? "unet_weight_dtype" : "weight_dtype", "weight_dtype"}) {
    type = type.empty() || type == "NONE" ? text(key) : type;
  }
  return !type.starts_with("INT_W8A8") && !type.starts_with("FLOAT_W8A8") ? std::string_view()
         : type.starts_with("INT")                                        ? "int8"
                                                                          : "fp8";
}

std::string_view OneTrainer::compute_type(std::string_view values) const {
  const std::string_view codes = code_type();
  return codes.empty() ? values : codes == "int8" && values == "fp16" ? "int8_fp16" : codes;
}

std::span<const OneTrainerRule> onetrainer_model_rules() {
  return kOneTrainerModelRules;
}

}  // namespace mantissa
