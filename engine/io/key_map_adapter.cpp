#include <algorithm>
#include <array>

#include "engine/core/error.h"
#include "engine/io/key_map.h"
#include "engine/io/name_parts.h"

namespace mantissa {

namespace {

constexpr std::string_view kTextFolder = "text_encoder";

}  // namespace

std::string part_name(Part part) {
  return part == kDenoiser ? "unet" : std::string(part.name());
}

std::string part_folder(Part part) {
  if (!is_text(part)) {
    return part_name(part);
  }
  const std::uint32_t number = stream_of(part);
  return std::string(kTextFolder) + (number == 1 ? "" : "_" + std::to_string(number));
}

std::optional<Part> part_of_folder(std::string_view folder) {
  if (folder == "unet" || folder == "transformer") {
    return kDenoiser;
  }
  if (folder == kVae.name()) {
    return kVae;
  }
  for (const char number : {'1', '2', '3', '4'}) {
    const Part text(std::string("te") + number);
    if (folder == part_folder(text)) {
      return text;
    }
  }
  return std::nullopt;
}

std::string_view ldm_prefix(Part part) {
  return part == kDenoiser ? "model.diffusion_model."
         : part == kTe1    ? "conditioner.embedders.0.transformer."
         : part == kTe2    ? "conditioner.embedders.1.model."
                           : "first_stage_model.";
}

std::string kohya_module_name(std::string_view module_path, const UnetLayout& layout,
                              KohyaStyle style) {
  std::string_view rest = module_path;
  std::string name;
  if (take(rest, "unet.")) {
    const auto path =
        style == KohyaStyle::sdxl ? unet_to_ldm(rest, layout) : std::optional<std::string>(rest);
    if (!path) {
      throw Error(message<"the module path '{module}' has no LDM name in this UNet, so it can't be "
                          "written in kohya's layout">(module_path));
    }
    name = "lora_unet_" + *path;
  } else if (take(rest, "text_encoder.")) {
    name = (style == KohyaStyle::sdxl ? "lora_te1_" : "lora_te_") + std::string(rest);
  } else if (take(rest, "text_encoder_2.")) {
    name = "lora_te2_" + std::string(rest);
  } else {
    throw Error(
        message<
            "the module path '{module}' must start with unet., text_encoder. or text_encoder_2.">(
            module_path));
  }
  std::replace(name.begin(), name.end(), '.', '_');
  return name;
}

std::map<std::string, std::string, std::less<>> kohya_table(
    std::span<const std::string> module_paths, const UnetLayout& layout, KohyaStyle style) {
  std::map<std::string, std::string, std::less<>> table;
  for (const std::string& path : module_paths) {
    const auto [at, added] = table.emplace(kohya_module_name(path, layout, style), path);
    if (!added && at->second != path) {
      throw Error(message<"the modules '{module}' and '{other}' share the kohya name '{name}'">(
          at->second, path, at->first));
    }
  }
  return table;
}

std::string peft_tensor_name(std::string_view module_path, std::string_view tensor) {
  return std::string(module_path) + "." + std::string(tensor);
}

std::vector<std::string> default_adapter_modules(Part part, std::span<const std::string> names) {
  constexpr std::array<std::string_view, 8> kUnet{".proj_in",       ".proj_out", ".to_q",
                                                  ".to_k",          ".to_v",     ".to_out.0",
                                                  ".ff.net.0.proj", ".ff.net.2"};
  constexpr std::array<std::string_view, 6> kText{".q_proj",   ".k_proj",  ".v_proj",
                                                  ".out_proj", ".mlp.fc1", ".mlp.fc2"};
  std::vector<std::string> modules;
  for (std::string_view name : names) {
    if (!name.ends_with(".weight") || part == kVae) {
      continue;
    }
    const std::string_view module = name.substr(0, name.size() - 7);
    const auto ends = [&](std::string_view suffix) { return module.ends_with(suffix); };
    const bool wanted = part == kDenoiser ? module.find(".attentions.") != std::string_view::npos &&
                                                std::any_of(kUnet.begin(), kUnet.end(), ends)
                                          : module.find(".layers.") != std::string_view::npos &&
                                                std::any_of(kText.begin(), kText.end(), ends);
    if (wanted) {
      modules.push_back(std::string(part_folder(part)) + "." + std::string(module));
    }
  }
  return modules;
}

}  // namespace mantissa
