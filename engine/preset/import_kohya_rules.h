#pragma once
// Private to the importer of kohya's files.

#include <algorithm>
#include <span>

#include "engine/preset/family_table.h"
#include "engine/preset/import_rules.h"

namespace mantissa {

/// A switch of kohya_ss, which chooses the script.
struct ScriptSwitch {
  std::string_view key;
  std::string_view version;  ///< the family in ForeignNames::kohya_versions
  std::string_view prefix;   ///< of the keys that are passed to this script alone
};
/// In the order in which they are asked: the first one that is on counts.
inline constexpr ScriptSwitch kScriptSwitches[] = {
    {"sdxl", "sdxl", ""},
    {"sdxl_checkbox", "sdxl", ""},  // of its page for fine-tuning
    {"flux1_checkbox", "flux1", ""},
    {"sd3_checkbox", "sd3", "sd3_"},
    {"hunyuan_image_checkbox", "hunyuan_image", "hunyuan_"},
    {"anima_checkbox", "anima", "anima_"},
    {"lumina_checkbox", "lumina", "lumina_"},
    {"v2", "sd_v2", ""},  // of the script for Stable Diffusion 1, too
};

struct Kohya : ImportContext {
  using ImportContext::ImportContext;
  bool sdxl = false, family_known = false;
  bool musubi = false;      ///< the file is musubi-tuner's, whose keys are mostly the same
  bool of_adapter = false;  ///< an adapter's metadata: of a run that is over, in steps
  bool conv = false;
  bool whole = false;          ///< LoKr's larger matrix isn't split
  bool lycoris = false;        ///< the network is LyCORIS's
  bool own_network = false;    ///< it is one of the scripts' own, which skip arguments of LyCORIS
  bool denoiser_only = false;  ///< the layers that LyCORIS's preset names are the denoiser's
  bool adapts_text = true;     ///< false for an adapter's file without layers of text encoders
  bool data_read = false;      ///< the file that dataset_config names is among the entries
  bool full = false;           ///< without a network: the model's own weights are trained
  bool embedding = false;      ///< textual inversion: the vectors of a word are trained

  /// Whether kohya_ss wrote the file on its page for fine-tuning, by keys of that page alone.
  bool of_finetuning_gui() const {
    static constexpr std::string_view kKeys[] = {"sdxl_checkbox", "full_path", "use_latent_files",
                                                 "create_buckets"};
    return std::ranges::any_of(kKeys,
                               [&](std::string_view key) { return index_of(key).has_value(); });
  }
  /// Whether kohya_ss wrote the file, whose switches name the family.
  bool of_gui() const {
    return index_of("LoRA_type") || of_finetuning_gui() ||
           std::ranges::any_of(kScriptSwitches, [&](const auto& script) {
             return script.key != "v2" && index_of(script.key);  // which sd-scripts has too
           });
  }

  /// kohya_ss only reads conv_dim for network types with convolutions.
  bool conv_counts() const {
    static constexpr std::string_view kTypes[] = {"LoCon", "LyCORIS", "LoHa", "LoKr", "DyLoRA"};
    const std::string type = text("LoRA_type");
    return type.empty() || std::ranges::any_of(kTypes, [&](std::string_view name) {
             return type.find(name) != std::string::npos;
           });
  }
  /// A UNet of Stable Diffusion, or a model of which the file doesn't tell.
  bool has_unet() const { return family_row(chosen().model.family).has_unet; }
  /// Whether it has data sets, which have their own defaults.
  bool of_data_set() const {
    return std::any_of(entries().begin(), entries().end(), [](const SourceEntry& e) {
      return e.path.find("datasets[") != std::string::npos;
    });
  }
  /// sd-scripts' own scripts for Anima, which have other defaults of the noise levels.
  bool of_anima_scripts() const { return !musubi && chosen().model.family == ModelFamily("anima"); }
  /// Whether sd-scripts' scripts for FLUX.1 train Chroma; kohya_ss tells these scripts alone.
  bool names_chroma() const {
    const std::string type = of_adapter ? text("base_model_version") : text("model_type");
    return lower_ascii(type) == "chroma" && (!of_gui() || flag("flux1_checkbox"));
  }
  /// sd-scripts' own scripts for FLUX.1 and Chroma.
  bool of_flux1_scripts() const {
    const ModelFamily family = chosen().model.family;
    return !musubi && (family == ModelFamily("flux1") || family == ModelFamily("chroma"));
  }
  /// Whether the model is Chroma, whose only text encoder is the second one there.
  bool reads_t5_alone() const { return chosen().model.family == ModelFamily("chroma"); }
  /// With their own network, which has arguments that no other reads.
  bool of_flux1_network() const { return of_flux1_scripts() && own_network && !full; }
  bool trains_t5() const {
    const Json* value = argument("train_t5xxl");
    return of_flux1_network() && value != nullptr && !is_off(*value);
  }
  /// An argument of the network, or the key of kohya_ss for it; null if neither is set.
  const Json* argument(std::string_view name) const {
    const Json* value = find("network_args." + std::string(name));
    return value != nullptr ? value : find(name);
  }
  double steps() const { return by_epochs() ? 0 : number("max_train_steps", 0); }
  /// Epochs count before steps there; kohya_ss has another number of them, for want of steps.
  bool by_epochs() const {
    return !of_adapter &&
           (number("max_train_epochs", 0) > 0 ||
            (of_gui() && number("epoch", 0) > 0 && number("max_train_steps", 0) <= 0));
  }
};

/// "networks.lora_zimage" of "musubi_tuner.networks.lora_zimage".
inline std::string_view network_name(std::string_view module) {
  const std::size_t at = module.find("networks.");
  return at == std::string_view::npos ? module : module.substr(at);
}

using KohyaRule = ImportRule<Kohya>;

/// network_dim where none is given.
inline constexpr double kUsualRank = 4;
/// max_train_steps where no length is given.
inline constexpr double kUsualSteps = 1600;

/// The layers of LyCORIS where no preset is given; after its arguments and before the ranks.
void assume_lycoris_preset(Kohya& k, const Message& not_given);
/// Excludes convolutions larger than 1x1 from the chosen layers.
void leave_convolutions_out(Kohya& k, ImportRow& row);
/// Answers arguments of LyCORIS that a network of the scripts' own skips; after the rules.
void finish_lycoris_arguments(Kohya& k);
/// Trained parts and their rates, or those of a script of textual inversion; after the rules.
void finish_kohya_parts(Kohya& k);
/// The word of a script of textual inversion, its vectors and rate; after the rules.
void finish_kohya_embedding(Kohya& k);
/// Defaults of the optimizer, and what Adafactor does by itself there.
void finish_kohya_optimizer(Kohya& k);

/// The switch of kohya_ss that counts; null if all are off or absent.
const ScriptSwitch* script_of_gui(const Kohya& k);
/// Decides what the file trains. Kinds of training and families that aren't offered are an Error.
void find_kohya_job(Kohya& k);
/// The family that a key of the file belongs to (ForeignNames::kohya_keys), where nothing else
/// names one.
void take_family_of_files(Kohya& k);
/// Options that data sets or their folders don't share, which one value stands for here; after the
/// rules and finish_sets.
void finish_kohya_sets(Kohya& k);
/// The schedule with all that it is given; after the rules.
void finish_kohya_schedule(Kohya& k, const Message& not_given);

/// Keys that become settings, in the order of application: general keys first, those that override
/// them after. Model, adapter and precision; then data, training, optimizer, schedule, output and
/// samples.
std::span<const KohyaRule> kohya_model_rules();
std::span<const KohyaRule> kohya_network_rules();
std::span<const KohyaRule> kohya_training_rules();
std::span<const KohyaRule> kohya_schedule_rules();
/// Arguments of LyCORIS that choose a form and its layers, after the network and before its rank.
std::span<const KohyaRule> kohya_lycoris_rules();
/// Keys that give each block of a UNet a rank, after those of the adapter.
std::span<const KohyaRule> kohya_block_rules();
/// Keys for the noise levels of flow models.
std::span<const KohyaRule> kohya_timestep_rules();
/// Keys of sd-scripts' scripts for Anima alone.
std::span<const KohyaRule> kohya_anima_rules();
/// Defaults of these scripts.
void finish_kohya_anima(Kohya& k, const Message& not_given);
/// Keys of sd-scripts' scripts for FLUX.1, after those of the network and the noise levels.
std::span<const KohyaRule> kohya_flux1_rules();
/// Defaults of these scripts.
void finish_kohya_flux1(Kohya& k, const Message& not_given);
/// Keys of musubi-tuner alone.
std::span<const KohyaRule> musubi_rules();
/// Keys that are paths, unsupported, or without effect on the result.
std::span<const KohyaRule> kohya_unused_rules();
/// The first rule of a key in any of these tables; null for an unknown key.
const KohyaRule* kohya_rule(std::string_view key);

}  // namespace mantissa
