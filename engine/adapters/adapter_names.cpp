#include "engine/adapters/adapter_names.h"

#include <algorithm>
#include <array>

#include "engine/io/name_parts.h"

namespace mantissa {
namespace {

constexpr std::string_view kUnet = "unet.", kFirstText = "text_encoder.",
                           kSecondText = "text_encoder_2.";
/// What diffusers calls PixArt's denoiser.
constexpr std::string_view kTransformer = "transformer.";
constexpr std::string_view kPeft = "base_model.model.";
/// Recent transformers leave this level out of a text encoder's paths.
constexpr std::string_view kTextLevel = ".text_model.";

struct Suffix {
  std::string_view text;
  AdapterRole role;
  TensorNames names;
};

// The first entry of a role and naming is the one that is written.
constexpr Suffix kSuffixes[] = {
    {".lora_down.weight", AdapterRole::down, TensorNames::kohya},
    {".lora_up.weight", AdapterRole::up, TensorNames::kohya},
    {".lora_mid.weight", AdapterRole::mid, TensorNames::kohya},
    {".alpha", AdapterRole::alpha, TensorNames::kohya},
    {".dora_scale", AdapterRole::magnitude, TensorNames::kohya},
    {".lora_A.weight", AdapterRole::down, TensorNames::peft},
    {".lora_B.weight", AdapterRole::up, TensorNames::peft},
    {".lora_magnitude_vector", AdapterRole::magnitude, TensorNames::peft},
    {".lora_magnitude_vector.weight", AdapterRole::magnitude, TensorNames::peft},
    {".lora_A.default.weight", AdapterRole::down, TensorNames::peft},
    {".lora_B.default.weight", AdapterRole::up, TensorNames::peft},
    {".lora_magnitude_vector.default.weight", AdapterRole::magnitude, TensorNames::peft},
    {".lora.down.weight", AdapterRole::down, TensorNames::old},
    {".lora.up.weight", AdapterRole::up, TensorNames::old},
    {".lora_linear_layer.down.weight", AdapterRole::down, TensorNames::old},
    {".lora_linear_layer.up.weight", AdapterRole::up, TensorNames::old},
    {".down.weight", AdapterRole::down, TensorNames::processor},
    {".up.weight", AdapterRole::up, TensorNames::processor},
    {".hada_w1_a", AdapterRole::hada_w1_a, TensorNames::kohya},
    {".hada_w1_b", AdapterRole::hada_w1_b, TensorNames::kohya},
    {".hada_w2_a", AdapterRole::hada_w2_a, TensorNames::kohya},
    {".hada_w2_b", AdapterRole::hada_w2_b, TensorNames::kohya},
    {".hada_t1", AdapterRole::hada_t1, TensorNames::kohya},
    {".hada_t2", AdapterRole::hada_t2, TensorNames::kohya},
    {".lokr_w1", AdapterRole::lokr_w1, TensorNames::kohya},
    {".lokr_w1_a", AdapterRole::lokr_w1_a, TensorNames::kohya},
    {".lokr_w1_b", AdapterRole::lokr_w1_b, TensorNames::kohya},
    {".lokr_w2", AdapterRole::lokr_w2, TensorNames::kohya},
    {".lokr_w2_a", AdapterRole::lokr_w2_a, TensorNames::kohya},
    {".lokr_w2_b", AdapterRole::lokr_w2_b, TensorNames::kohya},
    {".lokr_t2", AdapterRole::lokr_t2, TensorNames::kohya},
    {".diff", AdapterRole::diff, TensorNames::kohya},
};

std::string underscored(std::string_view head, std::string_view path) {
  std::string name(head);
  name += path;
  std::replace(name.begin(), name.end(), '.', '_');
  return name;
}

std::optional<std::string> processor_name(std::string_view path) {
  for (std::string_view end : {".to_q", ".to_k", ".to_v", ".to_out.0"}) {
    if (path.ends_with(end)) {
      const std::string_view parent = path.substr(0, path.size() - end.size());
      const std::string_view last = end == ".to_out.0" ? ".to_out" : end;
      return std::string(parent) + ".processor" + std::string(last) + "_lora";
    }
  }
  return std::nullopt;
}

std::optional<std::string> denoiser_name(std::string_view path, ModuleNames names,
                                         const UnetLayout& layout, KohyaStyle style) {
  const bool ldm_path =
      names == ModuleNames::ldm || (names == ModuleNames::kohya && style == KohyaStyle::sdxl);
  std::optional<std::string> ldm;
  if (ldm_path) {
    ldm = layout.layers.empty() ? std::nullopt : unet_to_ldm(path, layout);
    if (!ldm) {
      return std::nullopt;
    }
  }
  switch (names) {
    case ModuleNames::kohya:
      return underscored("lora_unet_", ldm ? *ldm : std::string(path));
    case ModuleNames::kohya_diffusers:
      return underscored("lora_unet_", path);
    case ModuleNames::lycoris:
      return underscored("lycoris_", path);
    case ModuleNames::ldm:
      return "diffusion_model." + *ldm;
    case ModuleNames::diffusers:
      return std::string(kUnet) + std::string(path);
    case ModuleNames::bare:
      return std::string(path);
    case ModuleNames::processors: {
      const auto name = processor_name(path);
      return name ? std::optional(std::string(kUnet) + *name) : std::nullopt;
    }
    case ModuleNames::peft:
      return std::string(kPeft) + std::string(path);
  }
  return std::nullopt;
}

std::optional<std::string> text_name(std::string_view path, bool second, ModuleNames names,
                                     KohyaStyle style) {
  switch (names) {
    case ModuleNames::kohya:
    case ModuleNames::kohya_diffusers:
      return underscored(second                      ? "lora_te2_"
                         : style == KohyaStyle::sd15 ? "lora_te_"
                                                     : "lora_te1_",
                         path);
    case ModuleNames::ldm:
      return (second ? "text_encoders.clip_g.transformer." : "text_encoders.clip_l.transformer.") +
             std::string(path);
    case ModuleNames::diffusers:
    case ModuleNames::processors:
      return std::string(second ? kSecondText : kFirstText) + std::string(path);
    case ModuleNames::peft:
      return std::string(kPeft) + std::string(path);
    case ModuleNames::lycoris:
    case ModuleNames::bare:
      return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> module_name(std::string_view path, ModuleNames names,
                                       const UnetLayout& layout, KohyaStyle style) {
  std::string_view rest = path;
  if (take(rest, kUnet)) {
    return denoiser_name(rest, names, layout, style);
  }
  if (take(rest, kTransformer)) {
    return names == ModuleNames::diffusers ? std::optional<std::string>(path)
                                           : denoiser_name(rest, names, layout, style);
  }
  if (take(rest, kFirstText)) {
    return text_name(rest, false, names, style);
  }
  if (take(rest, kSecondText)) {
    return text_name(rest, true, names, style);
  }
  return std::nullopt;
}

ModuleTable::ModuleTable(std::span<const std::string> module_paths, const UnetLayout& layout) {
  const auto add = [&](const std::optional<std::string>& name, const std::string& path,
                       ModuleNames names) {
    if (name) {
      table_.emplace(*name, NamedModule{path, names});
    }
  };
  for (const std::string& path : module_paths) {
    for (ModuleNames names : {ModuleNames::diffusers, ModuleNames::kohya, ModuleNames::ldm,
                              ModuleNames::lycoris, ModuleNames::bare, ModuleNames::processors}) {
      add(module_name(path, names, layout, KohyaStyle::sdxl), path, names);
    }
    for (KohyaStyle style : {KohyaStyle::sdxl, KohyaStyle::sd15}) {
      add(module_name(path, ModuleNames::kohya_diffusers, layout, style), path,
          ModuleNames::kohya_diffusers);
    }
    std::string_view rest = path;
    if (take(rest, kUnet)) {
      // What PixArt's files call the denoiser, and LDM checkpoints.
      add(std::string(kTransformer) + std::string(rest), path, ModuleNames::diffusers);
      if (const auto name = processor_name(rest)) {
        add(*name, path, ModuleNames::processors);
      }
      if (!layout.layers.empty()) {
        if (const auto ldm = unet_to_ldm(rest, layout)) {
          add("model.diffusion_model." + *ldm, path, ModuleNames::ldm);
        }
      }
    }
    if (const auto at = path.find(kTextLevel); at != std::string::npos) {
      add(path.substr(0, at) + "." + path.substr(at + kTextLevel.size()), path,
          ModuleNames::diffusers);
    }
  }
}

const NamedModule* ModuleTable::find(std::string_view name, std::string_view folder) const {
  if (const auto it = table_.find(name); it != table_.end()) {
    return &it->second;
  }
  std::string_view rest = name;
  if (!take(rest, kPeft)) {
    return nullptr;
  }
  for (const std::string& guess : {std::string(rest), std::string(folder) + "." + std::string(rest),
                                   std::string(kUnet) + std::string(rest)}) {
    // Without its folder only the denoiser's names are sure: text encoders share theirs.
    if (const auto it = table_.find(guess);
        it != table_.end() && it->second.names == ModuleNames::diffusers) {
      return &it->second;
    }
  }
  return nullptr;
}

std::string_view tensor_suffix(AdapterRole role, TensorNames names) {
  for (const Suffix& s : kSuffixes) {
    if (s.role == role && s.names == names) {
      return s.text;
    }
  }
  return {};
}

std::optional<SplitName> split_suffix(std::string_view name) {
  for (const Suffix& s : kSuffixes) {
    if (!name.ends_with(s.text)) {
      continue;
    }
    const std::string_view module = name.substr(0, name.size() - s.text.size());
    if (s.names == TensorNames::processor && !module.ends_with("_lora")) {
      continue;
    }
    return SplitName{module, s.role, s.names};
  }
  return std::nullopt;
}

}  // namespace mantissa
