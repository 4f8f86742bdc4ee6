#include <algorithm>
#include <cmath>

#include "engine/preset/import_families.h"
#include "engine/preset/import_kohya_rules.h"
#include "engine/preset/import_ranks.h"
#include "engine/preset/import_values.h"
#include "engine/preset/names.h"

namespace mantissa {
namespace {

using Json = nlohmann::json;
using enum ImportKind;

/// A switch of kohya_ss: the family of the one that counts, or Stable Diffusion 1.5 if all are off.
void script_switch(Kohya& k, ImportRow& row, const Json& value) {
  const ScriptSwitch* on = script_of_gui(k);
  if (on == nullptr && (row.key == "sdxl" || row.key == "sdxl_checkbox")) {
    k.take(row, "model.family", "sd15");
    k.family_known = true;
  } else if (on == nullptr || is_off(value)) {
    k.ignore(row, message<"Not used there.">());
  } else if (on->key != row.key) {
    k.ignore(row, message<"{key} counts instead.">(on->key));
  } else {
    take_family(k, row, &ForeignNames::kohya_versions,
                k.names_chroma() ? std::string_view("chroma") : on->version);
    k.sdxl = family_row(k.chosen().model.family).clip_encoders() > 1;
    k.family_known = k.chosen().model.family != ModelFamily::automatic;
  }
}

void family_version(Kohya& k, ImportRow& row, const Json& value) {
  take_family(k, row, k.musubi ? &ForeignNames::musubi_versions : &ForeignNames::kohya_versions,
              short_value(value));
  k.sdxl = family_row(k.preset().model.family).clip_encoders() > 1;
  k.family_known = true;
}

/// Names the family too, unless another key does (take_family_of_files).
void family_file(Kohya& k, ImportRow& row, const Json&) {
  if (row.targets.empty()) {
    k.ignore(row, kPathNote.said());
  }
}

void model_type(Kohya& k, ImportRow& row, const Json& value) {
  const bool flux = lower_ascii(short_value(value)) == "flux";
  if (k.of_gui() || (!flux && !k.names_chroma())) {
    k.ignore(row, message<"Counts together with other keys.">());
  } else {
    take_family(k, row, &ForeignNames::kohya_versions, flux ? "flux1" : "chroma");
    k.family_known = true;
  }
}

/// Its file's name may tell of a model that isn't offered.
void base_model(Kohya& k, ImportRow& row, const Json& value) {
  refuse_other_model(k, row, value.is_string() ? value.get<std::string>() : std::string());
  k.ignore(row, kPathNote.said());
}

/// Layers that the networks of sd-scripts, or of musubi-tuner, adapt unless they are told others.
Json layers_of_network(ModelFamily family, bool musubi) {
  return musubi ? foreign_targets(family, &ForeignTraining::musubi_layers, BlockLayers::with_mlp)
                : foreign_targets(family, &ForeignTraining::sd_scripts_layers,
                                  BlockLayers::with_modulation);
}

void network(Kohya& k, ImportRow& row, const Json& value) {
  const std::string name = lower_ascii(value.is_string() ? value.get<std::string>() : "");
  const auto has = [&](std::string_view part) { return name.find(part) != std::string::npos; };
  const FamilyNaming naming =
      k.musubi ? &ForeignNames::musubi_networks : &ForeignNames::kohya_networks;
  const auto found = find_family(naming, network_name(name));
  if (found && found->family == ModelFamily("flux1") && k.names_chroma()) {
    take_family(k, row, &ForeignNames::kohya_versions, "chroma");  // by the same network
    k.family_known = true;
  } else if (found) {
    take_family(k, row, naming, network_name(name));  // which is an Error if it isn't offered
    k.family_known = true;
  }
  k.lycoris = has("lycoris") || name == "locon";
  k.own_network =
      !k.lycoris && (row.key == "LoRA_type" || network_name(name).starts_with("networks."));
  k.take(row, "adapter.type", has("loha") ? "loha" : has("lokr") ? "lokr" : "lora");
  k.take(row, "adapter.targets", layers_of_network(k.preset().model.family, k.musubi));
  const bool plain = found.has_value() || name == "networks.lora" || name == "standard" ||
                     has("locon") || has("lycoris.kohya") || is_product(k.preset().adapter.type);
  if (!plain) {
    k.change(row, message<"{name} is not offered here: a LoRA of the same rank instead.">(
                      short_value(value)));
  }
}

/// LyCORIS trains a whole matrix of LoKr at a rank above all others, for which it has no alpha.
bool is_whole(const Kohya& k, const Json& value) {
  return k.chosen().adapter.type == AdapterType::lokr && as_number(value).value_or(0) > kMostRank;
}

bool take_rank(Kohya& k, ImportRow& row, const Json& value, const char* target) {
  if (!is_whole(k, value)) {
    return k.take(row, target, value);
  }
  return k.take_changed(row, target, kMostRank, kWholeNote.said());
}

void network_dim(Kohya& k, ImportRow& row, const Json& value) {
  if (k.whole) {
    k.ignore(row, message<"full_matrix counts instead.">());
    return;
  }
  k.whole = is_whole(k, value);
  take_rank(k, row, value, "adapter.rank");
  if (k.whole) {
    k.take(row, "adapter.alpha", kMostRank);
  }
}

void network_alpha(Kohya& k, ImportRow& row, const Json& value) {
  if (k.whole) {
    k.ignore(row, message<"A matrix that is trained whole has no alpha.">());
  } else {
    take_alpha(k, row, value, k.number("network_dim", kUsualRank), ZeroAlpha::rank);
  }
}

/// LyCORIS takes a rank of 0 for none, and its presets without convolutions have none either.
void conv_dim(Kohya& k, ImportRow& row, const Json& value) {
  if (is_off(value) && k.lycoris && k.conv) {
    leave_convolutions_out(k, row);
  } else if (is_off(value) || !k.has_unet() || (k.lycoris && !k.conv)) {
    k.ignore(row, message<"No convolutions there.">());
  } else if (!k.conv_counts()) {
    k.ignore(row, message<"Counts only for network types with convolutions there.">());
  } else if (k.whole && k.flag("network_args.full_matrix")) {
    k.ignore(row, message<"full_matrix counts instead.">());
  } else if (take_rank(k, row, value, "adapter.conv_rank") && !k.lycoris) {
    k.conv = k.take(row, "adapter.targets", "linear+conv");
  }
}

void conv_alpha(Kohya& k, ImportRow& row, const Json& value) {
  if (!k.conv) {
    k.ignore(row, message<"No convolutions there.">());
  } else if (k.whole) {
    network_alpha(k, row, value);
  } else {
    const double rank = k.number("network_dim", kUsualRank);
    take_conv_alpha(k, row, value, k.number("network_alpha", 1),
                    k.number("network_args.conv_dim", k.number("conv_dim", rank)));
  }
}

void lokr_factor(Kohya& k, ImportRow& row, const Json& value) {
  if (k.preset().adapter.type == AdapterType::lokr) {
    k.take(row, "adapter.factor", value);
  } else {
    k.ignore(row, message<"Concerns LoKr only.">());
  }
}

void lora_plus(Kohya& k, ImportRow& row, const Json& value) {
  if (is_off(value)) {
    k.ignore(row, message<"Not used there.">());
  } else if (row.key.find("unet") != std::string::npos) {
    k.take_changed(row, "adapter.lora_plus_ratio", value,
                   message<"Holds for every trained part here.">());
  } else {
    k.take(row, "adapter.lora_plus_ratio", value);
  }
}

void mixed_precision(Kohya& k, ImportRow& row, const Json& value) {
  take_mixed_precision(k, row, short_value(value));
}

void full_precision(Kohya& k, ImportRow& row, const Json& value) {
  if (is_off(value)) {
    k.ignore(row, message<"Not used there.">());
    return;
  }
  const std::string type = row.key.find("fp16") != std::string::npos ? "fp16" : "bf16";
  k.take(row, "precision.adapter", type);
  k.take(row, "precision.gradients", type);
  if (type == "fp16") {
    k.change(row,
             message<"The preflight refuses adapters kept in fp16, because small updates vanish "
                     "there, and offers fp32.">());
  }
}

void fp8_base(Kohya& k, ImportRow& row, const Json& value) {
  if (is_off(value)) {
    k.ignore(row, message<"Not used there.">());
    return;
  }
  if (k.of_anima_scripts()) {
    k.ignore(row, message<"Switched off there for this model family.">());
    return;
  }
  k.take(row, "precision.weights.denoiser", "fp8_e4m3");
  // Outputs that are cached come from encoders in the type of mixed_precision.
  const bool cached =
      k.flag("cache_text_encoder_outputs") || k.flag("cache_text_encoder_outputs_to_disk");
  if (row.key.find("unet") == std::string::npos && !k.musubi && !cached) {
    k.take(row, "precision.weights.text_encoders", "fp8_e4m3");
  }
  k.change(row, k.flag("fp8_scaled")
                    ? message<"With one scale per output channel here.">()
                    : message<"With one scale per output channel here, without any there.">());
}

void float_vae(Kohya& k, ImportRow& row, const Json& value) {
  if (is_off(value)) {
    k.ignore(row, message<"Not used there.">());
  } else if (row.key == "sdxl_no_half_vae" && !k.sdxl) {
    k.ignore(row, message<"Counts only for SDXL there.">());
  } else {
    k.take(row, "precision.weights.vae", "fp32");
  }
}

constexpr KohyaRule kKohyaModelRules[] = {
    // model
    {"sdxl", special, {}, script_switch},
    {"sdxl_checkbox", special, {}, script_switch},
    {"base_model_version", special, {}, family_version},
    {"v2", special, {}, script_switch},
    {"flux1_checkbox", special, {}, script_switch},
    {"sd3_checkbox", special, {}, script_switch},
    {"hunyuan_image_checkbox", special, {}, script_switch},
    {"anima_checkbox", special, {}, script_switch},
    {"lumina_checkbox", special, {}, script_switch},
    {"qwen3", special, {}, family_file},
    {"t5xxl", special, {}, family_file},
    {"ae", special, {}, family_file},
    {"llm_adapter_path", special, {}, family_file},
    {"model_type", special, {}, model_type},
    // adapter
    {"network_module", special, {}, network},
    {"LoRA_type", special, {}, network},
    {"pretrained_model_name_or_path", special, {}, base_model},  // of the family by now
};

constexpr KohyaRule kKohyaNetworkRules[] = {
    {"network_dim", special, {}, network_dim},
    {"network_alpha", special, {}, network_alpha},
    {"network_args.factor", special, {}, lokr_factor},
    {"factor", special, {}, lokr_factor},
    {"network_args.conv_dim", special, {}, conv_dim},
    {"conv_dim", special, {}, conv_dim},
    {"network_args.conv_alpha", special, {}, conv_alpha},
    {"conv_alpha", special, {}, conv_alpha},
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
};

}  // namespace

std::span<const KohyaRule> kohya_model_rules() {
  return kKohyaModelRules;
}

std::span<const KohyaRule> kohya_network_rules() {
  return kKohyaNetworkRules;
}

}  // namespace mantissa
