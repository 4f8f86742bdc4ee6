// WeightSource::Data of a single file: LDM naming, or a PixArt transformer alone.
#include <algorithm>

#include "engine/core/error.h"
#include "engine/io/json_file.h"
#include "engine/io/name_parts.h"
#include "engine/io/weight_data.h"

namespace mantissa {

namespace fs = std::filesystem;

void WeightSource::Data::add_single(const TensorInfo& tensor, int vae_levels) {
  const std::string_view name = tensor.name;
  const std::string& file = files.front().label();
  if (is_harmless(name)) {
    ignored.push_back(tensor.name);
    return;
  }
  const auto below = [&](std::string_view prefix) {
    return name.starts_with(prefix) ? std::optional(name.substr(prefix.size())) : std::nullopt;
  };
  if (const auto rest = below(ldm_prefix(kDenoiser))) {
    if (const auto canonical = unet_to_diffusers(*rest, layout)) {
      return add(kDenoiser, *canonical, {&tensor}, file);
    }
  } else if (const auto vae = below(ldm_prefix(kVae))) {
    if (const auto canonical = vae_to_diffusers(*vae, vae_levels)) {
      const bool matrix = is_convolved_projection(tensor, *canonical);
      return add(kVae, *canonical, {.tensor = &tensor, .squeeze = matrix}, file);
    }
  } else if (const auto te2 = below(ldm_prefix(kTe2))) {
    if (const auto mapping = openclip_to_hf(*te2)) {
      return add_mapped(kTe2, *mapping, tensor, file);
    }
  } else {
    if (const auto openclip = below(kSd2TextPrefix)) {
      if (const auto mapping = openclip_to_hf(*openclip)) {
        return add_mapped(kTe1, *mapping, tensor, file);
      }
    }
    auto te1 = below(ldm_prefix(kTe1));
    te1 = te1 ? te1 : below(kSd15TextPrefix);
    if (te1) {
      const std::string canonical = with_text_model(*te1);
      if (canonical.starts_with("text_model.")) {
        return add(kTe1, canonical, {&tensor}, file);
      }
      if (canonical == "text_projection.weight") {  // present in some files, used by none
        ignored.push_back(tensor.name);
        return;
      }
    }
  }
  unknown.push_back(tensor.name);
}

void WeightSource::Data::read_embedded_config() {
  const auto found = metadata.find("mantissa.config");
  if (found == metadata.end()) {
    return;
  }
  const Message label = message<"'{file}': metadata key mantissa.config">(files.front().label());
  const nlohmann::json json = parse_json(found->second, label);
  if (!json.is_object()) {
    throw Error(message<"{file} must be a JSON object">(label));
  }
  for (const auto& [key, value] : json.items()) {
    if (!value.is_object()) {
      throw Error(message<"{file}: '{key}' must be an object">(label, key));
    }
    if (key == "scheduler") {
      scheduler = value;
      continue;
    }
    for (Part p : kParts) {
      if (key == part_name(p)) {
        configs[p] = value;
      }
    }
  }
}

void WeightSource::Data::open_file(const fs::path& file) {
  single = true;
  files.push_back(SafetensorsFile::open(file));
  const SafetensorsFile& opened = files.front();
  metadata = opened.metadata();
  std::vector<std::string> unet_names, vae_names;
  for (const TensorInfo& tensor : opened.tensors()) {
    if (tensor.name.starts_with(ldm_prefix(kDenoiser))) {
      unet_names.push_back(tensor.name.substr(ldm_prefix(kDenoiser).size()));
    } else if (tensor.name.starts_with(ldm_prefix(kVae))) {
      vae_names.push_back(tensor.name.substr(ldm_prefix(kVae).size()));
    }
  }
  const bool original = holds_original_pixart(opened);
  if (original || opened.find(kPixartMark) != nullptr) {
    for (const TensorInfo& tensor : opened.tensors()) {
      add_pixart(tensor, original, opened.label());
    }
    read_embedded_config();
    return;
  }
  layout = unet_layout_from_ldm(unet_names);
  const int vae_levels = vae_levels_from_ldm(vae_names);
  for (const TensorInfo& tensor : opened.tensors()) {
    add_single(tensor, vae_levels);
  }
  if (part(kDenoiser).empty() && part(kVae).empty()) {
    const bool adapter =
        std::any_of(opened.tensors().begin(), opened.tensors().end(),
                    [](const TensorInfo& t) { return t.name.find("lora_") != std::string::npos; });
    throw Error(message<"'{file}' is not a base model: {reason}">(
        opened.label(), adapter
                            ? message<"it is an adapter (LoRA); pass it with --lora and give a "
                                      "checkpoint as the base">()
                            : message<"no tensor starts with 'model.diffusion_model.'; pass a full "
                                      "SDXL or SD 1.5 checkpoint, or a diffusers folder">()));
  }
  read_embedded_config();
  std::sort(ignored.begin(), ignored.end());
  std::sort(unknown.begin(), unknown.end());
}

}  // namespace mantissa
