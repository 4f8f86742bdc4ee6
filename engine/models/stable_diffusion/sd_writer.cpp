// Writing SDXL, SD 1.5 and 2.x models: the names of a single file, and what a diffusers folder
// omits.
#include <algorithm>

#include "engine/core/error.h"
#include "engine/io/part_names.h"
#include "engine/models/clip/clip_config.h"
#include "engine/models/clip/clip_keys.h"
#include "engine/models/stable_diffusion/sd_names.h"
#include "engine/models/stable_diffusion/unet_config.h"
#include "engine/models/vae/vae_config.h"
#include "engine/models/vae/vae_keys.h"

namespace mantissa {

namespace {

/// SD 2.x uses the input of the last of OpenCLIP's 24 layers; diffusers' folders omit that layer.
constexpr int kOpenClipLayers = 24;
constexpr const char* kLayers = "num_hidden_layers";

/// SD 2.x: the only text encoder is OpenCLIP's.
bool has_openclip_te1(const ModelContents& model) {
  const auto config = model.configs.find(kTe1);
  return model.family->part(kTe2) == nullptr && config != model.configs.end() &&
         !clip_config_from_json(config->second, kTe1, part_folder(kTe1)).quick_gelu;
}

std::vector<std::string> names_in(const ModelContents& model, Part part) {
  std::vector<std::string> names;
  if (const auto found = model.parts.find(part); found != model.parts.end()) {
    for (const ModelTensor& tensor : found->second) {
      names.push_back(tensor.name);
    }
  }
  return names;
}

OriginalTensor openclip_tensor(Part part, const std::string& name, std::string_view prefix) {
  auto to = hf_to_openclip(name);
  if (!to) {
    throw Error(message<"the {part} weight '{weight}' has no OpenCLIP name; write a diffusers "
                        "folder instead">(part.name(), name));
  }
  to->name.insert(0, prefix);
  return *to;
}

}  // namespace

OriginalName sd_original_names(const ModelContents& model) {
  return [layout = unet_layout_from_diffusers(names_in(model, kDenoiser)),
          levels = vae_levels_from_diffusers(names_in(model, kVae)),
          openclip_te1 = has_openclip_te1(model), two = model.family->part(kTe2) != nullptr](
             Part part, const std::string& name) -> std::optional<OriginalTensor> {
    if (part == kDenoiser) {
      const auto to = unet_to_ldm(name, layout);
      return to ? std::optional(OriginalTensor{std::string(kUnetPrefix) + *to}) : std::nullopt;
    }
    if (part == kVae) {
      return vae_in_single_file(name, std::string(kVaePrefix), levels);
    }
    if (part == kTe2 || openclip_te1) {
      return openclip_tensor(part, name, part == kTe2 ? kSdxlTe2Prefix : kSd2TextPrefix);
    }
    return OriginalTensor{std::string(two ? kSdxlTe1Prefix : kSd15TextPrefix) + name};
  };
}

void complete_sd(ModelContents& model, const WeightSource& source) {
  const auto fill = [&](Part part, auto config) {
    if (source.has_part(part) && !model.configs.contains(part)) {
      model.configs[part] = to_json(config());
    }
  };
  if (source.has_part(kVae)) {
    const VaeConfig vae = vae_config(source);
    fill(kVae, [&] { return vae; });
  }
  fill(kDenoiser, [&] { return unet_config(source); });
  for (const Part part : model.family->text_parts()) {
    if (source.has_part(part)) {
      const ClipConfig text = clip_config(source, part);  // checked against the weights
      fill(part, [&] { return text; });
    }
  }
}

void sd_to_folder(ModelContents& model) {
  const auto config = model.configs.find(kTe1);
  if (config == model.configs.end() || config->second.value(kLayers, 0) != kOpenClipLayers ||
      !has_openclip_te1(model)) {
    return;
  }
  config->second[kLayers] = kOpenClipLayers - 1;
  const std::string unused =
      "text_model.encoder.layers." + std::to_string(kOpenClipLayers - 1) + ".";
  std::erase_if(model.parts[kTe1],
                [&](const ModelTensor& tensor) { return tensor.name.starts_with(unused); });
}

}  // namespace mantissa
