// Facts about SimpleTuner's FLUX.1 behind this table: flux_lora_target names the layers of a plain
// LoRA, by the ends of their paths, so that "proj_out" is the model's last layer too; "all" are the
// attention's. It gives the model a guidance scale of 1, or another one, or one of a range.
// flux_fast_schedule draws from four noise levels, unless another schedule is chosen. schnell is
// trained with an adapter that is left out of samples, as Z-Image Turbo is, LibreFLUX with its
// captions' mask, FluxBooru at a guidance scale of 3.5.

#include <algorithm>

#include "engine/preset/import_families.h"
#include "engine/preset/import_simpletuner_rules.h"
#include "engine/preset/import_values.h"

namespace mantissa {
namespace {

using Json = nlohmann::json;
using enum ImportKind;

/// A set of layers by its name there, as a space-separated list of adapter.targets.
struct LayerSet {
  std::string_view name, targets;
};
constexpr LayerSet kLayerSets[] = {
    {"all", "attention"},
    {"mmdit",
     "denoiser.*transformer_blocks.*.attn.to_q denoiser.*transformer_blocks.*.attn.to_k "
     "denoiser.*transformer_blocks.*.attn.to_v denoiser.transformer_blocks.*.attn.to_out.*"},
    {"context",
     "denoiser.transformer_blocks.*.attn.add_* denoiser.transformer_blocks.*.attn.to_add_out"},
    {"context+ffs",
     "denoiser.transformer_blocks.*.attn.add_* denoiser.transformer_blocks.*.attn.to_add_out "
     "denoiser.transformer_blocks.*.ff_context.*"},
    {"all+ffs", "attention+mlp denoiser.proj_out"},
    {"all+ffs+embedder", "attention+mlp denoiser.proj_out denoiser.x_embedder"},
    {"ai-toolkit", "attention+mlp denoiser.proj_out denoiser.*transformer_blocks.*.norm*"},
    {"tiny",
     "denoiser.single_transformer_blocks.7.proj_out "
     "denoiser.single_transformer_blocks.20.proj_out"},
    {"nano", "denoiser.single_transformer_blocks.7.proj_out"},
};

bool is_flux1(const SimpleTuner& s) {
  return s.chosen().model.family == ModelFamily("flux1");
}

/// Its blocks have the same layers, by the same names.
bool is_chroma(const SimpleTuner& s) {
  return s.chosen().model.family == ModelFamily("chroma");
}

/// Answers rows of another family; true if it is one.
bool of_another_family(SimpleTuner& s, ImportRow& row) {
  if (!is_flux1(s)) {
    s.ignore(row, message<"Counts only for FLUX.1 there.">());
  }
  return !is_flux1(s);
}

/// The older way of naming the family.
void old_switch(SimpleTuner& s, ImportRow& row, const Json& value) {
  if (is_off(value)) {
    s.ignore(row, message<"Not used there.">());
  } else if (s.find("model_family") != nullptr) {
    s.ignore(row, message<"Counts together with other keys.">());
  } else {
    take_family(s, row, &ForeignNames::simpletuner, "flux");
  }
}

void base_model(SimpleTuner& s, ImportRow& row, const Json& value) {
  refuse_other_model(s, row, value.is_string() ? value.get<std::string>() : std::string());
  s.ignore(row, kPathNote.said());
}

void lora_target(SimpleTuner& s, ImportRow& row, const Json& value) {
  const std::string name = lower_ascii(short_value(value));
  if (name.find("controlnet") != std::string::npos) {
    refuse_job(s, row, kControlNet.said());
  }
  const auto* set = std::ranges::find(kLayerSets, name, &LayerSet::name);
  if (!s.trains_plain_lora() || s.chosen().model.family == ModelFamily::automatic) {
    s.ignore(row, message<"Counts only for a plain LoRA of FLUX.1 there.">());
  } else if ((!is_flux1(s) && !is_chroma(s)) || set == std::end(kLayerSets)) {
    s.change(row, message<"Not known here: a set of layers; see adapter.targets.">());
  } else {
    s.take(row, "adapter.targets", Json(foreign_names(set->targets)));
  }
}

void guidance_mode(SimpleTuner& s, ImportRow& row, const Json& value) {
  if (of_another_family(s, row)) {
    return;
  }
  if (value == "random-range") {
    s.change(row, kGuidanceNote.said());
  } else {
    s.ignore(row, message<"Counts together with other keys.">());
  }
}

void guidance_value(SimpleTuner& s, ImportRow& row, const Json& value) {
  if (of_another_family(s, row)) {
    return;
  }
  if (s.text("flux_guidance_mode") == "random-range") {
    s.ignore(row, message<"Not used there.">());
  } else {
    answer_guidance(s, row, value);
  }
}

void guidance_range(SimpleTuner& s, ImportRow& row, const Json&) {
  if (!of_another_family(s, row)) {
    s.ignore(row, s.text("flux_guidance_mode") == "random-range"
                      ? message<"Counts together with other keys.">()
                      : message<"Not used there.">());
  }
}

void masked_captions(SimpleTuner& s, ImportRow& row, const Json& value) {
  if (of_another_family(s, row)) {
    return;
  }
  if (is_off(value)) {
    s.ignore(row, message<"Not used there.">());
  } else {
    s.change(row, message<"Not offered here: {what}.">(kT5Mask.said()));
  }
}

/// Read for every flow model.
void fast_schedule(SimpleTuner& s, ImportRow& row, const Json& value) {
  if (!has_flow(s.chosen())) {
    s.ignore(row, message<"Counts only for flow models there.">());
  } else if (is_off(value) || s.flag("flow_use_uniform_schedule") ||
             s.flag("flow_use_beta_schedule")) {
    s.ignore(row, message<"Not used there.">());
  } else {
    s.change(row, message<"Not offered here: {what}.">(kOtherTimesteps.said()));
  }
}

constexpr SimpleTunerRule kSimpleTunerFlux1Rules[] = {
    {"flux", special, {}, old_switch},
    {"pretrained_model_name_or_path", special, {}, base_model},
    {"pretrained_transformer_model_name_or_path", special, {}, base_model},
    {"flux_lora_target", special, {}, lora_target},
    {"flux_guidance_mode", special, {}, guidance_mode},
    {"flux_guidance_value", special, {}, guidance_value},
    {"flux_guidance_min", special, {}, guidance_range},
    {"flux_guidance_max", special, {}, guidance_range},
    {"flux_attention_masked_training", special, {}, masked_captions},
    {"flux_fast_schedule", special, {}, fast_schedule},
};

/// Keys with another name in older versions.
constexpr std::pair<std::string_view, std::string_view> kOlderNames[] = {
    {"flux_schedule_shift", "flow_schedule_shift"},
    {"flux_schedule_auto_shift", "flow_schedule_auto_shift"},
    {"flux_use_uniform_schedule", "flow_use_uniform_schedule"},
    {"flux_use_beta_schedule", "flow_use_beta_schedule"},
    {"flux_beta_schedule_alpha", "flow_beta_schedule_alpha"},
    {"flux_beta_schedule_beta", "flow_beta_schedule_beta"},
    {"flow_matching_sigmoid_scale", "flow_sigmoid_scale"},
};

/// A flavour that is trained with an adapter.
struct AdaptedFlavour {
  std::string_view family, flavour;
  bool by_path = false;  ///< only with the adapter's path: the family has none of its own
  bool usual = false;    ///< where neither a flavour nor a base model is given
};
constexpr AdaptedFlavour kAdaptedFlavours[] = {
    {"flux1", "schnell"},
    {"z_image", "turbo"},
    {"z_image", "turbo-ostris-v2", false, true},
    {"ernie_image", "turbo", true},
    {"qwen_image", "v2.0", true, true},
};

/// Whether the run is of that family, and loads the adapter.
bool loads_adapter(const SimpleTuner& s, const AdaptedFlavour& of) {
  return s.is(of.family) && lower_ascii(s.text("model_type")) == "lora" &&
         !s.flag("disable_assistant_lora") &&
         (!of.by_path || s.find("assistant_lora_path") != nullptr);
}

bool has_training_adapter(const SimpleTuner& s, std::string_view flavour) {
  return std::ranges::any_of(kAdaptedFlavours, [&](const AdaptedFlavour& each) {
    return each.flavour == flavour && loads_adapter(s, each);
  });
}

Message adapter_note(std::string_view flavour) {
  return message<
      "Trained with an adapter for {flavour} there: give the run its file as its "
      "training adapter (--training-adapter).">(flavour);
}

}  // namespace

std::span<const SimpleTunerRule> simpletuner_flux1_rules() {
  return kSimpleTunerFlux1Rules;
}

void rename_older_keys(std::vector<SourceEntry>& entries) {
  const auto entry_of = [&](std::string_view key) {
    return std::ranges::find(entries, key, &SourceEntry::key);
  };
  for (const auto& [older, name] : kOlderNames) {
    const auto given = entry_of(older);
    if (given == entries.end()) {
      continue;
    }
    if (const auto newer = entry_of(name); newer != entries.end()) {
      given->superseded_by = newer->path;
    } else {
      given->key = name;
    }
  }
}

void answer_flavour(SimpleTuner& s, ImportRow& row, std::string_view flavour) {
  if (has_training_adapter(s, flavour)) {
    s.change(row, adapter_note(flavour));
    return;
  }
  if (!is_flux1(s)) {
    return;
  }
  if (flavour == "libreflux") {
    s.change(row, message<"Not offered here: {what}.">(kT5Mask.said()));
  } else if (flavour == "fluxbooru") {
    s.change(row, kGuidanceNote.said());
  }
}

void finish_flavour(SimpleTuner& s) {
  if (s.find("pretrained_model_name_or_path") != nullptr) {
    return;
  }
  for (const AdaptedFlavour& each : kAdaptedFlavours) {
    if (each.usual && loads_adapter(s, each)) {
      s.differ("model_flavour", std::string(each.flavour), adapter_note(each.flavour));
    }
  }
}

}  // namespace mantissa
