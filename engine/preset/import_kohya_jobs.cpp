// Facts about sd-scripts, kohya_ss and musubi-tuner behind this file: one form of configuration
// serves many scripts; those of networks have a network_module, those without one train the model's
// own weights. A script's own keys tell the others, and the files that it is given tell the family.

#include <algorithm>
#include <iterator>

#include "engine/preset/import_families.h"
#include "engine/preset/import_kohya_rules.h"

namespace mantissa {
namespace {

/// A kind of training, by a key that only its scripts have.
struct JobKey {
  std::string_view key;
  RuleText job;
};
constexpr JobKey kOtherScripts[] = {
    {"controlnet_model_name_or_path", kControlNet},
    {"cond_emb_dim", kControlNet},
    {"max_denoising_steps", words<"concept editing (LECO)">},
    {"leco_denoise_guidance_scale", words<"concept editing (LECO)">},
};

/// Keys of the scripts of textual inversion.
constexpr std::string_view kEmbeddingKeys[] = {"token_string", "init_word", "num_vectors_per_token",
                                               "use_object_template", "use_style_template"};

/// A family that isn't offered, by files that its scripts alone are given.
struct FileKeys {
  std::string_view key, beside;  ///< `beside` may be empty
  std::string_view title;
};
constexpr FileKeys kOtherFiles[] = {
    {"gemma2", "", "Lumina Image 2.0"},
    {"clip_g", "t5xxl", "Stable Diffusion 3"},
    {"text_encoder_qwen", "", "Kandinsky 5"},
    {"image_encoder", "", "FramePack"},
    {"byt5", "dit", "HunyuanVideo 1.5"},
    {"byt5", "", "HunyuanImage 2.1"},
    {"t5", "dit", "Wan"},
    {"clip", "dit", "Wan"},
    {"text_encoder2", "dit", "HunyuanVideo"},
};

/// Tasks of musubi-tuner's scripts.
constexpr std::pair<std::string_view, std::string_view> kTasks[] = {{"t2v-", "Wan"},
                                                                    {"i2v-", "Wan"},
                                                                    {"t2i-", "Wan"},
                                                                    {"flf2v-", "Wan"},
                                                                    {"k5-", "Kandinsky 5"},
                                                                    {"t2v", "HunyuanVideo 1.5"},
                                                                    {"i2v", "HunyuanVideo 1.5"}};

bool has_value(const Kohya& k, std::string_view key) {
  return k.find(key) != nullptr;
}

/// A network, or what only scripts of networks read.
bool has_network(const Kohya& k) {
  return std::any_of(k.entries().begin(), k.entries().end(), [&](const SourceEntry& entry) {
    const bool named = entry.key.starts_with("network_") || entry.key == "LoRA_type" ||
                       entry.key == "LyCORIS_preset" || entry.key == "unet_lr" ||
                       entry.key == "base_weights" || entry.key == "dim_from_weights" ||
                       entry.key == "conv_dim";
    return named && !is_unset(entry.value);
  });
}

/// Whether another key names the family, or the switches of kohya_ss do.
bool is_named(const Kohya& k) {
  const std::string network = k.text("network_module");
  return k.of_gui() || k.names_chroma() || has_value(k, "base_model_version") ||
         has_value(k, "model_version") || find_family(&ForeignNames::kohya_networks, network) ||
         (k.musubi && find_family(&ForeignNames::musubi_networks, network));
}

/// An inpainting model has further inputs. kohya_ss drops the key for other scripts.
void refuse_inpainting(Kohya& k) {
  const ScriptSwitch* script = script_of_gui(k);
  const std::string_view family = script == nullptr ? "" : script->version;
  const bool reads_it = family.empty() || family == "sdxl" || family == "sd_v2";
  if (reads_it && k.flag("train_inpainting")) {
    refuse_family(k, *k.row("train_inpainting"),
                  family == "sdxl"    ? "SDXL Inpainting"
                  : family == "sd_v2" ? "Stable Diffusion 2 Inpainting"
                                      : "Stable Diffusion Inpainting");
  }
}

}  // namespace

const ScriptSwitch* script_of_gui(const Kohya& k) {
  const auto* found = std::ranges::find_if(
      kScriptSwitches, [&](const ScriptSwitch& script) { return k.flag(script.key); });
  return found == std::end(kScriptSwitches) ? nullptr : found;
}

void find_kohya_job(Kohya& k) {
  for (const JobKey& job : kOtherScripts) {
    if (has_value(k, job.key) && !is_off(*k.find(job.key))) {
      refuse_job(k, *k.row(job.key), job.job.said());
    }
  }
  // Presets of kohya_ss have no paths; pages without networks have keys of their own.
  const bool of_other_pages =
      k.of_finetuning_gui() || (k.of_gui() && k.index_of("no_token_padding"));
  const bool trains =
      has_value(k, "pretrained_model_name_or_path") || has_value(k, "dit") || of_other_pages;
  k.embedding = !has_network(k) && std::ranges::any_of(kEmbeddingKeys, [&](std::string_view key) {
    return has_value(k, key) && !is_off(*k.find(key));
  });
  k.full = !k.of_adapter && trains && !has_network(k) && !k.embedding;
  if (k.full && has_value(k, "conditioning_data_dir") && !k.flag("masked_loss")) {
    refuse_job(k, *k.row("conditioning_data_dir"), kControlNet.said());
  }
  refuse_inpainting(k);
  if (is_named(k)) {
    return;
  }
  for (const auto& [task, title] : kTasks) {
    if (lower_ascii(k.text("task")).starts_with(task)) {
      refuse_family(k, *k.row("task"), title);
    }
  }
  for (const FileKeys& files : kOtherFiles) {
    if (has_value(k, files.key) && (files.beside.empty() || has_value(k, files.beside))) {
      refuse_family(k, *k.row(files.key), files.title);
    }
  }
  if (has_value(k, "t5xxl") && !has_value(k, "ae")) {  // FLUX.1's scripts need both
    refuse_family(k, *k.row("t5xxl"), "Stable Diffusion 3");
  }
}

void take_family_of_files(Kohya& k) {
  if (is_named(k)) {
    return;
  }
  for (const FamilyRow* family : family_rows()) {
    for (const std::string_view key : foreign_names(family->foreign.kohya_keys)) {
      if (has_value(k, key)) {
        k.take(*k.row(key), "model.family", std::string(family->id.name()));
      }
    }
  }
}

}  // namespace mantissa
