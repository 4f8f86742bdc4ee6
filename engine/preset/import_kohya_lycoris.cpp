// Facts about LyCORIS as a network of sd-scripts behind this file: without a preset it adapts
// everything ("full"), convolutions at conv_dim or else at network_dim; presets without
// convolutions skip conv_dim. SDXL's UNet of sd-scripts has no modules that are named conv_in,
// conv_out or time_embedding. full_matrix trains LoKr's larger matrix whole, whatever its rank. Its
// LoHa and LoKr have no dropout. The scripts' own networks skip arguments that they don't know.

#include "engine/preset/family_table.h"
#include "engine/preset/import_families.h"
#include "engine/preset/import_kohya_rules.h"
#include "engine/preset/import_ranks.h"
#include "engine/preset/names.h"
#include "engine/preset/schema.h"

namespace mantissa {
namespace {

using Json = nlohmann::json;
using enum ImportKind;

/// Arguments that only LyCORIS reads. factor and use_tucker are read by the scripts' LoKr, too.
constexpr std::string_view kLycorisArguments[] = {
    "algo",       "preset",      "dora_wd",        "wd_on_output", "wd_on_out",
    "rs_lora",    "full_matrix", "decompose_both", "bypass_mode",  "use_scalar",
    "train_norm", "constraint",  "rescaled",       "block_size",   "unbalanced_factorization",
    "dropout"};

/// A row of an argument that the network skips; true if it is one.
bool is_skipped(Kohya& k, ImportRow& row, const Json& value) {
  if (!k.own_network || is_off(value)) {
    return false;
  }
  k.ignore(row, message<"Counts only for LyCORIS networks there.">());
  return true;
}

void algorithm(Kohya& k, ImportRow& row, const Json& value) {
  if (is_skipped(k, row, value)) {
    return;
  }
  const std::string name = lower_ascii(short_value(value));
  if (name == "lora" || name == "locon") {
    k.take(row, "adapter.type", "lora");
  } else if (name == "loha" || name == "lokr") {
    k.take(row, "adapter.type", name);
  } else {
    k.take_changed(row, "adapter.type", "lora",
                   message<"{name} is not offered here: a LoRA of the same rank instead.">(
                       short_value(value)));
  }
}

/// Linear layers and convolutions; the layers that only some UNets name so are left out here.
void all_layers(Kohya& k, ImportRow& row, bool convolutions) {
  if (!k.has_unet()) {
    k.take(row, "adapter.targets",
           block_targets(k.chosen().model.family, BlockLayers::with_modulation));
    return;
  }
  k.conv = k.take(row, "adapter.targets", "linear+conv");
  if (!convolutions) {
    leave_convolutions_out(k, row);
  }
  if (family_row(k.chosen().model.family).clip_encoders() < 2) {  // SDXL has none of these names
    k.change(row, convolutions
                      ? message<"Without the time embeddings and the first and last convolution.">()
                      : message<"Without the time embeddings.">());
  }
}

void take_layers(Kohya& k, ImportRow& row, std::string_view name) {
  const ModelFamily family = k.chosen().model.family;
  k.denoiser_only = name.starts_with("unet-");
  if (name == "full" || name == "unet-only") {
    all_layers(k, row, true);
  } else if (name == "full-lin") {
    all_layers(k, row, false);
  } else if (name == "attn-mlp" || name == "unet-transformer-only") {
    k.take(row, "adapter.targets", block_targets(family, BlockLayers::with_mlp));
  } else if (name == "attn-only") {
    k.take(row, "adapter.targets", block_targets(family, BlockLayers::attention));
  } else if (name == "unet-convblock-only" && k.has_unet()) {
    k.conv = k.take(row, "adapter.targets",
                    Json::array({"denoiser.*.resnets.*", "denoiser.*.downsamplers.*",
                                 "denoiser.*.upsamplers.*"}));
    if (family_row(family).clip_encoders() < 2) {
      k.change(row, message<"Without the first and last convolution.">());
    }
  } else {
    k.conv = k.has_unet();  // as far as that can be told
    k.change(row, message<"Not known here: a set of layers; see adapter.targets.">());
  }
}

void layers_of_preset(Kohya& k, ImportRow& row, const Json& value) {
  if (!is_skipped(k, row, value)) {
    take_layers(k, row, lower_ascii(short_value(value)));
  }
}

void full_matrix(Kohya& k, ImportRow& row, const Json& value) {
  if (is_off(value)) {
    k.ignore(row, message<"Not used there.">());
  } else if (is_skipped(k, row, value)) {
    return;
  } else if (k.chosen().adapter.type != AdapterType::lokr) {
    k.ignore(row, message<"Concerns LoKr only.">());
  } else {
    k.take_changed(row, "adapter.rank", kMostRank, kWholeNote.said());
    k.take(row, "adapter.alpha", kMostRank);
    k.whole = true;
  }
}

/// Before alpha, whose part depends on it.
void rslora(Kohya& k, ImportRow& row, const Json& value) {
  if (is_skipped(k, row, value)) {
    return;
  }
  // The rank, which may stand for the whole matrix too, is taken later.
  const bool whole = k.whole || (k.chosen().adapter.type == AdapterType::lokr &&
                                 k.number("network_dim", kUsualRank) > kMostRank);
  if (whole && !is_off(value)) {
    k.change(row, message<"Scales a matrix that is trained whole there, not here.">());
  } else {
    k.take(row, "adapter.scaling", is_off(value) ? "standard" : "rslora");
  }
}

void dora(Kohya& k, ImportRow& row, const Json& value) {
  if (is_off(value)) {
    k.ignore(row, message<"Not used there.">());
  } else if (is_skipped(k, row, value)) {
    return;
  } else if (is_product(k.preset().adapter.type)) {
    k.take(row, "adapter.decompose", true);
  } else {
    k.take(row, "adapter.type", "dora");
  }
}

void dora_axis(Kohya& k, ImportRow& row, const Json& value) {
  if (!is_skipped(k, row, value)) {
    k.take(row, "adapter.dora_axis", is_off(value) ? "input" : "output");
  }
}

void take_dropout(Kohya& k, ImportRow& row, const Json& value) {
  if (is_off(value)) {
    k.take(row, "adapter.dropout", value);
  } else if (k.lycoris && is_product(k.chosen().adapter.type)) {
    k.ignore(row, message<"LyCORIS's LoHa and LoKr have no dropout.">());
  } else {
    k.take_changed(row, "adapter.dropout", value,
                   message<"Zeroes inputs of the adapter here, its inner channels there.">());
  }
}

void dropout_argument(Kohya& k, ImportRow& row, const Json& value) {
  if (!is_skipped(k, row, value)) {
    take_dropout(k, row, value);
  }
}

/// LyCORIS uses it only where its own argument is missing.
void network_dropout(Kohya& k, ImportRow& row, const Json& value) {
  if (k.lycoris && k.find("network_args.dropout") != nullptr) {
    k.ignore(row, message<"Given again: {key} counts.">(k.row("network_args.dropout")->source));
  } else {
    take_dropout(k, row, value);
  }
}

constexpr KohyaRule kKohyaLycorisRules[] = {
    {"network_args.algo", special, {}, algorithm},  // before what a type has of its own
    {"network_args.preset", special, {}, layers_of_preset},
    {"LyCORIS_preset", special, {}, layers_of_preset},
    {"network_args.full_matrix", special, {}, full_matrix},
    {"network_args.rs_lora", special, {}, rslora},
    {"network_dropout", special, {}, network_dropout},
    {"network_args.dropout", special, {}, dropout_argument},
    {"network_args.dora_wd", special, {}, dora},
    {"dora_wd", special, {}, dora},
    {"network_args.wd_on_output", special, {}, dora_axis},
    {"network_args.wd_on_out", special, {}, dora_axis},
};

}  // namespace

void leave_convolutions_out(Kohya& k, ImportRow& row) {
  Json entries = Json::array();
  add_conv_entries(entries, 0, 0);
  k.take(row, "adapter.ranks", entries);
  k.conv = false;
}

std::span<const KohyaRule> kohya_lycoris_rules() {
  return kKohyaLycorisRules;
}

void assume_lycoris_preset(Kohya& k, const Message& not_given) {
  if (!k.lycoris || k.find("network_args.preset") != nullptr ||
      k.find("LyCORIS_preset") != nullptr) {
    return;
  }
  ImportRow scratch;
  take_layers(k, scratch, "full");
  k.assume(
      "network_args.preset", "adapter.targets", get_setting(k.chosen(), "adapter.targets"),
      scratch.fate == ImportFate::changed ? joined<" ">({not_given, scratch.note}) : not_given);
}

void finish_lycoris_arguments(Kohya& k) {
  for (const std::string_view name : kLycorisArguments) {
    const std::string key = "network_args." + std::string(name);
    if (const Json* value = k.find(key)) {
      is_skipped(k, *k.row(key), *value);
    }
  }
}

}  // namespace mantissa
